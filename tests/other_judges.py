"""Other judges in dipsat's own words: each known deviation as a change of rules or of orders.

A difference between dipsat and another program is explained by adjudicating the board once more
under deviations of that program. Only a set of deviations with which dipsat decides EVERY unit of
the board as the other program did explains it, and the smallest such set is taken. So nothing is
explained away that merely looks like a known cause: whatever else differs is left unexplained.
The smallest boards for each deviation are in `test_against_diplomacy_package`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import combinations

import dipsat
from bench.boards import Board
from dipsat.profiles import parse_profile

STANDARD = dipsat.load_map("standard")

_MOST = 3  # deviations at once; no board of 27 units was seen to need more


_HOOKS = """
extends: datc
name: another judge
variables: {a: Move}
settings: {SETTINGS}
define:
TERMS
decisions:
  support(s):
    supporter_dislodged: not dislodge(s.unit)
    support_cut: >
      not any(arrives(a) and not spares(a, s) and a.power != s.power and a.origin != s.target
              for a in s.province.attackers)
  convoy(c):
    fleet_dislodged: not dislodge(c.unit)
    fleet_outnumbered: not outnumbered(c)
    fleet_beleaguered: not beleaguered(c)
    fleet_propped: not propped(c)
  defend_strength(m): defence(m)
  attack_strength(m): >
    0 if not path(m) else
    1 + supports_given(m) if vacated(m) else
    0 if any(u.power == m.power for u in m.target.units) else
    1 + sum(support(s) for s in m.supports
            if helps(m) or all(s.power != u.power for u in m.target.units))
"""
_DATC_TERMS = {
    "arrives(a)": "path(a)",  # a move is there to cut support
    "spares(a, s)": "false",  # a move does not cut a support though it is there
    "outnumbered(c)": "false",  # a convoy fails though its fleet is not dislodged
    "beleaguered(c)": "false",  # so too
    "propped(c)": "false",  # so too
    "defence(m)": "1 + supports_given(m)",  # the strength against a head-to-head opponent
    "helps(m)": "false",  # support of a move counts even against the supporter's own power
}
"""What the hooks in the equations above mean in the profile `datc`."""


@dataclass(frozen=True, eq=False)
class Deviation:
    """One thing a judge does otherwise than the DATC 3.0 preferences.

    `orders` rewrites a board, given the rules under which it is judged, so that dipsat does what
    the judge does; `terms` give another meaning to hooks in the equations; `settings` replace
    those of the profile `datc`.
    """

    name: str
    says: str
    orders: Callable[[Board, dipsat.Profile], Board] = lambda board, _: board
    terms: Callable[[Board], Mapping[str, str]] = lambda _: {}
    settings: Mapping[str, str] = field(default_factory=dict)

    def __str__(self) -> str:
        return self.name


def judged(board: Board, deviations: Iterable[Deviation] = ()) -> dipsat.Outcome:
    """What dipsat decides under these deviations; without any, under the profile `datc`."""
    chosen = tuple(deviations)
    rules = _rules(board, chosen)
    for deviation in chosen:
        board = deviation.orders(board, rules)
    return dipsat.adjudicate(dipsat.Position.from_units(board.units), board.orders, rules)


def explanation(
    board: Board,
    agrees: Callable[[dipsat.Outcome], bool],
    deviations: Sequence[Deviation],
) -> tuple[Deviation, ...] | None:
    """The smallest set of at most three deviations under which the outcome agrees with the other
    judge's; the empty set if there is no difference, None if no set explains it."""
    for count in range(min(_MOST, len(deviations)) + 1):
        for chosen in combinations(deviations, count):
            if agrees(judged(board, chosen)):
                return chosen
    return None


def written(board: Board) -> str:
    """A board as text, for a person who looks into a failure."""
    return "\n".join(f"  {power}: {'; '.join(board.orders[power])}" for power in board.orders)


def by_convoy(board: Board, army: str) -> bool:
    """Whether a unit's move was meant to go by convoy (DATC 4.A.3): it cannot go by land, or is
    ordered VIA, or a fleet of its own power is ordered to carry it."""
    (words,) = [order.split() for order in _texts(board) if order.startswith(f"{army} -")]
    if words[0] == "F":
        return False
    if words[-1] == "VIA" or not _borders(words[1], words[3]):
        return True
    power = next(power for power, units in board.units.items() if army in units)
    return any(order.endswith(f" C {army} - {words[3]}") for order in board.orders[power])


def _rules(board: Board, deviations: Sequence[Deviation]) -> dipsat.Profile:
    if not deviations:
        return dipsat.load_profile("datc")
    terms, settings = dict(_DATC_TERMS), dict[str, str]()
    for deviation in deviations:
        terms |= deviation.terms(board)
        settings |= deviation.settings
    text = _HOOKS.replace("TERMS", "\n".join(f"  {key}: {term}" for key, term in terms.items()))
    return _profile(
        text.replace("SETTINGS", ", ".join(f"{key}: {value}" for key, value in settings.items()))
    )


@lru_cache(maxsize=1024)
def _profile(text: str) -> dipsat.Profile:
    return parse_profile(text, "another judge.yaml")


def _texts(board: Board) -> list[str]:
    return [order for orders in board.orders.values() for order in orders]


def _borders(place: str, other: str) -> bool:
    return other in STANDARD.army.get(place, frozenset())


def _changed(board: Board, change: Callable[[str], str]) -> Board:
    orders = {power: tuple(map(change, texts)) for power, texts in board.orders.items()}
    return Board(board.units, orders)


# Moves to a neighbouring province that could go by convoy (DATC 4.A.3).


def _without_vain_via(board: Board, rules: dipsat.Profile) -> Board:
    """The board without VIA on moves to a neighbour for which no whole convoy is ordered."""
    position = dipsat.Position.from_units(board.units)
    orders = dipsat.adjudicate(position, board.orders, rules).orders
    vain = {order.submitted for order in orders if order.verdict in ("invalid", "illegal")}

    def change(order: str) -> str:
        words = order.split()
        drop = words[-1] == "VIA" and order in vain and _borders(words[1], words[3])
        return order.removesuffix(" VIA") if drop else order

    return _changed(board, change)


def _without_disrupted_convoys(board: Board, rules: dipsat.Profile) -> Board:
    """The board in which fleets hold instead of carrying an army, not ordered VIA, to a neighbour
    if that convoy is disrupted."""
    position = dipsat.Position.from_units(board.units)
    path = dipsat.adjudicate(position, board.orders, rules).decisions
    carried = [
        f"{' '.join(words[:2])} - {words[3]}"
        for words in (order.split() for order in _texts(board))
        if words[0] == "A" and words[2] == "-" and words[-1] != "VIA"
        if _borders(words[1], words[3])
    ]
    failing = {move for move in carried if not path.get(f"path({move})", True)}

    def change(order: str) -> str:
        fleet, _, move = order.partition(" C ")
        return f"{fleet} H" if move in failing else order

    changed = _changed(board, change)
    return board if changed == board else _without_disrupted_convoys(changed, rules)


VAIN_VIA_OVER_LAND = Deviation(
    "vain VIA over land",
    "an army ordered VIA to a neighbouring province goes over land if no whole convoy is ordered "
    "(DATC 3: it stays, 6.G.8)",
    orders=_without_vain_via,
)
DISRUPTED_OVER_LAND = Deviation(
    "disrupted convoy over land",
    "an army that a fleet of its power carries to a neighbouring province, not ordered VIA, goes "
    "over land if the convoy is disrupted (DATC 3: there is no fallback, 4.A.3, 6.G.11)",
    orders=_without_disrupted_convoys,
)
EXPLICIT_CONVOY = Deviation(
    "only explicit convoys to neighbours",
    "a convoy to a neighbouring province must be ordered VIA (DATC 4.A.3, as the DPTG)",
    settings={"adjacent_convoy": "explicit"},
)

# The equations of the package `diplomacy`.

CONVOYED_DOES_NOT_CUT = Deviation(
    "convoyed army does not cut",
    "a convoyed army does not cut support for or against a fleet without which it has no route "
    "(DATC 4.A.2 c says so of support against it; DATC 3 cuts, and has the Szykman rule)",
    terms=lambda _: {
        "spares(a, s)": """>
    a.convoyed and any(c.province == s.target for c in a.convoys)
    and not chain(a.origin, a.target, (convoy(c) for c in a.convoys if c.province != s.target))"""
    },
)
DISRUPTED_ARMY_CUTS = Deviation(
    "disrupted army cuts",
    "an army that has several routes cuts support though all of them are disrupted (DATC 5.B.2: "
    "not without a path)",
    terms=lambda _: {
        "arrives(a)": """>
    path(a) or any(chain(a.origin, a.target, (true for d in a.convoys if d.province != c.province))
                   for c in a.convoys)"""
    },
)


def _ordered_via(board: Board) -> Mapping[str, str]:
    origins = [order.split()[1] for order in _texts(board) if order.endswith(" VIA")]
    via = " or ".join(f'm.origin.code == "{origin}"' for origin in origins)
    return {"helps(m)": f"m.convoyed and ({via})"} if via else {}


OWN_SUPPORT_OF_VIA = Deviation(
    "own support of VIA counts",
    "a power's support counts towards dislodging its own unit if the supported army goes by "
    "convoy and is ordered VIA (DATC 5.B.8: it never counts)",
    terms=_ordered_via,
)
OWN_SUPPORT_DISRUPTS = Deviation(
    "own support disrupts",
    "an attack disrupts a convoy though it dislodges nobody, having outnumbered the fleet only "
    "with supports of the fleet's own power (DATC 5.B.3: a convoy fails by dislodgement)",
    terms=lambda _: {
        "outnumbered(c)": """>
    any(path(a) and a.power != c.power and 1 + supports_given(a) > hold_strength(c.province)
        and all(1 + supports_given(a) > prevent_strength(r) for r in a.rivals)
        for a in c.province.attackers)"""
    },
)
BELEAGUERED_CONVOY_FAILS = Deviation(
    "beleaguered convoy fails",
    "two equal attacks on a convoying fleet disrupt the convoy if the unit at its destination "
    "makes or supports one of them (DATC 6.F.5: a beleaguered fleet is not dislodged)",
    terms=lambda _: {
        "beleaguered(c)": """>
    any(path(a) and 1 + supports_given(a) > hold_strength(c.province)
        and all(1 + supports_given(a) >= prevent_strength(r) for r in a.rivals)
        and any(1 + supports_given(a) == prevent_strength(r) for r in a.rivals)
        for a in c.province.attackers)
    and any(a.origin == c.target or any(s.province == c.target for s in a.supports)
            for a in c.province.attackers)"""
    },
)
PROPPED_CONVOY_FAILS = Deviation(
    "propped convoy fails",
    "an attack as strong as a convoying fleet disrupts the convoy if the unit at its destination "
    "is ordered to support the fleet, or a supporter of it (DATC 5.B.3: a convoy fails by "
    "dislodgement)",
    terms=lambda _: {
        "propped(c)": """>
    any(path(a) and a.power != c.power and 1 + supports_given(a) >= hold_strength(c.province)
        and all(1 + supports_given(a) >= prevent_strength(r) for r in a.rivals)
        for a in c.province.attackers)
    and any(s.province == c.target or any(t.province == c.target for t in s.unit.supports)
            for s in c.unit.supports)"""
    },
)
OWN_SUPPORT_DOES_NOT_DEFEND = Deviation(
    "own support does not defend",
    "in a head-to-head battle the supports by the power of the attacked unit are taken off the "
    "defence of the attacker too (DATC 5.B.7: they count there)",
    terms=lambda _: {
        "defence(m)": """>
    1 + sum(support(s) for s in m.supports if all(s.power != u.power for u in m.target.units))"""
    },
)
COAST_OF_SUPPORT_IGNORED = Deviation(
    "coast of support ignored",
    "a support for a move to the other coast counts (DATC 4.B.4: a coast, if there, must match)",
    settings={"support_coast": "ignored"},
)

PACKAGE_DEVIATIONS = (
    VAIN_VIA_OVER_LAND,
    CONVOYED_DOES_NOT_CUT,
    OWN_SUPPORT_OF_VIA,
    OWN_SUPPORT_DISRUPTS,
    DISRUPTED_OVER_LAND,
    OWN_SUPPORT_DOES_NOT_DEFEND,
    BELEAGUERED_CONVOY_FAILS,
    PROPPED_CONVOY_FAILS,
    DISRUPTED_ARMY_CUTS,
    COAST_OF_SUPPORT_IGNORED,
)
"""What the Python package `diplomacy` does otherwise, the commonest first."""
