"""What goes wrong in "Teach the engine new tricks": in powers, in relu, in what was there before, in `backward`."""

# ruff: noqa: ARG005  # a rule is told everything, and a wrong one does not ask for all of it

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from reference.misconceptions import Misconception, Way
from reference.misconceptions.engines import (
    AGAIN,
    DIALECTS,
    ONE_STEP,
    RIGHT_ORDERS,
    TOO_EARLY,
    Engine,
    assign,
    gains,
    nothing,
    wrong,
)

if TYPE_CHECKING:
    from collections.abc import Callable

    from reference.misconceptions.engines import Order


def _dialects(**pieces: Any) -> tuple[Way, ...]:  # noqa: ANN401  # what `wrong` is given
    """A way for each dialect."""
    return tuple(wrong(dialect, **pieces) for dialect in DIALECTS)


def _orders(*orders: Order) -> tuple[Way, ...]:
    return tuple(way for order in orders for way in _dialects(order=order))


def _assigning(*operations: str) -> tuple[Way, ...]:
    """Which gradient is forgotten depends on the order, and on what is made of the operations."""
    return tuple(
        way for order in RIGHT_ORDERS for way in _dialects(order=order, rules=dict.fromkeys(operations, assign))
    )


def _gaining(
    operation: str, *amounts: Callable[..., float], data: Callable[..., float] | None = None
) -> tuple[Way, ...]:
    """A way for each amount, of the result and the operands, that the input may gain; `data` computes otherwise."""
    return tuple(wrong(rules={operation: gains(amount)}, data={operation: data} if data else {}) for amount in amounts)


def _number(operand: Any) -> float:  # noqa: ANN401  # a value of the wrong engine's, or a number
    number: float = getattr(operand, "data", operand)
    return number


def _counting_up(x: Any, n: float) -> Any:  # noqa: ANN401  # the same
    product = type(x)(1.0)
    for _ in range(int(n)):
        product = product * x
    return product


def _counting_from_itself(x: Any, n: float) -> Any:  # noqa: ANN401  # the same
    product = x
    for _ in range(int(n) - 1):
        product = product * x
    return product


def _one_everywhere(value: Any) -> None:  # noqa: ANN401  # the same
    value.grad = 1.0
    if isinstance(value, Engine):
        value.pass_on()
    for source in value.inputs:
        _one_everywhere(source)


def _begin_with_one(value: Any, *arguments: Any) -> None:  # noqa: ANN401  # the same
    Engine.__init__(value, *arguments)
    value.grad = 1.0


POWERS = (
    Misconception(
        "power-assigned",
        "The backward rule of `**` seems to overwrite a gradient that is already there; look at the line in it that"
        " changes `grad`.",
        _assigning("__pow__"),
    ),
    Misconception(
        "power-closed",
        "Nothing seems to pass back through `**`; look at whether its result keeps its backward rule, and what it was"
        " made of.",
        (wrong(rules={"__pow__": nothing}),),
    ),
    Misconception(
        "power-unchanged",
        "`**` seems to pass the gradient on as it arrives, as `+` does; look at what its backward rule multiplies by.",
        _gaining("__pow__", lambda out, x, n: out.grad),
    ),
    Misconception(
        "power-without-factor",
        "The backward rule of `**` seems to lack a factor; look at how often the exponent takes part in it.",
        _gaining("__pow__", lambda out, x, n: x.data ** (n - 1) * out.grad),
    ),
    Misconception(
        "power-lowered-factor",
        "The factor in the backward rule of `**` seems to be one less than the exponent; look at where 1 is taken"
        " away.",
        _gaining("__pow__", lambda out, x, n: (n - 1) * x.data ** (n - 1) * out.grad),
    ),
    Misconception(
        "power-kept-exponent",
        "The backward rule of `**` seems to raise to the same exponent as `**` itself; look at the power in it.",
        _gaining("__pow__", lambda out, x, n: n * x.data**n * out.grad),
    ),
    Misconception(
        "power-raised-exponent",
        "The exponent in the backward rule of `**` seems to have grown; look at the power in it.",
        _gaining("__pow__", lambda out, x, n: n * x.data ** (n + 1) * out.grad),
    ),
    Misconception(
        "power-antiderivative",
        "The backward rule of `**` seems to integrate; look at which way the exponent changes and where it goes.",
        _gaining("__pow__", lambda out, x, n: x.data ** (n + 1) / (n + 1) * out.grad),
    ),
    Misconception(
        "power-factor-inside",
        "The backward rule of `**` seems to raise the factor to the power too; look at its parentheses.",
        _gaining("__pow__", lambda out, x, n: (n * x.data) ** (n - 1) * out.grad),
    ),
    Misconception(
        "power-subtracted-last",
        "The backward rule of `**` seems to take 1 away from the whole power; look at its parentheses, and at what"
        " Python works out first.",
        _gaining(
            "__pow__",
            lambda out, x, n: (n * x.data**n - 1) * out.grad,
            lambda out, x, n: n * x.data**n - 1 * out.grad,
            lambda out, x, n: out.grad * n * x.data**n - 1,
        ),
    ),
    Misconception(
        "power-without-power",
        "The backward rule of `**` seems to multiply the base by the exponent, whatever that is; look for a power in"
        " it.",
        _gaining("__pow__", lambda out, x, n: n * x.data * out.grad),
    ),
    Misconception(
        "power-always-square",
        "The backward rule of `**` seems to be that of the square; look at whether it uses the exponent.",
        _gaining("__pow__", lambda out, x, n: 2 * x.data * out.grad),
    ),
    Misconception(
        "power-of-result",
        "The backward rule of `**` seems to use the result where the base is meant; look at whose `data` it reads.",
        _gaining("__pow__", lambda out, x, n: n * out.data ** (n - 1) * out.grad),
    ),
    Misconception(
        "power-sign-lost",
        "The backward rule of `**` seems to lose a sign; look for an absolute value in it.",
        _gaining(
            "__pow__",
            lambda out, x, n: abs(n) * x.data ** (n - 1) * out.grad,
            lambda out, x, n: n * abs(x.data) ** (n - 1) * out.grad,
            lambda out, x, n: abs(n * x.data ** (n - 1)) * out.grad,
        ),
    ),
    Misconception(
        "power-logarithm",
        "The backward rule of `**` seems to be the derivative with respect to the exponent; look at which of the two is"
        " the variable.",
        _gaining("__pow__", lambda out, x, n: x.data**n * math.log(x.data) * out.grad),
    ),
    Misconception(
        "power-divided",
        "The backward rule of `**` seems to divide by the base; look at what it does where the base is 0.",
        _gaining("__pow__", lambda out, x, n: n * out.data / x.data * out.grad),
    ),
    Misconception(
        "power-upstream-lost",
        "The backward rule of `**` seems to forget the gradient that arrives from above; look at what it multiplies.",
        _gaining("__pow__", lambda out, x, n: n * x.data ** (n - 1)),
    ),
    Misconception(
        "power-upstream-own",
        "The backward rule of `**` seems to use the gradient of its base for the one from above; look at whose"
        " `grad` it reads.",
        _gaining("__pow__", lambda out, x, n: n * x.data ** (n - 1) * x.grad),
    ),
    Misconception(
        "power-upstream-data",
        "The backward rule of `**` seems to multiply by a number where a gradient is meant; look at where it reads"
        " `data` and where `grad`.",
        _gaining("__pow__", lambda out, x, n: n * x.data ** (n - 1) * out.data),
    ),
    Misconception(
        "power-whole-exponent",
        "`**` seems to use the exponent without its fraction; look at what becomes of an exponent such as 0.5.",
        (
            *_gaining(
                "__pow__", lambda out, x, n: int(n) * x.data ** (int(n) - 1) * out.grad, data=lambda x, n: x ** int(n)
            ),
            *_gaining("__pow__", lambda out, x, n: n * x.data ** (n - 1) * out.grad, data=lambda x, n: x ** int(n)),
            *_gaining("__pow__", lambda out, x, n: int(n) * x.data ** (int(n) - 1) * out.grad),
        ),
    ),
    Misconception(
        "power-by-counting",
        "`**` seems to multiply the base by itself one by one; look at what that does with an exponent that is negative"
        " or a fraction.",
        (wrong(methods={"__pow__": _counting_up}), wrong(methods={"__pow__": _counting_from_itself})),
    ),
    Misconception(
        "power-by-logarithm",
        "`**` seems to go by way of the logarithm; look at what that does where the base is 0 or negative.",
        (wrong(methods={"__pow__": lambda x, n: (x.log() * n).exp()}),),
    ),
    Misconception(
        "power-swapped",
        "`**` seems to raise the exponent to the base; look at which of the two stands on the left.",
        _gaining(
            "__pow__",
            lambda out, x, n: n * x.data ** (n - 1) * out.grad,
            lambda out, x, n: x.data * n ** (x.data - 1) * out.grad,
            data=lambda x, n: n**x,
        ),
    ),
    Misconception(
        "power-multiplied",
        "`**` seems to multiply the base by the exponent; look at the operator that makes its result.",
        _gaining(
            "__pow__",
            lambda out, x, n: n * x.data ** (n - 1) * out.grad,
            lambda out, x, n: n * out.grad,
            data=lambda x, n: x * n,
        ),
    ),
)

RELUS = (
    Misconception(
        "relu-assigned",
        "The backward rule of `relu` seems to overwrite a gradient that is already there; look at the line in it that"
        " changes `grad`.",
        _assigning("relu"),
    ),
    Misconception(
        "relu-closed",
        "Nothing seems to pass back through `relu`, whichever side its input is on; look at whether its result keeps"
        " its backward rule, and what it was made of.",
        (wrong(rules={"relu": nothing}),),
    ),
    Misconception(
        "relu-open-at-zero",
        "`relu` seems to let gradient pass where its input is 0; look at the comparison in its backward rule.",
        _gaining(
            "relu",
            lambda out, x: (x.data >= 0) * out.grad,
            lambda out, x: 0.5 * ((x.data > 0) + (x.data >= 0)) * out.grad,
        ),
    ),
    Misconception(
        "relu-always-open",
        "`relu` seems to pass every gradient on, whichever side its input is on; look at the condition in its backward"
        " rule, and at whether it can be false.",
        _gaining("relu", lambda out, x: out.grad),
    ),
    Misconception(
        "relu-upside-down",
        "`relu` seems to pass the gradient on where its input is negative; look at the comparison in its backward"
        " rule.",
        _gaining("relu", lambda out, x: (x.data < 0) * out.grad, lambda out, x: (x.data <= 0) * out.grad),
    ),
    Misconception(
        "relu-by-gradient",
        "`relu` seems to look at the sign of the gradient from above; look at what the condition in its backward"
        " rule is about.",
        _gaining(
            "relu",
            lambda out, x: max(0.0, out.grad),
            lambda out, x: (x.data > 0) * max(0.0, out.grad),
        ),
    ),
    Misconception(
        "relu-upstream-lost",
        "An open `relu` seems to pass on 1, whatever arrives from above; look at what its backward rule adds.",
        _gaining("relu", lambda out, x: float(x.data > 0)),
    ),
    Misconception(
        "relu-upstream-own",
        "The backward rule of `relu` seems to use the gradient of its input for the one from above; look at whose"
        " `grad` it reads.",
        _gaining("relu", lambda out, x: (x.data > 0) * x.grad),
    ),
    Misconception(
        "relu-upstream-data",
        "The backward rule of `relu` seems to pass on a number where a gradient is meant; look at where it reads `data`"
        " and where `grad`.",
        _gaining("relu", lambda out, x: (x.data > 0) * out.data),
    ),
    Misconception(
        "relu-times-result",
        "The backward rule of `relu` seems to multiply by its result; look at what its slope is, on either side.",
        _gaining("relu", lambda out, x: out.data * out.grad),
    ),
    Misconception(
        "relu-leaky",
        "`relu` seems to let a little through where its input is negative; look at what it does on that side.",
        tuple(
            way
            for leak in (0.01, 0.1, 0.2)
            for way in (
                *_gaining("relu", lambda out, x, leak=leak: (1 if x.data > 0 else leak) * out.grad),
                *_gaining(
                    "relu",
                    lambda out, x, leak=leak: (1 if x.data > 0 else leak) * out.grad,
                    data=lambda x, leak=leak: x if x > 0 else leak * x,
                ),
            )
        ),
    ),
    Misconception(
        "relu-absolute",
        "`relu` seems to turn negative numbers into positive ones; look at what becomes of -1.",
        _gaining(
            "relu",
            lambda out, x: (x.data > 0) * out.grad,
            lambda out, x: ((x.data > 0) - (x.data < 0)) * out.grad,
            lambda out, x: out.grad,
            data=abs,
        ),
    ),
    Misconception(
        "relu-keeps-all",
        "`relu` seems to keep negative numbers; look at what becomes of -1.",
        _gaining("relu", lambda out, x: (x.data > 0) * out.grad, lambda out, x: out.grad, data=lambda x: x),
    ),
    Misconception(
        "relu-keeps-negative",
        "`relu` seems to keep the negative numbers and drop the others; look at what becomes of 1.",
        _gaining(
            "relu",
            lambda out, x: (x.data > 0) * out.grad,
            lambda out, x: (x.data < 0) * out.grad,
            data=lambda x: min(0.0, x),
        ),
    ),
    Misconception(
        "relu-step",
        "`relu` seems to turn every positive number into 1; look at what becomes of 2.",
        _gaining("relu", lambda out, x: (x.data > 0) * out.grad, lambda out, x: 0.0, data=lambda x: float(x > 0)),
    ),
)

BOTH = (
    Misconception(
        "both-assigned",
        "The backward rules of `**` and `relu` both seem to overwrite a gradient that is already there; look at the"
        " lines in them that change `grad`.",
        _assigning("__pow__", "relu"),
    ),
    Misconception(
        "both-closed",
        "Nothing seems to pass back through `**` and `relu`; look at whether their results keep their backward rules,"
        " and what they were made of.",
        (wrong(rules={"__pow__": nothing, "relu": nothing}),),
    ),
    Misconception(
        "both-upstream-lost",
        "The backward rules of `**` and `relu` both seem to forget the gradient that arrives from above; look at what"
        " they multiply.",
        (
            wrong(
                rules={
                    "__pow__": gains(lambda out, x, n: n * x.data ** (n - 1)),
                    "relu": gains(lambda out, x: float(x.data > 0)),
                }
            ),
        ),
    ),
)

OLD = (
    Misconception(
        "all-assigned",
        "All backward rules seem to overwrite a gradient that is already there; look at the lines in them that change"
        " `grad`, and at a value that is used twice.",
        _assigning("__add__", "__mul__", "__pow__", "tanh", "relu"),
    ),
    Misconception(
        "plus-assigned",
        "The backward rule of `+` seems to overwrite a gradient that is already there; look at the lines in it that"
        " change `grad`.",
        _assigning("__add__"),
    ),
    Misconception(
        "plus-upstream-lost",
        "`+` seems to pass on 1, whatever arrives from above; look at what its backward rule adds.",
        _dialects(rules={"__add__": gains(lambda out, a, b: 1.0, lambda out, a, b: 1.0)}),
    ),
    Misconception(
        "plus-first-only",
        "The second operand of `+` seems to get no gradient; look at whether its backward rule serves both.",
        _dialects(rules={"__add__": gains(lambda out, a, b: out.grad)}),
    ),
    Misconception(
        "times-assigned",
        "The backward rule of `*` seems to overwrite a gradient that is already there; look at the lines in it that"
        " change `grad`.",
        _assigning("__mul__"),
    ),
    Misconception(
        "times-upstream-lost",
        "The backward rule of `*` seems to forget the gradient that arrives from above; look at what it multiplies.",
        _dialects(rules={"__mul__": gains(lambda out, a, b: _number(b), lambda out, a, b: a.data)}),
    ),
    Misconception(
        "times-own-factor",
        "The backward rule of `*` seems to give each operand its own number as its slope; look at which `data` goes"
        " with which `grad`.",
        _dialects(rules={"__mul__": gains(lambda out, a, b: a.data * out.grad, lambda out, a, b: b.data * out.grad)}),
    ),
    Misconception(
        "times-unchanged",
        "`*` seems to pass the gradient on as it arrives, as `+` does; look at what its backward rule multiplies by.",
        _dialects(rules={"__mul__": gains(lambda out, a, b: out.grad, lambda out, a, b: out.grad)}),
    ),
    Misconception(
        "times-first-only",
        "The second operand of `*` seems to get no gradient; look at whether its backward rule serves both.",
        _dialects(rules={"__mul__": gains(lambda out, a, b: _number(b) * out.grad)}),
    ),
    Misconception(
        "minus-like-plus",
        "`-` seems to pass the same gradient to what it subtracts as to what it subtracts from; look at the signs in"
        " its backward rule.",
        _dialects(rules={"__sub__": gains(lambda out, a, b: out.grad, lambda out, a, b: out.grad)}),
    ),
    Misconception(
        "minus-swapped",
        "`-` seems to subtract the left operand from the right one; look at which of the two changes its sign.",
        _dialects(methods={"__sub__": lambda a, b: -a + b}),
    ),
    Misconception(
        "negative-keeps-sign",
        "`-value` seems to pass the gradient on with its sign unchanged; look at its backward rule.",
        _dialects(rules={"__neg__": gains(lambda out, x: out.grad)}),
    ),
    Misconception(
        "tanh-assigned",
        "The backward rule of `tanh` seems to overwrite a gradient that is already there; look at the line in it that"
        " changes `grad`.",
        _assigning("tanh"),
    ),
    Misconception(
        "tanh-closed",
        "Nothing seems to pass back through `tanh`; look at whether its result keeps its backward rule, and what it was"
        " made of.",
        (wrong(rules={"tanh": nothing}),),
    ),
    Misconception(
        "tanh-unchanged",
        "`tanh` seems to pass the gradient on as it arrives; look at what its backward rule multiplies by.",
        _gaining("tanh", lambda out, x: out.grad),
    ),
    Misconception(
        "tanh-upstream-lost",
        "The backward rule of `tanh` seems to forget the gradient that arrives from above; look at what it multiplies.",
        _gaining("tanh", lambda out, x: 1 - out.data**2),
    ),
    Misconception(
        "tanh-not-squared",
        "The slope of `tanh` seems to lack a square; look at the formula in its backward rule.",
        _gaining("tanh", lambda out, x: (1 - out.data) * out.grad),
    ),
    Misconception(
        "tanh-of-input",
        "The slope of `tanh` seems to be made of the number that goes in; look at whose `data` its backward rule"
        " reads.",
        _gaining("tanh", lambda out, x: (1 - x.data**2) * out.grad),
    ),
    Misconception(
        "tanh-twice",
        "The slope of `tanh` seems to have tanh in it once more than it should; look at what its backward rule"
        " squares.",
        _gaining("tanh", lambda out, x: (1 - math.tanh(out.data) ** 2) * out.grad),
    ),
    Misconception(
        "tanh-like-sigmoid",
        "The slope of `tanh` seems to be that of another curve, the sigmoid; look at the formula in its backward rule.",
        _gaining("tanh", lambda out, x: out.data * (1 - out.data) * out.grad),
    ),
    Misconception(
        "tanh-wrong-sign",
        "The slope of `tanh` seems to have a wrong sign in it; look at the formula in its backward rule.",
        _gaining("tanh", lambda out, x: (1 + out.data**2) * out.grad, lambda out, x: (out.data**2 - 1) * out.grad),
    ),
    Misconception(
        "tanh-is-sigmoid",
        "`tanh` seems to compute another curve, the sigmoid; look at what becomes of 0.",
        _gaining(
            "tanh",
            lambda out, x: out.data * (1 - out.data) * out.grad,
            lambda out, x: (1 - out.data**2) * out.grad,
            data=lambda x: 1 / (1 + math.exp(-x)),
        ),
    ),
)

BACKWARD = (
    Misconception(
        "order-too-early",
        "`backward()` seems to let a value pass its gradient on before all of it has arrived; look at the order it"
        " takes the values in.",
        _orders(*TOO_EARLY),
    ),
    Misconception(
        "order-again",
        "`backward()` seems to take a value once for each of its uses; look at how it remembers where it has been.",
        _orders(*AGAIN),
    ),
    Misconception(
        "order-one-step",
        "Only what the result was made of directly seems to get a gradient; look at how `backward()` gets on from"
        " there, and at which end of the order it starts from.",
        _orders(ONE_STEP),
    ),
    Misconception(
        "seed-zero",
        "All gradients seem to stay 0; look at the gradient that `backward()` begins with.",
        (wrong(seed=lambda _: 0.0),),
    ),
    Misconception(
        "seed-data",
        "`backward()` seems to begin with the result's own number; look at the gradient that a result has of itself.",
        (wrong(seed=lambda result: result.data),),
    ),
    Misconception(
        "seed-everywhere",
        "`backward()` seems to set every gradient to 1 on its way; look at which lines of it are for the result alone.",
        (wrong(methods={"backward": _one_everywhere}),),
    ),
    Misconception(
        "grad-begins-at-one",
        "Every gradient seems to begin at 1 in a new value; look at where `grad` is first set.",
        (wrong(methods={"__init__": _begin_with_one}),),
    ),
)

MISCONCEPTIONS = (*POWERS, *RELUS, *BOTH, *OLD, *BACKWARD)
