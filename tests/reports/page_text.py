"""Reads HTML pages for tests."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from lxml import html

from grader.exercise import Exercise
from grader.limits import Limits

if TYPE_CHECKING:
    from grader.verdict import Outcome


def exercise_of(outcome: Outcome) -> Exercise:
    """Makes an exercise that an outcome may be about."""
    folder = Path("/course/exercises/it")
    return Exercise(outcome.exercise, "Title", folder, "it.py", 25, None, "reference.it", Limits(), (), "d" * 64)


def document_of(page: str) -> html.HtmlElement:
    """Reads a page as a browser does, more or less."""
    return html.document_fromstring(page.encode(), parser=html.HTMLParser(encoding="utf-8"))


def said(page: str, path: str) -> list[str]:
    """What stands at some place of a page, each on one line."""
    return [" ".join(element.text_content().split()) for element in document_of(page).xpath(path)]
