"""The reference programs: what they print, and that their fits are those the exercises describe."""

from __future__ import annotations

import io
import math
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from reference import line_fit, neuron_fit, pow_relu
from reference.points import read_points

if TYPE_CHECKING:
    from collections.abc import Callable
    from types import ModuleType

    from reference.points import Point

    Run = Callable[[ModuleType, str], list[str]]

PROGRAMS = [pow_relu, neuron_fit, line_fit]


def shown(program: ModuleType) -> list[str]:
    """Return the output that the program's docstring shows, line by line."""
    return [line.strip() for line in (program.__doc__ or "").splitlines() if line.startswith("    ")]


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Run:
    """Run a program in this process with a standard input, and return the lines that it prints."""

    def run(program: ModuleType, stdin: str) -> list[str]:
        monkeypatch.setattr(sys, "stdin", io.StringIO(stdin))
        program.main()
        return capsys.readouterr().out.splitlines()

    return run


def as_lines(points: list[Point]) -> str:
    """Write points the way a program reads them."""
    return "".join(f"{x!r} {y!r}\n" for x, y in points)


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda program: program.__name__)
def test_as_a_program(program: ModuleType) -> None:
    """Run from the course's folder with nothing to read, a program prints what its docstring shows."""
    ended = subprocess.run(  # noqa: S603 -- our own interpreter runs our own module
        [sys.executable, "-m", program.__name__],
        cwd=Path(__file__).resolve().parents[1],
        input="",
        capture_output=True,
        text=True,
        check=True,
    )

    assert "\n".join([*shown(program), ""]) == ended.stdout
    assert "" == ended.stderr


def test_pow_relu_output(run: Run) -> None:
    """The two expressions have these values and gradients."""
    assert [
        "y = 10.0000, dy/dx = 13.0000",
        "z = 1.7500, dz/da = -0.5000, dz/db = -4.0000",
    ] == run(pow_relu, "")


def test_neuron_fit_output(run: Run) -> None:
    """Without examples the neuron is trained on the lesson's four, and finds their w = 2 and b = -1."""
    assert [
        "step 0: loss 1.8224",
        "step 100: loss 0.0001",
        "step 200: loss 0.0000",
        "step 300: loss 0.0000",
        "w = 2.00, b = -1.00",
    ] == run(neuron_fit, "")


def test_line_fit_output(run: Run) -> None:
    """Without points the line goes through five of y = 3 * x + 2."""
    assert ["w=3.00", "b=2.00"] == run(line_fit, "\n")


def test_line_fit_reads_points(run: Run) -> None:
    """The points that are read are the points that are fitted."""
    assert ["w=-0.50", "b=4.00"] == run(line_fit, "-2 5\n0 4\n\n 1   3.5 \n")


def test_neuron_fit_reads_examples(run: Run) -> None:
    """The examples that are read are the examples that are learned from."""
    examples = [(x, math.tanh(-0.75 * x + 0.5)) for x in (-1.0, 0.0, 1.0, 1.5)]

    assert "w = -0.75, b = 0.50" == run(neuron_fit, as_lines(examples))[-1]


def test_read_points() -> None:
    """Points are read from any spacing and number format; blank lines are skipped."""
    lines = ["1 2\n", "\n", "  -3.5\t4e-1  \r\n", "   \n", "0 -0.25"]

    assert [(1.0, 2.0), (-3.5, 0.4), (0.0, -0.25)] == read_points(lines)
    assert [] == read_points(["\n", ""])


@pytest.mark.parametrize(
    "points",
    [
        neuron_fit.LESSON,
        [(x, math.tanh(-1.5 * x + 0.5)) for x in (-2.0, -0.5, 0.0, 1.0, 2.0)],
        [(0.1, 0.9), (0.2, 0.95)],
        [(1.0, 0.5)],
    ],
)
def test_neuron_fit_recipe(points: list[Point]) -> None:
    """The neuron takes 301 steps of rate 0.2 down the sum of squared errors, as worked out by hand here."""
    w, b = 0.1, 0.0
    losses = []
    for _ in range(301):
        answers = [math.tanh(w * x + b) for x, _ in points]
        errors = [answer - y for answer, (_, y) in zip(answers, points, strict=True)]
        losses.append(sum(error**2 for error in errors))
        slopes = [2 * error * (1 - answer**2) for error, answer in zip(errors, answers, strict=True)]
        w -= 0.2 * sum(slope * x for slope, (x, _) in zip(slopes, points, strict=True))
        b -= 0.2 * sum(slopes)

    fit = neuron_fit.fit(points)
    assert pytest.approx(losses) == fit.losses
    assert pytest.approx((w, b)) == (fit.w, fit.b)


@pytest.mark.parametrize(
    "points",
    [
        line_fit.EXAMPLE,
        [(0.0, 1.8), (1.0, 5.3), (2.0, 7.9), (3.0, 11.2), (4.0, 13.8)],
        [(0.01, 1.0), (0.02, 1.5), (0.03, 1.0)],
        [(3.0, -7.0)],
    ],
)
def test_line_fit_recipe(points: list[Point]) -> None:
    """The line takes 500 steps of rate 0.05 down the mean squared error, as worked out by hand here."""
    w, b = 0.0, 0.0
    for _ in range(500):
        errors = [w * x + b - y for x, y in points]
        w, b = (
            w - 0.05 * sum(2 * error * x for error, (x, _) in zip(errors, points, strict=True)) / len(points),
            b - 0.05 * sum(2 * error for error in errors) / len(points),
        )

    assert pytest.approx((w, b)) == line_fit.fit(points)
