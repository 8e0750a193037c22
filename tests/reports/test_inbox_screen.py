"""What arrived is shown before anything runs: who, what, and all that is out of the ordinary."""

from __future__ import annotations

import dataclasses
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grader.inbox import Inbox, Origin
from grader.intake import Ignored
from grader.reports.inbox_screen import inbox_remarks, inbox_screen
from grader.roster import Person
from grader.submission import Submission
from grader.verdict import Absent, Ungraded
from tests.arrivals import FIT, POW, spooled
from tests.hostile_strings import HOSTILE_STRINGS

EMPTY = Inbox("plain", "It is.", (), (), spooled(), (), (), (), ())
INBOX = Inbox(
    layout="canvas",
    why="4 of 5 entries are <lastfirst>_[LATE_]<user id>_<submission id>_<file>.",
    people=(Person("1", "Ann Lee"), Person("2"), Person("3", "Cy"), Person("4", "4"), Person("5", "Eve")),
    strangers=("2", "4"),
    submissions=spooled(
        Submission("1", "pow", "value.py", b"", partners=("2",)),
        Submission("1", "fit", "fit.ipynb", b"", "is empty"),
        Submission("4", "pow", "value.py", b""),
    ),
    origins=(
        Origin("ann_1_9_value-1.py", 2, 3, late=True, doubt=""),
        Origin("ann_1_9_fit.ipynb", 1, 1, late=False, doubt=""),
        Origin("4/Value.py", 1, 1, late=None, doubt="is taken for value.py by its name"),
    ),
    absent=(Absent("2", "fit"), Absent("3", "pow"), Absent("3", "fit"), Absent("5", "pow")),
    ungraded=(Ungraded("5", "fit", "fit.py cannot be read: Input/output error."),),
    ignored=(
        Ignored("ann/notes.txt", "is not asked for"),
        Ignored("bob/notes.txt", "is not asked for"),
        Ignored("list.csv", "is a list"),
    ),
    unused={"3": tuple(f"cy/hw/{number}.pdf" for number in range(7)), "5": ("eve/report.pdf",)},
    remarks=("It holds an archive.",),
)
SCREEN = """\
Layout: canvas. 4 of 5 entries are <lastfirst>_[LATE_]<user id>_<submission
id>_<file>.

student       exercise   file                 remarks
──────────────────────────────────────────────────────────────────
1 (Ann Lee)   pow        ann_1_9_value-1.py   attempt 2 of 3, late
2
1 (Ann Lee)   fit        ann_1_9_fit.ipynb    cannot be run
4             pow        Value.py             doubtful

Absent from
  everything: 3 (Cy)
  pow: 5 (Eve)
  fit: 2

The inbox:
  It holds an archive.

Not on the roster, but in the inbox:
  2
  4

Doubtful, but used:
  4: Value.py is taken for value.py by its name

Cannot be run, so that no check passes:
  1 (Ann Lee): ann_1_9_fit.ipynb is empty

Cannot be read by this machine, so that it stays ungraded:
  5 (Eve), fit: fit.py cannot be read: Input/output error.

Absent, though something was handed in:
  3 (Cy): handed in, but nothing of it is for pow or fit: 0.pdf, 1.pdf, 2.pdf,
  3.pdf, 4.pdf, and 2 more
  5 (Eve): handed in, but nothing of it is for pow: report.pdf

Ignored:
  notes.txt (2 of them): is not asked for
  list.csv: is a list

Students: 5. Handed in: 4, ungraded: 1, absent: 4.
"""


class TestScreen:
    """Everything, once."""

    def test_all(self) -> None:
        """Who handed in what, who did not, and what to look at."""
        assert SCREEN == inbox_screen(INBOX, [POW, FIT])

    def test_remarks(self) -> None:
        """What is out of the ordinary can stand alone."""
        start, end = SCREEN.index("The inbox:"), SCREEN.index("Students:")

        assert SCREEN[start:end] == inbox_remarks(INBOX)
        assert "" == inbox_remarks(EMPTY)

    def test_one_exercise(self) -> None:
        """Of one exercise, who is absent from everything is absent from it."""
        inbox = dataclasses.replace(EMPTY, people=(Person("3"),), absent=(Absent("3", "pow"),))

        assert "Absent from\n  pow: 3\n" in inbox_screen(inbox, [POW])

    def test_names_that_look_alike(self) -> None:
        """A file is called by its name, and by its path where the student has two of that name."""
        inbox = dataclasses.replace(
            EMPTY,
            people=(Person("1"), Person("2")),
            submissions=spooled(*(Submission(who, what, "x.py", b"") for who in "12" for what in ("pow", "fit"))),
            origins=tuple(Origin(path, 1, 1, None, "") for path in ("1/a/x.py", "1/b/x.py", "2/a/x.py", "2/a/x.py")),
        )
        rows = [line.split() for line in inbox_screen(inbox, [POW, FIT]).splitlines()[4:8]]

        assert ["1/a/x.py", "1/b/x.py", "x.py", "x.py"] == [row[2] for row in rows]

    def test_a_name_is_not_broken(self) -> None:
        """A long one has its room, and what has spaces is folded."""
        name = "lovelaceada_LATE_101_901_value(1).py"
        inbox = dataclasses.replace(
            EMPTY,
            people=(Person("501", "Ada, the Countess of Lovelace"),),
            submissions=spooled(Submission("501", "pow", "value.py", b"")),
            origins=(Origin(name, 2, 3, late=True, doubt="is odd"),),
        )

        assert name in inbox_screen(inbox, [POW]).splitlines()[4]

    @pytest.mark.parametrize("width", [40, 60, 80, 200])
    def test_width(self, width: int) -> None:
        """No line is longer than asked for, and nothing is cut off."""
        lines = inbox_screen(INBOX, [POW, FIT], width=width).split("\n")
        letters = re.sub(r"[\s─]", "", SCREEN)

        assert width >= max(map(len, lines))
        assert sorted(letters) == sorted(re.sub(r"[\s─]", "", "".join(lines)))

    def test_colour(self) -> None:
        """Colour is asked for, and says nothing that words do not."""
        coloured = inbox_screen(INBOX, [POW, FIT], colour=True)

        assert "\x1b[" in coloured
        assert SCREEN == re.sub(r"\x1b\[[\d;]*m", "", coloured)


@given(st.sampled_from([*HOSTILE_STRINGS.values()]) | st.text())
def test_hostile(text: str) -> None:
    """Nothing that anybody wrote commands a terminal, or a CI system, or starts a line of its own."""
    inbox = dataclasses.replace(
        INBOX,
        why=text,
        people=(Person(text, text),),
        strangers=(text,),
        submissions=spooled(Submission(text, text, text, b"", text, partners=(text,))),
        origins=(Origin(text, 1, 2, late=True, doubt=text),),
        absent=(Absent(text, "pow"),),
        ungraded=(Ungraded(text, "pow", text),),
        ignored=(Ignored(text, text),),
        unused={text: (text,)},
        remarks=(text,),
    )
    shown = inbox_screen(inbox, [POW]) + inbox_remarks(inbox)

    assert all(line.isprintable() for line in shown.split("\n"))
    assert not re.search(r"::[A-Za-z]|##\w*\[", shown)
