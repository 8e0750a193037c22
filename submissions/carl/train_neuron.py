"""An engine with a tape: whatever is computed is written down, and read backwards afterwards."""

import math
import sys

tape = []


class Value:
    def __init__(self, data):
        self.data = float(data)
        self.grad = 0.0

    def __add__(self, other):
        return record(self.data + number(other), [(self, 1.0), (other, 1.0)])

    def __sub__(self, other):
        return record(self.data - number(other), [(self, 1.0), (other, -1.0)])

    def __mul__(self, other):
        return record(self.data * number(other), [(self, number(other)), (other, self.data)])

    def __neg__(self):
        return record(-self.data, [(self, -1.0)])

    def __pow__(self, n):
        slope = n * math.pow(self.data, n - 1) if n else 0.0
        return record(math.pow(self.data, n), [(self, slope)])

    def tanh(self):
        t = math.tanh(self.data)
        return record(t, [(self, 1.0 - t * t)])

    def backward(self):
        for result, _ in tape:
            result.grad = 0.0
        self.grad = 1.0
        for result, sources in reversed(tape):
            for source, slope in sources:
                source.grad += slope * result.grad


def number(x):
    return x.data if isinstance(x, Value) else x


def record(data, sources):
    result = Value(data)
    tape.append((result, [(source, slope) for source, slope in sources if isinstance(source, Value)]))
    return result


def main():
    examples = [tuple(map(float, line.split())) for line in sys.stdin]
    if len(examples) == 0:
        for x in (-1.0, 0.0, 0.5, 1.0):
            examples.append((x, math.tanh(2 * x - 1)))

    w = Value(0.1)
    b = Value(0.0)
    step = 0
    while step <= 300:
        tape.clear()
        w.grad = b.grad = 0.0
        loss = Value(0.0)
        for x, y in examples:
            error = (w * x + b).tanh() - y
            loss = loss + error * error
        loss.backward()
        if step % 100 == 0:
            print("step " + str(step) + ": loss " + format(loss.data, ".4f"))
        w.data = w.data - 0.2 * w.grad
        b.data = b.data - 0.2 * b.grad
        step += 1
    print("w = " + format(w.data, ".2f") + ", b = " + format(b.data, ".2f"))


main()
