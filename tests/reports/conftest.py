"""Outcomes to report on: one example, and nasty ones without end, which Hypothesis finds by their types."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import strategies as st

from grader.exercise import Check, Exercise
from grader.limits import Limits
from grader.verdict import Absent, Provenance, Report, Result, Ungraded, Verdict

PIECES = [
    *(
        "\0",
        "\x07",
        "\x1b[31m",
        "\x1b]8;;http://x\x07",
        "\x7f",
        "\x85",
        "\x9b1m",
        "\r",
        "\r\n",
        "\n",
        "\t",
        " ",
    ),
    *("\xa0", "\u200b", "\u200d", "\u2028", "\u202e", "\u2066", "\ufeff", "\ufffe", "\uffff", "\U0001fffe"),
    *(
        "\ud800",
        "\udcff",
        "\udfff",
        "]]>",
        "<b>&amp;",
        "<!--",
        '"',
        "'",
        "\\",
        ",",
        ";",
        "[red]x[/]",
        ":boom:",
    ),
    *(
        "=1+1",
        "+1",
        "-rf",
        "@x",
        "007",
        "Müller, Jr.",
        "e\u0301",
        "名前",
        "\U0001f600",
        "../x",
        "word " * 30,
        "x" * 300,
    ),
]
TEXTS = st.lists(st.sampled_from(PIECES) | st.text(st.characters(), max_size=5), max_size=4).map("".join)
NAMES = TEXTS.filter(bool)
SECONDS = st.floats(0, 1e6)
DIGESTS = st.binary(min_size=32, max_size=32).map(bytes.hex)
XP = st.integers(0, 1_000_000)

st.register_type_strategy(
    Result,
    st.builds(
        Result,
        NAMES,
        TEXTS,
        st.booleans(),
        st.sampled_from(Verdict),
        XP,
        TEXTS,
        TEXTS,
        TEXTS,
        TEXTS,
        seconds=SECONDS,
    ),
)
st.register_type_strategy(
    Provenance,
    st.builds(
        Provenance,
        DIGESTS,
        DIGESTS,
        NAMES,
        TEXTS,
        TEXTS,
        st.dictionaries(NAMES, TEXTS).map(dict.items).map(tuple),
    ),
)
RESULTS = st.lists(st.from_type(Result), max_size=4).map(tuple)
NOTES = st.lists(TEXTS, max_size=2).map(tuple)
st.register_type_strategy(
    Report,
    st.builds(
        Report,
        NAMES,
        NAMES,
        TEXTS,
        NAMES,
        XP,
        RESULTS,
        st.from_type(Provenance),
        notes=NOTES,
        seconds=SECONDS,
        diagnosis=TEXTS,
        private_diagnosis=TEXTS,
    ),
)
st.register_type_strategy(Ungraded, st.builds(Ungraded, NAMES, NAMES, TEXTS))
st.register_type_strategy(Absent, st.builds(Absent, NAMES, NAMES))


def _result(  # as a `Result` has them
    check: str,
    question: str,
    verdict: Verdict,
    worth: int,
    seconds: float,
    hint: str = "",
    what: str = "",
    code: str = "",
) -> Result:
    hidden = check.startswith("check_hidden")
    return Result(check, question, hidden, verdict, worth, hint, what, code, seconds=seconds)


@pytest.fixture
def report() -> Report:
    """Anna's first attempt, with a check of every verdict."""
    results = (
        _result("check_value", "A power has the value base ** exponent.", Verdict.PASSED, 3, 0.0124),
        _result(
            "check_gradient",
            "A power passes back\n    exponent * base ** (exponent - 1).",
            Verdict.FAILED,
            4,
            0.5,
            hint="What does a leaf get that is used twice?",
            what="x.grad is 2.0, expected 12.0",
            code="x = engine.Value(2.0)\ny = x ** 3\ny.backward()",
        ),
        _result("check_lines", "The last line is printed.", Verdict.OUTPUT, 2, 0.0, what="expected 'w=3.00'"),
        _result("check_relu", "relu at 0 gives 0.", Verdict.ERROR, 2, 0.0, what="NameError: 'a'\x1b[31m"),
        _result("check_chain", "A chain of 500 works.", Verdict.MEMORY, 2, 1.25, what="More than 256 MiB."),
        _result(
            "check_hidden_powers",
            "Powers hold elsewhere.",
            Verdict.TIMEOUT,
            10,
            7.5,
            hint="Mind the exponent 0.",
            what="SECRET output",
            code="SECRET = engine.Value(7.5)",
        ),
        _result("check_hidden_relu", "relu holds elsewhere.", Verdict.NOT_RUN, 1, 0.0, what="SECRET loss"),
    )
    provenance = Provenance("a" * 64, "b" * 64, "docker", "sha256:c0ffee", "f00d", (("grader", "0.1.0"),), "c" * 64)
    notes = ("matplotlib is not here; an empty stand-in took its place.",)
    return Report("anna", "pow_relu", "Teach the engine", "value.py", 25, results, provenance, notes, 9.75)


@pytest.fixture
def exercises() -> list[Exercise]:
    """Three exercises of 25 XP each."""
    return [
        _exercise("pow_relu", "Teach the engine new tricks", "value.py"),
        _exercise("neuron_fit", "Train a neuron", "train_neuron.py"),
        _exercise("line_fit", "Fit a line", "line_fit.py"),
    ]


def _exercise(name: str, title: str, submit: str) -> Exercise:
    folder = Path("/course/exercises") / name
    checks = tuple(
        Check(f"check_{place}", "Is it?", 5, "", place > 2, folder / "checks" / "check_it.py") for place in range(5)
    )
    return Exercise(name, title, folder, submit, 25, "reference.engine", None, Limits(), checks, "d" * 64)
