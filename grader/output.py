"""What a printed answer must look like, and what to say of one that nearly does."""

from __future__ import annotations

import re
from dataclasses import dataclass

_FIELD = re.compile(r"\{:(?:\.(\d+)f|d)\}")
# There is one way to read a run of digits, so that a long line cannot be read in many.
_ANY_NUMBER = r"(?i:[-+]?(?:\d[\d_]*(?:\.\d*)?|\.\d+)(?:e[-+]?\d+)?|[-+]?(?:nan|inf(?:inity)?)|0x[\da-f]+)(?![\d_])"
_MAX_LINE = 200
_MAX_DIGITS = 400


_MARKS = {
    " ": ("·", "a space"),
    "\t": ("→", "a tab"),
    "\r": ("␍", "a carriage return"),
    "\u00a0": ("⍽", "a no-break space"),
}
"""How white space is shown, and what it is called."""


class OutputMismatch(Exception):  # noqa: N818  # named for what it says of the output
    """Printed text does not have the form that was asked for; its text says where and what to change."""

    @classmethod
    def explained(cls, message: str) -> OutputMismatch:
        """Add what the marks mean that a message shows."""
        meanings = [
            f"{mark} is {meaning}" for mark, meaning in (*_MARKS.values(), ("?", "any digit")) if mark in message
        ]
        return cls(message + (f" ({'; '.join(meanings)})" if meanings else ""))


@dataclass(frozen=True, slots=True)
class _Line:
    """What one line must look like; lasts as long as the text is looked at."""

    template: str

    def pattern(self, number: str | None = None, *, loose_space: bool = False) -> re.Pattern[str]:
        """Match such a line, its fields being groups; `number` is what a field may be if not what it must be."""
        parts, last = [], 0
        for field in _FIELD.finditer(self.template):
            parts += [self._literal(self.template[last : field.start()], loose_space), self._field(field, number)]
            last = field.end()
        parts.append(self._literal(self.template[last:], loose_space))
        return re.compile((r"\s*+" if loose_space else "").join(parts), re.ASCII | (re.IGNORECASE if number else 0))

    @staticmethod
    def _literal(text: str, loose_space: bool) -> str:  # noqa: FBT001  # private
        if not loose_space:
            return re.escape(text)
        return r"\s*+".join(re.escape(character) for character in text if not character.isspace())

    @staticmethod
    def _field(field: re.Match[str], number: str | None) -> str:
        if number:
            return f"({number})"
        digits = rf"-?\d{{1,{_MAX_DIGITS}}}"
        return rf"({digits}\.\d{{{field[1]}}})" if int(field[1] or 0) else f"({digits})"

    def labels(self) -> list[str]:
        """Name each field by the words before it."""
        names: list[str] = []
        last = 0
        for field in _FIELD.finditer(self.template):
            words = self.template[last : field.start()].strip(" \t=:,;()[]")
            name = words or f"number {len(names) + 1}"
            names.append(f"{name} ({len(names) + 1})" if name in names else name)
            last = field.end()
        return names

    def decimals(self) -> list[int]:
        """The decimals of each field."""
        return [int(field[1] or 0) for field in _FIELD.finditer(self.template)]

    def example(self) -> str:
        """Such a line, with question marks for the digits."""
        return _FIELD.sub(lambda field: "?" + (f".{'?' * int(field[1])}" if int(field[1] or 0) else ""), self.template)


def printed(text: str, *templates: str) -> dict[str, float]:
    """Read the numbers in a printed answer.

    Args:
        text: All that was printed. Empty lines at its end are passed over, nothing else is.
        templates: What each line must be, in order: text with fields `{:.2f}`, a number with so many decimals, and
            `{:d}`, a whole number.

    Returns:
        The numbers in order, each named by its line and the words before it: `{"line 1: w": 3.0}`.

    Raises:
        OutputMismatch: A line is missing, is one too many, or looks otherwise.
    """
    expected = [_Line(template) for template in templates]
    lines = text.split("\n")
    while lines and not lines[-1]:
        lines.pop()
    if not lines:
        raise OutputMismatch.explained(
            f"Nothing was printed; the first line should look like {_quoted(expected[0].example())}."
        )
    numbers: dict[str, float] = {}
    for index, line in enumerate(expected):
        if index >= len(lines):
            raise OutputMismatch.explained(
                f"Line {index + 1} is missing; it should look like {_quoted(line.example())}."
            )
        match = line.pattern().fullmatch(lines[index])
        if not match:
            raise OutputMismatch.explained(f"Line {index + 1}: {_near_miss(lines, index, expected)}")
        for label, decimals, digits in zip(line.labels(), line.decimals(), match.groups(), strict=True):
            numbers[f"line {index + 1}: {label}"] = float(digits) if decimals else int(digits)
    if len(lines) > len(expected):
        extra = lines[len(expected)]
        raise OutputMismatch.explained(f"Line {len(expected) + 1} is one too many: {_quoted(extra)}.")
    return numbers


def _near_miss(lines: list[str], index: int, expected: list[_Line]) -> str:
    """Say how a line differs from what it should be, in the student's terms."""
    found, line = lines[index], expected[index]
    shown = f"{_quoted(found)} should look like {_quoted(line.example())}"
    fitting = [other for other, form in enumerate(expected) if other != index and form.pattern().fullmatch(found)]
    if len(fitting) == 1:
        return f"{_quoted(found)} belongs on line {fitting[0] + 1}; {_quoted(line.example())} is due here."
    if len(found) > _MAX_LINE:  # also keeps what follows from taking its time over a long line
        return f"{shown}."
    if line.pattern().fullmatch(found.strip()):
        return f"{shown}: there is white space before or after it."
    if line.pattern(loose_space=True).fullmatch(found):
        return f"{shown}: the spaces differ."
    loose = line.pattern(_ANY_NUMBER, loose_space=True).fullmatch(found)
    if loose:
        remarks = _number_remarks(line, loose.groups())
        if not line.pattern(_ANY_NUMBER).fullmatch(found):
            same_but_case = line.pattern(_ANY_NUMBER, loose_space=True)
            exact_case = re.compile(same_but_case.pattern, re.ASCII)
            remarks.append("the spaces differ" if exact_case.fullmatch(found) else "capital and small letters differ")
        return f"{shown}: {', and '.join(remarks) or 'capital and small letters differ'}."
    if not found.strip():
        return f"it is empty and should look like {_quoted(line.example())}."
    numbers = re.fullmatch(rf"\s*{_ANY_NUMBER}(?:[\s,;]+{_ANY_NUMBER})*\s*", found, re.ASCII | re.IGNORECASE)
    if numbers and _FIELD.sub("", line.template).strip():
        return f"{shown}: the words around the numbers are missing."
    return f"{shown}."


def _number_remarks(line: _Line, found: tuple[str, ...]) -> list[str]:
    """Say which numbers are not written as asked."""
    remarks: list[str] = []
    for label, decimals, digits in zip(line.labels(), line.decimals(), found, strict=True):
        form = rf"-?\d+\.\d{{{decimals}}}" if decimals else r"-?\d+"
        if re.fullmatch(form, digits, re.ASCII):
            continue
        if re.fullmatch(r"[-+]?(nan|inf\w*)", digits, re.IGNORECASE):
            remarks.append(f"{label} is {digits}, which is no number")
        elif re.fullmatch(r"-?\d+(\.\d*)?", digits, re.ASCII):
            count = f"{decimals} decimals" if decimals != 1 else "1 decimal"
            remarks.append(f"{label} needs {count}" if decimals else f"{label} is a whole number")
        else:
            remarks.append(f"{label} is not written in plain digits")
    return remarks


def _quoted(text: str) -> str:
    """Show a line with its white space made visible."""
    for hidden, (visible, _) in _MARKS.items():
        text = text.replace(hidden, visible)
    return f"`{text[:_MAX_LINE]}{'...' if len(text) > _MAX_LINE else ''}`"
