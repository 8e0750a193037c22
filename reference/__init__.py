"""The course's own answers: what every exercise is compared with. Uses nothing but the standard library."""
