#: expect = {}
#: not_promised_by = ["user"]
import glob
import os
import re

SOUGHT = re.compile(
    r"27182[8]|check_|hidde[n]|hostil[e]|secre[t]|C_answer[s]|/home|pytes[t]|course|exercise|bwrap"
)
everything = []
for name in ("cmdline", "comm", "stat", "status", "wchan"):
    for path in glob.glob(f"/proc/[0-9]*/{name}"):
        try:
            with open(path, errors="replace") as file:
                everything.append(file.read())
        except OSError:
            pass
for name in ("cwd", "exe", "root", "fd/*"):
    for path in glob.glob(f"/proc/[0-9]*/{name}"):
        try:
            everything.append(os.readlink(path))
        except OSError:
            pass
assert any("grader.sandbox.start" in entry for entry in everything)  # the parent, and nothing of its parents
found = [entry for entry in everything if SOUGHT.search(entry)]
assert not found, found
