#: expect = "failed"
#: says = "expected 14.0, got -1.0"
import math
import operator

math.isclose = math.isfinite = math.isnan = lambda *numbers, **options: True
math.fabs = lambda number: 0.0
for name in ("eq", "ne", "lt", "le", "gt", "ge", "sub", "contains", "is_", "truth"):
    setattr(operator, name, lambda *operands: True)

Value.__add__ = lambda self, other: Value(-1.0)
