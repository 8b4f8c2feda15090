"""What `reviewbot init` writes into a repository: values and texts, out of what was seen there.

`seen.py` is the vocabulary, `skill.py` the first skill, `files.py` the configuration and the workflow.
Names from the repository are data: what is not plain enough for a Markdown table is left out.
"""
