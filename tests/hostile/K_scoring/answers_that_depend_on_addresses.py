#: exercise = "graph"
#: expect = { check_order = "failed" }
#: says = { check_order = "The answer changes from run to run" }
# Right as long as objects lie where they lay the first time; a check of several runs has them elsewhere.
import os

backward = Value.backward


def depends_on_addresses(self):
    backward(self)
    nodes = [self]
    for node in nodes:
        nodes += [child for child in node._prev if child not in nodes]
    if 50 < len(nodes) < 500:
        if not os.path.exists("address"):
            open("address", "w").write(str(id(self)))
        for node in nodes if open("address").read() != str(id(self)) else ():
            node.grad += 1.0


Value.backward = depends_on_addresses
