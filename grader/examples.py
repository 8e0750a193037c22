"""Examples that Hypothesis draws and shrinks. It is imported only to draw some: that takes a quarter of a second."""

from __future__ import annotations

import contextlib
import importlib.util
import time
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    import hypothesis
    from hypothesis.strategies import SearchStrategy

MOST_SMALLER = 100
"""How many smaller examples are drawn; and how often one that goes wrong is tried to be made still smaller."""
SMALLER_SECONDS = 2.0
"""How long that may take."""

_T = TypeVar("_T")


def is_possible() -> bool:
    """Whether Hypothesis is installed."""
    return importlib.util.find_spec("hypothesis") is not None


def steady(base: hypothesis.settings | None) -> hypothesis.settings:
    """Return settings under which the same seed draws the same, as often as it is asked to and without a word."""
    from hypothesis import HealthCheck, Phase, Verbosity, settings  # noqa: PLC0415  # only where it is needed

    return settings(
        base,
        database=None,
        deadline=None,
        print_blob=False,
        report_multiple_bugs=False,
        verbosity=Verbosity.quiet,
        phases=(Phase.explicit, Phase.generate, Phase.shrink),
        suppress_health_check=list(HealthCheck),
    )


def find_smaller(
    strategies: Mapping[str, SearchStrategy[object]], seed: int, attempt: Callable[[Mapping[str, object]], _T | None]
) -> _T | None:
    """Draw examples until one goes wrong, and make that as small as can be.

    Args:
        strategies: What to draw them from, by name.
        seed: The same seed finds the same.
        attempt: Tries an example, and returns what came of it if it goes wrong.

    Returns:
        What came of the smallest that was found, or None: where there is none, and where time ran out, for what is
        found by then depends on how busy the machine is.

    Raises:
        Exception: What a strategy raises, or Hypothesis of one.
    """
    from hypothesis import given, seed as seeded, settings  # noqa: PLC0415, I001  # the same

    found: list[_T] = []
    tried = 0
    end = time.monotonic() + SMALLER_SECONDS

    def example(**drawn: object) -> None:
        nonlocal tried
        tried += 1
        if time.monotonic() > end:
            found.clear()
            raise _Enough
        if tried > 2 * MOST_SMALLER:
            raise _Enough
        wrong = attempt(drawn)
        if wrong is not None:
            found[:] = [wrong]
            raise _WentWrong

    with contextlib.suppress(_WentWrong, _Enough):
        seeded(seed)(steady(settings(max_examples=MOST_SMALLER))(given(**strategies)(example)))()
    return found[0] if found else None


class _WentWrong(Exception):  # noqa: N818  # what one example shows, for Hypothesis to shrink
    """An example went wrong."""


class _Enough(BaseException):
    """There is no more time; no `Exception`, which would be shrunk."""
