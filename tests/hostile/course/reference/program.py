"""Adds up the numbers on standard input; with `--quiet`, prints nothing and leaves with how many there were."""

from __future__ import annotations

import sys

numbers = [float(line) for line in sys.stdin if line.strip()]
if "--quiet" in sys.argv:
    sys.exit(len(numbers))
print(f"sum={sum(numbers):.2f}")
