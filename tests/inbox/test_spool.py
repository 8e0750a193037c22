"""The spool gives back what it was given, whatever that is, and holds none of it in memory."""

from __future__ import annotations

import dataclasses
import resource
import tempfile
import tracemalloc
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grader.errors import GraderError
from grader.inbox import read_inbox
from grader.inbox.spool import Spool
from grader.submission import Part, Submission
from tests.arrivals import POW, as_folder, spooled

if TYPE_CHECKING:
    from pathlib import Path

TEXTS = st.text(st.characters(codec="utf-8"), max_size=5)
CELLS = st.text(max_size=5) | st.just("\ud83d\ude00")
"""With surrogates, which no text should have, and notebooks can."""
PARTS = st.builds(Part, TEXTS, st.binary(max_size=9))
SUBMISSIONS = st.builds(
    Submission,
    *(TEXTS, TEXTS, TEXTS, st.binary(max_size=99), TEXTS),
    st.lists(CELLS, max_size=3).map(tuple),
    st.lists(PARTS, max_size=3).map(tuple),
    st.lists(TEXTS, max_size=2).map(tuple),
)
ANN, BOB, CID = (Submission(who, "pow", "value.py", who.encode()) for who in ("ann", "bob", "cid"))


@given(st.lists(SUBMISSIONS, max_size=4))
def test_what_comes_back(submissions: list[Submission]) -> None:
    """Every submission comes back as it was, with the same digest, in whatever order they are asked for."""
    kept = spooled(*submissions)
    backwards = [kept[number] for number in reversed(range(len(submissions)))]

    assert submissions == list(kept)
    assert submissions == backwards[::-1]
    assert [each.digest for each in submissions] == [each.digest for each in kept]


def test_a_sequence() -> None:
    """Submissions are counted, sliced and picked without being read, and are equal if they would be read alike."""
    kept = spooled(ANN, BOB, CID)

    assert 3 == len(kept)
    assert [BOB, CID] == list(kept[1:])
    assert [CID, ANN] == list(kept.only([2, 0]))
    assert kept[:2] == spooled(ANN, BOB)
    assert kept != spooled(ANN, BOB)
    assert kept != [ANN, BOB, CID]


def test_whose_it_is() -> None:
    """Whose a submission is can be settled after it was written."""
    kept = Spool().keep(ANN)

    assert dataclasses.replace(ANN, student="bob", partners=("cid",)) == kept.spool.read(
        dataclasses.replace(kept, student="bob", partners=("cid",))
    )


def test_no_folder(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Where no temporary file can be made, a line says where, and what to do."""
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "gone"))
    with pytest.raises(GraderError, match=r"/gone, cannot be written: No such file or directory; make room, or set TM"):
        Spool()


def test_no_room() -> None:
    """So does one where the file cannot grow."""
    spool = Spool()
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (10, before[1]))
    try:
        with pytest.raises(GraderError, match="cannot be written: File too large; make room"):
            spool.keep(ANN)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)


def test_memory(tmp_path: Path) -> None:
    """An inbox of ten times the submissions takes a few hundred bytes more for each, however large they are."""

    def peak(students: int) -> int:
        names = [f"{students}/student{number:04}/value.py" for number in range(students)]
        as_folder(tmp_path, {name: name.encode() + b"#" * 20_000 for name in names})
        tracemalloc.start()
        try:
            inbox = read_inbox(tmp_path / str(students), [POW])
            assert students == sum(len(each.source) > 20_000 for each in inbox.submissions)
            return tracemalloc.get_traced_memory()[1]
        finally:
            tracemalloc.stop()

    peak(10)  # the first time, all is imported
    large = min(peak(400), peak(400))  # now and then Python's own tables grow by more than all of this

    assert large - peak(40) < 360 * 1500
