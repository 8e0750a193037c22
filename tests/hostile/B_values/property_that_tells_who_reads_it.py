#: expect = "failed"
#: says = { check_value = "y.data: expected 14.0, got 13.0" }
import sys


class TwoFaced:
    """Right for whoever calculates with it, off by one for the grader, which is not in this file."""

    def __get__(self, value, owner):
        return vars(value)["data"] - (sys._getframe(1).f_code.co_filename != __file__)

    def __set__(self, value, data):
        vars(value)["data"] = data


Value.data = TwoFaced()
