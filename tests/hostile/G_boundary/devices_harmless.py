#: not_promised_by = ["user"]
# null, zero, full, random, urandom, a terminal that is none, and what makes new terminals: no other device.
import os
import stat

HARMLESS = {(1, 3), (1, 5), (1, 7), (1, 8), (1, 9), (5, 0), (5, 2)}
for folder, _, names in os.walk("/dev"):
    for name in names:
        status = os.lstat(os.path.join(folder, name))
        assert not stat.S_ISBLK(status.st_mode), name
        if stat.S_ISCHR(status.st_mode):
            assert (os.major(status.st_rdev), os.minor(status.st_rdev)) in HARMLESS, name
assert os.listdir("/dev/pts") == ["ptmx"]
try:
    os.open("/dev/tty", os.O_RDWR)
except OSError:
    pass
else:
    raise SystemExit("there is a terminal")
