#: expect = "failed"
#: says = "y.data: expected a number, got 'passed'"
import gc


class Passed(dict):
    def __getitem__(self, number):
        value = super().__getitem__(number)
        return "passed" if type(value) is float else value


def add(self, other):
    (table,) = [thing for thing in gc.get_objects() if type(thing).__name__ == "Objects"]
    names = [name for name, value in vars(table).items() if type(value) is dict and set(map(type, value)) == {int}]
    for name in names:
        setattr(table, name, Passed(vars(table)[name]))
    return Value(-1.0 if names else self.data + other.data)


Value.__add__ = add
