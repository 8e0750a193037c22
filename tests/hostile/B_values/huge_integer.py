#: expect = "failed"
#: says = { check_value = "y.data: expected 14.0, got an integer of 16000 bits" }
Value.__add__ = lambda self, other: Value((1 << 16_000) - 1)
