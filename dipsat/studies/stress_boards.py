"""What random boards show about rules: cycles, faults, and entries that do nothing.

A sight is a tuple of texts: what is seen, then what it is about. Rules that are never seen at work
on many boards may be unnecessary.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field, replace
from typing import TypeAlias

from dipsat.base import ANYWHERE, Files, Node, kept_on_first, own_fields
from dipsat.board import Map
from dipsat.equations import Grounder
from dipsat.errors import (
    DipsatError,
    EndlessRuleError,
    ImpossibleBoardError,
    NumberRangeError,
    UnresolvedError,
)
from dipsat.game import PhaseKind, PhaseName
from dipsat.outcomes import MovementOutcome, changes_for
from dipsat.rules import Layer, Profile, composed_profile, difference, load_profile
from dipsat.searches import read_alike
from dipsat.studies.judgements import (
    Words,
    add_up,
    everything_in_words,
    moved,
    movement,
    moves_in_words,
    phase_in_words,
)
from dipsat.studies.random_boards import trial_board
from dipsat.studies.sheet import Sheet, careful, kept_map, shrunk

Sight: TypeAlias = tuple[str, ...]

CYCLE, UNRESOLVED, ENDLESS, RANGE = "cycle", "unresolved", "endless", "range"
SHARED, INPUT_ORDER, PRESOLVE = "shared", "input order", "presolve"
FIRED, VALUE, FAILS, FAILS_ALONE = "fired", "value", "fails", "fails alone"

TROUBLE = (CYCLE, UNRESOLVED, ENDLESS, RANGE, SHARED, INPUT_ORDER, PRESOLVE)
"""Sights that a smallest board illustrates; the others are only counted."""


def sights(profile: Profile, sheet: Sheet, slow: bool, only: str = "") -> Iterator[Sight]:
    """All sights on a board, or only those of a kind; with `slow`, also whether leaving out
    propagation changes the outcome. Raises what `dipsat.adjudicate` raises for a sheet that cannot
    be judged."""
    try:
        outcome = movement(profile, sheet)
    except UnresolvedError as error:
        yield _no_answer(profile, error)
        return
    for kinds, seen in (
        ((CYCLE, FIRED), cycles), ((VALUE,), _values), ((FAILS, FAILS_ALONE), _conditions),
    ):  # fmt: skip
        if only in ("", *kinds):
            yield from seen(profile, outcome)
    if only not in ("", SHARED, INPUT_ORDER, PRESOLVE):
        return
    try:
        words = moves_in_words(outcome)
    except ImpossibleBoardError:
        yield (SHARED,)
        return
    if only in ("", INPUT_ORDER):
        for what, other in _otherwise(profile, sheet):
            if _differs(other, outcome, words):
                yield INPUT_ORDER, what
    if slow and _differs(movement(profile, sheet, presolve=False), outcome, words):
        yield (PRESOLVE,)


def _differs(other: MovementOutcome, outcome: MovementOutcome, words: Words) -> bool:
    """Whether two outcomes differ; `words` are those of the second."""
    try:
        return other.decisions != outcome.decisions or moves_in_words(other) != words
    except ImpossibleBoardError:
        return True


def _no_answer(profile: Profile, error: UnresolvedError) -> Sight:
    families = families_of(profile, (name.partition("(")[0] for name in error.cycle))
    if isinstance(error, EndlessRuleError):
        return ENDLESS, families
    if isinstance(error, NumberRangeError):
        return RANGE, families
    return UNRESOLVED, "several" if error.resolutions else "none", families


def families_of(profile: Profile, names: Iterable[str]) -> str:
    """The families of truth values among these, sorted; families of numbers only if there are no
    others."""
    found = sorted(set(names))
    truths = [name for name in found if profile.decisions[name].type.is_truth]
    return ", ".join(truths or found)


def cycles(profile: Profile, outcome: MovementOutcome) -> Iterator[Sight]:
    """The decision cycles, and the rules that settled them."""
    for record in outcome.solution.records:
        applied = record.applied
        if applied is None:
            continue
        families = families_of(profile, (key[0] for key in applied.cycle))
        yield CYCLE, "several" if applied.resolutions else "none", families, applied.rule
        yield from ((FIRED, one.name) for one in profile.cycles if one.name in applied.rules)


def _values(profile: Profile, outcome: MovementOutcome) -> Iterator[Sight]:
    """The values that equations give to decisions; those that a rule for cycles sets do not
    count."""
    solution, pinned = outcome.solution, outcome.solution.pins
    for name in profile.decisions:
        values = {
            value
            for index, value in enumerate(solution.bounds.values(name))
            if value is not None and (name, index) not in pinned
        }
        yield from ((VALUE, name, str(int(value))) for value in sorted(values))


def _conditions(profile: Profile, outcome: MovementOutcome) -> Iterator[Sight]:
    """The named conditions that fail, and those that fail while all others hold."""
    solution = outcome.solution
    grounder = Grounder(profile, outcome.facts, solution.bounds.interval)
    for name, decision in profile.decisions.items():
        if len(decision.conditions) < 2:
            continue
        for index, value in enumerate(solution.bounds.values(name)):
            if value or (name, index) in solution.pins:
                continue
            scope, parts = grounder.scope((name, index)), decision.conditions
            failed = [code for code, part in parts if grounder.term(part, scope) is False]
            yield from ((FAILS, name, code) for code in failed)
            if len(failed) == 1:
                yield FAILS_ALONE, name, failed[0]


def _otherwise(profile: Profile, sheet: Sheet) -> Iterator[tuple[str, MovementOutcome]]:
    """The same board with its orders or units in reverse order."""
    rows = tuple(reversed(sheet.rows))
    backwards = replace(sheet, rows=rows)
    yield "orders", movement(profile, backwards)
    position = sheet.position()
    units = tuple(reversed(position.units))
    yield "units", moved(profile, replace(position, units=units), sheet.orders)


def smallest(profile: Profile, sheet: Sheet, sight: Sight) -> Sheet:
    """A smallest part of a sheet with this sight, for which every unit and every order is needed.
    It is without centres and in the first phase if that is enough. If the sheet lacks the sight, it
    is returned itself."""
    shows = careful(lambda part: sight in sights(profile, part, sight[0] == PRESOLVE, sight[0]))
    least = shrunk(sheet, shows)
    if least is None:
        return sheet
    plain = [replace(least, owned=(), unknown=None)]
    if PhaseName.parse(sheet.board.first_phase).kind is PhaseKind.MOVEMENT:
        plain.insert(0, replace(plain[0], phase=""))
    return next((simpler for simpler in plain if shows(simpler)), least)


# --- many boards ----------------------------------------------------------------------------------


BOARDS_AT_ONCE = 20
_SLOW_SHARE = 4  # one board in this many is also judged without propagation
_FIRST = 3  # boards of each sight that are remembered

FAILED = "failed"
"""The sight of a board that cannot be judged; the error message follows it."""


@dataclass(frozen=True)
class Trial:
    """A profile on random boards of a map (`map` is what `load_map` takes) with this many `units`;
    the seeds start at `seed`."""

    profile: Profile
    map: str
    boards: int
    seed: int
    units: int
    files: Files = ANYWHERE  # where the map may be

    __getstate__ = own_fields

    @property
    def board(self) -> Map:
        """The map."""
        return kept_map(self.map, self.files)

    def sheet(self, seed: int) -> Sheet:
        """The board of a seed."""
        return trial_board(self.profile, self.board, seed, self.units)

    def crowd(self, seed: int, units: int) -> Sheet:
        """A few units close to each other, without orders."""
        sheet = trial_board(self.profile, self.board, seed, units, crowd=True)
        rows = (replace(row, orders=()) for row in sheet.rows if row.unit)
        return replace(sheet, rows=tuple(rows))

    @property
    def seeds(self) -> range:
        """The seeds of all boards."""
        return range(self.seed, self.seed + self.boards)


def is_slow(seed: int) -> bool:
    """Whether the board of a seed is also judged without propagation."""
    return seed % _SLOW_SHARE == 0


@dataclass
class Tally:
    """The number of boards with each sight, and the seeds of the first of them."""

    boards: int = 0
    slow: int = 0
    count: Counter[Sight] = field(default_factory=Counter)
    first: dict[Sight, tuple[int, ...]] = field(default_factory=dict)

    def see(self, seed: int, seen: Iterable[Sight]) -> None:
        """Add a board."""
        self.boards += 1
        self.slow += is_slow(seed)
        for sight in sorted(set(seen)):
            self.count[sight] += 1
            self.first[sight] = (*self.first.get(sight, ()), seed)[:_FIRST]

    def add(self, other: Tally) -> None:
        """Add boards with higher seeds."""
        add_up(self, other, "boards", "slow", "count")
        for sight, seeds in other.first.items():
            self.first[sight] = (*self.first.get(sight, ()), *seeds)[:_FIRST]


def tally_of(trial: Trial, seeds: range) -> Tally:
    """What is seen on the boards of some seeds; runs in any process."""
    tally = Tally()
    for seed in seeds:
        try:
            seen = list(sights(trial.profile, trial.sheet(seed), is_slow(seed)))
        except DipsatError as error:
            seen = [(FAILED, str(error).partition("\n")[0])]
        tally.see(seed, seen)
    return tally


Judging: TypeAlias = Callable[[Profile, Sheet], Words]
"""What a profile decides on a board, in words. Raises what `dipsat.adjudicate` raises for a board
that cannot be judged."""


@kept_on_first(5000)
def words_of_board(trial: Trial, seed: int, judge: Judging) -> Words:
    """What the profile decides on the board of a seed, computed once in each process."""
    return judge(trial.profile, trial.sheet(seed))


# --- needless entries of a profile's own file -----------------------------------------------------


_DECLARED = ("domains", "relations", "features", "options")
_SECTIONS = ("settings", "convoys", "define", "legal", "decisions", "results", *_DECLARED)
_LISTS = ("cycles", "cycles_before")
_SILENT = ("define", "reasons", *_DECLARED)
"""Sections in which profiles may differ and still decide the same: the effect of a changed term or
a declared word is listed under the entries that use it."""

LONGER = 4
"""The effect of an entry is looked for on this many times as many boards as a trial has: the first
difference is enough, and usually the first boards show one."""

PROVEN, NEVER, CHANGES = "proven", "never", "changes"
"""Whether the rules decide differently without an entry: proven that they never do, on no board
tried, or on some."""


@dataclass(frozen=True, slots=True)
class OwnEntry:
    """An entry that can be left out or, in the section `option`, a value that an option can
    have."""

    section: str
    name: str

    def __str__(self) -> str:
        return f"{self.section}: {self.name}"


def own_layer(profile: Profile) -> Layer | None:
    """The last file of a profile, which changes the others; None if there is only one."""
    files = [layer for layer in profile.layers if layer.source[0]]
    return files[-1] if len(files) > 1 else None


def own_entries(profile: Profile) -> Iterator[OwnEntry]:
    """The entries of a profile's last file, and the values of options that are not in force."""
    layer = own_layer(profile)
    top = layer.root.mapping() if layer is not None else {}
    for section in (one for one in (*_SECTIONS, *_LISTS) if one in top):
        node = top[section]
        names = map(_name, node.sequence()) if section in _LISTS else map(_family, node.mapping())
        yield from (OwnEntry(section, name) for name in names)
    for name, values in profile.declared.options.items():
        for value in values:
            if value != profile.declared.chosen[name]:
                yield OwnEntry("option", f"{name}={value}")


def without(profile: Profile, entry: OwnEntry) -> Profile | None:
    """The profile without an entry, or with another value of an option; None if that is not a
    profile, because something else needs the entry."""
    try:
        if entry.section == "option":
            name, _, value = entry.name.partition("=")
            return load_profile(profile, settings={name: value})
        layer = own_layer(profile)
        assert layer is not None
        root = _without(layer.root, entry)
        text = f"{layer.source[1]}\n# without {entry}"
        reduced = Layer(root, (layer.source[0], text), layer.is_foreign)
        layers = (reduced if one is layer else one for one in profile.layers)
        return composed_profile(layers, profile.allowed)
    except DipsatError:
        return None


def _without(root: Node, entry: OwnEntry) -> Node:
    section = root.value[entry.section]
    kept: dict[str, Node] | tuple[Node, ...]
    if entry.section in _LISTS:
        kept = tuple(node for node in section.sequence() if _name(node) != entry.name)
    else:
        kept = {key: node for key, node in section.value.items() if _family(key) != entry.name}
    entries = {key: node for key, node in root.value.items() if key != entry.section}
    if kept:
        entries[entry.section] = replace(section, value=kept)
    return replace(root, value=entries)


def _family(head: str) -> str:
    """The name in the head of an entry, such as `move(m)`."""
    return head.partition("(")[0].strip()


def _name(node: Node) -> str:
    """The name of an entry in a list."""
    return str(node.mapping()["name"].raw)


def reach_of(one: Profile, other: Profile) -> Judging | None:
    """The function that shows any difference between two profiles: by the movement phase, if what
    follows can only differ where that does, or else by all phases. None if they cannot differ."""
    changed = {change.section for change in difference(one, other).changes}
    if changed <= {*_SILENT}:
        return None
    later = [kind for kind in PhaseKind if kind is not PhaseKind.MOVEMENT]
    is_of_moves = (
        not any(changes_for(one, other, kind) for kind in later)
        and "retreat_succeeds" in one.results
        and read_alike(one, other)
        and not any(attribute.becomes for attribute in one.declared.attributes.values())
    )
    return phase_in_words if is_of_moves else everything_in_words


def effect_of(trial: Trial, entry: OwnEntry) -> str:
    """Return whether the rules decide differently without an entry on the boards of a trial:
    `PROVEN` that they never do, `NEVER` or `CHANGES`.

    Movement, the retreats that follow, and builds and disbands are compared, on `LONGER` times the
    boards.
    """
    profile, reduced = trial.profile, without(trial.profile, entry)
    if reduced is None:
        return CHANGES
    judge = reach_of(reduced, profile)
    if judge is None:
        return PROVEN
    if entry.section == "option":  # on boards for the other value, which may have more words
        found = first_difference(replace(trial, profile=reduced), profile, judge)
    else:
        found = first_difference(trial, reduced, judge)
    return NEVER if found is None else CHANGES


def first_difference(trial: Trial, other: Profile, judge: Judging) -> int | None:
    """The seed of the first board of a trial on which another profile decides differently, None if
    there is none."""
    for seed in range(trial.seed, trial.seed + LONGER * trial.boards):
        try:
            words = words_of_board(trial, seed, judge)
        except DipsatError:
            continue  # another check reports that this board cannot be judged
        try:
            differs = judge(other, trial.sheet(seed)) != words
        except DipsatError:
            differs = True
        if differs:
            return seed
    return None
