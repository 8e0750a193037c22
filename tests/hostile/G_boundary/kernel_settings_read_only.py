#: not_promised_by = ["user"]
import os

for place in ("/proc/sys", "/sys", "/proc/irq", "/proc/bus", "/proc/fs", "/proc/driver", "/proc/acpi"):
    for folder, _, names in os.walk(place):
        for name in names:
            try:
                os.open(os.path.join(folder, name), os.O_WRONLY)
            except OSError:
                continue
            raise SystemExit(f"{folder}/{name} can be written to")
for name in ("sysrq-trigger", "kcore", "kmsg", "mtrr", "kallsyms", "keys", "timer_list", "pressure/memory"):
    try:
        written = os.write(os.open(f"/proc/{name}", os.O_WRONLY), b"h")
    except OSError:
        continue
    # Where it is covered by a device that forgets, the bytes went nowhere.
    assert os.stat(f"/proc/{name}").st_rdev == os.makedev(1, 3), name
