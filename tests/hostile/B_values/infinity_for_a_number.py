#: expect = "failed"
#: says = { check_value = "expected 14.0, got inf", check_last = "expected 3.0, got inf" }
right = Value.__init__
Value.__init__ = lambda self, data, _children=(): right(self, float("inf"), _children)
