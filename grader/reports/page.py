"""An HTML page in one file, which asks for nothing else and runs nothing.

Templates and style sheets lie in `templates/`. Whatever a template prints passes through `text.visible` and is then
escaped, so a template cannot forget to. The style sheet stands in the page, and the page's Content-Security-Policy
allows that style sheet, by its digest, and nothing else: no script, picture, font, frame, form or request of any kind.
"""

from __future__ import annotations

import base64
import hashlib
from functools import cache
from typing import TYPE_CHECKING

from jinja2 import Environment, PackageLoader, StrictUndefined

from grader.reports.text import visible

if TYPE_CHECKING:
    from collections.abc import Iterator


def render(template: str, styles: tuple[str, ...], page: object) -> Iterator[str]:
    """Fills in a template, piece by piece.

    Args:
        template: Name of the template, which extends `base.html`.
        styles: Names of its style sheets, in order.
        page: What the template speaks about.
    """
    style = _style(styles)
    policy = {
        "default-src": "'none'",
        "style-src": f"'sha256-{base64.b64encode(hashlib.sha256(style.encode()).digest()).decode()}'",
        "base-uri": "'none'",
        "form-action": "'none'",
    }
    return _TEMPLATES.get_template(template).generate(
        page=page,
        style=style,
        policy="; ".join(f"{kind} {source}" for kind, source in policy.items()),
    )


@cache
def _style(names: tuple[str, ...]) -> str:
    return "\n".join(_TEMPLATES.get_template(name).render() for name in names)


def _shown(value: object) -> object:
    is_ours = hasattr(value, "__html__")  # markup that a template has made
    return visible(value) if isinstance(value, str) and not is_ours else value


_TEMPLATES = Environment(
    loader=PackageLoader("grader.reports"),
    autoescape=True,
    undefined=StrictUndefined,
    finalize=_shown,
    trim_blocks=True,
    lstrip_blocks=True,
    auto_reload=False,
)
