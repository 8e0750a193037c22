import glob
import importlib.util
import json
import os
import sys

assert sys.dont_write_bytecode
assert importlib.util.find_spec("left_behind") is None
assert os.path.dirname(os.path.dirname(json.__file__)) == os.path.dirname(os.__file__)
for place in [*sys.path, "/opt/grader", "/scratch"]:
    assert not glob.glob(f"{place}/*left*behind*") and not os.path.exists(f"{place}/__pycache__/left-behind"), place
