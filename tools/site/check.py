"""The faults of a built site: links that lead nowhere, and things that it loads from elsewhere.

The builder checks the links in Markdown; this checks the finished pages, whatever made them.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote

_LOADS = {
    ("script", "src"), ("img", "src"), ("iframe", "src"), ("source", "src"), ("embed", "src"),
    ("object", "data"), ("image", "href"), ("use", "href"), ("video", "src"), ("audio", "src"),
}  # fmt: skip
"""Tags and the attributes of these that make a browser load something."""
_RELATIONS = {
    "stylesheet",
    "icon",
    "preload",
    "preconnect",
    "modulepreload",
    "manifest",
    "dns-prefetch",
}
"""Relations of a `link` that make a browser load something."""
_ELSEWHERE = re.compile(r"(?:[a-z][a-z0-9+.-]*:)?//", re.IGNORECASE)
_SCHEME = re.compile(r"[a-z][a-z0-9+.-]*:", re.IGNORECASE)
_IN_STYLE = re.compile(r"""(?:url\(\s*["']?|@import\s+["'])([^"')\s]+)""")
_OWN_PAGES = ("lab/",)
"""Pages with their own policy; the part after `#` in links to them is not an anchor."""


@dataclass
class _Page(HTMLParser):
    """The links of a page, what it loads, and its anchors."""

    links: list[str] = field(default_factory=list)
    loads: list[str] = field(default_factory=list)
    anchors: set[str] = field(default_factory=set)

    def __post_init__(self) -> None:
        super().__init__()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = {name: value or "" for name, value in attrs}
        self.anchors |= {given[name] for name in ("id", "name") if name in given}
        self.loads += [given[name] for of, name in _LOADS if of == tag and name in given]
        self.loads += _IN_STYLE.findall(given.get("style", ""))
        if tag == "link" and _RELATIONS & set(given.get("rel", "").split()):
            self.loads.append(given.get("href", ""))
        elif tag in {"a", "area", "link"} and "href" in given:
            self.links.append(given["href"])


def problems(site: Path) -> list[str]:
    """The faults of the pages and style sheets of a site."""
    pages = {
        path.relative_to(site).as_posix(): _read(path) for path in sorted(site.rglob("*.html"))
    }
    found = [one for name, page in pages.items() for one in _of_page(site, name, page, pages)]
    for path in sorted(site.rglob("*.css")):
        text = path.read_text(encoding="utf-8")
        name = path.relative_to(site).as_posix()
        found += [
            f"{name}: loads {one}" for one in _IN_STYLE.findall(text) if _ELSEWHERE.match(one)
        ]
    return found


def _read(path: Path) -> _Page:
    page = _Page()
    page.feed(path.read_text(encoding="utf-8"))
    return page


def _of_page(site: Path, name: str, page: _Page, pages: Mapping[str, _Page]) -> Iterator[str]:
    for target in page.loads:
        if _ELSEWHERE.match(target):
            yield f"{name}: loads {target}"
        elif not _SCHEME.match(target) and _leads(site, name, target) is None:
            yield f"{name}: loads {target}, which is not there"
    for target in page.links:
        if _ELSEWHERE.match(target) or _SCHEME.match(target):
            continue
        place = _leads(site, name, target)
        if place is None:
            yield f"{name}: the link {target[:80]} leads nowhere"
            continue
        anchor = unquote(target.partition("#")[2])
        has_anchors = place in pages and not place.startswith(_OWN_PAGES)
        if anchor and has_anchors and anchor not in pages[place].anchors:
            yield f"{name}: {place} has no anchor {anchor}"


def _leads(site: Path, name: str, target: str) -> str | None:
    """The file of the site to which a link of a page leads, or None if there is none."""
    place = unquote(target.partition("#")[0].partition("?")[0])
    if not place:
        return name
    base = site if place.startswith("/") else (site / name).parent
    full = Path(os.path.normpath(base / place.lstrip("/")))
    if full.is_dir():
        full = full / "index.html"
    is_there = full.is_file() and full.is_relative_to(site)
    return full.relative_to(site).as_posix() if is_there else None
