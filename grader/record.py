"""Outcomes as plain JSON, and back: `results.json`, and what the gradebook holds.

A record is checked as it is read: nothing of another form, of another version or without sense comes through.
"""

from __future__ import annotations

import json
import math
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeVar

from grader.errors import SubmissionError
from grader.verdict import Absent, Provenance, Report, Result, Ungraded, Verdict

if TYPE_CHECKING:
    from pathlib import Path

    from grader.verdict import Outcome

SCHEMA = 1
"""Version of the record's form, raised by every change that a reader has to know of."""

_MOST_MIB = 256
_MOST_XP = 1_000_000_000
_FILE = "results.json"

_SURROGATE = re.compile("[\ud800-\udfff]")

_T = TypeVar("_T")


def read_outcomes(path: Path) -> tuple[Outcome, ...]:
    """Reads a record of at most 256 MiB.

    Args:
        path: The record, or the folder that `grader grade` wrote it into.

    Returns:
        At most one outcome for each student and exercise, at least one in all, in the order of the record.

    Raises:
        SubmissionError: It cannot be read, or is no record that this grader could have written.
    """
    file = path / _FILE if path.is_dir() else path
    try:
        with file.open("rb") as opened:
            data = opened.read(_MOST_MIB * 1024 * 1024 + 1)
    except OSError as error:
        advice = f"name the folder that `grader grade` wrote, or the {_FILE} in it"
        raise SubmissionError(f"{file} cannot be read ({error.strerror}); {advice}.") from error
    if len(data) > _MOST_MIB * 1024 * 1024:
        raise SubmissionError(f"{file} is larger than {_MOST_MIB} MiB; grade the exercises one by one.")
    try:
        record = json.loads(data.decode("utf-8"), object_pairs_hook=_unique, parse_constant=_refuse)
        return _outcomes(_Part(record, "it"))
    except (ValueError, RecursionError) as error:  # those of `_Part` and of JSON and of UTF-8 alike
        wrong = "it is nested too deeply" if isinstance(error, RecursionError) else str(error)
        advice = f"name a {_FILE} as `grader grade` wrote it, or grade again"
        raise SubmissionError(f"{file} is no record of results: {wrong}; {advice}.") from error


def outcome_from_record(value: object) -> Outcome:
    """Reads one outcome of `to_record`.

    Raises:
        ValueError: It is of no such form.
    """
    return _outcome(_Part(value, "it"))


def write_json(value: object, indent: int | None = None) -> str:
    r"""Writes JSON that may be printed and that strict readers take.

    Texts are whole and as they were, but for surrogates, which UTF-8 cannot hold: they become their escape.
    Characters that do not show are written as JSON's own `\u` escapes.

    Raises:
        ValueError: A number is not finite.
    """
    text = json.dumps(value, ensure_ascii=False, allow_nan=False, indent=indent)
    # Whatever does not show is inside a string, but for the line feeds of the layout.
    return "\n".join(line if line.isprintable() else "".join(map(_escape, line)) for line in text.split("\n"))


def _escape(character: str) -> str:
    if character.isprintable():
        return character
    escape = json.dumps(character)[1:-1]
    # Strict readers refuse the whole file for one surrogate, so its escape becomes the text itself.
    return f"\\{escape}" if _SURROGATE.match(character) else escape


def to_record(outcome: Outcome) -> dict[str, object]:
    """Returns an outcome as JSON types; a time that is not finite is refused when they are written."""
    whose = {"student": outcome.student, "exercise": outcome.exercise}
    match outcome:
        case Report():
            return {
                **whose,
                "state": "graded",
                "title": outcome.title,
                "file": outcome.file,
                "xp": outcome.xp,
                "total_xp": outcome.total_xp,
                "seconds": outcome.seconds,
                "notes": list(outcome.notes),
                "diagnosis": outcome.diagnosis,
                "private_diagnosis": outcome.private_diagnosis,
                "checks": [_result_record(result) for result in outcome.results],
                "provenance": _provenance_record(outcome.provenance),
            }
        case Ungraded():
            return {**whose, "state": "ungraded", "reason": outcome.reason}
        case Absent():
            return {**whose, "state": "absent"}


def _result_record(result: Result) -> dict[str, object]:
    return {
        "check": result.check,
        "question": result.question,
        "hidden": result.hidden,
        "verdict": result.verdict,
        "xp": result.xp,
        "worth": result.worth,
        "hint": result.hint,
        "what": result.what,
        "code": result.code,
        "derivation": result.derivation,
        "retried": result.retried,
        "seconds": result.seconds,
    }


def _provenance_record(provenance: Provenance) -> dict[str, object]:
    return {
        "submission": provenance.submission,
        "exercise": provenance.exercise,
        "reference": provenance.reference,
        "sandbox": provenance.sandbox,
        "image": provenance.image,
        "secret": provenance.secret,
        "versions": dict(provenance.versions),
    }


@dataclass(frozen=True, slots=True)
class _Part:
    """A value of the record, and where in the record it stands. What it is not, it refuses as a ValueError."""

    value: Any
    where: str

    def __getitem__(self, key: str) -> _Part:
        fields = self._of(dict, "an object")
        where = key if self.where == "it" else f"{self.where}.{key}"
        if key not in fields:
            raise ValueError(f"{where} is missing")
        return _Part(fields[key], where)

    def get(self, key: str, default: object) -> _Part:
        """A field that earlier records lack."""
        return self[key] if key in self._of(dict, "an object") else _Part(default, self.where)

    def items(self) -> list[_Part]:
        return [_Part(item, f"{self.where}[{place}]") for place, item in enumerate(self._of(list, "a list"))]

    def fields(self) -> tuple[tuple[str, str], ...]:
        return tuple((name, self[name].text()) for name in self._of(dict, "an object"))

    def text(self) -> str:
        text = self._of(str, "a text")
        if _SURROGATE.search(text):
            raise ValueError(f"{self.where} is no text that UTF-8 can hold")
        return text

    def whole(self) -> int:
        number = self._of(int, "a whole number")
        if not 0 <= number <= _MOST_XP:
            raise ValueError(f"{self.where} is not from 0 to {_MOST_XP:,}")
        return number

    def flag(self) -> bool:
        return self._of(bool, "true or false")

    def seconds(self) -> float:
        number = self.value if type(self.value) is int else self._of(float, "a number")
        if not (math.isfinite(number) and number >= 0):
            raise ValueError(f"{self.where} is no time")
        return float(number)

    def verdict(self) -> Verdict:
        if (text := self.text()) not in list(Verdict):
            raise ValueError(f"{self.where} is no verdict: {text!r}")
        return Verdict(text)

    def _of(self, kind: type[_T], called: str) -> _T:
        if type(self.value) is not kind:  # not isinstance: true is no number
            raise ValueError(f"{self.where} is not {called}")
        return self.value


def _outcomes(record: _Part) -> tuple[Outcome, ...]:
    if (schema := record["schema"].whole()) != SCHEMA:
        raise ValueError(f"its schema is {schema}, and this grader reads {SCHEMA}")
    outcomes: dict[tuple[str, str], Outcome] = {}
    for part in record["outcomes"].items():
        outcome = _outcome(part)
        who = (outcome.student, outcome.exercise)
        if who in outcomes:
            raise ValueError(f"{part.where} is the second of {who[0]!r} for {who[1]!r}")
        outcomes[who] = outcome
    if not outcomes:
        raise ValueError("it has no outcomes")
    return tuple(outcomes.values())


def _outcome(part: _Part) -> Outcome:
    who = part["student"].text(), part["exercise"].text()
    match part["state"].text():
        case "graded":
            return _report(part, *who)
        case "ungraded":
            return Ungraded(*who, part["reason"].text())
        case "absent":
            return Absent(*who)
        case other:
            raise ValueError(f"{part.where}.state is none that there is: {other!r}")


def _report(part: _Part, student: str, exercise: str) -> Report:
    report = Report(
        student,
        exercise,
        part["title"].text(),
        part["file"].text(),
        part["total_xp"].whole(),
        tuple(_result(check) for check in part["checks"].items()),
        _provenance(part["provenance"]),
        tuple(note.text() for note in part["notes"].items()),
        part["seconds"].seconds(),
        part["diagnosis"].text(),
        part["private_diagnosis"].text(),
    )
    if (xp := part["xp"].whole()) != report.xp:
        raise ValueError(f"{part.where}.xp is {xp}, and its checks earned {report.xp}")
    return report


def _result(part: _Part) -> Result:
    return Result(
        part["check"].text(),
        part["question"].text(),
        part["hidden"].flag(),
        part["verdict"].verdict(),
        part["worth"].whole(),
        part["hint"].text(),
        part["what"].text(),
        part["code"].text(),
        part.get("derivation", "").text(),
        part["retried"].flag(),
        seconds=part["seconds"].seconds(),
    )


def _provenance(part: _Part) -> Provenance:
    return Provenance(
        part["submission"].text(),
        part["exercise"].text(),
        part["sandbox"].text(),
        part["image"].text(),
        part["secret"].text(),
        part["versions"].fields(),
        part["reference"].text(),
    )


def _unique(pairs: list[tuple[str, object]]) -> dict[str, object]:
    fields = dict(pairs)
    if len(fields) < len(pairs):
        raise ValueError("a name is twice in one object")
    return fields


def _refuse(constant: str) -> None:
    raise ValueError(f"{constant} is no JSON")
