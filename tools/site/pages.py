"""The pages of the site, made from the pages in docs/, which plain Git hosts show unchanged.

Links to files that are not pages lead to pages that show the files. After a link to orders comes a
link that opens them in the rule lab. Pictures have a dark form. Tables in CSV files are inserted.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from dipsat import studies
from tools import api_page
from tools.docs_pictures import ONLY_LIGHT, PICTURES
from tools.site.lab_commands import state_of_command
from tools.site.lab_links import (
    LabState,
    is_order_file,
    rules_beside,
    state_of,
    state_of_case,
    state_of_sheet,
)
from tools.site.tables import with_tables

ROOT = Path(__file__).resolve().parent.parent.parent
DOCS = ROOT / "docs"
ATLAS = DOCS / "atlas"
LAB = "lab/index.html"
LAB_TEXT = "open in the lab"
_WIDE = "---\nhide: [navigation, toc]\n---\n\n"

_FENCE = re.compile(r"^```.*?^```$", re.MULTILINE | re.DOTALL)
_HEADING = re.compile(r"^#+ .*$", re.MULTILINE)
_RULES_SHOWN = re.compile(r"^```yaml\n(.*?)^```$", re.MULTILINE | re.DOTALL)
_CASE = re.compile(r"^\| (\d+\.[A-Z][\w.]*) \|", re.MULTILINE)
_LIVE = "Change these orders](lab.md)"
_CASES_TITLE = ("## Every case\n", "## Every case\n\nA case opens in [the lab](lab.md).\n")
_LINK = re.compile(r"(!?)\[([^\[\]]*)\]\(\s*([^)\s]+)\s*\)")
_DEFINITION = re.compile(r"^(\[[^\]]+\]: *)(\S+)$", re.MULTILINE)
_SHOWN_AS = {".yaml": "yaml", ".py": "python", ".c": "c", ".h": "c"}
_PICTURES = {".svg", ".png"}
_DATA = {".json", ".yaml"}
"""The atlas's files for programs, which the site has unchanged."""


def pages() -> list[Path]:
    """The pages of docs/ that are on the site."""
    return [*sorted(DOCS.glob("*.md")), *sorted(ATLAS.glob("*.md"))]


def site_pages() -> dict[str, str]:
    """Name -> text of every page of the site, in Markdown: the pages of docs/, pages for the files
    to which they refer, and so on."""
    found = {path.relative_to(DOCS).as_posix(): _page(path) for path in pages()}
    found["api.md"] = api_page.page()
    open_links = [target for path in pages() for target in _files_of(path)]
    seen = set[Path]()
    while open_links:
        path = open_links.pop()
        if path in seen:
            continue
        seen.add(path)
        if is_data(path):
            continue
        found[_name(path)] = _listing(path) if path.is_dir() else _source(path)
        if path.is_dir():
            open_links += _shown_of(path)
    return found


def orders_linked(page: Path) -> list[Path]:
    """The files of orders to which a page of docs/ links."""
    return [path for path in _files_of(page) if path.is_file() and is_order_file(path)]


def _files_of(page: Path) -> Iterator[Path]:
    text = _FENCE.sub("", with_tables(page.read_text(encoding="utf-8")))
    links = [target for _, _, target in _LINK.findall(text)]
    for target in (*links, *(target for _, target in _DEFINITION.findall(text))):
        path = _file_of(target, page)
        if path is not None:
            yield path


def _file_of(target: str, page: Path) -> Path | None:
    """The file to which a link of a page leads; None for pages, pictures and other places."""
    place = target.partition("#")[0]
    if not place or ":" in place:
        return None
    path = Path(os.path.normpath(page.parent / place))
    if path.suffix in _PICTURES or (path.parent in {DOCS, ATLAS} and path.suffix == ".md"):
        return None
    return path


def is_data(path: Path) -> bool:
    """Whether the site has a file unchanged."""
    return path.suffix in _DATA and ATLAS in path.parents


def _name(path: Path) -> str:
    """The page that shows a file or a folder, or the file itself if it needs no page."""
    if is_data(path):
        return path.relative_to(DOCS).as_posix()
    place = path.relative_to(ROOT).as_posix()
    return f"source/{place}/index.md" if path.is_dir() else f"source/{place}.md"


def _page(path: Path) -> str:
    """A page of docs/ for the site. Fences stay unchanged; each is followed by a link that opens
    its content in the lab, if the lab can show it."""
    text = with_tables(path.read_text(encoding="utf-8").replace(*_CASES_TITLE))
    if _LIVE in text and (state := _state_of_file(DOCS / "examples" / "fall-1902.yaml")):
        text = text.replace(_LIVE, _LIVE.replace("lab.md", f"{LAB}#{state.fragment}"))
    parts, at = [_WIDE if path.stem == "index" else ""], 0
    for fence in _FENCE.finditer(text):
        parts += [_prose(text[at : fence.start()], path), fence[0]]
        at = fence.end()
        state = _state_of_fence(fence[0], text[: fence.start()])
        if state is not None and not any(state.fragment in part for part in parts):
            parts.append(f"\n\n{_lab_link(state, _up(path))}\n{{ .lab-below }}\n")
    return "".join([*parts, _prose(text[at:], path)])


def _state_of_fence(fence: str, before: str) -> LabState | None:
    """The state in which the lab shows the orders or the command of a fence; `before` is the text
    above it."""
    if fence.startswith("```console\n"):
        return state_of_command(_inside(fence).partition("\n")[0])
    if not fence.startswith(("```text\n", "```yaml\n")):
        return None
    heading, section = "", before
    for found in _HEADING.finditer(_FENCE.sub(lambda one: "-" * len(one[0]), before)):
        heading, section = found[0], before[found.end() :]
    rules = [one for one in _RULES_SHOWN.findall(section) if "\nextends:" in one]
    return state_of_sheet(_inside(fence), heading, rules[-1] if rules else "")


def _inside(fence: str) -> str:
    return fence.partition("\n")[2].removesuffix("```")


def _prose(text: str, page: Path) -> str:
    text = _LINK.sub(lambda found: _link(found, page), text)
    text = _CASE.sub(_case, text)
    return _DEFINITION.sub(lambda found: f"{found[1]}{_target(found[2], page)}", text)


def _case(found: re.Match[str]) -> str:
    """The first cell of a row about a case of the DATC, as a link that opens it in the lab."""
    case = _cases().get(found[1])
    return found[0] if case is None else f"| [{found[1]}]({LAB}#{state_of_case(case).fragment}) |"


@cache
def _cases() -> dict[str, studies.Case]:
    return {case.name: case for case in studies.load_cases()}


def _target(target: str, page: Path) -> str:
    path = _file_of(target, page)
    return target if path is None else f"{_up(page)}{_name(path)}"


def _up(page: Path) -> str:
    """The relative path from a page of docs/ to the top of the site."""
    return "../" * len(page.parent.relative_to(DOCS).parts)


def _link(found: re.Match[str], page: Path) -> str:
    mark, said, target = found.groups()
    said = said.replace("\n", " ")
    if mark:
        return _picture(said, target)
    path = _file_of(target, page)
    if path is None:
        return f"[{_titles().get(said, said)}]({target})"
    shown = f"[{said}]({_up(page)}{_name(path)})"
    state = _state_of_file(path)
    return shown if state is None else f"{shown} {_lab_link(state, _up(page))}"


def _state_of_file(path: Path) -> LabState | None:
    """The state in which the lab shows a file of orders, or a line of the atlas."""
    if path.parent == ATLAS / "lines" and path.suffix == ".yaml":
        return state_of_command(f"dipsat search hold {path.relative_to(ROOT).as_posix()}")
    if path.is_file() and is_order_file(path):
        return state_of(path, rules_beside(path))
    return None


def _picture(said: str, target: str) -> str:
    name = Path(target).name
    if name not in PICTURES or name in ONLY_LIGHT:
        return f"![{said}]({target})"
    dark = target.replace(name, f"dark/{name}")
    return f"![{said}]({target}#only-light)![{said}]({dark}#only-dark)"


def _lab_link(state: LabState, up: str = "") -> str:
    return f"[{LAB_TEXT}]({up}{LAB}#{state.fragment}){{ .lab-link }}"


@cache
def _titles() -> dict[str, str]:
    """File name -> title of each page of docs/, since readers of the site see no files."""
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
    state = _state_of_file(path) if DOCS in path.parents else None
    if state is not None:
        head += f"{_lab_link(state, '../' * len(place.parts))}\n\n"
    text = path.read_text(encoding="utf-8").rstrip("\n")
    return f"{head}~~~~~~ {_SHOWN_AS.get(path.suffix, 'text')}\n{text}\n~~~~~~\n"


def _shown_of(folder: Path) -> list[Path]:
    return sorted(path for path in folder.iterdir() if path.is_file())


def _listing(folder: Path) -> str:
    place = folder.relative_to(ROOT).as_posix()
    rows = [f"- [`{path.name}`]({path.name}.md)\n" for path in _shown_of(folder)]
    return _HEAD.format(title=place) + "".join(rows)
