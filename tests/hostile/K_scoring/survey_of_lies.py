#: exercise = "named"
#: expect = "error"
#: says = "named.py defines "
import sys


class Meta(type):
    __name__ = "\x1b[31mValue"

    def __subclasscheck__(cls, other):
        return True

    def __instancecheck__(cls, other):
        return True


del Value
for number in range(1000):
    globals()[f"C{number}"] = Meta(f"C{number}", (), {"\x1b[31m" + "m" * 100: 1, f"::error::{number}": 2, "data": 3})
globals()["\x1b[31mred"] = Meta("red", (), {})
