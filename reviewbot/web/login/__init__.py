"""Who is asking, and what they may see."""
