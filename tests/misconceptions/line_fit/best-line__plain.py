import sys

xs, ys = [], []
for line in sys.stdin:
    words = line.split()
    if words:
        xs.append(float(words[0]))
        ys.append(float(words[1]))
n = len(xs)


mean_x = sum(xs) / n
mean_y = sum(ys) / n
w = sum((x - mean_x) * (y - mean_y) for x, y in zip(xs, ys)) / sum((x - mean_x) ** 2 for x in xs)
b = mean_y - w * mean_x

print(f"w={w:.2f}")
print(f"b={b:.2f}")
