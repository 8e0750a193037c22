#: not_promised_by = ["user"]
import os
import sys

for path in (
    "/etc/shadow",
    "/etc/gshadow",
    "/etc/ssh",
    "/proc/1/root/etc/shadow",
    "/proc/self/root/etc/shadow",
    "/proc/self/cwd/../etc/shadow",
    "/run/secrets",
    "/var/run/secrets/kubernetes.io/serviceaccount/token",
):
    assert not os.path.exists(path), path
for place in ("/root", "/home", "/var", "/srv", "/mnt", "/media"):
    for folder, folders, names in os.walk(place):
        assert not names, folder
        folders[:] = [name for name in folders if os.path.join(folder, name) != sys.base_prefix]
assert not {name for name in os.environ if any(word in name for word in ("TOKEN", "SECRET", "KEY", "PASS", "SSH"))}
