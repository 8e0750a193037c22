import glob
import importlib.util
import json
import os
import sys

modules = [os.__file__, json.__file__, os.path.realpath(sys.executable), *glob.glob("/opt/grader/grader/sandbox/*")]
for path in modules:
    for spoil in (
        lambda: open(path, "r+b"),
        lambda: os.truncate(path, 0),
        lambda: os.unlink(path),
        lambda: os.rename(path, path + "x"),
        lambda: os.chmod(path, 0o777),
        lambda: os.utime(path),
        lambda: os.symlink("x", importlib.util.cache_from_source(path) + ".1"),
    ):
        try:
            spoil()
        except OSError:
            continue
        raise SystemExit(f"spoilt {path}")
