"""Made-up submissions for made-up exercises, and the ways in which they arrive."""

from __future__ import annotations

import io
import json
import tarfile
import zipfile
from pathlib import Path
from typing import TYPE_CHECKING, Any

from grader.exercise import Exercise
from grader.inbox.spool import Spool, Submissions
from grader.limits import Limits

if TYPE_CHECKING:
    from collections.abc import Mapping

    from grader.inbox import Inbox
    from grader.submission import Submission


def exercise(name: str, submit: str, **names: tuple[str, ...]) -> Exercise:
    """An exercise, as far as handing in is concerned."""
    folder = Path("/course/exercises", name)
    return Exercise(name, name.title(), folder, submit, 1, None, None, Limits(), (), "", names=names)


POW, FIT = exercise("pow", "value.py", Value=("data", "grad")), exercise("fit", "fit.py")


def notebook(*cells: str, outputs: Any = ()) -> bytes:
    """A notebook of code cells."""
    made = [{"cell_type": "code", "source": cell, "metadata": {}, "outputs": outputs} for cell in cells]
    return json.dumps({"cells": made, "metadata": {}, "nbformat": 4, "nbformat_minor": 5}).encode()


def as_folder(root: Path, files: Mapping[str, bytes]) -> Path:
    """Writes files below a folder; what ends with a slash is a folder without any."""
    root.mkdir(parents=True, exist_ok=True)
    for name, data in files.items():
        path = root / name
        if name.endswith("/"):
            path.mkdir(parents=True, exist_ok=True)
        else:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(data)
    return root


def zipped(files: Mapping[str, bytes], *, unpacked: bool = False) -> bytes:
    """A zip of files."""
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_STORED if unpacked else zipfile.ZIP_DEFLATED) as archive:
        for name, data in files.items():
            archive.writestr(name, data)
    return stream.getvalue()


def tarred(files: Mapping[str, bytes | tarfile.TarInfo], packing: str = "") -> bytes:
    """A tar of files and of other entries, packed with `gz`, `bz2`, `xz` or nothing."""
    stream = io.BytesIO()
    with tarfile.open(fileobj=stream, mode=f"w:{packing}") as archive:  # type: ignore[call-overload]  # any of them
        for name, data in files.items():
            entry = data if isinstance(data, tarfile.TarInfo) else tarfile.TarInfo(name)
            if isinstance(data, bytes):
                entry.size = len(data)
            archive.addfile(entry, io.BytesIO(data) if isinstance(data, bytes) else None)
    return stream.getvalue()


def spooled(*submissions: Submission) -> Submissions:
    """Submissions as an inbox has them."""
    spool = Spool()
    return Submissions(map(spool.keep, submissions))


def handed_in(inbox: Inbox) -> dict[tuple[str, str], str]:
    """Where the file lies that each student handed in for each exercise."""
    return {
        (student, submission.exercise): origin.path
        for submission, origin in zip(inbox.submissions, inbox.origins, strict=True)
        for student in (submission.student, *submission.partners)
    }


def problems(inbox: Inbox) -> dict[str, str]:
    """The problem of each student's only submission."""
    return {submission.student: submission.problem for submission in inbox.submissions}


def doubts(inbox: Inbox) -> dict[str, str]:
    """What is doubtful, by path."""
    return {origin.path: origin.doubt for origin in inbox.origins if origin.doubt}


def ignored(inbox: Inbox) -> dict[str, str]:
    """What is ignored, by path."""
    return {each.path: each.reason for each in inbox.ignored}
