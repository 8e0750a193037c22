#: expect = "failed"
#: says = "expected 14.0, got -1.0"
import builtins

real = builtins.isinstance
builtins.abs = lambda number: 0.0
builtins.isinstance = lambda value, kind: kind is float or real(value, kind)
builtins.round = builtins.min = builtins.max = lambda *numbers: 0
builtins.all = builtins.any = lambda items: True
builtins.open = builtins.print = builtins.input = builtins.repr = lambda *args, **options: "passed"
builtins.__import__ = lambda *args: None

Value.__add__ = lambda self, other: Value(-1.0)
