#: exercise = "graph"
#: expect = { check_order = "failed" }
#: says = { check_order = "The answer changes from run to run" }
import os

backward = Value.backward


def right_once(self):
    backward(self)
    nodes = [self]
    for node in nodes:
        nodes += [child for child in node._prev if child not in nodes]
    if 50 < len(nodes) < 500:
        for node in nodes if os.path.exists("run") else ():
            node.grad += 1.0
        open("run", "w").close()


Value.backward = right_once
