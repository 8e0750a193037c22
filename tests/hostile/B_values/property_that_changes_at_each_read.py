#: expect = "failed"
#: says = { check_value = "y.data: expected 14.0, got" }
import itertools

reads = itertools.count()


class Drifting:
    def __get__(self, value, owner):
        return vars(value)["data"] + next(reads)

    def __set__(self, value, data):
        vars(value)["data"] = data


Value.data = Drifting()
