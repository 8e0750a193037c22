import sys

xs, ys = [], []
for line in sys.stdin:
    words = line.split()
    if words:
        xs.append(float(words[0]))
        ys.append(float(words[1]))
n = len(xs)


def gradient(w, b):
    errors = [w * x + b - y for x, y in zip(xs, ys)]
    return 2 / n * sum(e * x for e, x in zip(errors, xs)), 2 / n * sum(errors)


w = b = 0.0
for _ in range(500):
    w = w - 0.05 * gradient(w, b)[0]
    b = b - 0.05 * gradient(w, b)[1]

print(f"w={w:.2f}")
print(f"b={b:.2f}")
