"""Load rule profiles by name or path, and combine them."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cache, lru_cache, reduce
from itertools import chain
from pathlib import Path
from typing import TypeAlias

from dipsat.base import (
    ANYWHERE,
    UNLIMITED,
    YAML_SUFFIXES,
    Files,
    Limits,
    Node,
    Plain,
    allowed_files,
    data_folder,
    is_named_file,
    is_yaml_path,
    narrower,
    read_text,
    reading,
    running,
)
from dipsat.board import DEFAULT_MAP, Map, is_shipped, load_map
from dipsat.errors import (
    CompositionError,
    DipsatError,
    SettingError,
    UnknownNameError,
    hint,
    shortened,
)
from dipsat.rules.composer import Composer
from dipsat.rules.layers import Layer, Layers, ProfileFiles, parse_layer, standings, times_of
from dipsat.rules.profile import Profile
from dipsat.rules.profile_remarks import remarks
from dipsat.rules.settings import CAPTURES, is_lasting, setting_values
from dipsat.rules.shipped_rules import (
    LISTED_BY,
    choice_letters,
    shipped_names,
    short_name,
)
from dipsat.rules.syntax import Expression, Variable

_MAX_PARTS = 20  # in a composition such as "datc+siege.yaml"
_MOST_KEPT = 64  # profiles that are kept in memory although nothing else needs them


def load_profile(
    name: str | Path | Profile,
    folder: str | Path = "",
    settings: Mapping[str, str] | None = None,
    *,
    limits: Limits = UNLIMITED,
) -> Profile:
    """Return the profile `name`.

    A name is the name of a shipped profile (its path below `rules/`, or the last part of the path
    if no other profile shares it), the path of a file, relative to `folder`, or several of these
    joined by `+`. Later ones change earlier ones, as if one file extended them all in this order.
    The name may also choose settings and options, as in `colonial+suez_canal=off`; `settings`
    chooses more. A loaded profile is returned unchanged, and the same name gives the same profile
    while no file changes.

    `limits.files` says which files `name` may refer to, if it is a text, and which files rule files
    may name (`extends`, `map`). For untrusted rules use `Files.none()` or `Files.within(folder)`. A
    `Path` is always read.

    Raises `UnknownNameError`, `AmbiguousNameError`, `CompositionError`, `SettingError`,
    `FileError`, `DocumentError`, `ProfileError`, `ProblemsError` with all faults of the profile, or
    `LimitError` if `limits.seconds` is not enough.
    """
    if isinstance(name, Profile) and not settings:
        return name
    with running(limits):
        profile = name if isinstance(name, Profile) else _loaded(name, folder)
        return _with_settings(profile, settings) if settings else profile


def _loaded(name: str | Path, folder: str | Path) -> Profile:
    """The profile with a name. It is kept while no file changes."""
    is_path = isinstance(name, Path)
    text = str(name)
    here = os.getcwd() if is_path or any(end in text for end in YAML_SUFFIXES) else ""  # noqa: PTH109
    key = (text, is_path, str(folder), here, allowed_files())
    profile, marks = _kept.get(key, (None, {}))
    if profile is not None and all(mark and mark == times_of(file) for file, mark in marks.items()):
        return profile
    found = ProfileFiles()
    chosen: Mapping[str, str] = {}
    with found.veiled():
        if is_path:
            found.read(found.of_caller(text, folder))
        else:
            chosen = _read_named(found, text, folder)
    profile = _composed(found)
    if chosen:
        profile = _with_settings(profile, chosen)
    _kept.pop(key, None)
    if len(_kept) >= _MOST_KEPT:
        del _kept[next(iter(_kept))]  # the oldest
    _kept[key] = profile, found.marks
    return profile


def map_for(profile: Profile) -> Map:
    """The map that a profile names, or the standard map. Raises the errors of `load_map`."""
    with reading(profile.allowed):
        return load_map(profile.map or DEFAULT_MAP)


def profile_title(name: str) -> str:
    """The title of a shipped profile or a file, without checking the rest of it.

    Raises the errors of `load_profile`.
    """
    title = ProfileFiles().named(name).root.mapping().get("title")
    return "" if title is None else title.text("title")


def parse_profile(text: str, path: str, *, limits: Limits = UNLIMITED) -> Profile:
    """Return the profile that a YAML text states. `path` names the text in errors; files that the
    text extends are looked for beside it, if they are among `limits.files`. Raises the errors of
    `load_profile`."""
    with running(limits):
        found = ProfileFiles()
        with found.veiled():
            found.read(parse_layer(text, path))
        return _composed(found)


def combined_profile(profiles: Sequence[Profile], name: str, title: str = "") -> Profile:
    """The profile that extends all of these; later ones override earlier ones.

    A file that is part of several of them counts once, as under `extends`. Only the files count: if
    a program has changed a `Profile`, the change is ignored. Raises `ProfileError`, or
    `ProblemsError` for several faults, if the profiles do not fit together.
    """
    layers = (layer for profile in profiles for layer in profile.layers)
    allowed = reduce(narrower, (profile.allowed for profile in profiles), ANYWHERE)
    return combined_files(layers, name, title, allowed)


def combined_files(
    layers: Iterable[Layer], name: str, title: str = "", allowed: Files = ANYWHERE
) -> Profile:
    """The same for profiles given by their files, which may name only `allowed` files."""
    return composed_profile((*layers, _head(name, title)), allowed)


def shipped_files(name: str) -> tuple[Layer, ...]:
    """The files of a shipped profile, its own file last; nothing is composed. Raises the errors of
    `load_profile` for files that cannot be read."""
    found = ProfileFiles()
    found.read(found.named(name))
    return tuple(found.layers)


def composed_profile(layers: Iterable[Layer], allowed: Files) -> Profile:
    """The profile of these files, which may name only `allowed` files; later ones override earlier
    ones. Raises `ProfileError`, or `ProblemsError` for several faults, if they do not fit
    together."""
    found = ProfileFiles()
    for layer in layers:
        found.add(layer)
    with reading(allowed):
        return _composed(found)


def with_variant(rules: str | Path | Profile, variant: str) -> Profile:
    """The rules with a variant on top, unless they already contain it; the rules themselves if
    `variant` is "". Raises the errors of `load_profile` and `combined_profile`."""
    profile = load_profile(rules)
    if not variant:
        return profile
    other = load_profile(variant)
    if other.layers[-1] in profile.layers:
        return profile
    return combined_profile((profile, other), f"{profile.name}+{other.name}", other.title)


_Marks: TypeAlias = Mapping[str, tuple[int, ...] | None]
_kept: dict[tuple[str, bool, str, str, Files], tuple[Profile, _Marks]] = {}
"""Profiles with the times of their files, which show later changes of these files."""


def _with_settings(profile: Profile, chosen: Mapping[str, str]) -> Profile:
    """The profile with other values of settings and options. Raises `SettingError`."""
    check_settings(profile, chosen)
    name = "+".join((profile.name, *(f"{key}={value}" for key, value in chosen.items())))
    head = _head(name, profile.title, chosen)
    return composed_profile((*profile.layers, head), profile.allowed)


def _read_named(files: ProfileFiles, text: str, folder: str | Path) -> Mapping[str, str]:
    """Read the files of a name, or of several names joined by `+`, and return its settings."""
    path = Path(folder) / text
    if "+" not in text or (is_yaml_path(text) and is_named_file(allowed_files(), path)):
        files.read(files.named(text.strip(), folder))
        return {}
    parts, chosen = settings_in(text)
    if len(parts) == 1:
        files.read(files.named(parts[0], folder, text))
        return chosen
    if len(parts) > _MAX_PARTS:
        raise CompositionError(text, f"more than {_MAX_PARTS} profiles; write a file that extends "
                                     f"them")  # fmt: skip
    named: list[Layer] = []
    for part in parts:
        layer = files.named(part, folder, text)
        if any(layer.source[0] == other.source[0] for other in named):
            raise CompositionError(text, f"{part} is named twice")
        if files.has(layer) and not layer.issue:
            raise CompositionError(
                text, f"{part} is part of what is named before it, so it would change nothing; "
                f"name it first, or leave it out"
            )  # fmt: skip
        named.append(layer)
        files.read(layer)
    idle = {one.file for one in standings(files.layers) if not one.has_effect}
    heads = (layer.root.mapping() for layer in named if layer.root.path not in idle)
    title = "; ".join(top["title"].text("title") for top in heads if "title" in top)
    files.add(_head("+".join(parts), title))
    return chosen


def _head(name: str, title: str, settings: Mapping[str, str] | None = None) -> Layer:
    """The file on top of combined profiles. It states nothing else."""
    nodes = _texts(name, {"name": name, "title": title})
    if settings:
        texts = _texts(name, settings)
        nodes["settings"] = Node(name, 1, 1, texts, keys=dict.fromkeys(texts, (1, 1)))
    root = Node(name, 1, 1, nodes, keys=dict.fromkeys(nodes, (1, 1)))
    return Layer(root, ("", f"{name}\n{title}"))


def _texts(path: str, texts: Mapping[str, str]) -> dict[str, Node]:
    return {key: Node(path, 1, 1, text, text) for key, text in texts.items()}


def _composed(files: ProfileFiles) -> Profile:
    """The profile of these files. It is the same object for the same paths, texts and allowed
    files, unless many other profiles have been composed since."""
    shown = tuple((layer.root.path, layer) for layer in files.layers)
    with files.veiled():
        return _composed_once(shown, allowed_files())


@lru_cache(_MOST_KEPT)
def _composed_once(shown: tuple[tuple[str, Layer], ...], allowed: Files) -> Profile:
    """The profile of files, each with the path to show for it."""
    layers = Layers(layer for _, layer in shown)
    try:
        return Composer(layers).profile()
    except RecursionError:  # unlikely, because nesting is bounded
        problem = "the profile's terms refer to each other through too many steps"
        layers.heads[-1].refuse(problem)


def settings_in(name: str) -> tuple[list[str], dict[str, str]]:
    """The profiles in a name whose parts are joined by `+`, and the settings (`suez_canal=off`)
    after them.

    Raises `CompositionError` for a setting before a profile, or for a missing name.
    """
    profiles: list[str] = []
    chosen: dict[str, str] = {}
    parts = [part.strip() for part in name.split("+")]
    if "" in parts:
        raise CompositionError(name, _missing(parts))
    for part in parts:
        key, sign, value = part.partition("=")
        if not sign or is_yaml_path(part):
            if chosen:
                raise CompositionError(name, f"{part} comes after a setting; name it before")
            profiles.append(part)
        else:
            chosen[key.strip()] = value.strip()
    if not profiles:
        raise CompositionError(name, "there are settings, but no profile before them")
    return profiles, chosen


def _missing(parts: Sequence[str]) -> str:
    """The message for a name with an empty part between `+`."""
    at = parts.index("")
    place = "between two +" if 0 < at < len(parts) - 1 else "after the +" if at else "before the +"
    known = shipped_names()
    examples = []
    for what, folder in (("choice", "choices"), ("variant", "variants"), ("judge", "judges")):
        of_folder = [name for name in known if name.startswith(f"{folder}/")]
        if of_folder:
            examples.append(f"a {what} ({short_name(of_folder[0], known)})")
    key, values = next(iter(setting_values().items()))
    examples += ["a file (mine.yaml)", f"or a setting ({key}={values[-1]})"]
    return f"a name is missing {place}; it could be {', '.join(examples)}"


def check_settings(profile: Profile, chosen: Mapping[str, str]) -> None:
    """Raise `SettingError` for an unknown setting, or for a value that the setting cannot have."""
    options = profile.declared.options
    known = {**options, **setting_values()}
    for name, value in chosen.items():
        if name not in known:
            raise SettingError(name, f"there is no such setting{hint(name, known, 'known:')}")
        if value not in known[name]:
            values = ", ".join(known[name])
            raise SettingError(name, f"{value!r} is not one of its values; choose from {values}")


# --- listed ---------------------------------------------------------------------------------------


_GROUPS = ("", "variants", "choices", "judges")
"""The folders of profiles in listed order, "" for profiles to play by. Other folders follow."""
_ISSUE = re.compile(r"\d+\.[A-Z]\.\d+")


@dataclass(frozen=True, slots=True)
class ListedProfile(Plain):
    """A shipped profile: its full name, its shortest name, its title, its folder, and its issue if
    it is a choice. `letters` has its letter in each document, if its file has another name."""

    name: str
    short: str
    title: str
    group: str
    issue: str
    letters: Mapping[str, str]


def listed(prefix: str = "") -> list[ListedProfile]:
    """The shipped profiles: those to play by first, then by folder, choices in the order of their
    issues. With a prefix, only the choices for the issue with that name. If there is no such issue,
    the profiles whose name or issue begins with the prefix, ignoring case.

    Raises `UnknownNameError` if there are none.
    """
    known = shipped_names()
    rows = []
    for name in known:
        group, _, stem = name.rpartition("/")
        issue = _ISSUE.match(stem)
        title = " ".join(profile_title(name).split())
        letters = choice_letters(name) if issue else {}
        short, number = short_name(name, known), issue[0] if issue else ""
        rows.append(ListedProfile(name, short, title, group, number, letters))
    rows.sort(key=lambda row: (_place(row.group), _by_number(row.name)))
    wanted = prefix.strip().casefold()
    found = [row for row in rows if row.issue.casefold() == wanted] or [
        row for row in rows if any(name.casefold().startswith(wanted) for name in _names(row))
    ]
    if not found:
        names = dict.fromkeys(chain(*map(_names, rows)))
        problem = f"no profile or DATC issue begins with {shortened(prefix)!r}"
        raise UnknownNameError("profile", prefix, names, listed_by=LISTED_BY, problem=problem)
    return found if wanted else rows


def _names(row: ListedProfile) -> tuple[str, ...]:
    return row.short, row.name, row.issue


def _place(group: str) -> tuple[int, str]:
    """The profiles to play by, other folders, then parts of profiles."""
    return (0 if not group else _GROUPS.index(group) + 1 if group in _GROUPS else 1, group)


def _by_number(name: str) -> list[tuple[int, str]]:
    """4.A.10 after 4.A.9."""
    return [(int(part), "") if part.isdigit() else (0, part) for part in re.split(r"(\d+)", name)]


# --- portable -------------------------------------------------------------------------------------


def portable_rules(rules: str | Path | Profile) -> str | Profile:
    """The name of shipped rules, because every dipsat has them, or the whole profile of other
    rules, because a path means nothing elsewhere. Raises the errors of `load_profile`."""
    profile = load_profile(rules)
    if all(layer.is_shipped for layer in profile.layers):  # but its name may be a user's path
        with suppress(DipsatError):
            if load_profile(profile.name) is profile:
                return profile.name
    return profile


def portable_map(board: str | Path | Map) -> str | Map:
    """The same for a map. Raises the errors of `load_map`."""
    found = load_map(board)
    return found.name if is_shipped(found) else found


# --- goal words -----------------------------------------------------------------------------------


GOALS: Mapping[str, str] = {
    "enters(p)": "a unit enters the province p",
    "dislodged(p)": "the unit in p is dislodged",
    "moves(p)": "the unit in p leaves it",
    "goes(p, q)": "the unit in p goes to q",
    "stays(p)": "the unit in p neither leaves nor is dislodged",
    "stands(p, w)": "a unit of the power w stands in p after the phase, before retreats",
    "occupied(p)": "a unit stands in p after the phase, before retreats",
    "owner(p, w)": "the power w would own p if centres changed hands now",
    "provinces": "all provinces of the map",
    "units": "all units on the board",
}
"""The words of goals besides the words of the rules, each with its meaning."""


def goal_expression(profile: Profile, node: Node, names: Iterable[Variable]) -> Expression:
    """The truth value that a text states, in the words of a profile, of
    `rules/searches/goals.yaml`, and `names`.

    Raises `ProfileError` at the place of a fault.
    """
    layers = (_goal_words(), *_line_words(profile), *_own_words(profile, node), *profile.layers)
    return Composer(Layers(layers)).expression(node, names)


def _own_words(profile: Profile, node: Node) -> Iterator[Layer]:
    """The rules' condition on units that capture centres. Goals apply it to the board after the
    phase, so it must not depend on the board."""
    condition = profile.legal.get(CAPTURES)
    if condition is None:
        return
    if not is_lasting(condition.expression):
        problem = f"no goal can be read under these rules, because {CAPTURES} depends on the board"
        node.refuse(problem)
    for key, _, value in Layers(profile.layers).entries("legal")[CAPTURES][-1:]:
        said = json.dumps(value.text(CAPTURES, lines=True))
        yield parse_layer(f"define:\n  {json.dumps(key)}: {said}\n", value.path)


@cache
def _goal_words() -> Layer:
    path = str(data_folder("rules") / "searches" / "goals.yaml")
    return parse_layer(read_text(path), path)


def _line_words(profile: Profile) -> Iterator[Layer]:
    """The meaning, under a profile, of the goal words about lines."""
    ends, leaves = [], []
    for kind in profile.declared.kinds.values():
        if kind.lands:
            legs = f"any({kind.lands}(leg) for leg in {kind.legs} if leg.unit == goal_u"
            leaves.append(f"{legs})")
            ends.append(f"{legs} and leg.target == goal_p)")
    if ends:
        words = {
            "ends_on_a_line(goal_u, goal_p)": " or ".join(ends),
            "leaves_along_a_line(goal_u)": " or ".join(leaves),
        }
        yield parse_layer(json.dumps({"define": words}), "the words of goals about lines")


def check_profile(
    rules: str | Path | Profile, *, limits: Limits = UNLIMITED
) -> tuple[Profile, tuple[str, ...]]:
    """Return a profile as `load_profile` does, and remarks on oddities that do not keep it from
    loading: files without effect, conditions of the base that an entry leaves out silently, and
    unused entries, these with file, line and column.

    `limits` and the errors are the same as those of `load_profile`.
    """
    with running(limits):
        profile = load_profile(rules)
        return profile, remarks(profile)
