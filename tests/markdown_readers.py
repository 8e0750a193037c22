"""Reads Markdown with two parsers that had no part in writing it, GitHub's own among them."""

from __future__ import annotations

import re

import cmarkgfm  # type: ignore[import-untyped]  # has no type hints
import lxml.html
from cmarkgfm.cmark import Options  # type: ignore[import-untyped]  # the same
from markdown_it import MarkdownIt

TAGS = {"html", "body", "h1", "h2", "p", "strong", "table", "thead", "tbody", "tr", "th", "td", "pre", "code"}
"""What summaries are made of: no link, picture, list or anything else that a text would bring along."""
LOOKED_FOR = re.compile(r"@\w|#\d|\bgh-\d|\b(?!\d+\b)[0-9a-f]{7,40}\b|:[\w+-]+:|\w://|www\.|\$\S", re.IGNORECASE)
"""What GitHub makes links, pictures and formulas of once Markdown is read, where it stands in no code."""


def assert_inert(markdown: str) -> None:
    """Holds that Markdown has text, tables and code in it and nothing else, for GitHub's parser and for another."""
    page = cmarkgfm.github_flavored_markdown_to_html(markdown, options=Options.CMARK_OPT_UNSAFE)
    root = lxml.html.document_fromstring(f"<html><body>{page}</body></html>")
    tokens = [each for token in _PARSER.parse(markdown) for each in [token, *(token.children or [])]]

    assert {element.tag for element in root.iter()} <= TAGS
    assert {name for element in root.iter() for name in element.attrib} <= {"align"}
    assert {token.tag for token in tokens} <= {*TAGS, ""}
    assert not [token for token in tokens if token.type in {"html_block", "html_inline", "image", "link_open"}]
    assert [] == [text for text in _outside_code(root) if LOOKED_FOR.search(text)]


def read_markdown(markdown: str) -> tuple[list[list[list[str]]], list[str]]:
    """The tables, each a list of rows of cells, and the blocks of code."""
    tables: list[list[list[str]]] = []
    blocks = []
    for token in _PARSER.parse(markdown):
        match token.type:
            case "table_open":
                tables.append([])
            case "tr_open":
                tables[-1].append([])
            case "inline" if tables and token.level == 4:  # within a cell
                tables[-1][-1].append("".join(child.content for child in token.children or []))
            case "fence" | "code_block":
                blocks.append(token.content)
    return tables, blocks


def _outside_code(element: lxml.html.HtmlElement) -> list[str]:
    """Each text by itself, since GitHub does not look across elements."""
    if element.tag in {"code", "pre"}:
        return []
    texts = [element.text, *(each.tail for each in element)]
    return [*filter(None, texts), *(text for each in element for text in _outside_code(each))]


_PARSER = MarkdownIt("gfm-like")
assert _PARSER.linkify
# Unlike GitHub, it would also make links of words that look like a host: `check.py`.
_PARSER.linkify.set({"fuzzy_link": False, "fuzzy_email": False, "fuzzy_ip": False})
