#: expect = {}
import logging
import os
import sys
import warnings

logging.basicConfig(level=logging.DEBUG)


def noisy(method):
    def loud(*args):
        print("{'id': 1, 'values': [0]}", method.__name__, args)
        print("\r[=====>    ] 50%", end="", file=sys.stderr, flush=True)
        warnings.warn("about to overflow")
        logging.warning("in %s", method.__name__)
        os.write(1, b"\0\0\0\2S{}")
        os.write(2, b"\0\0\0\2S{}")
        sys.__stdout__.flush()
        return method(*args)

    return loud


Value.__init__ = noisy(Value.__init__)
Value.__add__ = noisy(Value.__add__)
Value.__mul__ = noisy(Value.__mul__)
Value.backward = noisy(Value.backward)
double = noisy(double)
