import sys

xs, ys = [], []
for line in sys.stdin:
    words = line.split()
    if words:
        ys.append(float(words[0]))
        xs.append(float(words[1]))
n = len(xs)


def gradient(w, b):
    errors = [w * x + b - y for x, y in zip(xs, ys)]
    return 2 / n * sum(e * x for e, x in zip(errors, xs)), 2 / n * sum(errors)


w = b = 0.0
for _ in range(500):
    dw, db = gradient(w, b)
    w, b = w - 0.05 * dw, b - 0.05 * db

print(f"w={w:.2f}")
print(f"b={b:.2f}")
