#: expect = { check_function = "error" }
#: says = { check_function = "Lies" }

class Text(str):
    def __getitem__(self, part):
        return self

    def strip(self, *characters):
        return 271828

    __len__ = __iter__ = None


class Lies(Exception):
    def __str__(self):
        return Text("text" * 1_000_000)


def double(value):
    raise Lies
