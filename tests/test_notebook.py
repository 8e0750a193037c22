"""A notebook is its code cells, whatever else is in it; and what is no notebook says so in words."""

from __future__ import annotations

import json
import logging
import time
import tracemalloc
from typing import Any

import nbformat
import pytest
from hypothesis import given
from hypothesis import strategies as st

from grader.notebook import MOST_BYTES, NotebookProblem, read_cells

TEXT = st.text(st.characters(exclude_categories=["Cs"]))
MIB = 1 << 20


def code(source: object, **more: object) -> dict[str, object]:
    """A code cell as version 4 has it."""
    return {"cell_type": "code", "source": source, "metadata": {}, "outputs": [], **more}


def notebook(*cells: object, **more: object) -> bytes:
    """A notebook of version 4."""
    return json.dumps({"cells": cells, "metadata": {}, "nbformat": 4, "nbformat_minor": 5, **more}).encode()


def problem(data: bytes) -> str:
    """Why something is no notebook."""
    with pytest.raises(NotebookProblem) as caught:
        read_cells(data)
    return str(caught.value)


class TestCells:
    """Only code cells count, in their order."""

    def test_order(self) -> None:
        """What lies between them does not."""
        cells = [code("x = 1"), {"cell_type": "markdown", "source": "# x", "metadata": {}}, code(""), code("x = 2")]

        assert ("x = 1", "", "x = 2") == read_cells(notebook(*cells))

    @pytest.mark.parametrize("source", ["a = 1\nb = 2", ["a = 1\n", "b = 2"], ["a = 1\n", "", "b", " = 2"]])
    def test_source(self, source: object) -> None:
        """A source is a text, or a list of its lines."""
        assert ("a = 1\nb = 2",) == read_cells(notebook(code(source)))

    def test_no_source(self) -> None:
        """A cell that has none is empty."""
        assert ("",) == read_cells(notebook({"cell_type": "code"}))

    @given(st.lists(TEXT, min_size=1))
    def test_any_text(self, sources: list[str]) -> None:
        """What was written comes back."""
        assert tuple(sources) == read_cells(notebook(*map(code, sources)))

    def test_half_a_character(self) -> None:
        """So does what is no text that can be encoded: it is for the sandbox to refuse."""
        assert ("\ud83d",) == read_cells(notebook(code("\ud83d")))

    @given(
        st.recursive(
            st.none() | st.booleans() | st.floats() | TEXT,
            lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXT, inner, max_size=3),
        )
    )
    def test_the_rest(self, rest: object) -> None:
        """Outputs, attachments, metadata, tags, ids and keys that nobody knows are as good as not there."""
        cell = code("x", outputs=rest, metadata=rest, attachments=rest, id=rest, execution_count=rest, other=rest)
        data = json.dumps({"cells": [cell], "metadata": rest, "nbformat": 4, "nbformat_minor": rest, "other": rest})

        assert ("x",) == read_cells(data.encode())

    @pytest.mark.filterwarnings("error")
    def test_quiet(self, caplog: pytest.LogCaptureFixture, capfd: pytest.CaptureFixture[str]) -> None:
        """Whatever nbformat has to say of a notebook is not said."""
        odd = [code("x", id="twice"), code("y", id="twice"), code("z", id="not an id!")]
        with caplog.at_level(logging.DEBUG):
            cells = read_cells(notebook(*odd, metadata={"kernelspec": {"name": "gone"}}))

        assert ("x", "y", "z") == cells
        assert ("", "") == capfd.readouterr()


class TestVersions:
    """Every version of the format that nbformat reads."""

    @pytest.mark.parametrize("lines", ["a = 1\nb = 2", ["a = 1\n", "b = 2"], ["a = 1", "b = 2"]])
    def test_3(self, lines: object) -> None:
        """Version 3 has worksheets and `input`, and its lines may lack their ends."""
        cells = [{"cell_type": "code", "input": lines, "language": "python", "outputs": [{"no": "output"}]}]
        sheets = [{"cells": cells}, {"cells": [{"cell_type": "heading", "source": "x"}, *cells]}]
        data = json.dumps({"worksheets": sheets, "metadata": {"name": ""}, "nbformat": 3, "nbformat_minor": 0})

        assert ("a = 1\nb = 2",) * 2 == read_cells(data.encode())

    def test_2(self) -> None:
        """Version 2 too."""
        data = {"worksheets": [{"cells": [{"cell_type": "code", "input": ["x", "y"]}]}], "nbformat": 2}

        assert ("x\ny",) == read_cells(json.dumps(data).encode())

    @pytest.mark.parametrize("version", [{}, {"nbformat": 1}])
    def test_1(self, version: dict[str, int]) -> None:
        """Version 1 need not say which it is."""
        data = {"cells": [{"cell_type": "code", "code": "x"}, {"cell_type": "text", "text": "y"}], **version}

        assert ("x",) == read_cells(json.dumps(data).encode())

    def test_written_by_nbformat(self) -> None:
        """What nbformat writes is read."""
        v4 = nbformat.v4
        made = v4.new_notebook(cells=[v4.new_markdown_cell("# x"), v4.new_code_cell("x = 1\ny = 2\n")])  # type: ignore[no-untyped-call]  # it has no types

        text = nbformat.writes(made)  # type: ignore[no-untyped-call]  # the same

        assert ("x = 1\ny = 2\n",) == read_cells(text.encode())

    @pytest.mark.parametrize("version", [0, 5, -1, 10**30, "4", 4.0, None, [4], {}, "x" * 1000, "\ud800"])
    def test_unknown(self, version: object) -> None:
        """Any other version is refused, in words that can be written anywhere."""
        said = problem(notebook(code("x"), nbformat=version))

        said.encode()

        assert said.startswith("is a notebook of version ")
        assert said.endswith(", which is not known here")
        assert 80 > len(said)

    def test_later(self) -> None:
        """A later revision of version 4 is one of version 4."""
        assert ("x",) == read_cells(notebook(code("x"), nbformat_minor=99))


class TestEncodings:
    """What JSON allows, and what editors make of it."""

    @pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-32"])
    def test_unicode(self, encoding: str) -> None:
        """A byte order mark does no harm."""
        data = json.dumps({"cells": [code("é = '名'")], "nbformat": 4, "metadata": {}}, ensure_ascii=False)

        assert ("é = '名'",) == read_cells(data.encode(encoding))

    def test_latin_1(self) -> None:
        """Another encoding is told with its line."""
        data = notebook(code("x")).replace(b"{", b"{\n\n", 1) + b"\xe9"

        assert "is no notebook: line 3 is not UTF-8" == problem(data)


class TestProblems:
    """What is no notebook."""

    @pytest.mark.parametrize("data", [b"", b" \n\t\r\n"])
    def test_empty(self, data: bytes) -> None:
        """A file that was never written to."""
        assert "is empty" == problem(data)

    @pytest.mark.parametrize("marker", ["<<<<<<< HEAD", "=======", ">>>>>>> theirs"])
    @pytest.mark.parametrize("end", ["\n", "\r\n"])
    def test_merge_markers(self, marker: str, end: str) -> None:
        """What version control left behind is called by its name."""
        lines = notebook(code("x")).decode().replace("[", "[\n", 1).split("\n")
        data = end.join([*lines[:1], marker, *lines[1:]]).encode()

        assert "is no notebook: it has merge markers, the first on line 2" == problem(data)

    def test_merge_markers_in_code(self) -> None:
        """In a source they are the sandbox's business."""
        assert ("<<<<<<< HEAD\n",) == read_cells(notebook(code("<<<<<<< HEAD\n")))

    @pytest.mark.parametrize(
        ("data", "line"), [(b"import math\n", 1), (b"{\n\n'cells': []}", 3), (b"[1,\n", 2), (b"\0", 1), (b"PK\3\4", 1)]
    )
    def test_not_json(self, data: bytes, line: int) -> None:
        """Anything else that is not JSON is told with its line."""
        assert f"is no notebook: line {line} is not JSON" == problem(data)

    @pytest.mark.parametrize(
        "data",
        [
            *(
                b"[]",
                b"1",
                b"null",
                b'"x"',
                b"{}",
                b'{"cells": {}}',
                b'{"cells": 1, "nbformat": 4}',
                b'{"nbformat": 4}',
            ),
            *(
                b'{"worksheets": [], "nbformat": 4}',
                b'{"worksheets": [1], "nbformat": 3}',
                b'{"cells": [], "nbformat": 3}',
            ),
        ],
    )
    def test_no_notebook(self, data: bytes) -> None:
        """So is JSON that is none."""
        assert "is JSON, but no notebook" == problem(data)

    @pytest.mark.parametrize("source", [1, None, {}, [1], ["x", None]])
    def test_no_text(self, source: object) -> None:
        """A source has to be text."""
        assert "is JSON, but no notebook: the source of a code cell is no text" == problem(notebook(code(source)))

    @pytest.mark.parametrize("cells", [[], [{"cell_type": "markdown", "source": "x = 1"}], [1, None, [], "code", {}]])
    def test_no_code(self, cells: list[object]) -> None:
        """Code in cells of another kind is not run."""
        assert "has no code cells; are they Markdown?" == problem(notebook(*cells))


class TestBounds:
    """Nothing that is handed in takes much memory or time."""

    @pytest.mark.parametrize(
        ("data", "said"),
        [
            (b" " * (MOST_BYTES + 1), "is larger than 64 MiB"),
            (b"[" * 100_000, "is nested too deep for a notebook"),
            (b'{"cells":' * 100_000, "is nested too deep for a notebook"),
            (b"[" + b"0," * 20_000_000 + b"0]", "has more than 1,000,000 values; clear its outputs and save it again"),
            (b"[" + b"[]," * 10_000_000 + b"0]", "has more than 1,000,000 values; clear its outputs and save it again"),
            (b"[" + b'{"":{}},' * 300_000 + b"0]", "is JSON, but no notebook"),
            (b"{" + b",".join(b'"%d":1' % n for n in range(900_000)) + b"}", "is JSON, but no notebook"),
            (b'["' + b"," * (60 * MIB) + b'"]', "is JSON, but no notebook"),
            (
                '\ufeff{"\u0122":"","cells":['.encode("utf-16-le") + "{},".encode("utf-16-le") * 5_000_000,
                "has more than 1,000,000 values; clear its outputs and save it again",
            ),
            (b'"' * MOST_BYTES, "is no notebook: line 1 is not JSON"),
            (b'"' + b"\\" * (60 * MIB), "is no notebook: line 1 is not JSON"),
            (b"[" + b"1" * (60 * MIB) + b"]", "is no notebook: it has a number that is too long"),
            (b"\n" * (60 * MIB) + b"x", "is no notebook: line 62914561 is not JSON"),
        ],
        ids=lambda value: value if isinstance(value, str) else "",
    )
    def test_hostile(self, data: bytes, said: str) -> None:
        """JSON that is made to be expensive is refused before it is."""
        started = time.monotonic()
        tracemalloc.start()
        try:
            found = problem(data)
            peak = tracemalloc.get_traced_memory()[1]
        finally:
            tracemalloc.stop()

        assert said == found
        assert 300 * MIB > peak
        assert 30 > time.monotonic() - started

    def test_outputs(self) -> None:
        """50 MiB of outputs cost little."""
        picture = {"output_type": "display_data", "data": {"image/png": "iVBOR" * 200_000}}
        lines = [f"epoch {number}: loss 0.1\n" for number in range(10_000)]
        text = {"output_type": "stream", "name": "stdout", "text": lines}
        data = notebook(*[code("x", outputs=[picture, text]) for _ in range(42)])
        started = time.monotonic()
        tracemalloc.start()
        try:
            cells = read_cells(data)
            peak = tracemalloc.get_traced_memory()[1]
        finally:
            tracemalloc.stop()

        assert 50 * MIB < len(data)
        assert ("x",) * 42 == cells
        assert 250 * MIB > peak
        assert 20 > time.monotonic() - started

    @pytest.mark.parametrize(
        ("cells", "said"),
        [
            ([code("")] * 10_001, "has more than 10,000 code cells"),
            ([code("x" * MIB), code("x")], "has more than 1 MiB of code"),
            ([code(["é" * 100] * 5_300)], "has more than 1 MiB of code"),
        ],
    )
    def test_code(self, cells: list[dict[str, Any]], said: str) -> None:
        """There may be as much code as in a Python file."""
        assert said == problem(notebook(*cells))

    @pytest.mark.parametrize("version", [3, 4])
    def test_most(self, version: int) -> None:
        """And that much is read, in any version, in no time."""
        cells = [{"cell_type": "code", "source": "x" * 104, "input": "x" * 104} for _ in range(10_000)]
        data = {"cells": cells, "worksheets": [{"cells": cells}], "nbformat": version, "metadata": {}}
        started = time.monotonic()

        assert ("x" * 104,) * 10_000 == read_cells(json.dumps(data).encode())
        assert 20 > time.monotonic() - started
