#: expect = "failed"
#: says = { check_value = "expected a number, got '\\udfff\\x00\\ud800'" }
Value.__add__ = lambda self, other: Value("\udfff\0\ud800")
