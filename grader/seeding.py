"""Where random inputs come from: one seed for everybody in public checks, one for each student in hidden ones."""

from __future__ import annotations

import contextlib
import hashlib
import hmac
import os
import secrets
from typing import TYPE_CHECKING

from grader.errors import GraderError

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from pathlib import Path

VARIABLE = "GRADER_SECRET"
FILE_NAME = "course.secret"
_PUBLIC = b"public checks are the same for everybody"
_MIN_LENGTH = 16


def course_secret(
    folder: Path,
    environment: Mapping[str, str],
    *,
    make: bool = True,
    on_made: Callable[[Path], None] = lambda _: None,
) -> bytes:
    """Return the secret that hidden inputs are drawn from: `GRADER_SECRET`, else a file in `folder`, made once.

    Args:
        folder: Where the file is.
        environment: The environment.
        make: Whether to make the file where there is none.
        on_made: Is told the file if it was made.

    Raises:
        GraderError: It is too short to be one, or the file cannot be read or written.
    """
    if VARIABLE in environment:
        secret, source = environment[VARIABLE].encode("utf-8", "surrogateescape").strip(), VARIABLE
    else:
        path = folder / FILE_NAME
        source = str(path)
        try:
            if make and not path.exists() and _make_once(path, secrets.token_hex(32) + "\n"):
                on_made(path)
            secret = path.read_bytes().strip()
        except OSError as error:
            raise GraderError(f"{path}: {error.strerror}; set {VARIABLE} instead, or mend the file") from error
    if len(secret) < _MIN_LENGTH:
        raise GraderError(f"{source}: a course secret has at least {_MIN_LENGTH} characters")
    return secret


def _make_once(path: Path, text: str) -> bool:
    """Make a file that only its owner can read, whole or not at all; say whether no other grader made it just now."""
    unfinished = path.with_name(f".{path.name}.{secrets.token_hex(4)}")
    descriptor = os.open(unfinished, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    try:
        with os.fdopen(descriptor, "w", encoding="ascii") as file:
            file.write(text)
        with contextlib.suppress(FileExistsError):
            os.link(unfinished, path)
            return True
        return False
    finally:
        unfinished.unlink()


def fingerprint(secret: bytes) -> str:
    """Return what tells one secret from another and gives neither away."""
    return hmac.new(secret, b"fingerprint", hashlib.sha256).hexdigest()[:12]


def public_seed(exercise: str, check: str) -> int:
    """Return the seed of a public check: the same for every student."""
    return _seed(_PUBLIC, exercise, check)


def hidden_seed(secret: bytes, exercise: str, student: str, check: str) -> int:
    """Return the seed of a hidden check: the same for every attempt of a student, and another for the next student."""
    return _seed(secret, exercise, student, check)


def _seed(key: bytes, *parts: str) -> int:
    # Each part is preceded by its length, so that no two lists of parts read the same.
    encoded = [part.encode("utf-8", "surrogatepass") for part in parts]
    message = b"".join(len(part).to_bytes(4, "big") + part for part in encoded)
    return int.from_bytes(hmac.new(key, message, hashlib.sha256).digest()[:8], "big")
