"""The programs that train w and b, wrong in one respect, in plain numbers: a run takes about a millisecond."""

from __future__ import annotations

import dataclasses
import functools
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

from reference.misconceptions import Misconception, Way
from reference.points import read_points

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from reference.points import Point

    Pair = tuple[float, float]
    """What belongs to w, and to b."""


class Look(NamedTuple):
    """What one look at some points finds.

    Attributes:
        loss: The loss.
        gradient: Its derivatives with respect to w and b.
    """

    loss: float
    gradient: Pair


@dataclass(frozen=True, slots=True, kw_only=True)
class Recipe:
    """How to fit y = f(w * x + b) by steps down a sum of squared errors; what is asked, or what is done by mistake.

    Attributes:
        start: w and b before the first step.
        steps: How many there are.
        rates: How much of their gradient is taken away from w and b in a step.
        kept: How much of their gradient w and b still have when the next step begins.
        share: What a squared error counts for in the loss, given how many points there are.
        squash: f.
        slope: Its derivative, of the number that goes in and the one that comes out.
        square: Squares an error.
        read: Makes points of the lines of standard input.
        gather: For w and for b, what makes a gradient of what each point contributes to it.
        batches: The points that are looked at, one after the other, in each step.
        turns: Which of w (0) and b (1) are changed after the same look.
    """

    start: Pair
    steps: int
    rates: Pair
    kept: Pair = (0.0, 0.0)
    share: Callable[[int], float]
    squash: Callable[[float], float]
    slope: Callable[[float, float], float]
    square: Callable[[float], float] = lambda error: error * error
    read: Callable[[Sequence[str]], Sequence[Point]] = read_points
    gather: tuple[Callable[[list[float]], float], Callable[[list[float]], float]] = (sum, sum)
    batches: Callable[[Sequence[Point]], Iterable[Sequence[Point]]] = lambda points: [points]
    turns: tuple[tuple[int, ...], ...] = ((0, 1),)

    def but(self, **changes: Any) -> Recipe:  # noqa: ANN401  # whatever the attributes are
        """The same recipe but for some attributes."""
        return dataclasses.replace(self, **changes)

    def look(self, points: Sequence[Point], w: float, b: float) -> Look:
        """Work out the loss and its gradient."""
        share = self.share(len(points))
        loss, dw, db = 0.0, [], []
        for x, y in points:
            inner = w * x + b
            outer = self.squash(inner)
            error = outer - y
            down = share * 2 * error * self.slope(inner, outer)
            loss += share * self.square(error)
            dw.append(down * x)
            db.append(down)
        return Look(loss, (self.gather[0](dw), self.gather[1](db)))

    def fit(self, points: Sequence[Point]) -> tuple[list[float], float, float]:
        """Return the loss before each step and after the last, and w and b after the last."""
        parameters = list(self.start)
        gradient = [0.0, 0.0]
        losses = []
        for _ in range(self.steps):
            seen = 0.0
            for batch in self.batches(points):
                for turn in self.turns:
                    look = self.look(batch, *parameters)
                    seen += look.loss if turn == self.turns[0] else 0.0
                    for index in turn:
                        gradient[index] = look.gradient[index] + self.kept[index] * gradient[index]
                    for index in turn:
                        parameters[index] -= self.rates[index] * gradient[index]
            losses.append(seen)
        w, b = parameters
        return [*losses, self.look(points, w, b).loss], w, b


def one_by_one(points: Sequence[Point]) -> list[Sequence[Point]]:
    """A batch for each point."""
    return [[point] for point in points]


RATES = (0.001, 0.002, 0.005, 0.01, 0.02, 0.025, 0.03, 0.05, 0.1, 0.2, 0.25, 0.3, 0.4, 0.5, 1.0)
"""What people try."""
STARTS = ((0.0, 0.0), (0.1, 0.0), (0.0, 0.1), (0.1, 0.1), (0.5, 0.0), (0.5, 0.5), (1.0, 0.0), (0.0, 1.0), (1.0, 1.0))


def usual(
    asked: Recipe, program: Callable[[Recipe, str], str], points: str, *manners: Mapping[str, Any]
) -> tuple[Misconception, ...]:
    """Return what goes wrong in every training.

    Args:
        asked: What is right.
        program: Makes what is printed of a recipe and standard input.
        points: What the exercise calls the points.
        manners: Attributes of recipes that are as right, and differ in nothing but roundings. Where steps lead away,
            without bounds, these show.
    """
    rate, _ = asked.rates

    def ways(*changes: Mapping[str, Any]) -> tuple[Way, ...]:
        return tuple(Way(functools.partial(program, asked.but(**change))) for change in changes)

    def leading_away(*changes: Mapping[str, Any]) -> tuple[Way, ...]:
        return ways(*({**change, **manner} for change in changes for manner in ({}, *manners)))

    def reading(*changes: Callable[[Sequence[Point]], Sequence[Point]]) -> tuple[Way, ...]:
        return ways(*({"read": lambda lines, change=change: change(asked.read(lines))} for change in changes))

    return (
        Misconception(
            "gradients-kept",
            "The gradients of `w` and `b` seem to grow from step to step; look at what is still in them when"
            " `backward()` is called.",
            ways({"kept": (1.0, 1.0)}),
        ),
        Misconception(
            "gradient-of-w-kept",
            "The gradient of `w` seems to grow from step to step; look at what is still in it when `backward()` is"
            " called.",
            ways({"kept": (1.0, 0.0)}),
        ),
        Misconception(
            "gradient-of-b-kept",
            "The gradient of `b` seems to grow from step to step; look at what is still in it when `backward()` is"
            " called.",
            ways({"kept": (0.0, 1.0)}),
        ),
        Misconception(
            "step-halved",
            "Each step seems to be half as large as it should be; look at the rate, at the factors in the loss, and at"
            " the gradient of a square.",
            ways({"rates": (rate / 2, rate / 2)}),
        ),
        Misconception(
            "step-too-small",
            "Each step seems to be too small; look at what the gradients are multiplied by.",
            ways(*({"rates": (other, other)} for other in RATES if other < rate and other != rate / 2)),
        ),
        Misconception(
            "step-too-large",
            "Each step seems to be too large; look at what the gradients are multiplied by.",
            leading_away(*({"rates": (other, other)} for other in RATES if other > rate)),
        ),
        Misconception(
            "uphill",
            "The steps seem to go uphill; look at the sign with which a gradient changes `w` and `b`.",
            leading_away({"rates": (-rate, -rate)}),
        ),
        Misconception(
            "w-stays",
            "`w` seems never to change; look at what becomes of its gradient.",
            ways({"rates": (0.0, rate)}),
        ),
        Misconception(
            "b-stays",
            "`b` seems never to change; look at what becomes of its gradient.",
            ways({"rates": (rate, 0.0)}),
        ),
        Misconception(
            "both-stay",
            "`w` and `b` seem never to change; look at what is in their gradients when they are taken away.",
            ways({"rates": (0.0, 0.0)}),
        ),
        Misconception(
            "one-after-the-other",
            "One of `w` and `b` seems to be changed before the gradient of the other is known; look at how often"
            " `backward()` is called in a step.",
            ways({"turns": ((0,), (1,))}, {"turns": ((1,), (0,))}),
        ),
        Misconception(
            "step-for-each",
            f"There seems to be a step for each of the {points}; look at what is inside of which loop.",
            ways({"batches": one_by_one}),
        ),
        Misconception(
            "one-alone",
            f"Only one of the {points} seems to change `w` or `b`; look at where the loss is added up, and at backward"
            " rules that overwrite a gradient.",
            (
                *ways(
                    *({"gather": gather} for one in (_first, _last) for gather in ((one, one), (one, sum), (sum, one)))
                ),
                *reading(lambda points: points[:1], lambda points: points[-1:]),
            ),
        ),
        Misconception(
            "some-missing",
            f"Some of the {points} seem not to count; look at the first and the last of them, and at anything that"
            " depends on how many there are.",
            (
                *reading(lambda points: points[1:], lambda points: points[:-1]),
                *ways({"read": lambda lines: asked.read(lines[1:])}, {"read": lambda lines: asked.read(lines[:-1])}),
                *reading(*(lambda points, most=most: points[:most] for most in (2, 3, 4, 5, 6, 8))),
            ),
        ),
        Misconception(
            "rounded",
            f"The numbers of the {points} seem to be rounded; look at how they are read.",
            reading(
                *(
                    lambda points, digits=digits: [(round(x, digits), round(y, digits)) for x, y in points]
                    for digits in (1, 2)
                ),
                *(lambda points, digits=digits: [(x, round(y, digits)) for x, y in points] for digits in (1, 2)),
            ),
        ),
        Misconception(
            "swapped",
            "`x` and `y` seem to have changed places; look at how a line is read.",
            leading_away({"read": lambda lines: [(y, x) for x, y in asked.read(lines)]}),
        ),
        Misconception(
            "start-elsewhere",
            "The fit seems to start from somewhere else; look at what `w` and `b` are before the first step.",
            ways(*({"start": start} for start in STARTS if start != asked.start)),
        ),
        Misconception(
            "too-many-steps",
            "There seem to be too many steps; count how often `w` and `b` change.",
            ways(*({"steps": steps} for steps in (asked.steps + 1, 600, 1000))),
        ),
        Misconception(
            "too-few-steps",
            "There seem to be too few steps; count how often `w` and `b` change.",
            ways(
                *({"steps": steps} for steps in (asked.steps - 1, 400, 250, 201, 200, 101, 100) if steps < asked.steps)
            ),
        ),
    )


def _first(contributions: list[float]) -> float:
    return contributions[0]


def _last(contributions: list[float]) -> float:
    return contributions[-1]
