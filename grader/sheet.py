"""A CSV file that somebody else wrote, cell by cell as it was written: RFC 4180, whatever separates its cells.

What is put into some cells leaves every other byte of the file as it was: the mark at its beginning, line ends,
quotation marks, spaces. So a platform gets back its own file.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from grader.errors import SubmissionError
from grader.exercise import did_you_mean

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping
    from pathlib import Path

_BYTE_ORDER_MARK = "\ufeff"
_DELIMITERS = (",", ";", "\t")
_CELLS = {
    delimiter: re.compile(rf'((?:"[^"]*")+|(?:[^"{delimiter}\r\n][^{delimiter}\r\n]*)?)({delimiter}|\r\n|\r|\n|\Z)')
    for delimiter in _DELIMITERS
}
"""A cell as it is written, quoted or not, and what ends it."""
_LINE_END = re.compile(r"\r\n|\r|\n")
_MOST_LISTED = 30
"""How many columns an error lists."""


class MalformedError(ValueError):
    """Text that is no CSV.

    Args:
        line: Number of the line, from 1.
    """

    def __init__(self, line: int) -> None:
        super().__init__(f"line {line}: a quotation mark is open at the end, or closed before the end of its cell")
        self.line = line


@dataclass(frozen=True, slots=True)
class Row:
    """One record of a sheet.

    Attributes:
        line: Number of the line on which it begins, from 1.
        written: Its cells as they are written, with their quotation marks; none on a blank line.
        end: Its line end; empty at the end of a file that has none.
    """

    line: int
    written: tuple[str, ...]
    end: str

    @property
    def values(self) -> tuple[str, ...]:
        """What its cells say."""
        return tuple(_value(cell) for cell in self.written)

    @property
    def blank(self) -> bool:
        """Whether they say nothing."""
        return not any(value.strip() for value in self.values)


@dataclass(frozen=True)
class Sheet:
    """All that is in a CSV file, to the byte.

    Attributes:
        source: What errors call it: its path.
        mark: The byte order mark, or nothing.
        delimiter: What separates its cells.
        rows: Its records, blank lines among them.
    """

    source: str
    mark: str
    delimiter: str
    rows: tuple[Row, ...]

    @cached_property
    def header(self) -> Row:
        """The first row that says something; one without cells where none does."""
        return next((row for row in self.rows if not row.blank), Row(1, (), ""))

    @cached_property
    def columns(self) -> tuple[str, ...]:
        """The names of the columns, without the spaces around them."""
        return tuple(name.strip() for name in self.header.values)

    @cached_property
    def body(self) -> tuple[Row, ...]:
        """The rows after the header that say something."""
        return tuple(row for row in self.rows if row.line > self.header.line and not row.blank)

    @property
    def text(self) -> str:
        """The file's text, the very same that was parsed."""
        return self.mark + "".join(self.delimiter.join(row.written) + row.end for row in self.rows)

    def column(self, name: str, purpose: str) -> int:
        """Finds a column by its name.

        Args:
            name: The name, exactly.
            purpose: What the column is for, to be read after `no column`.

        Raises:
            SubmissionError: There is none of this name, or several.
        """
        if (found := self.columns.count(name)) == 1:
            return self.columns.index(name)
        if found:
            raise SubmissionError(f"{self.source} has {found} columns {name!r}; rename one.")
        advice = did_you_mean(name, self.columns)
        raise SubmissionError(f"{self.source} has no column {name!r}{purpose}{advice or self.listed_columns()}")

    def listed_columns(self) -> str:
        """The end of a sentence that says which columns there are."""
        listed = ", ".join(repr(name) for name in self.columns[:_MOST_LISTED])
        more = len(self.columns) - _MOST_LISTED
        return f"; its columns are {listed}{f' and {more} more' if more > 0 else ''}."

    def values(self, row: Row) -> tuple[str, ...]:
        """What the cells of a row say, one for each column, without the spaces around it.

        Raises:
            SubmissionError: They are more or fewer than the columns, so it cannot be said which is which.
        """
        if len(row.written) != len(self.columns):
            counts = f"has {len(row.written)} cells and the header {len(self.columns)}"
            raise self.wrong(row, f"{counts}; put quotation marks around a cell with a {self.delimiter!r} in it")
        return tuple(value.strip() for value in row.values)

    def wrong(self, row: Row, what: str) -> SubmissionError:
        """Makes the error that says what is wrong with a row, and the next step."""
        return SubmissionError(f"{self.source}, line {row.line}: {what}.")

    def filled(self, texts: Mapping[tuple[int, int], str]) -> str:
        """The file's text with other texts in some cells, quoted where the cell was or has to be.

        Args:
            texts: The new texts by the line on which their row begins and the place of their column.
        """
        rows = [
            [
                self._write(texts[row.line, place], cell) if (row.line, place) in texts else cell
                for place, cell in enumerate(row.written)
            ]
            for row in self.rows
        ]
        return self.mark + "".join(
            self.delimiter.join(cells) + row.end for cells, row in zip(rows, self.rows, strict=True)
        )

    def _write(self, text: str, before: str) -> str:
        if before.startswith('"') or any(sign in text for sign in (self.delimiter, '"', "\r", "\n")):
            return '"{}"'.format(text.replace('"', '""'))
        return text


def read_sheet(path: Path, most_mib: int, known: Collection[str]) -> Sheet:
    """Reads a CSV file in UTF-8, with a byte order mark or without.

    Args:
        path: The file.
        most_mib: The most it may hold, in MiB.
        known: Names of columns that it may have, without capitals, which tell commas, semicolons and tabs apart.

    Raises:
        SubmissionError: It cannot be read, is larger, is not UTF-8 or no CSV, or holds nothing.
    """
    try:
        with path.open("rb") as file:
            data = file.read(most_mib * 1024 * 1024 + 1)
    except OSError as error:
        raise SubmissionError(f"{path} cannot be read ({error.strerror}); name another file.") from error
    if len(data) > most_mib * 1024 * 1024:
        raise SubmissionError(f"{path} is larger than {most_mib} MiB; name a CSV file of one class.")
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        line = len(_LINE_END.findall(data[: error.start].decode("utf-8"))) + 1
        raise SubmissionError(f"{path}, line {line}: not UTF-8; save it as “CSV UTF-8”.") from error
    try:
        sheet = parse_sheet(text, _delimiter(text, known), str(path))
    except MalformedError as error:
        raise SubmissionError(f"{path}, {error}; write a quotation mark inside a quoted cell twice.") from error
    if not sheet.columns:
        raise SubmissionError(f"{path} is empty; name a CSV file whose first line names the columns.")
    return sheet


def parse_sheet(text: str, delimiter: str, source: str = "") -> Sheet:
    """Parses the text of a CSV file.

    Args:
        text: All of it.
        delimiter: A comma, a semicolon or a tab.
        source: What errors are to call it.

    Raises:
        MalformedError: A quotation mark is not closed, or something follows it in its cell.
    """
    return Sheet(source, _mark(text), delimiter, tuple(_rows(text, delimiter)))


def _mark(text: str) -> str:
    return _BYTE_ORDER_MARK if text.startswith(_BYTE_ORDER_MARK) else ""


def _rows(text: str, delimiter: str) -> Iterator[Row]:
    at, line = len(_mark(text)), 1
    while at < len(text):
        row, at = _row(text, at, line, _CELLS[delimiter])
        yield row
        line += sum(len(_LINE_END.findall(cell)) for cell in row.written) + 1


def _row(text: str, at: int, line: int, pattern: re.Pattern[str]) -> tuple[Row, int]:
    """Takes one record off a text, and says where the next begins."""
    written: list[str] = []
    while match := pattern.match(text, at):
        cell, end = match.groups()
        written.append(cell)
        at = match.end()
        if not end or end in "\r\n":
            return Row(line, tuple(written) if written != [""] else (), end), at
    raise MalformedError(line)


def _delimiter(text: str, known: Collection[str]) -> str:
    """What makes most sense of the header: the most columns that are known, then the most columns."""

    def sense(delimiter: str) -> tuple[int, int]:
        try:
            header = next((row for row in _rows(text, delimiter) if not row.blank), None)
        except MalformedError:
            return 0, 0
        names = header.values if header else ()
        return sum(name.strip().casefold() in known for name in names), len(names)

    return max(_DELIMITERS, key=sense)


def _value(written: str) -> str:
    return written[1:-1].replace('""', '"') if written.startswith('"') else written
