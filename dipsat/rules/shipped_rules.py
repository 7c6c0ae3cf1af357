"""The names of the shipped profiles: their paths below `rules/`, or the last parts of the paths."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from functools import lru_cache
from pathlib import Path

from dipsat.base import (
    ANYWHERE,
    YAML_SUFFIXES,
    Files,
    Node,
    data_folder,
    is_named_file,
    of_wrong_ending,
    parse_yaml,
    read_text,
)
from dipsat.board import map_names
from dipsat.errors import AmbiguousNameError, UnknownNameError

_NOT_PROFILES = ("datc-sections", "godip", "languages", "maps", "searches", "templates")
_VARIANTS = "variants"
_CHOICES = "choices"
_APART = ("judges", _CHOICES, _VARIANTS)  # not for every map, or meant as parts of other rules
_CHOICE = re.compile(rf"(?:{_CHOICES}/)?(\d+\.[a-z]\.\d+)-(.+)", re.IGNORECASE)
_SAFE = re.compile(r"[^/\\.\s][^/\\\s]*(?:/[^/\\.\s][^/\\\s]*)*")
_LETTER = re.compile(r"[a-z]")
_MAX_KEPT = 4  # folders
LISTED_BY = "dipsat rules list"
"""The command that lists the shipped profiles."""


def profile_names() -> tuple[str, ...]:
    """Return the names of the shipped profiles to play by, such as `datc`.

    The profiles in `rules/judges` (behaviour of other programs), `rules/choices` (each changes one
    rule) and `rules/variants` (some are for one map only) are left out. They can be loaded by name,
    too (`judges/vain-via-over-land`).
    """
    return tuple(name for name in shipped_names() if name.partition("/")[0] not in _APART)


def variant_names() -> tuple[str, ...]:
    """Return the names of the shipped variants, without their folder. Each is a profile with a
    map."""
    names = (name.partition("/") for name in shipped_names())
    return tuple(stem for folder, _, stem in names if folder == _VARIANTS)


def shipped_names() -> tuple[str, ...]:
    """The names of all shipped profiles."""
    return _names_below(data_folder("rules"))


@lru_cache(maxsize=_MAX_KEPT)
def _names_below(rules: Path) -> tuple[str, ...]:
    """The names of the profiles in a folder, which is read once."""
    found = (path.relative_to(rules).as_posix() for path in rules.rglob("*.yaml"))
    names = (path.removesuffix(".yaml") for path in found)
    return tuple(sorted(name for name in names if name.partition("/")[0] not in _NOT_PROFILES))


def short_name(name: str, known: Iterable[str]) -> str:
    """The shortest name by which `find_name` finds a shipped profile."""
    stem = _stem(name)
    return stem if sum(_stem(other) == stem for other in known) == 1 else name


def find_name(name: str, where: str = "", files: Files = ANYWHERE) -> str:
    """The full name of the shipped profile called `name`: its path below `rules/`, or the last part
    of the path if no other profile shares it. A choice can also be called by its letter in the
    documents, if it is the same in all. Case is ignored unless names differ only by case.

    Raises `UnknownNameError` or `AmbiguousNameError`, in which `where` is the text that contains
    the name. `UnknownNameError` suggests a file with the name if it is one of the allowed `files`.
    """
    if _is_shipped(name):
        return name
    known = shipped_names()
    for fold in (str, str.casefold):
        wanted = fold(name)
        found = [other for other in known if wanted in (fold(other), fold(_stem(other)))]
        if len(found) == 1:
            return found[0]
        if found:
            raise AmbiguousNameError("profile", name, found, where)
    called = [other for other in known if _stem(other).startswith(f"{name}-")]
    choice = _CHOICE.fullmatch(name)
    file = _file_called(name, files)
    if len(called) < 2 and choice is not None and not file:
        issue, letter = choice[1].upper(), choice[2].casefold()
        of_issue = [other for other in known if other.startswith(f"{_CHOICES}/{issue}-")]
        called = [one for one in of_issue if letter in choice_letters(one).values()]
        if len(called) == 1 and set(choice_letters(called[0]).values()) == {letter}:
            return called[0]
        if of_issue and not called:
            offered = [short_name(one, known) for one in of_issue]
            hint = f"{issue} has {', '.join(offered)}"
            raise UnknownNameError("profile", name, offered, where, hint=hint)
    elif len(called) < 2:
        called = []
    if called:  # an issue with several choices
        shown = {short_name(one, known): in_words(choice_letters(one)) for one in called}
        raise AmbiguousNameError("profile", name, shown, where)
    offered = list(known) if "/" in name else [short_name(other, known) for other in known]
    hint = of_wrong_ending(name, files)
    if name in map_names():
        hint = f"{name} is a map, which the option --map or the argument `map` takes"
    names = [file] if file else offered
    raise UnknownNameError("profile", name, names, where, hint=hint, listed_by=LISTED_BY)


def choice_letters(name: str) -> dict[str, str]:
    """Document -> its letter for a shipped profile; empty for a choice whose file is named by its
    letter. Raises `DocumentError`."""
    return letters_of(parse_yaml(read_text(shipped_file(name)), f"rules/{name}.yaml"))


def shipped_file(name: str) -> Path:
    """The file of a shipped profile, by its full name."""
    return data_folder("rules") / f"{name}.yaml"


def shipped_name(path: str) -> str:
    """The name of the shipped profile with this displayed path, "" for any other file."""
    name = path.removeprefix("rules/").removesuffix(".yaml")
    return name if path == f"rules/{name}.yaml" and name in shipped_names() else ""


def _stem(name: str) -> str:
    return name.rpartition("/")[2]


def _is_shipped(name: str) -> bool:
    is_profile = _SAFE.fullmatch(name) and name.partition("/")[0] not in _NOT_PROFILES
    return bool(is_profile) and is_named_file(ANYWHERE, shipped_file(name))


def _file_called(name: str, files: Files) -> str:
    """The file with this name and a suffix of YAML files, "" if there is none."""
    paths = (f"{name}{suffix}" for suffix in YAML_SUFFIXES)
    return next((path for path in paths if is_named_file(files, path)), "")


def letters_of(root: Node) -> dict[str, str]:
    """The `letters` of a rule file: document -> its letter for this choice.

    Raises `DocumentError`.
    """
    node = root.mapping().get("letters")
    if node is None:
        return {}
    found = {}
    for document, one in node.mapping(None, "letters").items():
        if not _LETTER.fullmatch(one.text("a letter")):
            one.refuse(f"the letter should be one lower-case letter, such as d, not {one.raw!r}")
        found[document] = one.raw
    return found


def in_words(letters: Mapping[str, str]) -> str:
    """The letters in words: `DATC 2.4: d, DATC 3.0: f`."""
    return ", ".join(f"{document}: {letter}" for document, letter in letters.items())


def name_in_files(path: str) -> str:
    """The text that names rules in a file: the name of a shipped profile, or the path of others."""
    return shipped_name(path) or path
