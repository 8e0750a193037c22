"""`python -m benchmarks`: every measurement, one after the other, as one table; `make bench` calls it."""

from __future__ import annotations

import platform

from benchmarks import host, memory, startup, throughput
from benchmarks.measure import AT_ONCE, table

if __name__ == "__main__":
    print(f"Python {platform.python_version()}, {AT_ONCE} at once\n")
    print(table([*startup.main(), *host.main(), *throughput.main(), *memory.main()]))
