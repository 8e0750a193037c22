import os

who = os.getresuid(), os.getresgid(), os.getgroups()
assert 0 not in who[0] + who[1] + tuple(who[2])
for change in (
    lambda: os.setuid(0),
    lambda: os.setgid(0),
    lambda: os.setreuid(0, 0),
    lambda: os.setresuid(0, 0, 0),
    lambda: os.setresgid(0, 0, 0),
    lambda: os.setgroups([0]),
    lambda: os.chown(".", 0, 0),
):
    try:
        change()
    except OSError:
        continue
    raise SystemExit("became somebody else")
assert who == (os.getresuid(), os.getresgid(), os.getgroups())
