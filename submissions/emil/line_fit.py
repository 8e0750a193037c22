# The slope of the mean squared error, worked out on paper. EMIL
import sys

points = [tuple(map(float, line.split())) for line in sys.stdin if line.strip()]
n = len(points)

w = 0.0
b = 0.0
for step in range(500):
    w = w - 0.05 * sum(2 * (w * x + b - y) * x for x, y in points) / n
    b = b - 0.05 * sum(2 * (w * x + b - y) for x, y in points) / n

print(f"w={w:.2f}")
print(f"b={b:.2f}")
