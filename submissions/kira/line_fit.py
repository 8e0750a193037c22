"""Fit a line. Kira: there is a formula for it, so why take 500 steps?"""

import sys

xs, ys = [], []
for line in sys.stdin:
    if line.strip():
        x, y = line.split()
        xs.append(float(x))
        ys.append(float(y))

n = len(xs)
mean_x = sum(xs) / n
mean_y = sum(ys) / n
w = sum((x - mean_x) * (y - mean_y) for x, y in zip(xs, ys)) / sum((x - mean_x) ** 2 for x in xs)
b = mean_y - w * mean_x
print(f"w={w:.2f}")
print(f"b={b:.2f}")
