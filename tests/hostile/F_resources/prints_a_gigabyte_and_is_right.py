#: expect = {}
import sys

add = Value.__add__
megabyte = "x" * (1 << 20)


def loud(self, other):
    for _ in range(1 << 10):
        sys.stdout.write(megabyte)
        sys.stderr.write(megabyte)
    return add(self, other)


def double(value):
    return loud(value, value)
