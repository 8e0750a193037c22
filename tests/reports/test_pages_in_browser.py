"""The HTML pages as a browser shows them: Chromium, with axe-core as the judge of accessibility."""

from __future__ import annotations

import re
import shutil
from dataclasses import replace
from typing import TYPE_CHECKING, Literal

import pytest
from axe_playwright_python.sync_playwright import Axe  # type: ignore[import-untyped]  # it has no type hints
from playwright.sync_api import sync_playwright

from grader.reports.class_page import to_class_page
from grader.reports.student_page import to_student_page
from grader.reports.text import visible
from grader.verdict import Absent, Report, Ungraded, Verdict
from tests.hostile_strings import HOSTILE_STRINGS

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from playwright.sync_api import Page

    from grader.exercise import Exercise
    from grader.verdict import Outcome

PAGES = ("student", "class")
PHONE, DESKTOP = 360, 1280
STRUCTURE = """() => Array.from(document.querySelectorAll("*"), element =>
    [element.tagName, ...element.getAttributeNames()].join(" "))"""
PLAIN = re.compile(r"[^\n_]")
"""What may stand for any other character without a change to the page's structure, which folds long texts away."""


class Window:
    """A window of the browser, and what its page asked for and complained of; lasts as long as all tests of this file.

    Attributes:
        page: What is shown.
        requests: Addresses the page asked for, its own first.
        refused: Why requests came to nothing.
        complaints: What the browser has to say of the page, and what the page says by itself.
    """

    def __init__(self, page: Page, file: Path) -> None:
        self.page = page
        self._file = file
        self.requests: list[str] = []
        self.refused: list[str | None] = []
        self.complaints: list[str] = []
        page.on("request", lambda request: self.requests.append(request.url))
        page.on("requestfailed", lambda request: self.refused.append(request.failure))
        page.on("console", lambda message: self.complaints.append(message.text))
        page.on("pageerror", lambda error: self.complaints.append(str(error)))

    def show(self, text: str, *, width: int = DESKTOP, scheme: Literal["light", "dark"] = "light") -> Page:
        """Show a page of which this is the text."""
        for heard in (self.requests, self.refused, self.complaints):
            heard.clear()
        self._file.write_text(text, encoding="utf-8", newline="")
        self.page.set_viewport_size({"width": width, "height": 800})
        self.page.emulate_media(media="screen", color_scheme=scheme)
        self.page.goto(self._file.as_uri())
        return self.page


@pytest.fixture(scope="module")
def window(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Window]:
    """A window of the Chromium that the system has; `make browser` sees to that."""
    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=["--disable-gpu"])
        yield Window(chromium.new_page(), tmp_path_factory.mktemp("pages") / "page.html")
        chromium.close()


@pytest.fixture
def outcomes(report: Report, exercises: list[Exercise]) -> list[Outcome]:
    """A class with all that a page can show: each verdict, long and short texts, zero, absent and ungraded."""
    long = replace(report.results[1], what="\n".join(f"line {number}" for number in range(40)), code="x = 1\n" * 40)
    other = replace(
        report, student="bo", results=(*report.results[:1], replace(long, retried=True), *report.results[2:])
    )
    zero = replace(
        report, student="cy", results=tuple(replace(each, verdict=Verdict.FAILED) for each in report.results)
    )
    return [
        report,
        Absent("anna", exercises[1].id),
        Ungraded("anna", exercises[2].id, "Docker went away.\nStart it, then grade again."),
        other,
        *(replace(other, student=f"student {number}") for number in range(30)),
        zero,
    ]


def page_of(kind: str, outcomes: Sequence[Outcome], exercises: Sequence[Exercise]) -> str:
    """Makes one of the two pages; the student is the first one there is."""
    student = outcomes[0].student
    if kind == "student":
        return to_student_page([outcome for outcome in outcomes if outcome.student == student], exercises)
    return "".join(to_class_page(outcomes, exercises, lambda each: "pages/anna.html" if each == student else ""))


@pytest.mark.parametrize("width", [PHONE, DESKTOP])
@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("kind", PAGES)
def test_accessible(
    window: Window,
    outcomes: list[Outcome],
    exercises: list[Exercise],
    kind: str,
    scheme: Literal["light", "dark"],
    width: int,
) -> None:
    """Nothing is found wrong with a page, on a phone or a desktop, light or dark, with everything unfolded."""
    page = window.show(page_of(kind, outcomes, exercises), width=width, scheme=scheme)
    page.evaluate("() => { for (const each of document.querySelectorAll('details')) each.open = true }")
    found = Axe().run(page).response

    assert [] == [(each["id"], [node["target"] for node in each["nodes"]]) for each in found["violations"]]
    assert {"color-contrast", "heading-order", "region", "scope-attr-valid"} <= {each["id"] for each in found["passes"]}


@pytest.mark.parametrize("kind", PAGES)
def test_schemes_differ(window: Window, outcomes: list[Outcome], exercises: list[Exercise], kind: str) -> None:
    """A page is dark where dark pages are preferred, and on paper always light."""
    text = page_of(kind, outcomes, exercises)
    background = "() => getComputedStyle(document.body).backgroundColor"
    found = [
        window.show(text, scheme="light").evaluate(background),
        window.show(text, scheme="dark").evaluate(background),
    ]
    window.page.emulate_media(media="print")
    found.append(window.page.evaluate(background))

    assert ["rgb(252, 252, 251)", "rgb(21, 24, 27)", "rgb(255, 255, 255)"] == found


@pytest.mark.parametrize("kind", PAGES)
def test_asks_for_nothing(window: Window, outcomes: list[Outcome], exercises: list[Exercise], kind: str) -> None:
    """A page asks for nothing but itself, holds no script, and breaks none of its own rules."""
    page = window.show(page_of(kind, outcomes, exercises))
    active = page.locator("script, iframe, object, embed, form, img, link, base, audio, video, style ~ style")
    handlers = [each for each in page.evaluate(STRUCTURE) if re.search(r" (on\w+|style|src|srcset)\b", each)]

    assert [page.url] == window.requests
    assert [] == window.complaints
    assert 0 == active.count()
    assert [] == handlers


@pytest.mark.parametrize("kind", PAGES)
def test_scripts_are_refused(window: Window, outcomes: list[Outcome], exercises: list[Exercise], kind: str) -> None:
    """Even if markup got into a page, it could neither run nor ask for anything, nor change how the page looks."""
    smuggled = (
        "<img src='http://127.0.0.1:9/x' onerror='document.title = \"run\"'><script>document.title = 'run'</script>"
        "<link rel='stylesheet' href='http://127.0.0.1:9/y'><style>body { display: none }</style>"
        "<iframe src='http://127.0.0.1:9/z'></iframe>"
    )
    page = window.show(page_of(kind, outcomes, exercises).replace("</main>", f"{smuggled}</main>"))

    assert "run" != page.title()
    assert page.locator("h1").is_visible()
    assert 5 <= len(window.complaints)
    assert all("Content Security Policy" in complaint for complaint in window.complaints)
    assert 1 < len(window.requests)
    assert ["csp"] * len(window.requests[1:]) == window.refused


@pytest.mark.parametrize("hostile", HOSTILE_STRINGS.values(), ids=HOSTILE_STRINGS)
@pytest.mark.parametrize("kind", PAGES)
def test_no_hostile_text_becomes_an_element(
    window: Window, report: Report, exercises: list[Exercise], kind: str, hostile: str
) -> None:
    """Whatever others wrote, wherever it stands, a page has the elements that it has with plain text in its place."""

    def structure_with(text: str) -> list[str]:
        results = tuple(
            replace(
                each,
                check=f"check_{text}{place}",
                question=f"? {text}",
                hint=f"! {text}",
                what=f"{text}.",
                code=f"{text}#",
            )
            for place, each in enumerate(report.results)
        )
        odd = replace(report, student=text, title=text, file=text, results=results, notes=(text,))
        outcomes: list[Outcome] = [odd, Ungraded(text, exercises[1].id, text), Absent(text, exercises[2].id)]
        page = window.show(page_of(kind, outcomes, [replace(each, title=text) for each in exercises]))
        found: list[str] = page.evaluate(STRUCTURE)
        return found

    expected = structure_with(PLAIN.sub("x", visible(hostile)))

    assert expected == structure_with(hostile)
    assert [] == window.complaints
    assert [window.page.url] == window.requests


@pytest.mark.parametrize("kind", PAGES)
def test_a_phone_scrolls_one_way(window: Window, outcomes: list[Outcome], exercises: list[Exercise], kind: str) -> None:
    """However long a word is, a page is no wider than a phone, and large tables scroll in a frame of their own."""
    long = "x" * 400
    odd: list[Outcome] = [
        replace(each, student=long, title=long, file=long, notes=(long,))
        for each in outcomes
        if isinstance(each, Report)
    ]
    titled = [replace(each, title=long) for each in exercises]
    page = window.show(page_of(kind, odd[:1], titled), width=PHONE)

    assert PHONE == page.evaluate("() => document.documentElement.scrollWidth")


def test_headings_stay_in_sight(window: Window, outcomes: list[Outcome], exercises: list[Exercise]) -> None:
    """However far the grid is scrolled, the names of its row and its column are where they were, on top."""
    page = window.show(page_of("class", outcomes, exercises), width=PHONE)
    frame = page.get_by_role("region", name="Students by checks of Teach the engine")
    frame.scroll_into_view_if_needed()
    frame.evaluate("frame => frame.scrollTo(250, 300)")
    on_top = """frame => {
        const box = frame.getBoundingClientRect()
        const at = (x, y) => document.elementFromPoint(box.left + x, box.top + y).closest("th, td")
        return [at(20, 20).textContent, at(20, 200).scope, at(250, 20).scope, at(250, 200).tagName]
    }"""

    assert ["Student", "row", "col", "TD"] == frame.evaluate(on_top)


def test_long_texts_are_folded_on_screen_and_not_on_paper(
    window: Window, outcomes: list[Outcome], exercises: list[Exercise]
) -> None:
    """A long text opens on request, and on paper it is there."""
    page = window.show(page_of("student", outcomes[35:] + outcomes[3:4], exercises))
    long = page.locator("pre", has_text="line 39")
    seen = [long.is_visible()]
    page.get_by_text("40 lines").first.click()
    seen.append(long.is_visible())
    page.get_by_text("40 lines").first.click()
    page.emulate_media(media="print")
    seen.append(long.is_visible())

    assert [False, True, True] == seen


@pytest.mark.parametrize("kind", PAGES)
def test_the_keyboard_skips_to_the_content(
    window: Window, outcomes: list[Outcome], exercises: list[Exercise], kind: str
) -> None:
    """The first key shows a link that leads past everything that stands before the content."""
    page = window.show(page_of(kind, outcomes, exercises))
    link = page.get_by_role("link", name="Skip to the content")
    page.keyboard.press("Tab")
    box = link.bounding_box()

    assert box
    assert box["x"] > 0
    assert "solid" == link.evaluate("link => getComputedStyle(link).outlineStyle")

    page.keyboard.press("Enter")

    assert "content" == page.evaluate("() => document.activeElement.id")
