"""Measurements of the grader, as ratios in one run: machines differ, and are noisy. `make bench` runs them all."""
