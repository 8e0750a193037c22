#: expect = {}
#: not_promised_by = ["user"]
import os
import re

SOUGHT = re.compile(
    r"/(reference/(engine|nn)|checks?/check_\w+|hidden/\w+|check_(canary|engine|program)|test_hostile|value|program)\.py$"
    r"|/(hidden|exercise)\.toml$|\.secret$|/(docker\.sock|gradebook\S*|shadow|\.git|\.ssh)$|hostil[e]/|submissions$"
    r"|/(micrograd|tinygrad|torch|numpy|pytest|_pytest|hypothesis)(/__init__)?(\.py)?$"
)
found, seen = [], 0
for folder, folders, files in os.walk("/"):
    folders[:] = [name for name in folders if os.path.join(folder, name) not in {"/proc", "/sys"}]
    seen += len(files)
    found += [path for name in [*folders, *files] if SOUGHT.search(path := os.path.join(folder, name))]
assert seen > 500
assert not found, found
