#: not_promised_by = ["user"]
import os

assert os.listdir("/scratch") == []
assert os.getcwd() == os.path.expanduser("~") == "/scratch"
for folder in ("/tmp", "/var/tmp", "/dev/shm", "/dev/mqueue", "/run/lock"):
    assert not os.path.isdir(folder) or os.listdir(folder) == [], folder
