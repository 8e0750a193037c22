import os
import stat

for kind, major, minor in ((stat.S_IFCHR, 1, 1), (stat.S_IFCHR, 1, 3), (stat.S_IFBLK, 8, 0), (stat.S_IFBLK, 254, 0)):
    for folder in (".", "/dev"):
        try:
            os.mknod(f"{folder}/node", kind | 0o666, os.makedev(major, minor))
        except OSError:
            continue
        raise SystemExit(f"made the device {major}:{minor}")
