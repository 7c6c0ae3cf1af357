"""A checker of printed reasons that knows nothing of how they are made.

It reads the sentence that `to_dict` has for each order as a player would, and compares it with what
can be seen: the position, the map, the orders and their results, the board afterwards, and the
values of the decisions. It never looks into equations, facts or rulings. A sentence that it cannot
read is reported like a false one.
"""

from __future__ import annotations

import operator
import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple, TypeAlias

import dipsat
from dipsat.base import titled
from dipsat.board import Map, UnitKind
from dipsat.game import PhaseKind

UNIT = r"(?:[A-Z][a-z]+ )*[A-Z] [A-Z0-9]+(?:/[A-Z]+)?"
_UNITS = rf"{UNIT}(?:(?:, | and ){UNIT})*"
_PLACE = r"[A-Z][A-Z0-9]*(?:/[A-Z]+)?"
_RULE = r"(?: by the rule '[^']+')?"
_FIGHT = rf"{_UNITS}(?: supported by {_UNITS})? \(-?\d+{_RULE} against -?\d+{_RULE}\)"
_FORMS = {
    "unit": UNIT, "units": _UNITS, "place": _PLACE, "places": rf"{_PLACE}(?:(?:, | or ){_PLACE})*",
    "number": r"\d+", "fights": rf"{_FIGHT}(?: and {_FIGHT})*", "text": r".+", "word": r"[a-z]+",
    "title": r"[^:;]+?", "order": rf"{UNIT} - (?:{_PLACE} - )*{_PLACE}(?: VIA)?",
    "orders": rf"{UNIT}(?: - {_PLACE})*(?: VIA)?(?:, {UNIT}(?: - {_PLACE})*(?: VIA)?)*",
}  # fmt: skip
_SLOT = re.compile(r"\{(\w+?)(\d?)\}")

_GOOD = ("succeeds", "given", "available")
_ORDER = re.compile(
    rf"(?P<unit>{UNIT})(?: (?P<hold>H)| - (?P<target>{_PLACE})"
    rf"| (?P<verb>S|C) (?P<other>{UNIT})(?: - (?P<to>{_PLACE}))?)?(?: .*)?"
)


class Falsehood(NamedTuple):
    """A sentence that does not fit the board."""

    order: str
    sentence: str
    why: str


class Fight(NamedTuple):
    """`A MUN supported by A RUH (1 against 2)`."""

    units: tuple[str, ...]
    helpers: tuple[str, ...]
    left: int
    right: int


@dataclass(frozen=True, slots=True)
class Piece:
    """A unit on the board."""

    name: str
    power: str
    kind: UnitKind
    location: str

    @property
    def province(self) -> str:
        """The province that it is in."""
        return _province(self.location)


def _province(location: str) -> str:
    return location.partition("/")[0]


class Board:
    """What can be seen of a phase and its result."""

    def __init__(self, outcome: dipsat.Outcome) -> None:
        self.outcome = outcome
        self.position = outcome.position
        self.map: Map = outcome.position.map
        self.settings = outcome.profile.settings
        self.rows = list(outcome.orders)
        lost = [one.unit for one in self.position.dislodged]
        every = [Piece(str(u), u.power, u.kind, u.location) for u in (*self.position.units, *lost)]
        self.standing = every[: len(self.position.units)]
        self.dislodged = every[len(self.position.units) :]
        self.by_name = {piece.name: piece for piece in every}
        self.at = {piece.province: piece for piece in self.standing}
        self.titles = {titled(power): power for power in self._powers()}

    def _powers(self) -> set[str]:
        named = {*self.map.powers, *self.position.centers, *(row.power for row in self.rows)}
        return named | {piece.power for piece in self.by_name.values()}

    # --- movement ---------------------------------------------------------------------------------

    @cached_property
    def given(self) -> Mapping[str, re.Match[str]]:
        """Unit -> its order as it counts, with the parts of the order; a unit without one holds."""
        found = {}
        for row in self.rows:
            if row.verdict != "illegal" and (read := _ORDER.fullmatch(row.order)):
                found[row.unit] = read
        return found

    @cached_property
    def results(self) -> Mapping[str, str]:
        """Unit -> the verdict on its order as it counts."""
        return {row.unit: row.verdict for row in self.rows if row.verdict != "illegal"}

    @cached_property
    def fates(self) -> Mapping[str, str]:
        """Unit -> its fate."""
        return {row.unit: row.fate for row in self.rows if row.fate}

    @cached_property
    def trains(self) -> Mapping[str, str]:
        """Unit that goes along a line -> where it goes."""
        found = {}
        for row in self.rows:
            if row.verdict != "illegal" and (
                ride := re.fullmatch(r"(.+) - TSR - (\w+)", row.order)
            ):
                found[row.unit] = ride[2]
        return found

    def aim(self, unit: str) -> str | None:
        """The province to which a unit is ordered to move."""
        order = self.given.get(unit)
        if unit in self.trains or order is None or order["target"] is None:
            return None
        return _province(order["target"])

    def movers_to(self, province: str) -> list[Piece]:
        """The units that are ordered to move to a province."""
        return [piece for piece in self.standing if self.aim(piece.name) == province]

    def has_moved(self, unit: str) -> bool:
        """Whether a unit has left its province."""
        if unit in self.trains:
            return not self.ends_in(unit, self.by_name[unit].province)
        return self.aim(unit) is not None and self.results.get(unit) == "succeeds"

    @cached_property
    def ends(self) -> Mapping[str, tuple[str, UnitKind]]:
        """Province -> the power and kind of the unit that stands there after the phase."""
        return {unit.province: (unit.power, unit.kind) for unit in self.outcome.units_after}

    def ends_in(self, unit: str, province: str) -> bool:
        """Whether what stands in a province after the phase may be a unit."""
        piece = self.by_name[unit]
        return self.ends.get(province) == (piece.power, piece.kind)

    def values(self, family: str, about: str) -> list[int]:
        """The values of a family's decisions about a unit's order, or about a province."""
        head = f"{family}({about}"
        return [
            value
            for name, value in self.outcome.decisions.items()
            if value is not None and (name == f"{head})" or name.startswith(f"{head} "))
        ]

    def helped_by(self, helper: str, unit: str) -> bool:
        """Whether a unit gives the support that another one is ordered to get."""
        order = self.given.get(helper)
        if order is None or order["verb"] != "S" or order["other"] != unit:
            return False
        aim = self.trains.get(unit) or self.aim(unit)
        goes = None if order["to"] is None else _province(order["to"])
        return goes == aim and self.results[helper] == "given"

    # --- convoys ----------------------------------------------------------------------------------

    def convoys_in(self, province: str) -> bool:
        """Whether fleets may convoy in a province by the rules."""
        place, rules = self.map.provinces[province], self.outcome.profile
        features = rules.declared.features
        if "convoyable_coast" in features and "convoyable_coast" in place.features:
            return True
        icy = "ice" in features and "ice" in place.features
        return place.kind == "sea" and not (icy and str(self.position.phase).startswith("F"))

    def carries(self, carrier: Piece, cargo: Piece) -> bool:
        """Whether a unit could carry another by its kind and place."""
        kinds = {one.carrier.word: one.cargo.word for one in self.outcome.profile.words.carriages}
        if carrier.kind.word not in kinds or kinds[carrier.kind.word] != cargo.kind.word:
            return False
        if carrier.kind is UnitKind.FLEET:
            return self.convoys_in(carrier.province)
        return self.map.provinces[carrier.province].kind != "sea"

    def routes_along(
        self, cargo: Piece, target: str, carriers: Collection[Piece]
    ) -> Iterator[tuple[Piece, ...]]:
        """The ways of a unit to a province aboard the carriers, none twice."""
        goal = _province(target)
        if not cargo.kind.stands_in(self.map.provinces[goal].kind):
            return
        carriers = [one for one in carriers if one.province != goal]

        def near(piece: Piece) -> frozenset[str]:
            return self.map.reach_provinces(piece.kind, piece.location)

        def touches(piece: Piece, end: str, location: str) -> bool:
            """Whether a unit at a location goes on board, or ashore."""
            if cargo.kind.has_coasts and "/" in location:
                return piece.province in self.map.reach_provinces(cargo.kind, location) or (
                    end in near(piece)
                )
            return end in near(piece)

        def on(way: tuple[Piece, ...]) -> Iterator[tuple[Piece, ...]]:
            last = way[-1]
            if touches(last, goal, target):
                yield way
                return
            for one in carriers:
                if one in way or one.province not in near(last):
                    continue
                if any(one.province in near(before) for before in way[:-1]):
                    continue  # a shorter way leads there
                if touches(one, cargo.province, cargo.location):
                    continue
                yield from on((*way, one))

        for first in carriers:
            if touches(first, cargo.province, cargo.location):
                yield from on((first,))

    def could_be_carried(self, cargo: Piece, target: str, but: str = "") -> bool:
        """Whether units that stand on the board could carry one to a province."""
        ready = [u for u in self.standing if self.carries(u, cargo) and u.province != but]
        return any(True for _ in self.routes_along(cargo, target, ready))

    def carriers_of(self, cargo: str, target: str) -> list[Piece]:
        """The units that are ordered to carry a unit to where it is ordered to go."""
        found = []
        for piece in self.standing:
            order = self.given.get(piece.name)
            is_convoy = order is not None and (order["verb"], order["other"]) == ("C", cargo)
            if order is not None and is_convoy and order["to"] in (target, _province(target)):
                found.append(piece)
        return found

    # --- centres ----------------------------------------------------------------------------------

    def owned(self, power: str) -> tuple[str, ...]:
        """The centres of a power."""
        return tuple(self.position.centers.get(power, ()))

    def counting(self, power: str) -> tuple[str, ...]:
        """The centres that count for a power."""
        profile = self.outcome.profile
        owned = self.owned(power)
        if profile.name == "wings":  # a wing of another power keeps a centre from counting
            there = {code: self.at[code] for code in owned if code in self.at}
            wings = {c for c, one in there.items() if one.kind.word == "wing"}
            owned = tuple(c for c in owned if c not in wings or there[c].power == power)
        if profile.declared.chosen.get("hong_kong") != "on":
            return owned
        is_out = self.map.has_power_feature("shut_out_of_treaty_ports", power)
        ports = {c for c in owned if "treaty_port" in self.map.provinces[c].features}
        return tuple(c for c in owned if not (is_out and c in ports))

    def units_of(self, power: str) -> list[Piece]:
        """The units of a power on the board."""
        return [piece for piece in self.standing if piece.power == power]

    @cached_property
    def build_rule(self) -> str:
        """Where builds are allowed."""
        rule = self.settings.build_where
        return self.map.build if rule == "map" else rule

    def homes(self, power: str) -> Collection[str]:
        """The home centres of a power."""
        return self.map.powers[power].home if power in self.map.powers else ()

    def may_build_in(self, power: str, code: str) -> bool:
        """Whether the rules let a power build in a province when it is vacant."""
        if self.outcome.profile.name == "build_anywhere_or_on_a_coast":
            return True
        if code not in self.owned(power):
            return False
        every_home = {one for setup in self.map.powers.values() for one in setup.home}
        homes = self.homes(power)
        return {
            "home": code in homes,
            "home-any": code in every_home,
            "any": True,
            "any-if-home-owned": any(home in self.owned(power) for home in homes),
        }[self.build_rule]

    def sites(self, power: str) -> list[str]:
        """The vacant provinces in which a power may build."""
        return [c for c in self.owned(power) if self.may_build_in(power, c) and c not in self.at]

    def due(self, power: str) -> int:
        """How many units a power may build, or (negative) must disband."""
        surplus = len(self.counting(power)) - len(self.units_of(power))
        return min(surplus, len(self.sites(power))) if surplus > 0 else surplus


Row: TypeAlias = dipsat.OrderOutcome
"""One of `Outcome.orders`."""
Check: TypeAlias = Callable[..., bool | str]
"""True if what a sentence says is so; why not otherwise, if that can be said."""

_SENTENCES: list[tuple[re.Pattern[str], list[str], Check]] = []


def sentence(*shapes: str) -> Callable[[Check], Check]:
    """Register what sentences of some shapes claim."""

    def registered(check: Check) -> Check:
        for shape in shapes:
            names: list[str] = []
            parts, at = [], 0
            for slot in _SLOT.finditer(shape):
                names.append(slot[1])
                parts += [re.escape(shape[at : slot.start()]), f"({_FORMS[slot[1]]})"]
                at = slot.end()
            parts.append(re.escape(shape[at:]))
            _SENTENCES.append((re.compile("".join(parts)), names, check))
        return check

    return registered


def _listed(text: str) -> tuple[str, ...]:
    return tuple(re.findall(UNIT, text))


def _value(name: str, text: str) -> Any:
    if name == "units":
        return _listed(text)
    if name == "orders":
        return _listed(text)
    if name == "order":
        return text.partition(" - ")[0]
    if name == "places":
        return tuple(re.split(r", | or ", text))
    if name == "number":
        return int(text)
    if name == "fights":
        return tuple(_fight(one) for one in re.findall(_FIGHT, text))
    return text


def _fight(text: str) -> Fight:
    named, _, numbers = text.rpartition(" (")
    whose, _, helpers = named.partition(" supported by ")
    left, right = re.findall(r"-?\d+(?=\b)", re.sub(r"'[^']*'", "", numbers))
    return Fight(_listed(whose), _listed(helpers), int(left), int(right))


def falsehoods(outcome: dipsat.Outcome) -> Iterator[Falsehood]:
    """The reasons of an outcome that are not true of the board, and those that cannot be read."""
    board = Board(outcome)
    for row in board.rows:
        order = f"{row.power}: {row.submitted or row.order} ({row.verdict} {row.fate})"
        for unit in row.reason.because:
            if unit not in board.by_name:
                yield Falsehood(order, row.reason.text, f"there is no {unit}")
        for why in _faults(board, row, row.reason.text):
            yield Falsehood(order, row.reason.text, why)


def _faults(board: Board, row: Row, text: str) -> list[str]:
    """Why a text is false, empty if it is true. A text that can be read in several ways is true if
    one of them is."""
    found: list[str] | None = None
    for pattern, names, check in _SENTENCES:
        read = pattern.fullmatch(text)
        if read is None:
            continue
        values = [_value(name, part) for name, part in zip(names, read.groups(), strict=True)]
        answer = check(board, row, *values)
        if answer is True:
            return []
        found = [*(found or ()), answer or "it is not so"]
    for cut in (*re.finditer("; ", text), *re.finditer(": ", text)):
        if _is_known(text[: cut.start()]):
            first = _faults(board, row, text[: cut.start()])
            both = first + _faults(board, row, text[cut.end() :])
            if not both or found is None:
                return both
    return found or [f"unknown sentence: {text}"]


def _is_known(text: str) -> bool:
    return any(pattern.fullmatch(text) for pattern, _, _ in _SENTENCES)


# --- what the sentences of movement phases claim ------------------------------------------------


def _here(row: Row, board: Board) -> Piece:
    return board.by_name[row.unit]


def _strengths(
    board: Board, row: Row, fights: Iterable[Fight], family: str, holds: bool
) -> bool | str:
    """Whether the numbers are those of the attack and of the decisions `family` about the others,
    whether the helpers help, and whether the attack is the stronger one (`holds`) or not."""
    for fight in fights:
        own = 1 + sum(board.helped_by(one.name, row.unit) for one in board.standing)
        if fight.left not in (*board.values("attack_strength", row.unit), own):
            return f"the attack strength is not {fight.left}"
        (other,) = fight.units
        about = board.by_name[other].province if family == "hold_strength" else other
        if fight.right not in board.values(family, about):
            return f"{family} of {other} is not {fight.right}"
        if (fight.left > fight.right) is not holds:
            return f"{fight.left} against {fight.right}"
        wrong = [one for one in fight.helpers if not board.helped_by(one, other)]
        if wrong:
            return f"{wrong[0]} gives {other} no support"
        if fight.helpers and not len(fight.helpers) <= fight.right <= 1 + len(fight.helpers):
            return f"{fight.right} with {len(fight.helpers)} supports"
        if not fight.helpers and fight.right > 1:
            return f"nobody is said to support {other}"
    return True


@sentence("")
def _nothing(board: Board, row: Row) -> bool | str:
    if row.verdict in ("fails", "cut", "disrupted", "invalid", "illegal"):
        return "no reason"
    if board.position.phase.kind is not PhaseKind.MOVEMENT or row.unit not in board.by_name:
        return True
    return not row.fate and not board.movers_to(_here(row, board).province)


@sentence("it is not dislodged")
def _not_dislodged(board: Board, row: Row) -> bool | str:
    return not row.fate and bool(board.movers_to(_here(row, board).province))


@sentence("dislodged by {units}")
def _dislodged(board: Board, row: Row, units: tuple[str, ...]) -> bool | str:
    place = _here(row, board).province
    entered = all(board.has_moved(unit) and board.aim(unit) == place for unit in units)
    return bool(row.fate) and len(units) == 1 and entered


@sentence("nothing stops it")
def _moves(board: Board, row: Row) -> bool | str:
    goal = board.aim(row.unit)
    if row.verdict != "succeeds" or goal is None:
        return "it does not move"
    if goal not in board.ends:
        return f"nobody stands in {goal} afterwards"
    return len([one for one in board.movers_to(goal) if board.has_moved(one.name)]) == 1


@sentence("nothing stops it: stronger than {fights}")
def _wins(board: Board, row: Row, fights: tuple[Fight, ...]) -> bool | str:
    for fight in fights:
        (other,) = fight.units
        families = ["prevent_strength"] if board.aim(other) == board.aim(row.unit) else []
        if board.by_name[other].province == board.aim(row.unit):
            families += ["hold_strength", "defend_strength"]
        if other in board.trains:
            families.append("train_strength")
        if not families:
            return f"{other} does not stand in its way"
        answers = [_strengths(board, row, [fight], one, True) for one in families]
        if True not in answers:
            return str(answers[0])
    return _moves(board, row)


@sentence("as strong as {fights}", "at least as strong as {fights}")
def _as_strong(board: Board, row: Row, fights: tuple[Fight, ...]) -> bool | str:
    """Under rules in which a superior color wins between equal attacks."""
    for fight in fights:
        (other,) = fight.units
        if board.aim(other) != board.aim(row.unit) or fight.left != fight.right:
            return f"{fight.left} and {fight.right}"
    return True


@sentence("attack strength {number} is greater than {number}")
def _stronger_than_train(board: Board, row: Row, left: int, right: int) -> bool | str:
    coming = [one for one in board.trains if board.by_name[one].province == board.aim(row.unit)]
    return bool(coming) and left > right and left in board.values("attack_strength", row.unit)


@sentence("held off by {fights}")
def _held_off(board: Board, row: Row, fights: tuple[Fight, ...]) -> bool | str:
    for fight in fights:
        (other,) = fight.units
        if board.by_name[other].province != board.aim(row.unit) or board.has_moved(other):
            return f"{other} does not stay in {board.aim(row.unit)}"
    return _strengths(board, row, fights, "hold_strength", False)


@sentence("held off by {units}", "held off")
def _held_off_by(board: Board, row: Row, units: tuple[str, ...] = ()) -> bool | str:
    goal = board.aim(row.unit)
    return row.verdict == "fails" and all(board.by_name[one].province == goal for one in units)


@sentence("does not win head-to-head against {fights}")
def _head_to_head(board: Board, row: Row, fights: tuple[Fight, ...]) -> bool | str:
    for fight in fights:
        (other,) = fight.units
        if board.aim(row.unit) not in _origins(board, other):
            return f"{other} does not come from {board.aim(row.unit)}"
        if board.aim(other) not in _origins(board, row.unit):
            return f"{other} does not move to {_here(row, board).province}"
    return _strengths(board, row, fights, "defend_strength", False)


def _origins(board: Board, unit: str) -> set[str]:
    """The province from which a unit attacks; by Brannan's rule (DATC 4.A.4), an army comes from
    the sea of the fleet that brings it ashore."""
    found = {board.by_name[unit].province}
    if board.outcome.rules == "4.A.4-brannan" and board.aim(unit) is not None:
        found |= {one.province for one in board.carriers_of(unit, board.given[unit]["target"])}
    return found


@sentence("bounces off {fights}")
def _bounces(board: Board, row: Row, fights: tuple[Fight, ...]) -> bool | str:
    for fight in fights:
        (other,) = fight.units
        if other == row.unit or board.aim(other) != board.aim(row.unit):
            return f"{other} does not move there"
    return _strengths(board, row, fights, "prevent_strength", False)


@sentence("a unit of the same power stays there: {units}")
def _own_stays(board: Board, row: Row, units: tuple[str, ...]) -> bool | str:
    (other,) = units
    piece = board.by_name[other]
    is_there = piece.province == board.aim(row.unit) and not board.has_moved(other)
    return is_there and piece.power == row.power and row.verdict == "fails"


@sentence("no convoy route is left", "no convoy route is left: {units}")
def _no_route(board: Board, row: Row, units: tuple[str, ...] = ()) -> bool | str:
    order = board.given[row.unit]
    carriers = board.carriers_of(row.unit, order["target"])
    left = [one for one in carriers if board.results[one.name] == "available"]
    if any(True for _ in board.routes_along(_here(row, board), order["target"], left)):
        return f"{', '.join(one.name for one in left)} make a route"
    lost = [one.name for one in carriers if one not in left]
    return all(unit in lost for unit in units) or f"{units} are not {lost}"


@sentence("one of its convoy routes is disrupted", "one of its convoy routes is disrupted: {units}")
def _one_lost(board: Board, row: Row, units: tuple[str, ...] = ()) -> bool | str:
    carriers = board.carriers_of(row.unit, board.given[row.unit]["target"])
    lost = [one.name for one in carriers if board.results[one.name] == "disrupted"]
    return bool(lost) and set(units) <= set(lost)


@sentence("no complete convoy is ordered for it")
def _not_ordered(board: Board, row: Row) -> bool | str:
    order = board.given[row.unit]
    carriers = board.carriers_of(row.unit, order["target"])
    return not any(True for _ in board.routes_along(_here(row, board), order["target"], carriers))


@sentence("{unit} shows that it is to go by convoy, but no complete convoy is ordered for it")
def _shown(board: Board, row: Row, unit: str) -> bool | str:
    own = board.by_name[unit].power == row.power
    return own and _not_ordered(board, row)


@sentence("nothing cuts it")
def _not_cut(board: Board, row: Row) -> bool | str:
    return row.verdict == "given"


@sentence("cut by {units}")
def _cut(board: Board, row: Row, units: tuple[str, ...]) -> bool | str:
    place, order = _here(row, board).province, board.given[row.unit]
    aim = _province(order["to"]) if order["to"] else board.by_name[order["other"]].province
    for unit in units:
        piece = board.by_name[unit]
        if board.aim(unit) != place or piece.power == row.power:
            return f"{unit} does not attack it"
        is_aim = piece.province == aim and not board.carriers_of(unit, place)
        if is_aim and board.results[unit] != "succeeds":
            return f"{unit} is attacked by the support"
        if board.results[unit] == "invalid":
            return f"{unit} has no convoy"
    return row.verdict == "cut"


@sentence("the supporting unit is dislodged by {units}")
def _lost_support(board: Board, row: Row, units: tuple[str, ...]) -> bool | str:
    return row.verdict == "cut" and _dislodged(board, row, units)


@sentence(
    "the convoying fleet is dislodged by {units}", "the convoying unit is dislodged by {units}"
)
def _lost_fleet(board: Board, row: Row, units: tuple[str, ...]) -> bool | str:
    return row.verdict == "disrupted" and _dislodged(board, row, units)


@sentence(
    "does not win head-to-head against {units}: "
    "attack strength {number} is not greater than {number}",
    "does not win head-to-head against {units}: "
    "attack strength {number} is not greater than {number} supported by {units}",
)
def _against_train(
    board: Board,
    row: Row,
    units: tuple[str, ...],
    left: int,
    right: int,
    helpers: tuple[str, ...] = (),
) -> bool | str:
    """A train that comes the other way; only on its last leg do supports count."""
    wrong = [one for one in helpers if not board.helped_by(one, units[0])]
    if wrong:
        return f"{wrong[0]} gives {units[0]} no support"
    goal = board.aim(row.unit)
    coming = [one for one in units if one in board.trains and board.by_name[one].province == goal]
    most = 1 + sum(board.helped_by(one.name, units[0]) for one in board.standing)
    is_right = left in board.values("attack_strength", row.unit) and left <= right <= most
    return is_right and len(coming) == len(units) == 1


_RELATIONS: dict[str, Callable[[int, int], bool]] = {
    "is not greater than": operator.le, "is greater than": operator.gt, "equals": operator.eq,
    "is at least": operator.ge, "is less than": operator.lt, "differs from": operator.ne,
}  # fmt: skip


@sentence(
    *(
        f"{{number}} {relation} {side}{helped}"
        for relation in _RELATIONS
        for side in ("{word} strength {number} of {units}", "{number}")
        for helped in ("", " supported by {units}")
    )
)
def _compared(board: Board, row: Row, left: int, *more: Any) -> bool | str:
    """Numbers that rules compare; of the left one, no order is named."""
    text = row.reason.text
    named = re.search(rf"\b{left} ({'|'.join(_RELATIONS)}) ", text)
    is_helped = isinstance(more[-1], tuple) and f"supported by {', '.join(more[-1])}" in text
    helpers: tuple[str, ...] = more[-1] if is_helped else ()
    right = next(one for one in more if isinstance(one, int))
    if isinstance(more[0], str):
        (other,) = more[2]
        about = board.by_name[other].province if more[0] == "hold" else other
        if right not in board.values(f"{more[0]}_strength", about):
            return f"{more[0]} strength of {other} is not {right}"
    if any(board.results.get(one) != "given" for one in helpers):
        return f"not all of {helpers} give their support"
    return named is not None and any(
        _RELATIONS[found](left, right)
        for found in re.findall(rf"\b{left} ({'|'.join(_RELATIONS)}) [a-z ]*{right}\b", text)
    )


def _attacks(board: Board, row: Row) -> list[int]:
    """The attackers with the units that support each, for all attacks on the unit's province."""
    place = _here(row, board).province
    return [
        1 + sum(board.helped_by(one.name, attacker.name) for one in board.standing)
        for attacker in board.movers_to(place)
    ]


@sentence(
    "the fleet is outnumbered, if only by support from its own power",
    "the fleet is outnumbered, if only by support from its own power: {units}",
)
def _outnumbered(board: Board, row: Row, units: tuple[str, ...] = ()) -> bool | str:
    (holds,) = board.values("hold_strength", _here(row, board).province)
    return row.verdict == "disrupted" and max(_attacks(board, row), default=0) > holds


@sentence("two equal attacks beleaguer the fleet", "two equal attacks beleaguer the fleet: {units}")
def _beleaguered(board: Board, row: Row, units: tuple[str, ...] = ()) -> bool | str:
    (holds,) = board.values("hold_strength", _here(row, board).province)
    first, *others = sorted(_attacks(board, row), reverse=True)
    return row.verdict == "disrupted" and first > holds and first in others


@sentence(
    "the fleet holds only because of support that the convoy could cut",
    "the fleet holds only because of support that the convoy could cut: {units}",
)
def _propped(board: Board, row: Row, units: tuple[str, ...] = ()) -> bool | str:
    helpers = [one.name for one in board.standing if board.helped_by(one.name, row.unit)]
    return row.verdict == "disrupted" and bool(helpers)


@sentence("the fleet is not dislodged", "the convoying unit is not dislodged")
def _convoys(board: Board, row: Row) -> bool | str:
    is_fleet = _here(row, board).kind is UnitKind.FLEET or "unit" in row.reason.text
    return row.verdict == "available" and not row.fate and is_fleet


@sentence("{unit} does not move to {place}")
def _not_matched(board: Board, row: Row, unit: str, place: str) -> bool | str:
    order = board.given.get(unit)
    return unit in board.by_name and not (order and order["target"] == place)


@sentence("{unit} is ordered to move")
def _ordered_to_move(board: Board, row: Row, unit: str) -> bool | str:
    return board.aim(unit) is not None or unit in board.trains


@sentence("{unit} moves")
def _does_move(board: Board, row: Row, unit: str) -> bool | str:
    return board.has_moved(unit)


@sentence("{unit} was ordered an impossible move")
def _vain(board: Board, row: Row, unit: str) -> bool | str:
    orders = [one for one in board.rows if one.unit == unit and one.verdict == "illegal"]
    return any(" - " in (one.submitted or "") for one in orders)


@sentence("{unit} belongs to a power in civil disorder")
def _in_disorder(board: Board, row: Row, unit: str) -> bool | str:
    power = board.by_name[unit].power
    return not any(one.power == power and one.submitted for one in board.rows)


@sentence(
    "the rule '{text}' settles a decision cycle that has {number} resolutions",
    "the rule '{text}' chooses one of the {number} resolutions of a decision cycle",
    "the rule '{text}' settles a decision cycle that has no resolutions",
)
def _by_rule(board: Board, row: Row, rule: str, number: int = 0) -> bool | str:
    """The rule is applied to the subgraph of the order. If it is the only one there, the cycle has
    as many resolutions as the subgraph had."""
    for graph in board.outcome.to_dict()["subgraphs"]:
        if not any(
            f"({row.unit} " in name or f"({row.unit})" in name for name in graph["decisions"]
        ):
            continue
        rules = [used["rule"] for used in graph["applications"]]
        if rule in rules and (len(rules) > 1 or graph["resolutions"] == number):
            return number != 1
    return f"no subgraph of the order has {number} resolutions and the rule '{rule}'"


# --- what they claim under rules of other games -------------------------------------------------


@sentence("the train reaches its last station", "the train does not reach its last station")
def _train(board: Board, row: Row) -> bool | str:
    goal = board.trains[row.unit]
    if "the train reaches" in row.reason.text:
        return row.verdict == "succeeds" and board.ends_in(row.unit, goal)
    others = [board.at[goal]] if goal in board.at else board.movers_to(goal)
    is_there = board.ends_in(row.unit, goal)
    return row.verdict == "fails" and (not is_there or bool(others))


@sentence("it ends in {place}")
def _ends(board: Board, row: Row, place: str) -> bool | str:
    return board.ends_in(row.unit, place) and place != _here(row, board).province


@sentence("it stays")
def _stays(board: Board, row: Row) -> bool | str:
    return bool(row.fate) or board.ends_in(row.unit, _here(row, board).province)


@sentence("stopped by the train of {fights}")
def _by_train(board: Board, row: Row, fights: tuple[Fight, ...]) -> bool | str:
    (fight,) = fights
    (other,) = fight.units
    if other not in board.trains or fight.left not in board.values("attack_strength", row.unit):
        return f"{other} is no train, or {fight.left} is not the attack strength"
    return fight.right in board.values("train_strength", other) and fight.left <= fight.right


@sentence("the canal is closed to it", "the canal is closed to it: {units}")
def _closed(board: Board, row: Row, units: tuple[str, ...] = ()) -> bool | str:
    ends = {_here(row, board).province, board.aim(row.unit)}
    return row.verdict == "fails" and board.map.has_feature("suez", *sorted(map(str, ends)))


@sentence("the railroad belongs to another power")
def _foreign_rail(board: Board, row: Row) -> bool | str:
    return all(line.power != row.power for line in board.map.lines.values())


@sentence("only armies travel by rail")
def _no_army(board: Board, row: Row) -> bool | str:
    return _here(row, board).kind is not UnitKind.ARMY


@sentence("another train runs at the same time")
def _two_trains(board: Board, row: Row) -> bool | str:
    return sum(" TSR" in (one.submitted or "") for one in board.rows) > 1


@sentence("the {text} does not lead from {place} to {place}")
def _off_line(board: Board, row: Row, line: str, start: str, end: str) -> bool | str:
    return not {start, end} <= set(board.map.lines[line.replace(" ", "_")].provinces)


@sentence("there is no canal")
def _no_canal(board: Board, row: Row) -> bool | str:
    named = re.search(rf"({UNIT}) - ({_PLACE})", row.submitted or "")
    assert named is not None
    start, end = _province(named[1].rpartition(" ")[2]), _province(named[2])
    return not board.map.has_feature("suez", start, end)


@sentence("the power does not control the canal")
def _not_in_egypt(board: Board, row: Row) -> bool | str:
    marked = (board.map.provinces[unit.province].features for unit in board.units_of(row.power))
    return not any("suez_control" in one for one in marked)


def _colors(unit: str) -> str:
    return unit.split()[0]


_BEATS = {("Red", "Silver"), ("Purple", "Red"), ("Silver", "Purple")}


@sentence("the unit there defends with a superior color: {units}")
def _superior(board: Board, row: Row, units: tuple[str, ...]) -> bool | str:
    """Its own colour or one that a support gave it beats the colour of the attack."""
    there = next((p for p in board.standing if p.province == board.aim(row.unit)), None)
    if there is None or there.name not in units:
        return "no such unit stands there"
    backed = {_colors(one.name) for one in board.standing if board.helped_by(one.name, there.name)}
    colors = backed | {_colors(there.name)}
    own = {_colors(one.name) for one in board.standing if board.helped_by(one.name, row.unit)}
    own |= {_colors(row.unit)}
    return any((c, mine) in _BEATS for c in colors for mine in own) or f"it has {colors}"


@sentence("another move to the same province has a superior color: {units}")
def _outranked(board: Board, row: Row, units: tuple[str, ...]) -> bool | str:
    rivals = [one for one in units if board.aim(one) == board.aim(row.unit)]
    colors = {
        _colors(one.name)
        for one in board.standing
        if one.name in rivals or any(board.helped_by(one.name, rival) for rival in rivals)
    }
    own = {_colors(one.name) for one in board.standing if board.helped_by(one.name, row.unit)}
    own |= {_colors(row.unit)}
    return any((c, mine) in _BEATS for c in colors for mine in own) or f"they have {colors}"


@sentence(
    "the attack is not strong enough against a unit of the same color: not stronger than {fights}"
)
def _same_color(board: Board, row: Row, fights: tuple[Fight, ...]) -> bool | str:
    return _held_off(board, row, fights)


@sentence("the supporting unit is attacked by a unit that is not inferior: {units}")
def _cut_by_color(board: Board, row: Row, units: tuple[str, ...]) -> bool | str:
    return _cut(board, row, units)


@sentence(
    "the ice holds it until spring",
    "nobody enters the ice before spring",
    "nobody supports from the ice before spring",
    "nobody retreats to the ice before spring",
    "fleets convoy at sea, but in fall not in the ice",
)
def _icy(board: Board, row: Row) -> bool | str:
    places = [_province(one) for one in re.findall(_PLACE, row.order) if len(one) > 1]
    frozen = [p for p in places if "ice" in board.map.provinces[p].features]
    is_fall = str(board.position.phase).startswith("F")
    if "convoy" in row.reason.text:
        return not board.convoys_in(_province(row.order.split()[1]))
    return is_fall and bool(frozen)


@sentence("no army supports over a border that is difficult to cross")
def _over_border(board: Board, row: Row) -> bool | str:
    here, places = _here(row, board), re.findall(_PLACE, row.order)
    is_difficult = board.map.has_feature("difficult", here.province, _province(places[-1]))
    return here.kind is UnitKind.ARMY and is_difficult


@sentence("nobody supports through the canal", "nobody retreats through the canal")
def _through(board: Board, row: Row) -> bool | str:
    places = re.findall(_PLACE, row.order)
    here = _province(row.unit.split()[-1])
    return board.map.has_feature("suez", here, _province(places[-1]))


@sentence("fleets convoy at sea, and on coasts that the map marks for it")
def _no_coast(board: Board, row: Row) -> bool | str:
    return not board.convoys_in(_here(row, board).province)


# --- what they claim of orders that are impossible ----------------------------------------------

_WRITTEN = re.compile(
    r"(?:(?:[A-Z][a-z]+ )*(?P<kind>[A-Z]) )?(?P<place>[A-Z][A-Z0-9]+(?:/[A-Z]+)?)(?: (?P<rest>.+))?"
)


def _written(row: Row) -> re.Match[str]:
    read = _WRITTEN.fullmatch(row.order)
    assert read is not None, row.order
    return read


def _ordered_place(row: Row) -> str:
    return _province(_written(row)["place"])


def _targets(row: Row) -> list[str]:
    """The places after the dashes of an order, and those of a retreat or a build."""
    return re.findall(rf"(?: - | R )({_PLACE})", f" {row.order}")


def _other(row: Row) -> tuple[str, str]:
    """The unit that is to be supported or convoyed, and its province."""
    named = re.search(rf" [SC] ((?:{UNIT})|{_PLACE})", row.order)
    assert named is not None, row.order
    return named[1], _province(named[1].rpartition(" ")[2])


@sentence("no unit stands in {place}")
def _no_unit(board: Board, row: Row, place: str) -> bool | str:
    return place not in board.at and place in row.order


@sentence("no dislodged unit is in {place}")
def _none_dislodged(board: Board, row: Row, place: str) -> bool | str:
    return not any(piece.province == place for piece in board.dislodged)


@sentence("the unit there belongs to {title}")
def _foreign(board: Board, row: Row, title: str) -> bool | str:
    place = _ordered_place(row)
    at_stake = board.dislodged if board.dislodged else board.standing
    owners = [piece.power for piece in at_stake if piece.province == place]
    return owners == [board.titles[title]] and row.power not in owners


@sentence("{unit} cannot move to {place}, so it cannot support there")
def _far_support(board: Board, row: Row, unit: str, place: str) -> bool | str:
    piece = board.by_name[unit]
    is_own = unit == row.unit and place in row.order
    return is_own and place not in board.map.reach_provinces(piece.kind, piece.location)


@sentence("the {word} cannot reach {place} from {place}")
def _far(board: Board, row: Row, kind: str, place: str, start: str) -> bool | str:
    piece = board.by_name[row.unit]
    if piece.kind.word != kind or start != piece.location:
        return f"it is {piece.name}"
    return place not in board.map.reach_provinces(piece.kind, start)


@sentence("the {word} cannot reach {place}", "{unit} cannot reach {place}")
def _far_coast(board: Board, row: Row, who: str, place: str) -> bool | str:
    piece = board.by_name.get(who) or board.by_name[row.unit]
    return place not in board.map.reach(piece.kind, piece.location)


@sentence("{unit} cannot reach {place} from {place}", "{unit} cannot move to {place}")
def _far_other(board: Board, row: Row, unit: str, place: str, start: str = "") -> bool | str:
    piece = board.by_name[unit]
    if _province(place) == piece.province:
        return True
    if place in board.map.reach(piece.kind, piece.location):
        return "it is a neighbour"
    if "/" not in place and place in board.map.reach_provinces(piece.kind, piece.location):
        return "it is a neighbour"
    return not board.could_be_carried(piece, place, but=_ordered_place(row))


@sentence(
    "{unit} cannot move to {place}: the ice holds it until spring",
    "{unit} cannot move to {place}: nobody enters the ice before spring",
)
def _held_by_ice(board: Board, row: Row, unit: str, place: str) -> bool | str:
    places = {board.by_name[unit].province, place}
    is_icy = any("ice" in board.map.provinces[one].features for one in places)
    return is_icy and str(board.position.phase).startswith("F")


@sentence("no {word} stand where they could convoy {word} {word} to {place}")
def _no_convoy_at_all(
    board: Board, row: Row, carriers: str, article: str, cargo: str, place: str
) -> bool | str:
    """Read to the letter: no unit stands where it could be the last of a convoy to the place."""
    for piece in board.standing:
        is_carrier = piece.kind.plural == carriers and board.convoys_in(piece.province)
        if is_carrier and place in board.map.reach_provinces(piece.kind, piece.location):
            return f"{piece.name} could convoy {article} {cargo} there"
    return True


@sentence("no {word} stand where they could convoy it from {place} to {place}")
def _no_convoy(board: Board, row: Row, carriers: str, start: str, place: str) -> bool | str:
    piece = board.by_name[row.unit]
    if piece.location != start or not any(k.plural == carriers for k in _carriers(board, piece)):
        return f"it is {piece.name}"
    return not board.could_be_carried(piece, place)


def _carriers(board: Board, cargo: Piece) -> list[UnitKind]:
    kinds = {"army": [UnitKind.FLEET], "fleet": [UnitKind.ARMY]}
    return kinds.get(cargo.kind.word, [])


@sentence("there is no {word} in {place}")
def _empty_route(board: Board, row: Row, kind: str, place: str) -> bool | str:
    there = board.at.get(place)
    return place in _targets(row)[:-1] and (there is None or there.kind.word != kind)


@sentence("its route names {place}, where no {word} could convoy it")
def _useless_on_route(board: Board, row: Row, place: str, kind: str) -> bool | str:
    there, cargo = board.at.get(place), board.by_name[row.unit]
    is_named = place in map(_province, _targets(row)[:-1])
    return is_named and (there is None or not board.carries(there, cargo))


@sentence("{text} is not a convoy path")
def _no_path(board: Board, row: Row, named: str) -> bool | str:
    places = named.split(" - ")
    cargo = board.by_name[row.unit]
    seas = [Piece("", "", UnitKind.FLEET, place) for place in places[1:-1]]
    if not all(board.map.provinces[sea.province].kind == "sea" for sea in seas):
        return True
    ways = board.routes_along(cargo, places[-1], seas)
    return not any(tuple(way) == tuple(seas) for way in ways)


@sentence("{an_army} cannot get to {place} from {place}".replace("{an_army}", "{word} {word}"))
def _no_way(board: Board, row: Row, article: str, kind: str, place: str, start: str) -> bool | str:
    piece = board.by_name[row.unit]
    if piece.kind.word != kind or start != piece.location:
        return f"it is {piece.name}"
    if place in board.map.reach(piece.kind, start):
        return "it is a neighbour"
    return board.map.provinces[_province(place)].kind != "coast" or not any(
        board.convoys_in(sea)
        for sea in board.map.water.get(_province(place), ())
        if sea in board.map.provinces
    )


@sentence("it names several targets; no unit can convoy in {place}")
def _several_targets(board: Board, row: Row, place: str) -> bool | str:
    return place in map(_province, _targets(row)) and not board.convoys_in(place)


@sentence("only a fleet at sea convoys")
def _not_at_sea(board: Board, row: Row) -> bool | str:
    piece = board.by_name[row.unit]
    return piece.kind is not UnitKind.FLEET or not board.convoys_in(piece.province)


@sentence("{word} do not convoy in {place}")
def _do_not_convoy(board: Board, row: Row, kind: str, place: str) -> bool | str:
    return board.at[place].kind.plural == kind and board.map.provinces[place].kind == "sea"


@sentence("only {word} convoy", "only {word} and {word} convoy")
def _only_carry(board: Board, row: Row, *kinds: str) -> bool | str:
    return board.by_name[row.unit].kind.plural not in kinds


@sentence("only {word} are convoyed")
def _only_carried(board: Board, row: Row, kind: str) -> bool | str:
    _, place = _other(row)
    return board.at[place].kind.plural != kind


@sentence("no convoy of {unit} to {place} needs this {word}")
def _no_part(board: Board, row: Row, unit: str, place: str, kind: str) -> bool | str:
    cargo = board.by_name[unit]
    if _province(place) == cargo.province:
        return True
    ready = [one for one in board.standing if board.carries(one, cargo)]
    return not any(
        any(one.name == row.unit for one in way) for way in board.routes_along(cargo, place, ready)
    )


@sentence("a unit cannot move to where it stands")
def _to_itself(board: Board, row: Row) -> bool | str:
    return _province(_targets(row)[-1]) == _ordered_place(row)


@sentence("a unit cannot support its own move", "a unit cannot support itself")
def _itself(board: Board, row: Row) -> bool | str:
    return _other(row)[1] == _ordered_place(row)


@sentence("the coast is missing: write {places}")
def _no_coast_given(board: Board, row: Row, places: tuple[str, ...]) -> bool | str:
    province = board.map.provinces[_province(places[0])]
    if len(province.locations) < 2 or not set(places) <= set(province.locations):
        return f"{province.code} has {province.locations}"
    return not any(place in row.order for place in places)


@sentence("the coast {word} has no meaning")
def _no_meaning(board: Board, row: Row, coast: str) -> bool | str:
    return re.search(rf"[/( ]{coast.upper()}\b", (row.submitted or "").upper()) is not None


@sentence("the {word} stands on {place}")
def _on_coast(board: Board, row: Row, kind: str, place: str) -> bool | str:
    return any(p.location == place and p.kind.word == kind for p in board.by_name.values())


@sentence("the convoy path is missing")
def _path_missing(board: Board, row: Row) -> bool | str:
    return len(_targets(row)) == 1 and row.verdict == "illegal"


@sentence("it cannot be read: {text}")
def _unreadable(board: Board, row: Row, why: str) -> bool | str:
    return row.verdict == "illegal"


@sentence("'{text}' is read as {title}")
def _name_read(board: Board, row: Row, typed: str, name: str) -> bool | str:
    known = {place.name for place in board.map.provinces.values()} | set(board.titles)
    return typed.upper() in (row.submitted or "").upper() and name in known


@sentence("the unit is not named properly")
def _badly_named(board: Board, row: Row) -> bool | str:
    return row.verdict == "illegal"


@sentence("read as {unit}")
def _read_as(board: Board, row: Row, unit: str) -> bool | str:
    return unit in board.by_name


@sentence("it belongs to {title}", "read as the unit of {title}")
def _owner_named(board: Board, row: Row, title: str) -> bool | str:
    place = _other(row)[1]
    return board.titles.get(title) == board.at[place].power


@sentence("another order names the unit properly")
def _named_better(board: Board, row: Row) -> bool | str:
    place = _ordered_place(row)
    rows = [one for one in board.rows if one is not row and one.power == row.power]
    return any(one.submitted and place in one.order for one in rows)


@sentence("the unit has another order too: {text}")
def _two_orders(board: Board, row: Row, text: str) -> bool | str:
    texts = [one.submitted for one in board.rows if one is not row and one.unit == row.unit]
    return text in texts or f"the others are {texts}"


@sentence("a later set of orders has another order for the unit")
def _later_set(board: Board, row: Row) -> bool | str:
    return any(one is not row and one.unit == row.unit for one in board.rows)


@sentence("a movement phase takes only orders to hold, move, support or convoy")
def _not_of_movement(board: Board, row: Row) -> bool | str:
    is_other = re.search(r" (R|D|B)\b|^WAIVE$", row.order)
    return board.position.phase.kind is PhaseKind.MOVEMENT and is_other is not None


@sentence("this phase takes only orders that the rules declare for it")
def _not_of_extra(board: Board, row: Row) -> bool | str:
    return board.position.phase.kind is PhaseKind.EXTRA


# --- what they claim in retreat phases ----------------------------------------------------------


def _retreats_to(board: Board, place: str) -> list[str]:
    """The units with a retreat order that counts to a province."""
    found = [
        one.unit
        for one in board.rows
        if one.verdict in ("succeeds", "fails")
        and (goal := re.search(rf" R ({_PLACE})$", one.order))
        and _province(goal[1]) == place
    ]
    return [*dict.fromkeys(found)]


@sentence("no other unit retreats there")
def _alone(board: Board, row: Row) -> bool | str:
    others = _retreats_to(board, _province(_targets(row)[-1]))
    return (row.verdict, others) == ("succeeds", [row.unit]) or f"{others} retreat there"


@sentence("bounces with {units}, retreating to the same province")
def _clash(board: Board, row: Row, units: tuple[str, ...]) -> bool | str:
    there = _retreats_to(board, _province(_targets(row)[-1]))
    if not set(units) <= set(there) or row.unit in units or row.fate != "disbanded":
        return f"{there} retreat there"
    entered = [one for one in units if _retreats(board, one)]
    return not entered or f"{entered[0]} does not bounce: it goes there"


def _retreats(board: Board, unit: str) -> bool:
    """Whether a unit retreats and stays on the board."""
    rows = (one for one in board.rows if one.unit == unit and one.verdict == "succeeds")
    return any(re.search(r" R \S+$", one.order) and not one.fate for one in rows)


_WON = (
    "the rules let it go there instead of {units}",
    "its color is superior to that of {units}",
    "it crosses no difficult border, unlike the retreat of {units}",
)


@sentence(*_WON)
def _prevails(board: Board, row: Row, units: tuple[str, ...]) -> bool | str:
    return _won(board, row.unit, units, row.reason.text)


@sentence(*(f"{{unit}} goes there: {one}" for one in _WON))
def _beaten(board: Board, row: Row, winner: str, units: tuple[str, ...]) -> bool | str:
    return (
        row.unit in units and row.verdict == "fails" and _won(board, winner, units, row.reason.text)
    )


def _won(board: Board, unit: str, others: tuple[str, ...], text: str) -> bool | str:
    place = next(_province(_targets(one)[-1]) for one in board.rows if one.unit == unit)
    there = _retreats_to(board, place)
    if not _retreats(board, unit) or {unit, *others} != set(there):
        return f"{there} retreat to {place}"
    if "color" in text:
        return all((_colors(unit), _colors(other)) in _BEATS for other in others)
    crossing = [_crosses(board, one, place) for one in (unit, *others)]
    return "border" not in text or crossing == [False, *([True] * len(others))]


def _crosses(board: Board, unit: str, place: str) -> bool:
    piece = board.by_name[unit]
    is_marked = board.map.has_feature("difficult", piece.province, place)
    return is_marked and piece.kind is UnitKind.ARMY


@sentence("without an order it is disbanded")
def _unordered(board: Board, row: Row) -> bool | str:
    return row.submitted is None and row.fate == "disbanded"


@sentence("it may retreat to {places}")
def _elsewhere(board: Board, row: Row, places: tuple[str, ...]) -> bool | str:
    lost = next(one for one in board.position.dislodged if str(one.unit) == row.unit)
    return set(places) == set(lost.retreats) and _targets(row)[-1] not in places


@sentence("it has no retreat")
def _nowhere(board: Board, row: Row) -> bool | str:
    return not next(one for one in board.position.dislodged if str(one.unit) == row.unit).retreats


@sentence("the unit has another order, too")
def _another(board: Board, row: Row) -> bool | str:
    return any(one is not row and one.unit == row.unit for one in board.rows)


@sentence("a dislodged unit can only retreat or disband")
def _only_retreats(board: Board, row: Row) -> bool | str:
    is_retreat = re.fullmatch(rf"({UNIT}|{_PLACE})( R {_PLACE}| D| - {_PLACE})", row.order)
    return any(piece.name == row.unit for piece in board.dislodged) and is_retreat is None


@sentence("there is nothing to waive in a retreat phase")
def _no_waive(board: Board, row: Row) -> bool | str:
    return board.position.phase.kind is PhaseKind.RETREAT and row.order == "WAIVE"


# --- what they claim in adjustment phases -------------------------------------------------------


def _counted(number: int, word: str) -> str:
    return f"{number} {word}" + ("" if number == 1 else "s")


@sentence("in an adjustment phase, units are only built or disbanded")
def _not_of_winter(board: Board, row: Row) -> bool | str:
    return re.search(r" (B|D)$|^WAIVE$", row.order) is None


@sentence(
    "{title} has no build: {text}",
    "{title} need not disband: {text}",
)
def _none_due(board: Board, row: Row, title: str, counts: str) -> bool | str:
    """The counts must say why: without more centres than units there is no build, with as many
    there is no disband, and centres that do not count, or places that are missing, are named."""
    power = board.titles[title]
    counting = board.counting(power)
    wanted = _counted(len(counting), "centre")
    if others := ", ".join(code for code in board.owned(power) if code not in counting):
        wanted += f" ({', '.join(counting)}, but not {others})" if counting else f" (not {others})"
    wanted += f", {_counted(len(board.units_of(power)), 'unit')}"
    if "has no build" in row.reason.text and len(counting) > len(board.units_of(power)):
        wanted += ", but no vacant province to build in"
    if power != row.power or counts != wanted:
        return f"it has {wanted}"
    due = board.due(power)
    return due <= 0 if "has no build" in row.reason.text else due >= 0


@sentence("{title} has no more than {number} build", "{title} has no more than {number} builds")
def _no_more(board: Board, row: Row, title: str, number: int) -> bool | str:
    return board.due(board.titles[title]) == number or f"it has {board.due(board.titles[title])}"


@sentence("{title} disbands only {number} unit", "{title} disbands only {number} units")
def _disbands(board: Board, row: Row, title: str, number: int) -> bool | str:
    return board.due(board.titles[title]) == -number or f"it has {board.due(board.titles[title])}"


@sentence("more orders than the {number} allowed")
def _too_many(board: Board, row: Row, number: int) -> bool | str:
    return number <= abs(board.due(row.power))


@sentence("builds may not be declined")
def _no_waiving(board: Board, row: Row) -> bool | str:
    return row.order == "WAIVE" and board.settings.waive == "illegal"


@sentence("{unit} stands there")
def _occupied(board: Board, row: Row, unit: str) -> bool | str:
    return board.by_name[unit].province == _ordered_place(row)


@sentence("{title} cannot build in {title}: {text}")
def _no_site(board: Board, row: Row, title: str, name: str, why: str) -> bool | str:
    power, code = board.titles[title], _ordered_place(row)
    place = board.map.provinces[code]
    if power != row.power or place.name != name or board.may_build_in(power, code):
        return f"{power} in {place.name}"
    owner = next((one for one, owned in board.position.centers.items() if code in owned), None)
    every_home = {one for setup in board.map.powers.values() for one in setup.home}
    if why == "it is no supply centre":
        return not place.supply
    if why == f"it is no home centre of {title}":
        return code not in board.homes(power) and board.build_rule == "home"
    if why == "nobody owns it":
        return owner is None
    if why == "it is no home centre of any power":
        return code not in every_home and board.build_rule == "home-any"
    if why == f"{title} owns none of its home centres":
        return not set(board.owned(power)) & set(board.homes(power))
    return owner is not None and owner != power and why == f"it belongs to {titled(owner)}"


@sentence("another unit is built there", "another build is ordered there, too")
def _built_twice(board: Board, row: Row) -> bool | str:
    place = _ordered_place(row)
    rows = [one for one in board.rows if one is not row and one.order.endswith(" B")]
    return any(_ordered_place(one) == place for one in rows)


@sentence("it is already disbanded")
def _disbanded_twice(board: Board, row: Row) -> bool | str:
    place = _ordered_place(row)
    return any(
        one is not row and one.fate == "disbanded" and _ordered_place(one) == place
        for one in board.rows
    )


@sentence("{word} {word} cannot be built in {title}: it is at sea")
def _built_at_sea(board: Board, row: Row, article: str, kind: str, name: str) -> bool | str:
    place = board.map.provinces[_ordered_place(row)]
    return place.kind == "sea" and place.name == name


@sentence("{word} {word} cannot be built in {title}: it is inland")
def _built_inland(board: Board, row: Row, article: str, kind: str, name: str) -> bool | str:
    place = board.map.provinces[_ordered_place(row)]
    return place.kind == "land" and place.name == name and kind != "army"


@sentence("say whether it is {text}")
def _no_kind(board: Board, row: Row, kinds: str) -> bool | str:
    return _written(row)["kind"] is None and "an army (A)" in kinds and "a fleet (F)" in kinds


@sentence("not enough disbands ordered; no unit that stays is farther from {text}")
def _farthest(board: Board, row: Row, where: str) -> bool | str:
    power = row.power
    if row.submitted is not None or row.fate != "disbanded" or board.due(power) >= 0:
        return "it is not disbanded for lack of orders"
    goals = board.owned(power) if where == "the centres of its power" else board.homes(power)
    gone = {one.unit for one in board.rows if one.fate == "disbanded"}

    def away(unit: Piece) -> int:
        return _away(board, unit, goals, where)

    kept = [away(unit) for unit in board.units_of(power) if unit.name not in gone]
    here = away(board.by_name[row.unit])
    return all(here >= other for other in kept) or f"it is {here} away, others {kept}"


def _away(board: Board, unit: Piece, goals: Collection[str], how: str) -> int:
    """The moves from a unit to the nearest of some provinces, by land and sea alike unless it is
    said how moves count."""
    reached, seen = {unit.location}, {unit.location}
    for moves in range(len(board.map.provinces)):
        if {_province(place) for place in reached} & set(goals):
            return moves
        reached = {near for place in reached for near in _steps(board, unit, place, how)} - seen
        seen |= reached
    return 10_000


def _steps(board: Board, unit: Piece, place: str, how: str) -> Iterator[str]:
    """The places that are one move away."""
    is_fleet = unit.kind is UnitKind.FLEET
    if ("fleets counted" in how and is_fleet) or "convoy" in how:
        yield from board.map.reach(unit.kind, place)
    else:
        yield from board.map.army.get(_province(place), ())
        yield from board.map.water.get(_province(place), ())
    if "convoy" in how and not is_fleet:
        seas = {code for code in board.map.provinces if board.convoys_in(code)}
        ready = [one for one in board.standing if one.kind is UnitKind.FLEET]
        if "over any sea" not in how:
            own = [one for one in ready if one.power == unit.power]
            seas &= {one.province for one in (own if "of its power" in how else ready)}
        aboard = [sea for sea in board.map.water.get(place, ()) if sea in seas]
        for sea in aboard:
            near = board.map.water.get(sea, ())
            aboard += [one for one in near if one in seas and one not in aboard]
            yield from (one for one in near if board.map.provinces[one].kind == "coast")


# --- what the DPjudge's notes claim --------------------------------------------------------------


@sentence('step {number} marks it "{title}"')
def _marked(board: Board, row: Row, step: int, mark: str) -> bool | str:
    later = f'removes the mark "{mark}"' in row.reason.text
    return (mark in row.marks) is not later


@sentence('step {number} removes the mark "{title}"')
def _unmarked(board: Board, row: Row, step: int, mark: str) -> bool | str:
    return mark not in row.marks


@sentence("no step marks it", "it has no mark")
def _without_mark(board: Board, row: Row) -> bool | str:
    return set(row.marks) <= {"dislodged"}


@sentence("step {number} moves it")
def _moved_by(board: Board, row: Row, step: int) -> bool | str:
    return _moves(board, row)


@sentence("{place} becomes free", "a path is out of danger")
def _freed(board: Board, row: Row, place: str = "") -> bool | str:
    return row.verdict == "succeeds" and board.aim(row.unit) == (place or board.aim(row.unit))


@sentence("step {number} finds the fleet in danger")
def _endangered(board: Board, row: Row, step: int) -> bool | str:
    return row.verdict == "disrupted"


@sentence("step {number} finds the fleet in no danger")
def _safe(board: Board, row: Row, step: int) -> bool | str:
    return row.verdict == ("disrupted" if row.fate else "available")


@sentence("{orders} has the greatest support count", "{orders} have the greatest support count")
def _greatest(board: Board, row: Row, units: tuple[str, ...]) -> bool | str:
    place = _here(row, board).province
    return all(board.aim(one) == place or board.by_name[one].province == place for one in units)


@sentence("{order} attacks it", "{order} dislodges it")
def _attacks_it(board: Board, row: Row, unit: str) -> bool | str:
    return board.aim(unit) == _here(row, board).province


@sentence("it cannot swap places with {order}")
def _no_swap(board: Board, row: Row, unit: str) -> bool | str:
    there = board.by_name[unit].province == board.aim(row.unit)
    return there and board.aim(unit) == _here(row, board).province


@sentence("its support count {number} is not greater than {number} of {unit}")
def _outweighed(board: Board, row: Row, own: int, other: int, unit: str) -> bool | str:
    """The counts of supports when the step came; one that was cut later is not taken back."""
    goal = board.aim(row.unit)
    is_rival = board.aim(unit) == goal or board.by_name[unit].province == goal
    ordered = [o for o in board.given.values() if o["verb"] == "S" and o["other"] == row.unit]
    return is_rival and own <= other and own <= len(ordered)


@sentence("{unit} is of its own power")
def _of_own(board: Board, row: Row, unit: str) -> bool | str:
    piece = board.by_name[unit]
    return piece.power == row.power and piece.province == board.aim(row.unit)


@sentence("the power of {unit} helps it: {units}")
def _helped(board: Board, row: Row, unit: str, helpers: tuple[str, ...]) -> bool | str:
    power = board.by_name[unit].power
    return all(
        board.by_name[one].power == power and board.given[one]["other"] == row.unit
        for one in helpers
    )


@sentence("{units} in danger")
def _fleets_in_danger(board: Board, row: Row, units: tuple[str, ...]) -> bool | str:
    """At that step; a fleet may be out of danger later."""
    carriers = board.carriers_of(row.unit, board.given[row.unit]["target"])
    return set(units) <= {one.name for one in carriers}


@sentence("no fleets make a path", "no matching convoy orders make a path")
def _no_matching(board: Board, row: Row) -> bool | str:
    return _not_ordered(board, row)


@sentence("the convoy of {order} fails")
def _convoy_fails(board: Board, row: Row, unit: str) -> bool | str:
    return board.results[unit] == "fails" and board.given[row.unit]["other"] == unit


@sentence("{unit} is not ordered to go by convoy")
def _over_land(board: Board, row: Row, unit: str) -> bool | str:
    piece, goal = board.by_name[unit], board.given[unit]["target"]
    is_near = goal in board.map.reach(piece.kind, piece.location)
    return is_near and "VIA" not in board.given[unit][0]


# --- what the stages of DIP_EVAL claim -----------------------------------------------------------


@sentence("K{number}")
def _stage(board: Board, row: Row, number: int) -> bool | str:
    return number in (1, 2, 3, 4)


@sentence("effective", "not dislodged")
def _effective(board: Board, row: Row) -> bool | str:
    return row.verdict in _GOOD and not (row.fate and "not dislodged" in row.reason.text)


@sentence("wins the conflict about {place}")
def _won_conflict(board: Board, row: Row, place: str) -> bool | str:
    return board.aim(row.unit) == place and _moves(board, row)


@sentence("in vain, its strength {number} is not greater than {number} of {unit}")
def _weaker(board: Board, row: Row, own: int, other: int, unit: str) -> bool | str:
    return _outweighed(board, row, own - 1, other - 1, unit)


@sentence("dislodged by {order}")
def _dislodged_by_order(board: Board, row: Row, unit: str) -> bool | str:
    return _dislodged(board, row, (unit,))


@sentence("without effect, no convoy route is left, {units} is dislodged")
def _no_route_by(board: Board, row: Row, units: tuple[str, ...]) -> bool | str:
    lost = all(board.fates.get(unit) for unit in units)
    return lost and _no_route(board, row, units)


@sentence("in vain, neither it nor {order} wins")
def _neither(board: Board, row: Row, unit: str) -> bool | str:
    return row.verdict == "fails" and board.results[unit] == "fails" and _no_swap(board, row, unit)


@sentence("without effect, {order} attacks it", "without effect, {order} dislodges it")
def _cut_by_order(board: Board, row: Row, unit: str) -> bool | str:
    is_so = _dislodged(board, row, (unit,)) if "dislodges" in row.reason.text else True
    return row.verdict == "cut" and is_so is True and _attacks_it(board, row, unit)


@sentence("without effect, beaten by {order}")
def _beaten_by(board: Board, row: Row, unit: str) -> bool | str:
    return _dislodged(board, row, (unit,)) is True and _no_swap(board, row, unit)


@sentence("{title}'s units hold: the map gives them no orders")
def _neutral_holds(board: Board, row: Row, name: str) -> bool | str:
    return board.map.powers[row.power].neutral and row.verdict == "illegal"


@sentence("the map rebuilds it while no other power owns its centre")
def _rebuilt(board: Board, row: Row) -> bool | str:
    setup = board.map.powers[row.power]
    return setup.neutral and setup.rebuilt and row.unit in setup.start
