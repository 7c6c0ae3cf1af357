"""HTML pages of one file: their colours, and a policy by which they load nothing."""

from __future__ import annotations

from base64 import b64encode
from hashlib import sha256

from dipsat.svg.markup import attributes_of, quoted

_COLORS = {
    "ink": ("#1c2430", "#e4e8ee"), "faint": ("#5c6672", "#9aa5b2"), "paper": ("#ffffff", "#12161b"),
    "raised": ("#eef1f4", "#232a33"), "line": ("#c3cad2", "#3c4653"),
    "accent": ("#1f6fb2", "#6db3f2"),
}  # fmt: skip
"""What they are for -> on a light and on a dark page."""
_SCHEMES = {None: "light dark", False: "light", True: "dark"}
"""Whether a page is dark -> what it tells the browser; None means as the reader prefers."""


def head_of(title: str, dark: bool | None, script: str, style: str) -> str:
    """The beginning of a page, up to its body, with this style sheet besides its colours; `script`
    is the only one that it may run."""
    return (
        "<!DOCTYPE html>\n"
        '<html lang="en">\n'
        "<head>\n"
        '<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f'<meta name="color-scheme" content="{_SCHEMES[dark]}">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{_policy_of(script)}">\n'
        f"<title>{quoted(title)}</title>\n"
        f"<style>\n{_variables_of(dark)}{style}</style>\n"
        "</head>"
    )


def _policy_of(script: str) -> str:
    """The content security policy of a page that loads nothing and runs only this script."""
    digest = b64encode(sha256(script.encode()).digest()).decode()
    return (
        f"default-src 'none'; style-src 'unsafe-inline'; script-src 'sha256-{digest}'; "
        "base-uri 'none'; form-action 'none'"
    )


def _variables_of(dark: bool | None) -> str:
    """The colours of a page, as variables of its style sheet."""
    light, black = (
        ":root{" + "".join(f"--{name}:{pair[at]};" for name, pair in _COLORS.items()) + "}\n"
        for at in (0, 1)
    )
    if dark is None:
        return f"{light}@media (prefers-color-scheme:dark){{{black.strip()}}}\n"
    return black if dark else light


def tag(name: str, *content: str, **attributes: object) -> str:
    """An element of HTML, which has an end even if it is empty; otherwise as `markup.element`."""
    return f"<{name}{attributes_of(attributes)}>{''.join(content)}</{name}>"
