"""How long a submission takes when a class is graded, against what can take no less.

    python -m benchmarks.throughput [STUDENTS]

Each student hands in two files. Everything is done as often, with as many at once, and what starting costs is taken
out by grading two classes, of which one is larger. The floors:

    bare        the same checks in one process for each core, which isolates nothing and starts once (`bare.py`)
    by hand     the same in a plain container for each submission: `docker run` of a script that has all the answers
    empty       sandboxes with our flags in which a driver starts, says that it is there, and is ended
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING

from benchmarks.measure import AT_ONCE, COURSE, FILES, Ratio, class_of, grader, seconds_of, start_and_end, table
from grader.sandbox.bubblewrap import BubblewrapSandbox
from grader.sandbox.docker import DockerSandbox

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from pathlib import Path

    from grader.sandbox import Sandbox

BARE = COURSE / "benchmarks" / "bare.py"


def for_each(count: int, do: Callable[[int], object]) -> float:
    """Do something for each submission, as many at once as there are cores; return the seconds of one."""
    started = time.perf_counter()
    with ThreadPoolExecutor(AT_ONCE) as pool:
        list(pool.map(do, range(count)))
    return (time.perf_counter() - started) / count


def marginal(students: int, seconds_for: Callable[[Path], float]) -> float:
    """Return the seconds that one more submission takes, once everything has started."""
    few = max(AT_ONCE, students // 4)
    with class_of(few) as small, class_of(few + students) as large:
        before = seconds_for(small)
        return (seconds_for(large) - before) / (len(FILES) * students)


def bare(folder: Path) -> float:
    """Grade a class in one process for each core."""
    students = sorted(folder.iterdir())

    def share(number: int) -> None:
        mine = students[number::AT_ONCE]
        for exercise, file in FILES.items():
            run_bare([sys.executable, str(BARE), str(COURSE)], exercise, (student / file for student in mine))

    return for_each(AT_ONCE, share) * AT_ONCE


def run_bare(python: list[str], exercise: str, files: Iterable[Path]) -> None:
    """Run the hand-made runner, which must find nothing wrong."""
    subprocess.run([*python, exercise, *map(str, files)], check=True, stdout=subprocess.DEVNULL)  # noqa: S603  # ours


def by_hand(folder: Path, image: str) -> float:
    """Grade a class with a plain container for each submission."""
    files = [(exercise, student / file) for student in sorted(folder.iterdir()) for exercise, file in FILES.items()]
    mounts = [argument for place in (COURSE, folder) for argument in ("-v", f"{place}:{place}:ro")]

    def one(number: int) -> None:
        exercise, file = files[number]
        run = ["docker", "run", "--rm", "--network", "none", *mounts, "--entrypoint", "python3", "-e", "PYTHONPATH="]
        run_bare([*run, image, "-B", str(BARE), str(COURSE)], exercise, [file])

    return for_each(len(files), one) * len(files)


def ours(folder: Path, sandbox: str) -> float:
    """Grade a class with the command that instructors use."""
    with tempfile.TemporaryDirectory(prefix="grader-bench-") as output:
        chosen = [argument for exercise in FILES for argument in ("--exercise", exercise)]
        return seconds_of(grader("grade", folder, "-o", output, "--sandbox", sandbox, "-j", str(AT_ONCE), *chosen))


def empty(sandbox: Sandbox, count: int) -> float:
    """Start and end sandboxes in which nothing is done; return the seconds of one."""
    start_and_end(sandbox)
    return for_each(count, lambda _: start_and_end(sandbox))


def main(students: int = 20) -> list[Ratio]:
    """Measure everything, and return the figures."""
    floor = marginal(students, bare)
    with BubblewrapSandbox() as sandbox:
        empty_bubblewrap = empty(sandbox, 2 * students)
    with DockerSandbox() as docker:
        image = docker.image
        empty_docker = empty(docker, 2 * students)
    in_bubblewrap = marginal(students, lambda folder: ours(folder, "bubblewrap"))
    in_docker = marginal(students, lambda folder: ours(folder, "docker"))
    hand_made = marginal(students, lambda folder: by_hand(folder, image))

    def told(seconds: float) -> str:
        return f"{seconds * 1000:.0f} ms"

    def row(what: str, seconds: float, floor_is: str, floor: float, target: float) -> Ratio:
        return Ratio(what, told(seconds), f"{floor_is}: {told(floor)}", seconds / floor, target)

    at_once = f"{AT_ONCE} at once"
    return [
        row(f"a submission in bubblewrap, {at_once}", in_bubblewrap, "bare", floor, 1.5),
        row(f"a submission in Docker, {at_once}", in_docker, "by hand", hand_made, 1.0),
        row(f"a submission in Docker, {at_once}", in_docker, "empty, and bare", empty_docker + floor, 1.25),
        row("an empty sandbox of bubblewrap", empty_bubblewrap, "bare", floor, 0),
        row("an empty sandbox of Docker", empty_docker, "bare", floor, 0),
    ]


if __name__ == "__main__":
    print(table(main(*map(int, sys.argv[1:]))))
