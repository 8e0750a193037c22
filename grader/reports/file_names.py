"""Names for report files, whatever students are called."""

from __future__ import annotations

import hashlib
import re
import unicodedata

_PLAIN_STUDENT = re.compile(r"[a-z0-9_][a-z0-9_.@-]*")
_PLAIN_EXERCISE = re.compile(r"[a-z0-9_-]+")
"""Ids that no file system refuses or takes for one another. An exercise's has no dot, so that the last one ends the
student's."""

_LONGEST = 200
_LONGEST_READABLE = 80


def junit_file_name(student: str, exercise: str) -> str:
    """Names the JUnit file of a student and an exercise: `<student>.<exercise>.xml`, of at most 200 bytes.

    Where that is unsafe, too long, or may be taken for another name (file systems confuse upper and lower
    case or the forms of Unicode), what ASCII can show of it is followed by `~` and the start of a SHA-256 of the
    ids. So no two pairs share a name, and every file system takes it, whatever the machine's language.
    """
    is_plain = _PLAIN_STUDENT.fullmatch(student) and _PLAIN_EXERCISE.fullmatch(exercise)
    return _file_name((student, exercise), "xml", is_plain=bool(is_plain))


def page_file_name(student: str) -> str:
    """Names the HTML page of a student: `<student>.html`, or a name with a digest by the same rules."""
    return _file_name((student,), "html", is_plain=bool(_PLAIN_STUDENT.fullmatch(student)))


def _file_name(ids: tuple[str, ...], ending: str, *, is_plain: bool) -> str:
    name = f"{'.'.join(ids)}.{ending}"
    if is_plain and len(name) <= _LONGEST:
        return name
    digest = hashlib.sha256(ascii(ids).encode()).hexdigest()[:12]
    return f"{'.'.join(map(_readable, ids))}~{digest}.{ending}"


def _readable(name: str) -> str:
    without_accents = "".join(c for c in unicodedata.normalize("NFKD", name) if not unicodedata.combining(c))
    letters = re.sub(r"[^A-Za-z0-9_.@-]+", "_", without_accents).lstrip(".-")
    return letters[:_LONGEST_READABLE] or "_"
