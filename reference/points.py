"""Points as a program reads them."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

Point = tuple[float, float]
"""x and y."""


def read_points(lines: Iterable[str]) -> list[Point]:
    """Read one point from each line: x and y, apart by white space. Blank lines are skipped."""
    points = []
    for line in lines:
        if line.strip():
            x, y = line.split()
            points.append((float(x), float(y)))
    return points
