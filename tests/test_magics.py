"""Cells become Python, line by line; what is Python already stays as it is, whatever it looks like."""

from __future__ import annotations

import ast

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grader.sandbox.magics import parse_cell


def lines(text: str) -> tuple[list[str], int]:
    """A cell's statements, each with its line number, and how many lines were ignored."""
    parsed = parse_cell(text, "cell 1")
    tree, ignored = parsed.tree, parsed.ignored
    return [f"{statement.lineno}: {ast.unparse(statement)}" for statement in tree.body], ignored


@pytest.mark.parametrize(
    ("cell", "expected", "ignored"),
    [
        ("", [], 0),
        ("\n\n", [], 0),
        ("x = 1\n", ["1: x = 1"], 0),
        ("%matplotlib inline\nx = 1", ["1: pass", "2: x = 1"], 1),
        ("!pip install numpy\nx = 1", ["1: pass", "2: x = 1"], 1),
        ('x = 1\n!echo \'it\n!echo """\n!ls )\n!ls (', ["1: x = 1", "2: pass", "3: pass", "4: pass", "5: pass"], 4),
        ("x = 1\n?print\n??x\nx?\nx.real??\n%time?", ["1: x = 1", *[f"{n}: pass" for n in range(2, 7)]], 5),
        ("files = !ls *.txt\na, b = %sql select 1\nx = 2", ["1: pass", "2: pass", "3: x = 2"], 2),
        ("pip install numpy\nconda install -y numpy", ["1: pass", "2: pass"], 2),
        ("!pip install \\\n    numpy \\\n    torch\nx = 1", ["1: pass", "4: x = 1"], 1),
        ("!ls \\", ["1: pass"], 1),
        ("%%inside\nx = 1", [], 0),
        ("x = 1\n%%inside\ny = 2", ["1: x = 1", "2: pass", "3: y = 2"], 1),
        ("for i in y:\n    %time f(i)\n    !ls\nz = 1", ["1: for i in y:\n    f(i)\n    pass", "4: z = 1"], 1),
        ("if x:\n\t%who\nz = 1", ["1: if x:\n    pass", "3: z = 1"], 1),
        ("%time x = f(\n    3)", ["1: x = f(3)"], 0),
        ("%time", ["1: pass"], 0),
        ("%timeit -n 100 -r3 -q f(3)", ["1: f(3)"], 0),
        ("%timeit -n100\nx = 1", ["1: pass", "2: x = 1"], 0),
        ("%time !ls", ["1: pass"], 1),
        ("\n%%time\nx = 1", ["3: x = 1"], 0),
        ("%%timeit -n 10\nx = 1", ["2: x = 1"], 0),
        ("%%capture out\n%who\nx = 1", ["2: pass", "3: x = 1"], 1),
    ],
)
def test_magics_are_taken_out(cell: str, expected: list[str], ignored: int) -> None:
    """A magic or shell line does nothing, a timed statement is run, and all others keep their line."""
    assert (expected, ignored) == lines(cell)


@pytest.mark.parametrize("name", ["bash", "html", "writefile", "javascript"])
def test_cells_in_other_languages(name: str) -> None:
    """A cell that is for another program, or is no code, has nothing to run."""
    cell = parse_cell(f"\n%%{name} x\nrm -rf /\n", "cell 1")

    assert ([], 0, name) == (cell.tree.body, cell.ignored, cell.magic)


@pytest.mark.parametrize(
    "cell",
    [
        'x = """\n%matplotlib inline\n!ls\nx?\n"""',
        "x = (10\n%3)",
        "x = 10 \\\n%y",
        "x = (y\n!= z)",
        "# %matplotlib inline\n# !ls",
        "x = y %z",
        "'%%bash'\n'!ls'",
        'x = f"""\n%%time\n{3}"""',
        "x = [\n    y %\n    z]",
    ],
)
def test_what_only_looks_like_a_magic_stays(cell: str) -> None:
    """Texts, comments and lines that go on from the one before are Python."""
    assert ast.dump(ast.parse(cell)) == ast.dump(parse_cell(cell, "cell 1").tree)


@pytest.mark.parametrize(
    ("cell", "line"),
    [
        ("x = = 1", 1),
        ("%who\nx = = 1", 2),
        ("%who\nx = 1\nif x:\n%who", 4),
        ("x = (\n%who\n", 1),
        ("x = '''\n%who\n", 1),
        ("what is this?", 1),
        ("!= 3", 1),
        ("%", 1),
    ],
)
def test_what_is_neither(cell: str, line: int) -> None:
    """Where a cell is neither Python nor IPython's, the line is told."""
    with pytest.raises(SyntaxError) as caught:
        parse_cell(cell, "cell 1")

    assert ("cell 1", line) == (caught.value.filename, caught.value.lineno)


LINES = st.sampled_from(
    [
        "%who",
        "!ls",
        "x?",
        "x = 1",
        "if x:",
        "    %time y",
        "    y = (",
        ")",
        "'''",
        "x = !ls",
        "%%bash",
        "\\",
        "x = = 1",
    ]
)


@given(st.lists(LINES, max_size=8).map("\n".join))
def test_every_cell_is_read_or_refused(cell: str) -> None:
    """Whatever a cell is made of, it is parsed or refused in a bounded number of steps, and never grows."""
    try:
        parsed = parse_cell(cell, "cell 1")
        tree, ignored = parsed.tree, parsed.ignored
    except SyntaxError:
        return
    assert ignored <= cell.count("\n") + 1
    assert all(statement.lineno <= cell.count("\n") + 1 for statement in tree.body)
