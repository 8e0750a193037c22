"""Grades programming exercises: each submission in a sandbox of its own, against a trusted reference."""
