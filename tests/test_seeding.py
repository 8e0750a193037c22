"""The secret that hidden inputs are drawn from, and the seeds made of it."""

from __future__ import annotations

import os
import stat
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grader.errors import GraderError
from grader.seeding import FILE_NAME, VARIABLE, course_secret, fingerprint, hidden_seed, public_seed

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

SECRETS = st.binary(min_size=16, max_size=40)
NAMES = st.text(max_size=6) | st.sampled_from(["a", "aa", "", "a\0", "\ud800", "check_power", "Ada", "ada"])


@pytest.fixture(params=[0o000, 0o022, 0o077], ids=oct)
def _umask(request: pytest.FixtureRequest) -> Iterator[None]:
    """Any of the usual masks of new files."""
    before = os.umask(request.param)
    yield
    os.umask(before)


# --------------------------------------------------------------------------------------------------------------------
# The secret


@pytest.mark.usefixtures("_umask")
def test_the_secret_is_made_once(tmp_path: Path) -> None:
    """Without a secret one is drawn and kept in a file that its owner alone can read; later it is read again."""
    secret = course_secret(tmp_path, {})
    file = tmp_path / FILE_NAME

    assert 0o600 == stat.S_IMODE(file.stat().st_mode)
    assert [FILE_NAME] == [each.name for each in tmp_path.iterdir()]
    assert secret == bytes.fromhex(secret.decode()).hex().encode()
    assert 64 == len(secret)
    assert secret == course_secret(tmp_path, {})


def test_two_courses_have_two_secrets(tmp_path: Path) -> None:
    """A secret is drawn anew for each course."""
    folders = [tmp_path / name for name in ("one", "two")]
    for folder in folders:
        folder.mkdir()

    assert 2 == len({course_secret(folder, {}) for folder in folders})


def test_told_once(tmp_path: Path) -> None:
    """Who asks is told of a file that was just made, and of no other."""
    made: list[Path] = []
    for _ in range(2):
        course_secret(tmp_path, {}, on_made=made.append)
    course_secret(tmp_path / "elsewhere", {VARIABLE: "a secret of my own"}, on_made=made.append)

    assert [tmp_path / FILE_NAME] == made


def test_a_secret_of_ones_own_is_kept_as_it_is(tmp_path: Path) -> None:
    """A file that is there already is read and not written; white space around the secret does not count."""
    file = tmp_path / FILE_NAME
    file.write_text("\n  a secret of my own \n")

    assert b"a secret of my own" == course_secret(tmp_path, {})
    assert "\n  a secret of my own \n" == file.read_text()


def test_the_environment_comes_first(tmp_path: Path) -> None:
    """`GRADER_SECRET` is used before any file, and then none is made."""
    environment = {VARIABLE: " sixteen letters! \n"}

    assert b"sixteen letters!" == course_secret(tmp_path, environment)
    assert [] == list(tmp_path.iterdir())


def test_the_environment_may_hold_any_bytes(tmp_path: Path) -> None:
    """Bytes that are no text are a secret as good as any."""
    assert b"\xff" * 16 == course_secret(tmp_path, {VARIABLE: os.fsdecode(b"\xff" * 16)})


@pytest.mark.parametrize("secret", ["", "fifteen letters", "   fifteen letters   "])
def test_a_short_secret_is_refused(secret: str, tmp_path: Path) -> None:
    """Fewer than 16 characters are no secret, wherever they come from, and the message says where."""
    (tmp_path / FILE_NAME).write_text(secret)

    with pytest.raises(GraderError, match=f"{FILE_NAME}: a course secret has at least 16 characters"):
        course_secret(tmp_path, {})
    with pytest.raises(GraderError, match=f"{VARIABLE}: a course secret has at least 16 characters"):
        course_secret(tmp_path, {VARIABLE: secret})


def test_a_secret_that_cannot_be_kept_is_an_error(tmp_path: Path) -> None:
    """Where the file cannot be written or read, the message says why and what to do instead."""
    (tmp_path / "file").write_text("")
    (tmp_path / "course" / FILE_NAME).mkdir(parents=True)

    for folder, reason in (("missing", "No such file"), ("file", "Not a directory"), ("course", "Is a directory")):
        with pytest.raises(GraderError, match=f"{folder}/{FILE_NAME}: {reason}.*; set GRADER_SECRET instead"):
            course_secret(tmp_path / folder, {})


@given(SECRETS, SECRETS)
def test_a_fingerprint_tells_secrets_apart_and_gives_none_away(one: bytes, two: bytes) -> None:
    """A fingerprint is twelve hexadecimal digits, the same for the same secret alone, and shows nothing of it."""
    assert (one == two) is (fingerprint(one) == fingerprint(two))
    assert 12 == len(fingerprint(one))
    assert int(fingerprint(one), 16) >= 0
    assert fingerprint(one).encode() not in one


# --------------------------------------------------------------------------------------------------------------------
# The seeds


def test_seeds_stay_what_they_are() -> None:
    """A seed depends on nothing but what it is given: not on the process, the machine or the day."""
    secret = b"the secret of a test"

    assert 10596556046358170041 == public_seed("pow_relu", "check_random_graphs")
    assert 7978927341193099368 == hidden_seed(secret, "pow_relu", "ada", "check_random_graphs")


@given(st.tuples(NAMES, NAMES), st.tuples(NAMES, NAMES))
def test_public_seeds_belong_to_exercise_and_check(one: tuple[str, str], two: tuple[str, str]) -> None:
    """Every check has a seed of its own in public, and shifting a letter from one name to the next changes it."""
    assert (one == two) is (public_seed(*one) == public_seed(*two))


@given(SECRETS, SECRETS, st.tuples(NAMES, NAMES, NAMES), st.tuples(NAMES, NAMES, NAMES))
def test_hidden_seeds_belong_to_secret_exercise_student_and_check(
    one: bytes, two: bytes, name: tuple[str, str, str], other: tuple[str, str, str]
) -> None:
    """Each student has a seed of their own for each check, the same each time, and another under another secret."""
    assert (name == other) is (hidden_seed(one, *name) == hidden_seed(one, *other))
    assert (one == two) is (hidden_seed(one, *name) == hidden_seed(two, *name))


@given(SECRETS, NAMES, NAMES, NAMES)
def test_hidden_seeds_are_no_public_ones(secret: bytes, exercise: str, student: str, check: str) -> None:
    """Who knows the public seeds knows none of the hidden ones, and none gives the fingerprint away."""
    seed = hidden_seed(secret, exercise, student, check)

    assert 0 <= seed < 2**64
    assert seed != public_seed(exercise, check)
    assert fingerprint(secret) not in f"{seed:x}"


def test_names_cannot_be_run_together() -> None:
    """No two lists of names make the same seed by saying the same letters in a row."""
    secret = b"the secret of a test"
    splits = [(text[:i], text[i:j], text[j:]) for text in ["abcabc"] for i in range(7) for j in range(i, 7)]

    assert len(splits) == len({hidden_seed(secret, *split) for split in splits})
