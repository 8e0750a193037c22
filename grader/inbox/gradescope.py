"""Gradescope's export: `assignment_<n>_export/<folder>/<file>`, and a file that says whose each folder is.

It is what *Export Submissions* makes of a programming assignment. The file is `submission_metadata.yml`:

    submission_1234:
      :submitters:
      - :name: Ada Lovelace
        :sid: '0815'
        :email: ada@example.org
      :created_at: 2020-09-08 06:43:57.000000000 Z

It also holds all results, whose values may be Ruby's own, and any number of them. So nothing is built of it: it is read
event by event, for the few values that matter, each as the text that stands there.
"""

from __future__ import annotations

import re
from collections import defaultdict
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import datetime
from typing import TYPE_CHECKING

from grader.errors import SubmissionError
from grader.inbox.attempts import Attempt, Reading, split, together
from grader.intake import Ignored, ProblemError, written
from grader.roster import Person

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from grader.exercise import Exercise
    from grader.intake import Folder

_METADATA = "submission_metadata.yml"

_MOST_BYTES = 64 << 20
_MOST_EVENTS = 1_500_000
"""They take about four microseconds each."""

_DEEPEST = 4
"""How deep the values lie that matter: `submission_1234`, `:submitters:`, 0, `:name:`."""

_NULLS = {"", "~", "null", "Null", "NULL"}

_TIME = re.compile(r"(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d:\d\d)(?:\.\d*)? ?(Z|[+-]\d\d:\d\d)?")


def gradescope(folder: Folder, _exercises: Sequence[Exercise]) -> Reading:
    """Reads an export.

    Raises:
        SubmissionError: Its metadata cannot be read.
    """
    folders, files = split(folder)
    metadata = files.pop(_METADATA, None)
    if metadata is None:
        return Reading((), 0)
    try:
        records = _records(metadata.read(_MOST_BYTES))
    except (ProblemError, ValueError) as error:
        raise SubmissionError(f"{metadata.path} {error}; export the submissions again.") from error
    ignored = [Ignored(each.path, "is no submission's folder") for each in files.values()]
    ignored += [Ignored(each.path, f"is not in {_METADATA}") for name, each in folders.items() if name not in records]
    attempts = []
    for name, record in records.items():
        people = tuple(person for submitter in record.submitters.values() if (person := _person(submitter)))
        if people:
            contents = folders.get(name) or together({})
            attempts.append(Attempt(people, contents, f"{record.created_at} {name}", _time(record.created_at)))
        else:
            ignored.append(Ignored(written(name), f"has no submitters in {_METADATA}"))
    return Reading(attempts, len(attempts), ignored=ignored)  # the metadata is evidence enough, whatever else is there


def _person(submitter: Mapping[str, str]) -> Person | None:
    """Who a submitter is: the first of student id, e-mail address and name that there is."""
    name = submitter.get(":name", "")
    identifiers = [each for each in (submitter.get(":sid", ""), submitter.get(":email", "")) if each]
    if not identifiers and not name:
        return None
    identity = identifiers[0] if identifiers else name
    return Person(identity, name, frozenset(identifiers) - {identity})


def _time(text: str) -> datetime | None:
    if match := _TIME.match(text):
        with suppress(ValueError):
            return datetime.fromisoformat(f"{match[1]}T{match[2]}{match[3] or ''}")
    return None


@dataclass(slots=True)
class _Record:
    """What the metadata says of one submission; lasts as long as it is read."""

    submitters: defaultdict[int, dict[str, str]] = field(default_factory=lambda: defaultdict(dict))
    created_at: str = ""


def _records(data: bytes) -> dict[str, _Record]:
    """What the metadata says of each folder.

    Raises:
        ValueError: It is no such metadata.
    """
    records: defaultdict[str, _Record] = defaultdict(_Record)
    for place, text in _values(data):
        match place:
            case (str(name), ":submitters", int(number), str(key)):
                records[name].submitters[number][key] = text
            case (str(name), ":created_at"):
                records[name].created_at = text
            case (str(name), *_):
                records[name]  # it is there, whatever is said of it
    return dict(records)


def _values(data: bytes) -> Iterator[tuple[tuple[str | int, ...], str]]:
    """The values of a YAML file that do not lie too deep, each with the keys and places that lead to it."""
    import yaml  # noqa: PLC0415  # few exports are Gradescope's

    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    place: list[str | int | None] = []
    """For each mapping and list that encloses an event, the key or the number; None where a key comes next."""
    anchors: dict[str, str] = {}
    try:
        for count, event in enumerate(yaml.parse(data, loader)):
            if count == _MOST_EVENTS:
                raise ValueError(f"has more than {_MOST_EVENTS:,} values")
            text = ""
            match event:
                case yaml.MappingStartEvent():
                    place.append(None)
                    continue
                case yaml.SequenceStartEvent():
                    place.append(0)
                    continue
                case yaml.CollectionEndEvent():
                    place.pop()
                case yaml.ScalarEvent():
                    text = "" if event.implicit[0] and event.value in _NULLS else event.value
                    anchors[event.anchor or ""] = text
                case yaml.AliasEvent():
                    text = anchors.get(event.anchor or "", "")
                case _:
                    continue
            if place and place[-1] is not None and len(place) <= _DEEPEST:
                yield tuple(key for key in place if key is not None), text
            _step(place, text)
    except yaml.YAMLError as error:
        line = getattr(getattr(error, "problem_mark", None), "line", None)
        raise ValueError("is not YAML" if line is None else f"is not YAML, line {line + 1}") from None


def _step(place: list[str | int | None], text: str) -> None:
    """Goes on to what comes after a value."""
    if not place:
        return
    match place[-1]:
        case None:
            place[-1] = text
        case int(number):
            place[-1] = number + 1
        case _:
            place[-1] = None
