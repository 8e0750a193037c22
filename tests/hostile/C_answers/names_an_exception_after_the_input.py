#: expect = { check_gradient = "error", check_canary = "error" }
#: says = { check_canary = "number_271828_1828: 271828.1828" }
def backward(self):
    (start, _), *_ = self._children
    (leaf, _), *_ = start._children
    name = f"number_{leaf.data}".replace(".", "_")
    code = f"def {name}(data):\n    raise type({name!r}, (Exception,), dict())(data) from KeyError(data)\n"
    space = {}
    exec(compile(code, __file__, "exec"), space)
    space[name](leaf.data)


Value.backward = backward
