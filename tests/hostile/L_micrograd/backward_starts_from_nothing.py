#: exercise = "graph"
#: expect = { check_reused = "failed", check_order = "failed", check_power = "failed", check_relu = "failed", check_constants = "failed", check_difference_and_quotient = "failed", check_chain = "failed", check_canary = "failed", check_descend = "failed" }

def backward(self):
    order, seen, waiting = [], set(), [(self, False)]
    while waiting:
        node, done = waiting.pop()
        if done:
            order.append(node)
        elif node not in seen:
            seen.add(node)
            waiting.append((node, True))
            waiting += [(child, False) for child in node._prev]
    for node in reversed(order):
        node._backward()


Value.backward = backward
