"""Typical work for the exercises of this course: right in many styles, and wrong in ways that students go wrong.

    tests/misconceptions/<exercise>/right__<style>.py   right work
    tests/misconceptions/<exercise>/mistakes.toml       wrong work, as what it changes in right work

Each is named `<its mistake>__<what tells it from others>`: the mistake is `right`, the id of a misconception, or `none`
where no known mistake explains it.
"""

from __future__ import annotations

import functools
import tomllib
from pathlib import Path

FOLDER = Path(__file__).parent / "misconceptions"


@functools.cache
def typical_work(exercise: str) -> dict[str, str]:
    """The texts of the files for an exercise, by name."""
    right = {path.stem: path.read_text("utf-8") for path in sorted((FOLDER / exercise).glob("right__*.py"))}
    found = dict(right)
    for name, mistake in tomllib.loads((FOLDER / exercise / "mistakes.toml").read_text("utf-8")).items():
        text = right[f"right__{mistake['of']}"]
        for old, new in mistake["edits"]:
            assert text.count(old) == 1, f"{name} changes what is not there once: {old}"
            text = text.replace(old, new)
        found[name] = text
    return dict(sorted(found.items()))
