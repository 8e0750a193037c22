import ctypes
import errno
import os

libc = ctypes.CDLL(None, use_errno=True)
REFUSED = (-1, errno.EPERM)


def call(x86_64, aarch64, *arguments):
    number = {"x86_64": x86_64, "aarch64": aarch64}[os.uname().machine]
    return libc.syscall(*map(ctypes.c_long, (number, *arguments))), ctypes.get_errno()


os.mkdir("root")
root, kind, nothing = (ctypes.create_string_buffer(text) for text in (b"root", b"tmpfs", b""))
place, kind, nothing = map(ctypes.addressof, (root, kind, nothing))
BIND, MOVE, PRIVATE = 4096, 8192, 1 << 18
assert call(161, 51, place) == REFUSED  # chroot
assert call(155, 41, place, place) == REFUSED  # pivot_root
for flags in (0, BIND, MOVE, PRIVATE):
    assert call(165, 40, kind, place, kind, flags, 0) == REFUSED  # mount
assert call(166, 39, place, 2) == REFUSED  # umount2
assert call(430, 430, kind, 0) == REFUSED  # fsopen
assert call(433, 433, -100, place, 0) == REFUSED  # fspick
assert call(428, 428, -100, place, 1) == REFUSED  # open_tree
assert call(429, 429, -100, place, -100, place, 0) == REFUSED  # move_mount
assert call(432, 432, 0, 0, 0) == REFUSED  # fsmount
assert call(442, 442, -100, place, 0, place, 32) == REFUSED  # mount_setattr
os.rmdir("root")
