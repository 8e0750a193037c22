#: exercise = "graph"


backward = Value.backward


def resets(self):
    seen, waiting = set(), [self]
    while waiting:
        node = waiting.pop()
        if node not in seen:
            seen.add(node)
            node.grad = 0.0
            waiting += node._prev
    backward(self)


Value.backward = resets
