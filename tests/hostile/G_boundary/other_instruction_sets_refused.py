# The same machine has two more sets of system calls, with other numbers: a filter must not know one alone.
import ctypes
import mmap
import os

OPENED = 77


def ends(call):
    """How a process ends that makes a call: a filter may refuse the call, or kill who makes it."""
    if os.fork() == 0:
        os._exit(OPENED if call() >= 0 else 0)
    return os.waitstatus_to_exitcode(os.wait()[1])


if os.uname().machine == "x86_64":
    SOCKET, X32, AF_UNIX, STREAM = 41, 0x40000000, 1, 1
    libc = ctypes.CDLL(None)
    assert ends(lambda: libc.syscall(*map(ctypes.c_long, (X32 | SOCKET, AF_UNIX, STREAM, 0)))) != OPENED
    # push rbx; mov eax, 359 (socket of i386); mov ebx, 1; mov ecx, 1; xor edx, edx; int 0x80; pop rbx; ret
    code = bytes.fromhex("53 b867010000 bb01000000 b901000000 31d2 cd80 5b c3")
    page = mmap.mmap(-1, mmap.PAGESIZE, prot=mmap.PROT_READ | mmap.PROT_WRITE | mmap.PROT_EXEC)
    page.write(code)
    assert ends(ctypes.CFUNCTYPE(ctypes.c_int)(ctypes.addressof(ctypes.c_char.from_buffer(page)))) != OPENED
