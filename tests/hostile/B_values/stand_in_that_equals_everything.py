#: expect = { check_value = "error", check_gradient = "error", check_function = "error", check_last = "error", check_canary = "error" }
#: says = { check_value = "No module named 'torch'" }
import torch

kind = type(torch.pi)
kind.__eq__ = lambda self, other: True
kind.__float__ = lambda self: 14.0
kind.__bool__ = lambda self: True
kind.__round__ = kind.__int__ = kind.__index__ = lambda self, *digits: 14
Value.data = property(lambda self: torch.tensor(14.0), lambda self, data: None)
