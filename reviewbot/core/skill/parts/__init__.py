"""What a skill is made of: its classes, its files in scope, its gates, what it refers to."""
