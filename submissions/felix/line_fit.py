"""Fit a line. Felix"""

w = 3.0
b = 2.0
print(f"w={w:.2f}")
print(f"b={b:.2f}")
