"""The same orders under several rule profiles: the result of each, and whether it differs."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Any, ClassVar, TypeAlias

from dipsat.base import (
    GAP,
    UNLIMITED,
    WIDTH,
    Column,
    Drawn,
    Limits,
    Part,
    Plain,
    Shown,
    Styled,
    Table,
    Words,
    brief,
    counted,
    fields_of,
    kept_on_first,
    plain,
    running,
    titled,
)
from dipsat.errors import CompositionError
from dipsat.game import PhaseKind, Position, PowerOrders, retreats_in_words
from dipsat.outcomes.adjudication import decided
from dipsat.outcomes.outcome import (
    Dislodgement,
    OrderOutcome,
    Outcome,
    lines_of_proof,
    result_of,
)
from dipsat.rules import Change, Profile, difference, load_profile

Key: TypeAlias = tuple[str, str, str, int]
"""What identifies an order under every profile: its power, its text (or its unit if it has none),
and its number among identical orders."""


@brief()
@dataclass(frozen=True, slots=True)
class OrderResult(Plain):
    """The result of an order under one profile, in the words of `OrderOutcome`."""

    rules: str
    """The name of the profile."""
    order: str
    """The order as this profile reads it."""
    verdict: str
    """The verdict on the order."""
    fate: str
    """The fate of its unit."""
    reason: str
    """Why, in a sentence."""


@brief()
@dataclass(frozen=True, slots=True)
class ComparedOrder:
    """One order under every profile."""

    power: str
    """The power that gave it."""
    unit: str
    """The ordered unit."""
    order: str
    """The order as the first profile reads it."""
    results: tuple[OrderResult | None, ...]
    """Its result under each profile, in their order; None where a profile has no such order (not
    every profile has a result for a unit without one)."""

    @property
    def differs(self) -> bool:
        """Whether the verdict, the unit's fate or the reading of the order differs."""
        found = {one and (one.order, one.verdict, one.fate) for one in self.results}
        return len(found) > 1

    def to_dict(self) -> dict[str, Any]:
        """Return plain values."""
        found = [one for one in self.results if one is not None]
        return {**fields_of(self), "results": plain(found), "differs": self.differs}


@brief()
@dataclass(frozen=True, slots=True)
class ComparedRetreats:
    """A unit that at least one profile dislodges."""

    power: str
    """The power that owns it."""
    unit: str
    """The unit."""
    results: tuple[Dislodgement | None, ...]
    """Its dislodgement under each profile, in their order; None where it is not dislodged."""

    @property
    def differs(self) -> bool:
        """Whether the profiles differ on its dislodgement, the unit that dislodged it, or its
        retreats."""
        return len({one and (one.by, one.retreats) for one in self.results}) > 1


@brief()
@dataclass(frozen=True)
class Comparison(Drawn, Shown):
    """The outcomes of one phase under several profiles. Made by `dipsat.compare`."""

    _drawn_by: ClassVar[str] = "compare"

    rules: tuple[str, ...]
    """The names of the profiles, in the order given."""
    outcomes: tuple[Outcome, ...]
    """The outcome under each profile, in the same order."""

    @cached_property
    def orders(self) -> tuple[ComparedOrder, ...]:
        """Every order, by power and then in the sequence of the first outcome that has it."""
        rows: dict[Key, list[OrderResult | None]] = {}
        first: dict[Key, OrderOutcome] = {}
        for at, outcome in enumerate(self.outcomes):
            for key, order in keyed_orders(outcome.orders):
                first.setdefault(key, order)
                rows.setdefault(key, [None] * len(self.outcomes))[at] = OrderResult(
                    self.rules[at], order.order, order.verdict, order.fate, order.reason.text
                )
        found = (
            ComparedOrder(first[key].power, first[key].unit, first[key].order, tuple(row))
            for key, row in rows.items()
        )
        return tuple(sorted(found, key=lambda row: row.power))

    @cached_property
    def dislodged(self) -> tuple[ComparedRetreats, ...]:
        """Every unit that is dislodged under at least one profile."""
        rows: dict[tuple[str, str], list[Dislodgement | None]] = {}
        for at, outcome in enumerate(self.outcomes):
            for one in outcome.dislodged:
                rows.setdefault((one.power, one.unit), [None] * len(self.outcomes))[at] = one
        return tuple(ComparedRetreats(*key, tuple(row)) for key, row in sorted(rows.items()))

    @cached_property
    def next(self) -> tuple[Position, ...]:
        """The next position under each profile."""
        return tuple(outcome.next for outcome in self.outcomes)

    @cached_property
    def next_differs(self) -> bool:
        """Whether the next positions differ, including the possible retreats."""
        first, *others = (position.to_dict() for position in self.next)
        return any(other != first for other in others)

    @property
    def differs(self) -> bool:
        """Whether anything differs: an order, a dislodgement, a standoff, the next position or the
        winner."""
        return (
            any(row.differs for row in self.orders)
            or any(row.differs for row in self.dislodged)
            or len({outcome.contested for outcome in self.outcomes}) > 1
            or self.next_differs
            or len({outcome.winner for outcome in self.outcomes}) > 1
        )

    def _parts(self) -> Iterable[Part]:
        return parts_of_comparison(self)

    def to_dict(self) -> dict[str, Any]:
        """Return plain values, as `dipsat compare --json` prints them."""
        named = list(zip(self.rules, self.outcomes, strict=True))
        return {
            "profiles": list(self.rules),
            "orders": [row.to_dict() for row in self.orders],
            "dislodged": [
                {
                    "power": row.power,
                    "unit": row.unit,
                    "results": [
                        {"rules": name, "by": one.by, "retreats": list(one.retreats)}
                        for name, one in zip(self.rules, row.results, strict=True)
                        if one is not None
                    ],
                    "differs": row.differs,
                }
                for row in self.dislodged
            ],
            "next": [
                {"rules": name, "contested": list(outcome.contested), **outcome.next.to_dict()}
                for name, outcome in named
            ],
            "evidence": [
                {"rules": name, "evidence": plain(outcome.evidence)} for name, outcome in named
            ],
            "differs": self.differs,
        }


def compare(
    position: Position,
    orders: Mapping[str, PowerOrders],
    rules: Sequence[str | Path | Profile],
    *,
    lenient: bool = False,
    limits: Limits = UNLIMITED,
) -> Comparison:
    """Adjudicate the same orders under several profiles and compare the results.

    `position`, `orders`, `lenient` and each of `rules` are as for `dipsat.adjudicate`;
    `limits.seconds` are for all profiles together. Raises `CompositionError` for fewer than two
    profiles, `LimitError` if the limits are not enough to decide everything, and the errors of
    `adjudicate`.
    """
    if isinstance(rules, str) or len(rules) < 2:
        raise CompositionError(str(rules), "a comparison needs a list of two or more profiles")
    kept = {
        power: given if isinstance(given, Mapping) else tuple(given)
        for power, given in orders.items()
    }
    names = tuple(one.name if isinstance(one, Profile) else str(one).strip() for one in rules)
    with running(limits):
        profiles = [load_profile(one) for one in rules]
        outcomes = tuple(decided(position, kept, one, lenient) for one in profiles)
        return Comparison(names, outcomes)


def keyed_orders(orders: Iterable[OrderOutcome]) -> Iterable[tuple[Key, OrderOutcome]]:
    """The orders, each with the key that identifies it under every profile."""
    seen: Counter[tuple[str, str, str]] = Counter()
    for order in orders:
        unit = order.unit if order.submitted is None else ""
        key = (order.power, order.submitted or "", unit)
        seen[key] += 1
        yield (*key, seen[key]), order


_MOST_COLUMNS = 3
_LEAST_WIDTH = 14  # the narrowest column that is still readable
_MARK = "* "
_DIFFERS = "yellow"


def parts_of_comparison(found: Comparison, width: int = WIDTH) -> Iterator[Part]:
    """The parts of a comparison as people read it: a column for each profile if they fit the width,
    else a block for each order that differs. Orders that differ are marked, with each reason."""
    names = labels_of(found)
    longest = max((len(row.order) for row in found.orders), default=0) + len(_MARK)
    each = (width - longest - GAP) // len(names) - GAP
    if len(names) <= _MOST_COLUMNS and each >= _LEAST_WIDTH:
        yield _side_by_side(found.orders, names, each)
    else:
        for row in found.orders:
            if row.differs:
                yield Styled(f"{_MARK}{row.order} ({titled(row.power)})", _DIFFERS)
                results = [(_verdict(one), _reason(row, one)) for one in row.results]
                yield _for_each(names, results)
    for title, texts in besides_of(found):
        yield Styled(f"{_MARK}{title}", _DIFFERS)
        yield _for_each(names, [(text,) for text in texts])
    proofs = proofs_of(found)
    if len(proofs) == 1:
        yield proofs[0]
    else:
        yield from ("Proof", _for_each(names, [(one,) for one in proofs]))
    orders = counted(len(found.orders), "order")
    if not found.differs:
        yield f"No difference: {orders}, all retreats and the next position agree."
        return
    differ = sum(row.differs for row in found.orders)
    position = "differs" if found.next_differs else "is the same"
    verb = "differs" if differ == 1 else "differ"
    yield f"{differ} of {orders} {verb}; the next position {position}."


def labels_of(found: Comparison) -> list[str]:
    """The names of the profiles, as all commands show them. If two have the same name, the names
    are as given instead, and a path is shortened to its file name if that is unique."""
    named, rules = [outcome.rules for outcome in found.outcomes], found.rules
    if len(set(named)) == len(named):
        return named
    short = [Path(name).stem if name.endswith((".yaml", ".yml")) else name for name in rules]
    unique = [a if short.count(a) == 1 else b for a, b in zip(short, rules, strict=True)]
    return unique if len(set(unique)) == len(unique) else list(rules)


def proofs_of(found: Comparison) -> list[str]:
    """What proves each outcome, in words; a single text if it is the same for all."""
    proofs = [" ".join(lines_of_proof(outcome)) for outcome in found.outcomes]
    return proofs[:1] if len(set(proofs)) == 1 else proofs


def _side_by_side(orders: Sequence[ComparedOrder], names: Sequence[str], width: int) -> Table:
    rows: list[tuple[Words, ...]] = []
    power = None
    for row in orders:
        if row.power != power:
            power = row.power
            rows.append((Styled(titled(power), "bold"),))
        order = Styled(f"{_MARK}{row.order}", _DIFFERS) if row.differs else f"  {row.order}"
        rows.append((order, *map(_verdict, row.results)))
        if row.differs:
            rows.append(("", *(_reason(row, one) for one in row.results)))
    return Table(tuple(rows), (Column("Order"), *(Column(name, width) for name in names)))


def _for_each(names: Sequence[str], rows: Iterable[tuple[Words, ...]]) -> Table:
    """A row for each profile."""
    return Table(tuple((name, *row) for name, row in zip(names, rows, strict=True)), indent=4)


def _verdict(one: OrderResult | None) -> Words:
    return "no such order" if one is None else result_of(one.verdict, one.fate)


def _reason(row: ComparedOrder, one: OrderResult | None) -> str:
    if one is None:
        return ""
    return one.reason if one.order == row.order else f"read as {one.order}: {one.reason}"


def besides_of(found: Comparison) -> Iterator[tuple[str, list[str]]]:
    """Everything besides the orders that differs, with its text under every profile."""
    for row in found.dislodged:
        if row.differs:
            title = f"Retreat of {row.unit} ({titled(row.power)})"
            yield title, [retreat_in_words(one) for one in row.results]
    for title, texts in (
        ("Standoffs, no retreat to", [", ".join(o.contested) or "none" for o in found.outcomes]),
        ("Next phase", [str(position.phase) for position in found.next]),
        ("Winner", [titled(o.winner or "") or "none yet" for o in found.outcomes]),
    ):
        if len(set(texts)) > 1:
            yield title, texts


def retreat_in_words(one: Dislodgement | None) -> str:
    """A unit's dislodgement and its possible retreats, in words."""
    if one is None:
        return "is not dislodged"
    return f"{one.cause}, {retreats_in_words(one.retreats)}"


# --- judged alike ---------------------------------------------------------------------------------

# Whether profiles give the same outcomes of all phases of a kind.
#
# Most choices of the DATC, and most deviations of other judges, affect phases of only one kind.
# They need not be tried on phases of another kind, because the outcome is known.


_SETTINGS_OF: Mapping[PhaseKind, tuple[str, ...]] = {
    PhaseKind.MOVEMENT: (
        "adjacent_convoy", "via_without_convoy", "disorder_support", "implicit_orders",
    ),
    PhaseKind.ADJUSTMENT: (
        "build_coast_omitted", "build_kind_missing", "build_fleet_inland", "builds_too_many",
        "builds_in_one_place", "disbands_too_many", "waive", "civil_disorder",
    ),
}  # fmt: skip
"""Kind of phase -> the settings that matter in no other kind. All other settings count as mattering
in every kind."""
_ASKED_IN = {name: kind for kind, names in _SETTINGS_OF.items() for name in names}
_OF_MOVES = {"decisions", "cycles"}
"""The sections that only movement phases use."""
_OF_RETREATS = "retreat_succeeds"
"""The only result that retreat phases use."""
_NOT_OF_BUILDS = {*_OF_MOVES, "results"}
SILENT = {"define", "domains", "relations", "options", "reasons"}
"""The sections whose changes show in the entries that use them, or that decide nothing."""


def is_asked_in(setting: str, kind: PhaseKind) -> bool:
    """Whether a setting may matter in phases of a kind; True if in doubt."""
    return _ASKED_IN.get(setting, kind) is kind


@kept_on_first(256)
def judge_alike(one: Profile, other: Profile, kind: PhaseKind) -> bool:
    """Whether two profiles, apart from their names, are known to give the same outcome of every
    phase of a kind; False if in doubt. Retreat phases depend on the moves before them, so for them
    the answer is False unless both profiles are the same object."""
    if one is other:
        return True
    if kind is PhaseKind.RETREAT or one.words != other.words:
        return False
    elsewhere = {
        name: getattr(one.settings, name) for name in _ASKED_IN if not is_asked_in(name, kind)
    }
    if replace(other.settings, **elsewhere) != one.settings:
        return False
    return kind is PhaseKind.ADJUSTMENT or _equations(one) == _equations(other)


def changes_for(one: Profile, other: Profile, kind: PhaseKind) -> tuple[Change, ...]:
    """The entries that differ between two profiles and may matter in phases of a kind, each phase
    judged from its own position. Empty if both profiles judge every such phase alike."""
    found = [c for c in difference(one, other).changes if _matters(c, kind)]
    return tuple(found) if any(change.section not in SILENT for change in found) else ()


def _matters(change: Change, kind: PhaseKind) -> bool:
    if change.section == "reasons":
        return False
    if change.section == "settings":
        return is_asked_in(change.name, kind)
    if kind is PhaseKind.RETREAT:
        is_of_moves = change.section == "results" and change.name.partition("(")[0] != _OF_RETREATS
        return change.section not in _OF_MOVES and not is_of_moves
    return kind is PhaseKind.MOVEMENT or change.section not in _NOT_OF_BUILDS


def _equations(profile: Profile) -> tuple[object, ...]:
    """The parts of a profile that only movement phases and the retreats after them use."""
    return (
        profile.decisions, profile.results, profile.cycles, profile.reasons, profile.declared,
        profile.lawful, profile.legal,
    )  # fmt: skip
