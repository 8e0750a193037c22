"""The trusted side of the course that hostile submissions are graded with."""
