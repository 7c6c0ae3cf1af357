"""The pages of the site, made from those in docs/, which plain Git hosts show as they are.

Links to files that are no pages lead to pages that show the files, links to orders are followed by
one that opens them in the rule lab, and pictures have a dark form.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from bench.docs_pictures import ONLY_LIGHT, PICTURES
from bench.site.lab_links import is_order_file, rules_beside, state_of

ROOT = Path(__file__).resolve().parent.parent.parent
DOCS = ROOT / "docs"
LAB = "lab/index.html"
LAB_TEXT = "open in the lab"
_WIDE = "---\nhide: [navigation, toc]\n---\n\n"

_FENCE = re.compile(r"^```.*?^```$", re.MULTILINE | re.DOTALL)
_LINK = re.compile(r"(!?)\[([^\]]*)\]\(\s*([^)\s]+)\s*\)")
_DEFINITION = re.compile(r"^(\[[^\]]+\]: *)(\S+)$", re.MULTILINE)
_SHOWN_AS = {".yaml": "yaml", ".py": "python", ".c": "c", ".h": "c"}
_PICTURES = {".svg", ".png"}


def site_pages() -> dict[str, str]:
    """Name -> text of every page of the site, in Markdown: those of docs/, and those of the files
    that they refer to, and so on."""
    found = {path.name: _page(path) for path in sorted(DOCS.glob("*.md"))}
    open_links = [target for path in DOCS.glob("*.md") for target in _files_of(path)]
    seen = set[Path]()
    while open_links:
        path = open_links.pop()
        if path in seen:
            continue
        seen.add(path)
        found[_name(path)] = _listing(path) if path.is_dir() else _source(path)
        if path.is_dir():
            open_links += _shown_of(path)
    return found


def orders_linked(page: Path) -> list[Path]:
    """The files of orders that a page of docs/ links to."""
    return [path for path in _files_of(page) if path.is_file() and is_order_file(path)]


def _files_of(page: Path) -> Iterator[Path]:
    text = _FENCE.sub("", page.read_text(encoding="utf-8"))
    links = [target for _, _, target in _LINK.findall(text)]
    for target in (*links, *(target for _, target in _DEFINITION.findall(text))):
        path = _file_of(target, page)
        if path is not None:
            yield path


def _file_of(target: str, page: Path) -> Path | None:
    """The file that a link of a page leads to; None if that is a page, a picture or elsewhere."""
    place = target.partition("#")[0]
    if not place or ":" in place:
        return None
    path = Path(os.path.normpath(page.parent / place))
    if path.suffix in _PICTURES or (path.parent == DOCS and path.suffix == ".md"):
        return None
    return path


def _name(path: Path) -> str:
    """The page that shows a file or a folder."""
    place = path.relative_to(ROOT).as_posix()
    return f"source/{place}/index.md" if path.is_dir() else f"source/{place}.md"


def _page(path: Path) -> str:
    """A page of docs/ for the site. What stands in fences stays as it is."""
    text = path.read_text(encoding="utf-8")
    parts, at = [_WIDE if path.stem == "index" else ""], 0
    for fence in _FENCE.finditer(text):
        parts += [_prose(text[at : fence.start()], path), fence[0]]
        at = fence.end()
    return "".join([*parts, _prose(text[at:], path)])


def _prose(text: str, page: Path) -> str:
    text = _LINK.sub(lambda found: _link(found, page), text)
    return _DEFINITION.sub(lambda found: f"{found[1]}{_target(found[2], page)}", text)


def _target(target: str, page: Path) -> str:
    path = _file_of(target, page)
    return target if path is None else _name(path)


def _link(found: re.Match[str], page: Path) -> str:
    mark, said, target = found.groups()
    said = said.replace("\n", " ")
    if mark:
        return _picture(said, target)
    path = _file_of(target, page)
    if path is None:
        return f"[{_titles().get(said, said)}]({target})"
    shown = f"[{said}]({_name(path)})"
    if path.is_file() and is_order_file(path):
        return f"{shown} {_lab_link(path)}"
    return shown


def _picture(said: str, target: str) -> str:
    name = Path(target).name
    if name not in PICTURES or name in ONLY_LIGHT:
        return f"![{said}]({target})"
    dark = target.replace(name, f"dark/{name}")
    return f"![{said}]({target}#only-light)![{said}]({dark}#only-dark)"


def _lab_link(orders: Path, up: str = "") -> str:
    state = state_of(orders, rules_beside(orders))
    return f"[{LAB_TEXT}]({up}{LAB}#{state.fragment}){{ .lab-link }}"


@cache
def _titles() -> dict[str, str]:
    """File name -> title of each page of docs/: readers of the site see no files."""
    pages = {path.name: path.read_text(encoding="utf-8") for path in DOCS.glob("*.md")}
    return {name: text.removeprefix("# ").partition("\n")[0] for name, text in pages.items()}


_HEAD = """\
---
title: {title}
search: {{exclude: true}}
hide: [navigation, toc]
---

# `{title}`

"""


def _source(path: Path) -> str:
    place = path.relative_to(ROOT)
    head = _HEAD.format(title=place.as_posix())
    if DOCS in path.parents and is_order_file(path):
        head += f"{_lab_link(path, '../' * len(place.parts))}\n\n"
    text = path.read_text(encoding="utf-8").rstrip("\n")
    return f"{head}~~~~~~ {_SHOWN_AS.get(path.suffix, 'text')}\n{text}\n~~~~~~\n"


def _shown_of(folder: Path) -> list[Path]:
    return sorted(path for path in folder.iterdir() if path.is_file())


def _listing(folder: Path) -> str:
    place = folder.relative_to(ROOT).as_posix()
    rows = [f"- [`{path.name}`]({path.name}.md)\n" for path in _shown_of(folder)]
    return _HEAD.format(title=place) + "".join(rows)
