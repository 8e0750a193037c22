#: expect = "error"
#: says = "exit status 0"
import os


class Leaving:
    def __get__(self, value, owner):
        caller = sys._getframe(1).f_code.co_filename
        return os._exit(0) if caller != __file__ else vars(value)["data"]

    def __set__(self, value, data):
        vars(value)["data"] = data


import sys

Value.data = Leaving()
