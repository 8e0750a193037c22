"""The one sanitiser for what others wrote."""

from __future__ import annotations

import re
import unicodedata

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from lxml import etree

from grader.reports.text import LIMIT, SHORTEST_LIMIT, one_line, visible

ANYTHING = st.text(st.characters())

# The production Char of XML 1.0, https://www.w3.org/TR/xml/#charsets.
XML_TEXT = re.compile("[\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]*")


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("y = x ** 2\n\treturn y\n", "y = x ** 2\n\treturn y\n"),
        ("Müller 名前 \U0001f600 e\u0301", "Müller 名前 \U0001f600 e\u0301"),
        ("\x1b[31mred\x1b[0m", r"\x1b[31mred\x1b[0m"),
        ("\0 \x07 \x7f \x85 \x9b", r"\x00 \x07 \x7f \x85 \x9b"),
        ("a\r\nb\rc", "a\\r\nb\\rc"),
        ("abc\u202edef\u2066", r"abc\u202edef\u2066"),
        ("zero\u200bwidth\u200d\ufeff\xad", r"zero\u200bwidth\u200d\ufeff\xad"),
        ("one\u2028line\u2029", r"one\u2028line\u2029"),
        ("no\xa0break", r"no\xa0break"),
        ("\ud800 \udcff", r"\ud800 \udcff"),
        ("\ufffe \uffff \U0001fffe \U000e0041", r"\ufffe \uffff \U0001fffe \U000e0041"),
        ("]]> <b> &amp;", "]]> <b> &amp;"),
        ("::error file=x::y\n  ::add-mask::z", "\\x3a:error file=x\\x3a:y\n  \\x3a:add-mask\\x3a:z"),
        ("##[error] ##vso[task.complete] ##teamcity[x]", r"\x23#[error] \x23#vso[task.complete] \x23#teamcity[x]"),
        ("x[::2] + x[::-1] ## ::", "x[::2] + x[::-1] ## ::"),
    ],
)
def test_what_shows_stays_and_what_does_not_is_written_out(text: str, shown: str) -> None:
    """Letters of every script, line feeds and tabs stay; controls and their like become Python's escapes."""
    assert shown == visible(text)


def test_one_line_writes_out_line_feeds_and_tabs() -> None:
    """Where there is one line only, a line feed and a tab are written out too."""
    assert r"a\nb\tc" == one_line("a\nb\tc")


def test_a_long_text_keeps_both_ends_and_says_how_long_it_was() -> None:
    """A text over the limit is cut in its middle to the limit exactly, and its full length is named."""
    shown = visible("start" + "." * 2 * LIMIT + "end")

    assert LIMIT == len(shown)
    assert shown.startswith("start..")
    assert shown.endswith("..end")
    assert f"..{' [... shortened from 20008 characters ...] '}.." in shown


def test_a_text_of_the_limit_is_whole() -> None:
    """The limit is the greatest length that is left alone."""
    assert "x" * 90 == visible("x" * 90, limit=90)
    assert "shortened from 91 characters" in visible("x" * 91, limit=90)


@given(text=ANYTHING, limit=st.integers(SHORTEST_LIMIT, 200), keep=st.sampled_from(["", "\n\t", "\r\n\t"]))
@example(text="\x1b" * 30, limit=SHORTEST_LIMIT, keep="")
@example(text="\udcff" * LIMIT, limit=SHORTEST_LIMIT, keep="")
@example(text=":::error:::" * 30, limit=SHORTEST_LIMIT, keep="")
@example(text="###[x" * 30, limit=SHORTEST_LIMIT, keep="")
def test_whatever_is_shown_is_clean(text: str, limit: int, keep: str) -> None:
    """What is shown is short, printable, UTF-8 and XML 1.0, and showing it again changes nothing."""
    shown = visible(text, limit=limit, keep=keep)

    assert len(shown) <= limit
    assert shown == visible(shown, limit=limit, keep=keep)
    assert shown == shown.encode("utf-8").decode("utf-8")
    assert XML_TEXT.fullmatch(shown)
    assert not re.search(r"::[A-Za-z]|##\w*\[", shown)
    for character in set(shown) - set(keep):
        assert character == " " or unicodedata.category(character)[0] not in "CZ"
        assert unicodedata.bidirectional(character) not in {
            "LRE",
            "RLE",
            "PDF",
            "LRO",
            "RLO",
            "LRI",
            "RLI",
            "FSI",
            "PDI",
        }


@given(ANYTHING)
def test_an_xml_reader_gets_back_what_is_shown(text: str) -> None:
    """An independent XML library takes what is shown, and reads it back unchanged."""
    element = etree.Element("text")
    element.text = visible(text)

    assert (visible(text) or None) == etree.fromstring(etree.tostring(element, encoding="utf-8")).text


@given(st.text(st.characters(exclude_categories=["C", "Z"], exclude_characters=":#")))
def test_printable_text_is_unchanged(text: str) -> None:
    """Text that shows as it is stays as it is."""
    assert text == one_line(text)
