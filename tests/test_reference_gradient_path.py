"""How a gradient gets to a value is told as it is: step by step, and what arrives is the gradient."""

from __future__ import annotations

from pathlib import Path

import pytest

from reference.engine import Value
from reference.gradient_path import derive

ROOT = Path(__file__).parents[1]
EXPRESSIONS = (ROOT / "exercises/pow_relu/checks/expressions.txt").read_text(encoding="utf-8").splitlines()


def code(*statements: str) -> str:
    """Statements, one a line."""
    return "\n".join(statements)


@pytest.mark.parametrize(
    ("statements", "told"),
    [
        (
            ("x = Value(-1.0)", "a = x.relu()", "y = a + x", "y.backward()", "y.data", "x.grad"),
            (
                "y             starts with a gradient of 1.0",
                "y = a + x     passes 1.0 to a and 1.0 to x",
                "a = x.relu()  passes 1.0 * 0.0 = 0.0 to x, which is -1.0",
                "x.grad = 1.0 + 0.0 = 1.0",
            ),
        ),
        (
            ("x = Value(2.0)", "(x * 3 - -1.5).backward()", "x.grad"),
            (
                "x * 3 - -1.5  starts with a gradient of 1.0",
                "x * 3 - -1.5  passes 1.0 to x * 3",
                "x * 3         passes 1.0 * 3.0 = 3.0 to x, which is 2.0",
                "x.grad = 3.0",
            ),
        ),
        (
            ("x = Value(2.0)", "w = Value(3.0)", "y = x * w - x / 4", "y.backward()", "x.grad"),
            (
                "y                  starts with a gradient of 1.0",
                "y = x * w - x / 4  passes 1.0 to x * w and 1.0 * -1.0 = -1.0 to x / 4",
                "x / 4              passes -1.0 * 0.25 = -0.25 to x, which is 2.0",
                "x * w              passes 1.0 * 3.0 = 3.0 to x, where x is 2.0 and w is 3.0",
                "x.grad = -0.25 + 3.0 = 2.75",
            ),
        ),
        (
            ("x = Value(1.0)", "p = -x", "y = p * p", "y.backward()", "x.grad"),
            (
                "y          starts with a gradient of 1.0",
                "y = p * p  passes 1.0 * -1.0 = -1.0 to p and 1.0 * -1.0 = -1.0 to p",
                "p = -x     collects -1.0 + -1.0 = -2.0 and passes -2.0 * -1.0 = 2.0 to x",
                "x.grad = 2.0",
            ),
        ),
        (
            ("x = Value(1.0)", "y = (x + x + x + x + x + x).tanh()", "y.backward()", "y.grad"),
            ("y  starts with a gradient of 1.0", "y.grad = 1.0"),
        ),
        (
            ("x = Value(0.0)", "y = (x * 0.5 - 0.25 + 0.25).tanh()", "y.backward()", "x.grad"),
            (
                "y                      starts with a gradient of 1.0",
                "y = (x * 0.5 - 0.25 + 0.25).tanh()  passes 1.0 to x * 0.5 - 0.25 + 0.25",
                "x * 0.5 - 0.25 + 0.25  passes 1.0 to x * 0.5 - 0.25",
                "x * 0.5 - 0.25         passes 1.0 to x * 0.5",
                "x * 0.5                passes 1.0 * 0.5 = 0.5 to x, which is 0.0",
                "x.grad = 0.5",
            ),
        ),
    ],
)
def test_steps(statements: tuple[str, ...], told: tuple[str, ...]) -> None:
    """Each step says what it passes to what, and where from; only those steps are told that lead to the value."""
    (text,) = derive(code(*statements)).values()

    assert told == tuple(text.splitlines())


@pytest.mark.parametrize("expression", EXPRESSIONS)
def test_gradients(expression: str) -> None:
    """What is told to arrive in the end is what the engine finds, and no step is left without its reason."""
    names: dict[str, Value] = {"Value": Value}  # type: ignore[dict-item]  # so that the expression finds it
    exec(expression, names)  # noqa: S102  # our own
    values = [name for name in names if name not in {"Value", "__builtins__"}]
    told = derive(code(*expression.split("; "), *(f"{name}.grad" for name in values)))

    assert {f"{name}.grad" for name in values} == told.keys()
    for name in values:
        assert names[name].grad == pytest.approx(float(told[f"{name}.grad"].rpartition("= ")[2]), rel=1e-5)


def test_several_results() -> None:
    """Of several expressions each gradient has its own path; one that two add up, or none reaches, has none."""
    told = derive(
        code(
            *("x = Value(2.0)", "w = Value(3.0)", "b = Value(1.0)", "p = x * w", "q = w + 1", "p.backward()"),
            *("q.backward()", "x.grad", "w.grad", "q.grad", "b.grad", "p.data"),
        )
    )

    assert {"x.grad": "x.grad = 3.0", "q.grad": "q.grad = 1.0"} == {
        read: text.splitlines()[-1] for read, text in told.items()
    }


@pytest.mark.parametrize(
    "statement",
    [
        "x.data = 3.0",
        "x.grad = 0.0",
        "x += 1",
        "x.parents",
        "len(x)",
        "y = x if x else x",
        "y = x.pow(2)",
        "y = x @ x",
        "y = 2 ** x",
        "y = unknown + 1",
        "y = Value(x.data)",
        "y = (-1.0 * x) ** 0.5",
        "y = [x]",
        "y =",
    ],
)
def test_other_code(statement: str) -> None:
    """Of code that does anything else, nothing is told."""
    with pytest.raises((ValueError, KeyError, TypeError, AttributeError, SyntaxError)):
        derive(code("x = Value(2.0)", statement, "x.grad"))
