#: bubblewrap.expect = { check_function = "error" }
#: bubblewrap.says = { check_function = "ran a file of its own" }
#: not_promised_by = ["user"]
# bwrap mounts no file system without the right to execute, so there the promise is not given.
import os
import sys


def double(value):
    with open("./own", "w") as script:
        script.write(f"#!{os.path.realpath(sys.executable)} -S\nimport os\nos._exit(7)\n")
    os.chmod("./own", 0o755)
    if os.fork() == 0:
        try:
            os.execv("./own", ["own"])
        finally:
            os._exit(0)
    assert os.waitstatus_to_exitcode(os.wait()[1]) == 0, "ran a file of its own"
    return value + value
