"""Names for report files, whatever students are called."""

from __future__ import annotations

import hashlib
import re
import unicodedata

_PLAIN = re.compile(r"[a-z0-9_][a-z0-9_.@-]*\.[a-z0-9_-]+")
"""Names that no file system refuses or takes for one another. The last dot ends the student's id."""

_LONGEST_PLAIN = 196
_LONGEST_READABLE = 80


def junit_file_name(student: str, exercise: str) -> str:
    """Names the JUnit file of a student and an exercise: `<student>.<exercise>.xml`, of at most 200 bytes.

    Where that is unsafe, too long, or may be taken for another name (file systems confuse upper and lower
    case or the forms of Unicode), what can be read of it is followed by `~` and the start of a SHA-256 of the
    ids. So no two pairs share a name.
    """
    name = f"{student}.{exercise}"
    if len(name) <= _LONGEST_PLAIN and _PLAIN.fullmatch(name) and "." not in exercise:
        return f"{name}.xml"
    digest = hashlib.sha256(ascii((student, exercise)).encode()).hexdigest()[:12]
    return f"{_readable(student)}.{_readable(exercise)}~{digest}.xml"


def _readable(name: str) -> str:
    letters = re.sub(r"[^\w.@-]+", "_", unicodedata.normalize("NFC", name)).lstrip(".-")
    return letters.encode()[:_LONGEST_READABLE].decode(errors="ignore") or "_"
