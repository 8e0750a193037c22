#: expect = { check_value = "error", check_gradient = "error", check_function = "error", check_last = "error", check_canary = "not_run" }
#: says = { check_value = "interfered with the grader's own messages", check_canary = "lost too often" }
import os
import stat


def reply():
    """Runs in the process of each check as soon as that is there, before anything was asked of it."""
    for channel in range(3, 64):
        if os.path.exists(f"/proc/self/fd/{channel}") and stat.S_ISSOCK(os.fstat(channel).st_mode):
            os.write(channel, b'\0\0\0\x31S{"id": "0123456789abcdef", "values": [[10.0]]}   ')


os.register_at_fork(after_in_child=reply)
