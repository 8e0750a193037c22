"""What a printed answer must look like, and what is said of one that nearly does."""

from __future__ import annotations

import math
import re
import time
from typing import TYPE_CHECKING

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from grader.output import OutputMismatch, printed

if TYPE_CHECKING:
    from collections.abc import Sequence

LINE = ("w={:.2f}", "b={:.2f}")
NEURON = ("step {:d}: loss {:.4f}", "step {:d}: loss {:.4f}", "w = {:.2f}, b = {:.2f}")
NEURON_TEXT = "step 0: loss 1.8224\nstep 100: loss 0.0001\nw = 2.00, b = -1.00\n"


def told(text: str, *templates: str) -> str:
    """Return what is said of a printed answer that is refused, without what its marks mean."""
    return re.sub(r" \([^()`]+\)$", "", told_in_full(text, *templates))


def told_in_full(text: str, *templates: str) -> str:
    """Return all that is said of a printed answer that is refused."""
    with pytest.raises(OutputMismatch) as caught:
        printed(text, *templates)
    return str(caught.value)


# --------------------------------------------------------------------------------------------------------------------
# What is as it should be


def test_numbers_are_read_and_named() -> None:
    """The numbers come in order, each named by its line and by the words before it."""
    assert {"line 1: w": 3.0, "line 2: b": -2.5} == printed("w=3.00\nb=-2.50\n", *LINE)
    assert {
        "line 1: step": 0,
        "line 1: loss": 1.8224,
        "line 2: step": 100,
        "line 2: loss": 0.0001,
        "line 3: w": 2.0,
        "line 3: b": -1.0,
    } == printed(NEURON_TEXT, *NEURON)


def test_whole_numbers_are_integers() -> None:
    """A field for a whole number gives an int, one with decimals a float."""
    numbers = printed("3 3.00", "{:d} {:.2f}")

    assert ["3", "3.0"] == [repr(number) for number in numbers.values()]


@pytest.mark.parametrize(
    ("template", "text", "names"),
    [
        ("{:d}", "1", ["number 1"]),
        ("{:d} {:d}", "1 2", ["number 1", "number 2"]),
        ("({:d}, {:d})", "(1, 2)", ["number 1", "number 2"]),
        ("y = {:.1f}, dy/dx = {:.1f}", "y = 1.0, dy/dx = 2.0", ["y", "dy/dx"]),
        ("x {:d}, x {:d}, x {:d}", "x 1, x 2, x 3", ["x", "x (2)", "x (3)"]),
        ("a [{:d}]: b", "a [7]: b", ["a"]),
    ],
)
def test_every_field_has_a_name_of_its_own(template: str, text: str, names: list[str]) -> None:
    """A field without words is numbered, and words that are used twice are told apart."""
    assert [f"line 1: {name}" for name in names] == list(printed(text, template))


@pytest.mark.parametrize("end", ["", "\n", "\n\n\n"])
def test_empty_lines_at_the_end_are_passed_over(end: str) -> None:
    """Whether the last line ends in a line feed, or several, is all the same."""
    assert {"line 1: w": 3.0, "line 2: b": 2.0} == printed(f"w=3.00\nb=2.00{end}", *LINE)


def test_minus_zero_is_zero() -> None:
    """A number that rounds to zero may keep its sign."""
    assert {"line 1: w": 0.0} == printed("w=-0.00", "w={:.2f}")


def test_a_template_without_fields_is_text() -> None:
    """A line may have no numbers; then it must be just that text, whatever its characters mean elsewhere."""
    assert {} == printed("a.b (c)* {} [d]+ {:e}", "a.b (c)* {} [d]+ {:e}")
    assert "Line 1: `axb` should look like `a.b`." == told("axb", "a.b")


def test_very_long_numbers_are_numbers() -> None:
    """The largest float has 309 digits before its point, and is read."""
    assert {"line 1: w": 1e308} == printed(f"w={1e308:.2f}", "w={:.2f}")


# --------------------------------------------------------------------------------------------------------------------
# What is nearly as it should be


@pytest.mark.parametrize(
    ("text", "meanings"),
    [
        ("w =3.00", " (· is a space; ? is any digit)"),
        ("w=\t3.00\r", " (→ is a tab; ␍ is a carriage return; ? is any digit)"),
        ("w=\u00a03.00", " (⍽ is a no-break space; ? is any digit)"),
        ("w=3.0", " (? is any digit)"),
        ("", " (? is any digit)"),
        ("w=3.00\nover and out", " (· is a space)"),
        ("w=3.00\nout", ""),
    ],
)
def test_marks_are_explained(text: str, meanings: str) -> None:
    """Whatever mark is shown is explained once, at the end, and no other."""
    said = told_in_full(text, "w={:.2f}")

    assert f".{meanings}" == said[len(said) - len(meanings) - 1 :]
    assert ("(" in said) == bool(meanings)


@pytest.mark.parametrize(
    ("text", "remark"),
    [
        # white space
        ("w = 3.00", "`w·=·3.00` should look like `w=?.??`: the spaces differ."),
        ("w=3.00 ", "`w=3.00·` should look like `w=?.??`: there is white space before or after it."),
        (" w=3.00", "`·w=3.00` should look like `w=?.??`: there is white space before or after it."),
        ("w=3.00\t", "`w=3.00→` should look like `w=?.??`: there is white space before or after it."),
        ("w=3.00\r\nb=2.00\r\n", "`w=3.00␍` should look like `w=?.??`: there is white space before or after it."),
        ("w=\t3.00", "`w=→3.00` should look like `w=?.??`: the spaces differ."),
        ("w=\u00a03.00", "`w=⍽3.00` should look like `w=?.??`."),
        ("\nw=3.00", "it is empty and should look like `w=?.??`."),
        ("  \nw=3.00", "it is empty and should look like `w=?.??`."),
        # decimals
        ("w=3.0", "`w=3.0` should look like `w=?.??`: w needs 2 decimals."),
        ("w=3", "`w=3` should look like `w=?.??`: w needs 2 decimals."),
        ("w=3.", "`w=3.` should look like `w=?.??`: w needs 2 decimals."),
        ("w=3.0000000001", "`w=3.0000000001` should look like `w=?.??`: w needs 2 decimals."),
        ("w = 3.0", "`w·=·3.0` should look like `w=?.??`: w needs 2 decimals, and the spaces differ."),
        # the way a number is written
        ("w=.50", "`w=.50` should look like `w=?.??`: w is not written in plain digits."),
        ("w=+3.00", "`w=+3.00` should look like `w=?.??`: w is not written in plain digits."),
        ("w=1_000.00", "`w=1_000.00` should look like `w=?.??`: w is not written in plain digits."),
        ("w=3e0", "`w=3e0` should look like `w=?.??`: w is not written in plain digits."),
        ("w=3.00E+00", "`w=3.00E+00` should look like `w=?.??`: w is not written in plain digits."),
        ("w=0x3F", "`w=0x3F` should look like `w=?.??`: w is not written in plain digits."),
        ("w=nan", "`w=nan` should look like `w=?.??`: w is nan, which is no number."),
        ("w=-inf", "`w=-inf` should look like `w=?.??`: w is -inf, which is no number."),
        ("w=Infinity", "`w=Infinity` should look like `w=?.??`: w is Infinity, which is no number."),
        ("w = NaN", "`w·=·NaN` should look like `w=?.??`: w is NaN, which is no number, and the spaces differ."),
        ("w=٣.٢٥", "`w=٣.٢٥` should look like `w=?.??`."),
        ("w=3,00", "`w=3,00` should look like `w=?.??`."),
        # words
        ("W=3.00", "`W=3.00` should look like `w=?.??`: capital and small letters differ."),
        (
            "W = 3.00",
            "`W·=·3.00` should look like `w=?.??`: capital and small letters differ.",
        ),
        ("3.00", "`3.00` should look like `w=?.??`: the words around the numbers are missing."),
        ("3.00, 2.00", "`3.00,·2.00` should look like `w=?.??`: the words around the numbers are missing."),
        ("w: 3.00", "`w:·3.00` should look like `w=?.??`."),
        ("the answer is 3", "`the·answer·is·3` should look like `w=?.??`."),
        ("v=3.00", "`v=3.00` should look like `w=?.??`."),
        # order
        ("b=2.00\nw=3.00", "`b=2.00` belongs on line 2; `w=?.??` is due here."),
    ],
)
def test_near_misses_are_explained(text: str, remark: str) -> None:
    """What is wrong with a line is said in a sentence, with its white space made visible."""
    assert f"Line 1: {remark}" == told(text, *LINE)


@pytest.mark.parametrize(
    ("text", "remark"),
    [
        ("", "Nothing was printed; the first line should look like `w=?.??`."),
        ("\n\n", "Nothing was printed; the first line should look like `w=?.??`."),
        ("w=3.00\n", "Line 2 is missing; it should look like `b=?.??`."),
        ("w=3.00\nb=2.00\ndone\n", "Line 3 is one too many: `done`."),
        ("w=3.00\nb=2.00\n \n", "Line 3 is one too many: `·`."),
        ("w=3.00\nb=2.00\nw=3.00\n", "Line 3 is one too many: `w=3.00`."),
        ("w=3.00 b=2.00", "Line 1: `w=3.00·b=2.00` should look like `w=?.??`."),
        ("w=3.00\n\nb=2.00\n", "Line 2: it is empty and should look like `b=?.??`."),
        ("w=3.00\rb=2.00\r", "Line 1: `w=3.00␍b=2.00␍` should look like `w=?.??`."),
        ("w=3.00\x0bb=2.00", "Line 1: `w=3.00\x0bb=2.00` should look like `w=?.??`."),
    ],
)
def test_lines_are_counted(text: str, remark: str) -> None:
    """A line that is missing or one too many is said to be."""
    assert remark == told(text, *LINE)


@pytest.mark.parametrize(
    ("text", "remark"),
    [
        (
            NEURON_TEXT.replace("step 100: loss 0.0001\n", ""),
            "Line 2: `w·=·2.00,·b·=·-1.00` belongs on line 3; `step·?:·loss·?.????` is due here.",
        ),
        (
            NEURON_TEXT.replace("step 0:", "step 0.0:"),
            "Line 1: `step·0.0:·loss·1.8224` should look like `step·?:·loss·?.????`: step is a whole number.",
        ),
        (
            NEURON_TEXT.replace("100: loss 0.0001", "1: loss 1e-4"),
            "Line 2: `step·1:·loss·1e-4` should look like `step·?:·loss·?.????`: loss is not written in plain digits.",
        ),
        (
            NEURON_TEXT.replace("w = 2.00, b = -1.00", "w=2.0, b=2.00"),
            "Line 3: `w=2.0,·b=2.00` should look like `w·=·?.??,·b·=·?.??`: w needs 2 decimals, and the spaces differ.",
        ),
        (
            NEURON_TEXT.replace("w = 2.00, b = -1.00", "2.00 -1.00"),
            "Line 3: `2.00·-1.00` should look like `w·=·?.??,·b·=·?.??`: the words around the numbers are missing.",
        ),
        (
            NEURON_TEXT.replace("w = 2.00, b = -1.00", "w = 2.00,b = -1.00"),
            "Line 3: `w·=·2.00,b·=·-1.00` should look like `w·=·?.??,·b·=·?.??`: the spaces differ.",
        ),
    ],
)
def test_longer_answers_are_explained_too(text: str, remark: str) -> None:
    """Every line is looked at by itself, and each number of it."""
    assert remark == told(text, *NEURON)


def test_one_decimal_is_one_decimal() -> None:
    """A single decimal is spoken of in the singular."""
    assert "Line 1: `x=3` should look like `x=?.?`: x needs 1 decimal." == told("x=3", "x={:.1f}")


def test_a_line_that_should_be_numbers_alone() -> None:
    """Where there are no words, none are missed."""
    assert "Line 1: `1,·2` should look like `?·?`." == told("1, 2", "{:d} {:d}")


# --------------------------------------------------------------------------------------------------------------------
# Laws

WORDS = st.text("abwx =:,()[].*+?^$|\\/ \u00e9\u2192", max_size=6)
FIELDS = st.integers(-1, 6)  # so many decimals; a whole number where there are fewer than none


@st.composite
def answers(draw: st.DrawFn) -> tuple[list[str], list[list[float]]]:
    """Templates, and numbers for them."""
    templates, numbers = [], []
    for _ in range(draw(st.integers(1, 3))):
        template, line = draw(WORDS), []
        for decimals in draw(st.lists(FIELDS, min_size=1, max_size=3)):
            # Numbers side by side would not be told apart.
            template += ("{:d}" if decimals < 0 else f"{{:.{decimals}f}}") + draw(WORDS) + "|"
            whole = st.integers(-(10**60), 10**60)
            line.append(draw(whole if decimals < 0 else st.floats(allow_nan=False, allow_infinity=False)))
        templates.append(template)
        numbers.append(line)
    return templates, numbers


@given(answers(), st.integers(0, 3))
def test_what_format_prints_is_read_back(answer: tuple[list[str], list[list[float]]], empty: int) -> None:
    """What `str.format` makes of the templates is accepted, and its numbers are the numbers that it shows."""
    templates, numbers = answer
    lines = [template.format(*line) for template, line in zip(templates, numbers, strict=True)]

    found = printed("\n".join(lines) + "\n" * empty, *templates)

    shown = [
        [
            number if "d" in field else (float if field[1] > "0" else int)(format(number, field))
            for field, number in zip(fields, line, strict=True)
        ]
        for fields, line in zip((re.findall(r"\{:(.*?)\}", template) for template in templates), numbers, strict=True)
    ]
    assert [number for line in shown for number in line] == list(found.values())
    assert [type(number) for line in shown for number in line] == [type(number) for number in found.values()]


ODD_TEXT = st.text(st.sampled_from("wb=3.0019-+e_ \t\r\n\u00a0\x00٣,nanif0xÀ:steplos"), max_size=40) | st.text(
    max_size=20
)


@given(ODD_TEXT, st.sampled_from([LINE, NEURON, ("{:d}",), ("{:d} {:.1f} {:d}", "x {:d}"), ("",)]))
def test_any_text_is_read_or_refused(text: str, templates: Sequence[str]) -> None:
    """Any text gives its numbers or `OutputMismatch`, nothing else; and what is said of it is short and one line."""
    try:
        numbers, said = printed(text, *templates), ""
    except OutputMismatch as mismatch:
        numbers, said = {}, str(mismatch)
    assert all(math.isfinite(number) for number in numbers.values())
    assert re.match(r"Line \d+|Nothing was printed|$", said)
    assert len(said) < 800


@given(answers(), st.data())
def test_a_change_is_read_or_refused(answer: tuple[list[str], list[list[float]]], data: st.DataObject) -> None:
    """A changed character is another digit or another sign of a number, or is refused; nothing is passed over."""
    templates, numbers = answer
    text = "\n".join(template.format(*line) for template, line in zip(templates, numbers, strict=True))
    at = data.draw(st.integers(0, len(text) - 1))
    changed = text[:at] + data.draw(st.sampled_from("0123456789.-+ _e\tx٣")) + text[at + 1 :]
    assume(changed != text)

    try:
        printed(changed, *templates)
    except OutputMismatch:
        return
    form, changed_form = (re.sub(r"-?[0-9]+", "0", each) for each in (text, changed))
    assert form == changed_form


# --------------------------------------------------------------------------------------------------------------------
# Bounds

LONG = 64 << 10
MANY = ("{:.2f} {:.2f} {:.2f} {:.2f} {:.2f} {:.2f} {:.2f} {:.2f}",)


@pytest.mark.parametrize(
    "text",
    [
        "w=" + "1" * LONG,
        "w=" + "1" * LONG + ".00",
        "w=1." + "0" * LONG,
        " " * LONG,
        "w=" + " " * LONG + "3.00",
        "w=3.00" + "\t" * LONG,
        "1 " * LONG,
        "\n" * LONG,
        "w=3.00\n" * LONG,
        "\x00" * LONG,
        "11 " * 66 + "x",
        "1_1," * 49 + "x",
        "1" * 199 + "x",
        "." * 200,
        "1." * 100,
        ("1" + " " * 24) * 7 + "x" * 20,
        "1e1" * 66,
        "0x" * 100,
        "nan " * 49 + "x",
        "inf" * 66,
        " " * 199 + "x",
        "w" + " =" * 90,
    ],
    ids=lambda text: f"{text[:8]!r} {len(text)}",
)
@pytest.mark.parametrize("templates", [LINE, NEURON, MANY], ids=lambda templates: templates[0][:12])
def test_no_text_takes_its_time(text: str, templates: Sequence[str]) -> None:
    """A text of 64 KiB, or one that can be read in many ways, is refused at once."""
    started = time.process_time()

    assert len(told(text, *templates)) < 800
    assert time.process_time() - started < 0.5


def test_a_long_line_is_shown_in_part() -> None:
    """What is shown of a long line is its beginning."""
    assert f"Line 1: `{'x' * 200}...` should look like `w=?.??`." == told("x" * 201, "w={:.2f}")
    assert f"Line 2 is one too many: `{'x' * 200}...`." == told("w=1.00\n" + "x" * 300, "w={:.2f}")


def test_numbers_of_more_than_400_digits_are_refused() -> None:
    """No float has so many digits; an integer of that size would take its time elsewhere."""
    assert {"line 1: n": 10**399} == printed(f"n={10**399}", "n={:d}")
    assert "should look like `n=?`." in told(f"n={10**400}", "n={:d}")
