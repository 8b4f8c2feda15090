"""The front matter of a skill: the fields, and what the keys mean to reviewbot."""
