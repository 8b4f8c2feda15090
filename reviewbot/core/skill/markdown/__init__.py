"""How the Markdown of a skill is read: its blocks, its sections, and the items of a list in every form."""
