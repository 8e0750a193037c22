"""Notebooks: the code of an `.ipynb`, and nothing else of it.

The format is nbformat's, https://nbformat.readthedocs.io/en/latest/format_description.html, which also reads its
earlier versions. A notebook is a stranger's JSON, so its size is bounded before it is parsed, and only the source of
its code cells is handed on: no output, attachment, metadata or tag, however much there is of it.
"""

from __future__ import annotations

import json
import re
import warnings
from typing import TypeGuard

MOST_BYTES = 64 << 20
_MOST_CODE_BYTES = 1 << 20
_MOST_CELLS = 10_000
_MOST_VALUES = 1_000_000
"""Bound of what JSON is parsed into: each value takes up to about 300 bytes."""

_STRING = re.compile(rb'"(?:[^"\\]|\\.)*+"?', re.DOTALL)
_MERGE_MARKER = re.compile(rb"^(?:<{7}|={7}|>{7})(?:[ \r]|$)", re.MULTILINE)

_SOURCES = {1: "code", 2: "input", 3: "input", 4: "source"}
"""What each version of the format calls the source of a code cell."""

_WITHOUT_WORKSHEETS = {1, 4}
"""The versions whose cells do not lie on worksheets."""


class NotebookProblem(Exception):  # noqa: N818  # it is the student's, and no error of ours
    """A file is no notebook that can be run; the text says why, to be read after the file's name."""


def read_cells(data: bytes) -> tuple[str, ...]:
    """Reads the code cells of a notebook, in order.

    Args:
        data: The file.

    Raises:
        NotebookProblem: There is no code in it that could be run.
    """
    if len(data) > MOST_BYTES:
        raise NotebookProblem(f"is larger than {MOST_BYTES >> 20} MiB")
    if not data.strip():
        raise NotebookProblem("is empty")
    cells = _code_cells(_parse(data))
    if not cells:
        raise NotebookProblem("has no code cells; are they Markdown?")
    return cells


def _parse(data: bytes) -> object:
    try:
        text = data.decode(json.detect_encoding(data), "strict")
        # It is counted as it is parsed: in UTF-16, a byte can look like a quotation mark.
        if _has_too_many_values(text.encode()):
            raise NotebookProblem(f"has more than {_MOST_VALUES:,} values; clear its outputs and save it again")
        return json.loads(text)
    except RecursionError:
        raise NotebookProblem("is nested too deep for a notebook") from None
    except ValueError as error:
        raise NotebookProblem(f"is no notebook: {_what_is_wrong(data, error)}") from None


def _has_too_many_values(data: bytes) -> bool:
    def values(text: bytes) -> int:
        return text.count(b",") + text.count(b"[") + text.count(b"{")

    return values(data) > _MOST_VALUES and values(_STRING.sub(b"", data)) > _MOST_VALUES


def _what_is_wrong(data: bytes, error: ValueError) -> str:
    if marker := _MERGE_MARKER.search(data):
        return f"it has merge markers, the first on line {_line(data, marker.start())}"
    match error:
        case json.JSONDecodeError():
            return f"line {error.lineno} is not JSON"
        case UnicodeDecodeError():
            return f"line {_line(data, error.start)} is not UTF-8"
    return "it has a number that is too long"  # the one thing that Python's JSON refuses in another way


def _line(data: bytes, place: int) -> int:
    return data.count(b"\n", 0, place) + 1


def _code_cells(notebook: object) -> tuple[str, ...]:
    """The source of each code cell, in whatever version of the format."""
    match notebook:
        case {"nbformat": int(version)} if version in _SOURCES:
            pass
        case {"nbformat": version}:
            raise NotebookProblem(f"is a notebook of version {ascii(version)[:20]}, which is not known here")
        case _:
            version = 1  # which did not say so
    sources = [cell.get(_SOURCES[version], "") for cell in _cells(notebook, version) if _is_code(cell)]
    if len(sources) > _MOST_CELLS:
        raise NotebookProblem(f"has more than {_MOST_CELLS:,} code cells")
    if sum(map(_bytes, sources)) > _MOST_CODE_BYTES:
        raise NotebookProblem(f"has more than {_MOST_CODE_BYTES >> 20} MiB of code")
    return _joined(sources, version)


def _cells(notebook: object, version: int) -> list[object]:
    match notebook:
        case {"cells": list(cells)} if version in _WITHOUT_WORKSHEETS:
            return cells
        case {"worksheets": list(sheets)} if version not in _WITHOUT_WORKSHEETS:
            return [cell for sheet in sheets for cell in _cells(sheet, 1)]
    raise NotebookProblem("is JSON, but no notebook")


def _is_code(cell: object) -> TypeGuard[dict[str, object]]:
    return isinstance(cell, dict) and cell.get("cell_type") == "code"


def _bytes(source: object) -> int:
    """How much text a source is, be it one text or a list of lines."""
    match source:
        case str():
            return len(source.encode("utf-8", "surrogatepass"))
        case list() if all(isinstance(line, str) for line in source):
            return sum(map(_bytes, source))
    raise NotebookProblem("is JSON, but no notebook: the source of a code cell is no text")


def _joined(sources: list[object], version: int) -> tuple[str, ...]:
    """The sources, each as one text: how lines are joined depends on the version."""
    import nbformat  # noqa: PLC0415  # importing it takes longer than reading any other file
    from nbformat import reader  # noqa: PLC0415

    bare = [{"cell_type": "code", _SOURCES[version]: source, "metadata": {}, "outputs": []} for source in sources]
    sheets = {"cells": bare} if version in _WITHOUT_WORKSHEETS else {"worksheets": [{"cells": bare}]}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        text = json.dumps({"nbformat": version, "nbformat_minor": 0, "metadata": {}, **sheets})
        notebook = nbformat.convert(reader.reads(text), 4)  # type: ignore[no-untyped-call]  # they have no types
    return tuple(cell.source for cell in notebook.cells)
