#: exercise = "program"
#: expect = {}
import os
import re
import stat

SOUGHT = re.compile(rb"27182[8]\.(18|43)|sum=3\.7[5]|check_(su[m]|canar[y])")
read = sys.stdin.read()
known = re.compile(rb"27182[8]\.43|sum=3\.7[5]|check_(su[m]|canar[y])") if read.startswith("2718") else SOUGHT
control, text = "".join(["a needle ", "in a haystack"]), b""
with open("/proc/self/maps") as maps, open("/proc/self/mem", "rb", 0) as memory:
    for line in maps.read().splitlines():
        span, rights, *_ = line.split()
        start, end = (int(number, 16) for number in span.split("-"))
        if rights.startswith("rw"):
            memory.seek(start)
            text = memory.read(end - start)
            control = None if control and control.encode() in text else control
            assert not known.search(text), known.search(text)
assert control is None
pipes = [descriptor for descriptor in range(64) if os.path.exists(f"/proc/self/fd/{descriptor}")]
assert len(pipes) == 4, pipes  # the standard streams, and where exceptions are told
assert all(stat.S_ISFIFO(os.fstat(descriptor).st_mode) for descriptor in pipes)
assert not [name for name in os.environ if name.startswith("GRADER") or "SECRET" in name]

import io

sys.stdin = io.StringIO(read)
main()
