# Every operation is a class of its own: it knows its value, and how to share out a gradient.
import sys
from math import tanh


class Value:
    def __init__(self, data):
        self.data = data
        self.grad = 0
        self.inputs = ()

    def share(self):
        pass

    def __add__(self, other):
        return Add(self, wrap(other))

    def __mul__(self, other):
        return Mul(self, wrap(other))

    def __pow__(self, n):
        return Pow(self, n)

    def __neg__(self):
        return Mul(self, Value(-1))

    def __sub__(self, other):
        return Add(self, -wrap(other))

    def tanh(self):
        return Tanh(self)

    def backward(self):
        order = []
        sort(self, order, set())
        self.grad = 1
        while order:
            order.pop().share()


class Add(Value):
    def __init__(self, a, b):
        super().__init__(a.data + b.data)
        self.inputs = (a, b)

    def share(self):
        for value in self.inputs:
            value.grad += self.grad


class Mul(Value):
    def __init__(self, a, b):
        super().__init__(a.data * b.data)
        self.inputs = (a, b)

    def share(self):
        a, b = self.inputs
        a.grad += b.data * self.grad
        b.grad += a.data * self.grad


class Pow(Value):
    def __init__(self, base, n):
        super().__init__(base.data**n)
        self.inputs = (base,)
        self.n = n

    def share(self):
        (base,) = self.inputs
        if self.n != 0:
            base.grad += self.n * base.data ** (self.n - 1) * self.grad


class Tanh(Value):
    def __init__(self, x):
        super().__init__(tanh(x.data))
        self.inputs = (x,)

    def share(self):
        self.inputs[0].grad += (1 - self.data * self.data) * self.grad


def wrap(number):
    return number if isinstance(number, Value) else Value(number)


def sort(value, order, seen):
    if id(value) in seen:
        return
    seen.add(id(value))
    for each in value.inputs:
        sort(each, order, seen)
    order.append(value)


class Neuron:
    def __init__(self):
        self.w = Value(0.1)
        self.b = Value(0.0)

    def __call__(self, x):
        return (self.w * x + self.b).tanh()

    def parameters(self):
        return [self.w, self.b]


examples = [tuple(float(word) for word in line.split()) for line in sys.stdin]
if not examples:
    examples = [(x, tanh(2 * x - 1)) for x in (-1, 0, 0.5, 1)]

neuron = Neuron()
for step in range(301):
    errors = [(neuron(x) - y) ** 2 for x, y in examples]
    loss = errors[0]
    for error in errors[1:]:
        loss = loss + error
    loss.backward()
    if step in (0, 100, 200, 300):
        print("step %d: loss %.4f" % (step, loss.data))
    for p in neuron.parameters():
        p.data -= 0.2 * p.grad
        p.grad = 0

print("w = %.2f, b = %.2f" % (neuron.w.data, neuron.b.data))
