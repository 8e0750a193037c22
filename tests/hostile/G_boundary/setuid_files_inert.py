#: not_promised_by = ["user"]
# No setuid file lies where the kernel would heed it, and what is executed gains nothing.
import os
import stat

status = dict(line.split(":", 1) for line in open("/proc/self/status"))
assert status["NoNewPrivs"].strip() == "1"
for mount in open("/proc/self/mountinfo"):
    place = mount.split()[4]
    if os.statvfs(place).f_flag & os.ST_NOSUID:
        continue
    for folder, folders, names in os.walk(place):
        folders[:] = [name for name in folders if not os.path.ismount(os.path.join(folder, name))]
        for name in names:
            mode = os.lstat(os.path.join(folder, name)).st_mode
            assert not mode & (stat.S_ISUID | stat.S_ISGID), os.path.join(folder, name)
