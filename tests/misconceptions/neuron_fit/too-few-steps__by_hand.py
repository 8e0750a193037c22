# The gradients of one neuron fit on a napkin, so here they are without an engine.
import math
import sys


def examples():
    pairs = [tuple(map(float, line.split())) for line in sys.stdin.read().splitlines()]
    if pairs:
        return pairs
    return [(x, math.tanh(2 * x - 1)) for x in (-1, 0, 0.5, 1)]


data = examples()
w, b = 0.1, 0.0
for step in range(300):
    loss = dw = db = 0.0
    for x, y in data:
        p = math.tanh(w * x + b)
        error = p - y
        loss += error**2
        slope = 2 * error * (1 - p**2)
        dw += slope * x
        db += slope
    if step % 100 == 0:
        print("step %d: loss %.4f" % (step, loss))
    w -= 0.2 * dw
    b -= 0.2 * db
print("w = %.2f, b = %.2f" % (w, b))
