#: not_promised_by = ["user"]
import os
import stat

places = {line.split()[4] for line in open("/proc/self/mountinfo")}
places |= {os.path.join("/", name) for name in os.listdir("/")}
places |= {"/tmp", "/var/tmp", "/dev/shm", "/run/lock", "/usr/lib", "/usr/bin", os.path.dirname(os.__file__)}
for place in places - {"/scratch"}:
    try:
        if os.path.isdir(place):
            os.open(os.path.join(place, "left-behind"), os.O_CREAT | os.O_WRONLY)
        elif stat.S_ISREG(os.stat(place).st_mode):
            os.open(place, os.O_WRONLY)
        else:
            continue
    except OSError:
        continue
    raise SystemExit(f"{place} can be written to")
