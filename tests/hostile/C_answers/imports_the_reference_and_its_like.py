#: expect = {}
import importlib.util
import sys

names = """reference reference.engine reference.nn grader.compare grader.checks grader.exercise checks.check_engine
hidden.check_canary check_canary torch numpy micrograd micrograd.engine tinygrad jax autograd sympy mpmath tensorflow
pytest _pytest hypothesis docker pip setuptools pkg_resources conftest test_hostile honest.value""".split()
found = ["grader"] if importlib.util.find_spec("grader") else []
for places in (
    [],
    ["/", "/opt", "/srv", "/app", "/course", "/mnt", "/root", "/tmp", "..", "../.."],
):
    sys.path.extend(places)
    for name in names:
        try:
            found.append(importlib.import_module(name))
        except ImportError:
            pass
assert importlib.import_module("colorsys")
assert not found, found
