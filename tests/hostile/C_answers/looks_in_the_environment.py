#: expect = {}
import glob
import os
import re

SOUGHT = re.compile(
    r"27182[8]|54365[6]|check_|hidde[n]|hostil[e]|secre[t]|C_answer[s]|/home|pytes[t]|TOKE[N]|PASSWOR[D]"
)
everything = [f"{name}={value}" for name, value in os.environ.items()]
own = 0
for path in glob.glob("/proc/[0-9]*/environ"):
    try:
        with open(path, errors="replace") as file:
            everything += file.read().split("\0")
            own += 1
    except OSError:
        pass
assert own and any(entry.startswith("PATH=") for entry in everything)
found = [entry for entry in everything if SOUGHT.search(entry)]
assert not found, found
