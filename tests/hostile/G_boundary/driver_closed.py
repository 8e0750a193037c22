# The driver's memory, environment, descriptors and root are out of reach, to read and to write.
import os


def opened(name, flags):
    try:
        return os.open(f"/proc/1/{name}", flags)
    except PermissionError:
        return None


for name in ("mem", "maps", "smaps", "environ", "auxv", "stack", "syscall", "pagemap", "task/1/mem", "task/1/environ"):
    for flags in (os.O_RDONLY, os.O_RDWR):
        assert opened(name, flags) is None, name
for name in ("fd", "fdinfo", "map_files", "root", "cwd"):
    try:
        os.listdir(f"/proc/1/{name}")
    except PermissionError:
        continue
    raise SystemExit(f"/proc/1/{name} can be listed")
for link in ("exe", "root", "cwd", "fd/0", "fd/3", "fd/4", "ns/mnt", "ns/user", "ns/net"):
    try:
        os.readlink(f"/proc/1/{link}")
    except PermissionError:
        continue
    raise SystemExit(f"/proc/1/{link} can be read")
for name in ("oom_score_adj", "oom_adj", "comm", "clear_refs", "coredump_filter", "timerslack_ns", "autogroup", "uid_map"):
    writing = opened(name, os.O_WRONLY) if os.path.exists(f"/proc/1/{name}") else None
    if writing is not None:
        try:
            os.write(writing, b"1")
        except PermissionError:
            continue
        raise SystemExit(f"/proc/1/{name} can be written")
