#: expect = {}
import glob
import os

found = []
for (
    path
) in """/etc/shadow /etc/gshadow /root/.bash_history /root/.ssh /home/* /var/run/docker.sock /run/docker.sock
/var/lib/docker /var/log/* /proc/1/root/* /proc/1/cwd/* /proc/1/environ /proc/1/maps /proc/1/mem /proc/1/fd/*
/proc/1/map_files/* /proc/1/task/*/environ /proc/kcore /proc/kmsg /dev/mem /dev/sd* /dev/vd* /dev/nvme* /dev/kmsg
/dev/fuse /dev/kvm /sys/kernel/debug/* /sys/firmware/* /oldroot/* /newroot/* /.dockerenv/* /host/* /mnt/* /media/*
/proc/self/root/root/* /proc/self/cwd/../../root/* /tmp/* /var/tmp/* /dev/shm/*""".split():
    for name in glob.glob(path) or [path]:
        for attempt in (os.listdir, lambda name: open(name, "rb").read(1)):
            try:
                if attempt(name):
                    found.append(name)
            except OSError:
                pass
assert open("/proc/self/cmdline", "rb").read(1)
assert not found, found
