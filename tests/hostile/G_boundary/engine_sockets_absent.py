#: not_promised_by = ["user"]
# The sockets of container engines, of the system's bus and of its log are not there, nor is any other.
import os
import stat

for place in (
    "/var/run/docker.sock",
    "/run/docker.sock",
    "/run/containerd/containerd.sock",
    "/run/podman/podman.sock",
    "/run/dbus/system_bus_socket",
    "/run/systemd/private",
    "/dev/log",
):
    assert not os.path.lexists(place), place
for folder, folders, names in os.walk("/"):
    if folder == "/":
        folders[:] = set(folders) - {"proc", "sys", "usr"}
    for name in names:
        path = os.path.join(folder, name)
        assert not os.path.lexists(path) or not stat.S_ISSOCK(os.lstat(path).st_mode), path
