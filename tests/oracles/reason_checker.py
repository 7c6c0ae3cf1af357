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


Row: TypeAlias = dipsat.OrderOutcome
"""One of `Outcome.orders`."""


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
        """The unit's province."""
        return _province(self.location)


def _province(location: str) -> str:
    return location.partition("/")[0]


class Board:
    """What can be seen of a phase and its result, for one order at a time."""

    row: Row
    """The order that is examined."""

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

    # --- the order that is examined --------------------------------------------------------------

    @property
    def here(self) -> Piece:
        """Its unit."""
        return self.by_name[self.row.unit]

    @property
    def place(self) -> str:
        """The province of its unit."""
        return self.here.province

    @property
    def goal(self) -> str | None:
        """The province to which its unit is ordered to move."""
        return self.aim(self.row.unit)

    @property
    def verdict(self) -> str:
        """The verdict on it."""
        return self.row.verdict

    @property
    def fate(self) -> str:
        """The fate of its unit."""
        return self.row.fate

    @property
    def text(self) -> str:
        """The reason for its result."""
        return self.row.reason.text

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
        """Unit that goes along a line -> its target."""
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
        """Province -> the power and kind of the unit that is there after the phase."""
        return {unit.province: (unit.power, unit.kind) for unit in self.outcome.units_after}

    def ends_in(self, unit: str, province: str) -> bool:
        """Whether the unit in a province after the phase may be the given unit."""
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
        """Whether a unit gives the support that it is ordered to give to another unit."""
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
        """The routes of a unit to a province aboard the carriers, without repetition."""
        goal = _province(target)
        if not cargo.kind.stands_in(self.map.provinces[goal].kind):
            return
        carriers = [one for one in carriers if one.province != goal]

        def near(piece: Piece) -> frozenset[str]:
            return self.map.reach_provinces(piece.kind, piece.location)

        def touches(piece: Piece, end: str, location: str) -> bool:
            """Whether a unit at a location can go on board, or ashore."""
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
                    continue  # a shorter route leads there
                if touches(one, cargo.province, cargo.location):
                    continue
                yield from on((*way, one))

        for first in carriers:
            if touches(first, cargo.province, cargo.location):
                yield from on((first,))

    def could_be_carried(self, cargo: Piece, target: str, but: str = "") -> bool:
        """Whether units on the board could carry a unit to a province."""
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


Answer: TypeAlias = bool | str
"""True if a sentence is true; otherwise False, or the reason."""
Check: TypeAlias = Callable[..., Answer]

_SENTENCES: list[tuple[re.Pattern[str], list[str], Check]] = []


def sentence(*shapes: str) -> Callable[[Check], Check]:
    """Register the check of what sentences of some shapes claim."""

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


def _claims(claims: Mapping[str | tuple[str, ...], Check]) -> None:
    """Register sentences whose claim is a single condition: shape or shapes -> the condition."""
    for shapes, check in claims.items():
        sentence(*((shapes,) if isinstance(shapes, str) else shapes))(check)


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
    """The reasons of an outcome that are false about the board or cannot be read."""
    board = Board(outcome)
    for row in board.rows:
        board.row = row
        order = f"{row.power}: {row.submitted or row.order} ({row.verdict} {row.fate})"
        for unit in row.reason.because:
            if unit not in board.by_name:
                yield Falsehood(order, row.reason.text, f"there is no {unit}")
        for why in _faults(board, row.reason.text):
            yield Falsehood(order, row.reason.text, why)


def _faults(board: Board, text: str) -> list[str]:
    """Why a text is false, or an empty text if it is true. A text that can be read in several ways
    is true if one of them is."""
    found: list[str] | None = None
    for pattern, names, check in _SENTENCES:
        read = pattern.fullmatch(text)
        if read is None:
            continue
        values = [_value(name, part) for name, part in zip(names, read.groups(), strict=True)]
        answer = check(board, *values)
        if answer is True:
            return []
        found = [*(found or ()), answer or "it is not so"]
    for cut in (*re.finditer("; ", text), *re.finditer(": ", text)):
        if _is_known(text[: cut.start()]):
            first = _faults(board, text[: cut.start()])
            both = first + _faults(board, text[cut.end() :])
            if not both or found is None:
                return both
    return found or [f"unknown sentence: {text}"]


def _is_known(text: str) -> bool:
    return any(pattern.fullmatch(text) for pattern, _, _ in _SENTENCES)


# --- what the sentences of movement phases claim ------------------------------------------------

_claims(
    {
        "it is not dislodged": lambda it: not it.fate and bool(it.movers_to(it.place)),
        "nothing cuts it": lambda it: it.verdict == "given",
        "the supporting unit is dislodged by {units}": lambda it, units: (
            it.verdict == "cut" and _dislodged(it, units)
        ),
        (
            "the convoying fleet is dislodged by {units}",
            "the convoying unit is dislodged by {units}",
        ): lambda it, units: it.verdict == "disrupted" and _dislodged(it, units),
        "{unit} is ordered to move": lambda it, unit: it.aim(unit) is not None or unit in it.trains,
        "{unit} moves": lambda it, unit: it.has_moved(unit),
    }
)


def _strengths(it: Board, fights: Iterable[Fight], family: str, holds: bool) -> Answer:
    """Whether the numbers are those of the attack and of the decisions `family` about the others,
    whether the helpers help, and whether the attack is stronger, as `holds` says."""
    for fight in fights:
        own = 1 + sum(it.helped_by(one.name, it.row.unit) for one in it.standing)
        if fight.left not in (*it.values("attack_strength", it.row.unit), own):
            return f"the attack strength is not {fight.left}"
        (other,) = fight.units
        about = it.by_name[other].province if family == "hold_strength" else other
        if fight.right not in it.values(family, about):
            return f"{family} of {other} is not {fight.right}"
        if (fight.left > fight.right) is not holds:
            return f"{fight.left} against {fight.right}"
        wrong = [one for one in fight.helpers if not it.helped_by(one, other)]
        if wrong:
            return f"{wrong[0]} gives {other} no support"
        if fight.helpers and not len(fight.helpers) <= fight.right <= 1 + len(fight.helpers):
            return f"{fight.right} with {len(fight.helpers)} supports"
        if not fight.helpers and fight.right > 1:
            return f"nobody is said to support {other}"
    return True


@sentence("")
def _nothing(it: Board) -> Answer:
    if it.verdict in ("fails", "cut", "disrupted", "invalid", "illegal"):
        return "no reason"
    if it.position.phase.kind is not PhaseKind.MOVEMENT or it.row.unit not in it.by_name:
        return True
    return not it.fate and not it.movers_to(it.place)


@sentence("dislodged by {units}")
def _dislodged(it: Board, units: tuple[str, ...]) -> Answer:
    place = it.place
    entered = all(it.has_moved(unit) and it.aim(unit) == place for unit in units)
    return bool(it.fate) and len(units) == 1 and entered


@sentence("nothing stops it")
def _moves(it: Board) -> Answer:
    goal = it.goal
    if it.verdict != "succeeds" or goal is None:
        return "it does not move"
    if goal not in it.ends:
        return f"nobody stands in {goal} afterwards"
    return len([one for one in it.movers_to(goal) if it.has_moved(one.name)]) == 1


@sentence("nothing stops it: stronger than {fights}")
def _wins(it: Board, fights: tuple[Fight, ...]) -> Answer:
    for fight in fights:
        (other,) = fight.units
        families = ["prevent_strength"] if it.aim(other) == it.goal else []
        if it.by_name[other].province == it.goal:
            families += ["hold_strength", "defend_strength"]
        if other in it.trains:
            families.append("train_strength")
        if not families:
            return f"{other} does not stand in its way"
        answers = [_strengths(it, [fight], one, True) for one in families]
        if True not in answers:
            return str(answers[0])
    return _moves(it)


@sentence("as strong as {fights}", "at least as strong as {fights}")
def _as_strong(it: Board, fights: tuple[Fight, ...]) -> Answer:
    """Under rules in which a superior color wins between equal attacks."""
    for fight in fights:
        (other,) = fight.units
        if it.aim(other) != it.goal or fight.left != fight.right:
            return f"{fight.left} and {fight.right}"
    return True


@sentence("attack strength {number} is greater than {number}")
def _stronger_than_train(it: Board, left: int, right: int) -> Answer:
    coming = [one for one in it.trains if it.by_name[one].province == it.goal]
    return bool(coming) and left > right and left in it.values("attack_strength", it.row.unit)


@sentence(
    "held off by {fights}",
    "the attack is not strong enough against a unit of the same color: not stronger than {fights}",
)
def _held_off(it: Board, fights: tuple[Fight, ...]) -> Answer:
    for fight in fights:
        (other,) = fight.units
        if it.by_name[other].province != it.goal or it.has_moved(other):
            return f"{other} does not stay in {it.goal}"
    return _strengths(it, fights, "hold_strength", False)


@sentence("held off by {units}", "held off")
def _held_off_by(it: Board, units: tuple[str, ...] = ()) -> Answer:
    goal = it.goal
    return it.verdict == "fails" and all(it.by_name[one].province == goal for one in units)


@sentence("does not win head-to-head against {fights}")
def _head_to_head(it: Board, fights: tuple[Fight, ...]) -> Answer:
    for fight in fights:
        (other,) = fight.units
        if it.goal not in _origins(it, other):
            return f"{other} does not come from {it.goal}"
        if it.aim(other) not in _origins(it, it.row.unit):
            return f"{other} does not move to {it.place}"
    return _strengths(it, fights, "defend_strength", False)


def _origins(it: Board, unit: str) -> set[str]:
    """The province from which a unit attacks; by Brannan's rule (DATC 4.A.4), an army comes from
    the sea of the fleet that brings it ashore."""
    found = {it.by_name[unit].province}
    if it.outcome.rules == "4.A.4-brannan" and it.aim(unit) is not None:
        found |= {one.province for one in it.carriers_of(unit, it.given[unit]["target"])}
    return found


@sentence("bounces off {fights}")
def _bounces(it: Board, fights: tuple[Fight, ...]) -> Answer:
    for fight in fights:
        (other,) = fight.units
        if other == it.row.unit or it.aim(other) != it.goal:
            return f"{other} does not move there"
    return _strengths(it, fights, "prevent_strength", False)


@sentence("a unit of the same power stays there: {units}")
def _own_stays(it: Board, units: tuple[str, ...]) -> Answer:
    (other,) = units
    piece = it.by_name[other]
    is_there = piece.province == it.goal and not it.has_moved(other)
    return is_there and piece.power == it.row.power and it.verdict == "fails"


@sentence("its convoy is disrupted", "its convoy is disrupted: {units}")
def _no_route(it: Board, units: tuple[str, ...] = ()) -> Answer:
    order = it.given[it.row.unit]
    carriers = it.carriers_of(it.row.unit, order["target"])
    left = [one for one in carriers if it.results[one.name] == "available"]
    if any(True for _ in it.routes_along(it.here, order["target"], left)):
        return f"{', '.join(one.name for one in left)} make a route"
    lost = [one.name for one in carriers if one not in left]
    return all(unit in lost for unit in units) or f"{units} are not {lost}"


@sentence("one of its convoy routes is disrupted", "one of its convoy routes is disrupted: {units}")
def _one_lost(it: Board, units: tuple[str, ...] = ()) -> Answer:
    carriers = it.carriers_of(it.row.unit, it.given[it.row.unit]["target"])
    lost = [one.name for one in carriers if it.results[one.name] == "disrupted"]
    return bool(lost) and set(units) <= set(lost)


@sentence("no complete convoy is ordered for it")
def _not_ordered(it: Board) -> Answer:
    order = it.given[it.row.unit]
    carriers = it.carriers_of(it.row.unit, order["target"])
    return not any(True for _ in it.routes_along(it.here, order["target"], carriers))


@sentence("{unit} shows that it is to go by convoy, but no complete convoy is ordered for it")
def _shown(it: Board, unit: str) -> Answer:
    own = it.by_name[unit].power == it.row.power
    return own and _not_ordered(it)


@sentence(
    "cut by {units}",
    "the supporting unit is attacked by a unit that is not inferior: {units}",
)
def _cut(it: Board, units: tuple[str, ...]) -> Answer:
    place, order = it.place, it.given[it.row.unit]
    aim = _province(order["to"]) if order["to"] else it.by_name[order["other"]].province
    for unit in units:
        piece = it.by_name[unit]
        if it.aim(unit) != place or piece.power == it.row.power:
            return f"{unit} does not attack it"
        is_aim = piece.province == aim and not it.carriers_of(unit, place)
        if is_aim and it.results[unit] != "succeeds":
            return f"{unit} is attacked by the support"
        if it.results[unit] == "invalid":
            return f"{unit} has no convoy"
    return it.verdict == "cut"


@sentence(
    "does not win head-to-head against {units}: "
    "attack strength {number} is not greater than {number}",
    "does not win head-to-head against {units}: "
    "attack strength {number} is not greater than {number} supported by {units}",
)
def _against_train(
    it: Board,
    units: tuple[str, ...],
    left: int,
    right: int,
    helpers: tuple[str, ...] = (),
) -> Answer:
    """A train that comes the opposite way; supports count only on its last leg."""
    wrong = [one for one in helpers if not it.helped_by(one, units[0])]
    if wrong:
        return f"{wrong[0]} gives {units[0]} no support"
    goal = it.goal
    coming = [one for one in units if one in it.trains and it.by_name[one].province == goal]
    most = 1 + sum(it.helped_by(one.name, units[0]) for one in it.standing)
    is_right = left in it.values("attack_strength", it.row.unit) and left <= right <= most
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
def _compared(it: Board, left: int, *more: Any) -> Answer:
    """Numbers that rules compare; no order is named for the left one."""
    text = it.text
    named = re.search(rf"\b{left} ({'|'.join(_RELATIONS)}) ", text)
    is_helped = isinstance(more[-1], tuple) and f"supported by {', '.join(more[-1])}" in text
    helpers: tuple[str, ...] = more[-1] if is_helped else ()
    right = next(one for one in more if isinstance(one, int))
    if isinstance(more[0], str):
        (other,) = more[2]
        about = it.by_name[other].province if more[0] == "hold" else other
        if right not in it.values(f"{more[0]}_strength", about):
            return f"{more[0]} strength of {other} is not {right}"
    if any(it.results.get(one) != "given" for one in helpers):
        return f"not all of {helpers} give their support"
    return named is not None and any(
        _RELATIONS[found](left, right)
        for found in re.findall(rf"\b{left} ({'|'.join(_RELATIONS)}) [a-z ]*{right}\b", text)
    )


def _attacks(it: Board) -> list[int]:
    """All attackers of the unit's province, with the units that support each."""
    place = it.place
    return [
        1 + sum(it.helped_by(one.name, attacker.name) for one in it.standing)
        for attacker in it.movers_to(place)
    ]


@sentence(
    "the fleet is outnumbered, even if only with support from its own power",
    "the fleet is outnumbered, even if only with support from its own power: {units}",
)
def _outnumbered(it: Board, units: tuple[str, ...] = ()) -> Answer:
    (holds,) = it.values("hold_strength", it.place)
    return it.verdict == "disrupted" and max(_attacks(it), default=0) > holds


@sentence("two equal attacks beleaguer the fleet", "two equal attacks beleaguer the fleet: {units}")
def _beleaguered(it: Board, units: tuple[str, ...] = ()) -> Answer:
    (holds,) = it.values("hold_strength", it.place)
    first, *others = sorted(_attacks(it), reverse=True)
    return it.verdict == "disrupted" and first > holds and first in others


@sentence(
    "the fleet holds only because of support that the convoy could cut",
    "the fleet holds only because of support that the convoy could cut: {units}",
)
def _propped(it: Board, units: tuple[str, ...] = ()) -> Answer:
    helpers = [one.name for one in it.standing if it.helped_by(one.name, it.row.unit)]
    return it.verdict == "disrupted" and bool(helpers)


@sentence("the fleet is not dislodged", "the convoying unit is not dislodged")
def _convoys(it: Board) -> Answer:
    is_fleet = it.here.kind is UnitKind.FLEET or "unit" in it.text
    return it.verdict == "available" and not it.fate and is_fleet


@sentence("{unit} does not move to {place}")
def _not_matched(it: Board, unit: str, place: str) -> Answer:
    order = it.given.get(unit)
    return unit in it.by_name and not (order and order["target"] == place)


@sentence("{unit} was ordered an impossible move")
def _vain(it: Board, unit: str) -> Answer:
    orders = [one for one in it.rows if one.unit == unit and one.verdict == "illegal"]
    return any(" - " in (one.submitted or "") for one in orders)


@sentence("{unit} belongs to a power in civil disorder")
def _in_disorder(it: Board, unit: str) -> Answer:
    power = it.by_name[unit].power
    return not any(one.power == power and one.submitted for one in it.rows)


@sentence(
    "the rule '{text}' settles a decision cycle that has {number} resolutions",
    "the rule '{text}' chooses one of the {number} resolutions of a decision cycle",
    "the rule '{text}' settles a decision cycle that has no resolutions",
)
def _by_rule(it: Board, rule: str, number: int = 0) -> Answer:
    """The rule is applied to the subgraph of the order. If it is the only one there, the cycle has
    as many resolutions as the subgraph had."""
    for graph in it.outcome.to_dict()["subgraphs"]:
        if not any(
            f"({it.row.unit} " in name or f"({it.row.unit})" in name for name in graph["decisions"]
        ):
            continue
        rules = [used["rule"] for used in graph["applications"]]
        if rule in rules and (len(rules) > 1 or graph["resolutions"] == number):
            return number != 1
    return f"no subgraph of the order has {number} resolutions and the rule '{rule}'"


# --- what they claim under rules of other games -------------------------------------------------

_claims(
    {
        "it ends in {place}": lambda it, place: (
            it.ends_in(it.row.unit, place) and place != it.place
        ),
        "it stays": lambda it: bool(it.fate) or it.ends_in(it.row.unit, it.place),
        "the railroad belongs to another power": lambda it: all(
            line.power != it.row.power for line in it.map.lines.values()
        ),
        "only armies travel by rail": lambda it: it.here.kind is not UnitKind.ARMY,
        "another train runs at the same time": lambda it: (
            sum(" TSR" in (one.submitted or "") for one in it.rows) > 1
        ),
        "the {text} does not lead from {place} to {place}": lambda it, line, start, end: (
            not {start, end} <= set(it.map.lines[line.replace(" ", "_")].provinces)
        ),
        "fleets convoy at sea, and on coasts that the map marks for it": lambda it: (
            not it.convoys_in(it.place)
        ),
    }
)


@sentence("the train reaches its last station", "the train does not reach its last station")
def _train(it: Board) -> Answer:
    goal = it.trains[it.row.unit]
    if "the train reaches" in it.text:
        return it.verdict == "succeeds" and it.ends_in(it.row.unit, goal)
    others = [it.at[goal]] if goal in it.at else it.movers_to(goal)
    is_there = it.ends_in(it.row.unit, goal)
    return it.verdict == "fails" and (not is_there or bool(others))


@sentence("stopped by the train of {fights}")
def _by_train(it: Board, fights: tuple[Fight, ...]) -> Answer:
    (fight,) = fights
    (other,) = fight.units
    if other not in it.trains or fight.left not in it.values("attack_strength", it.row.unit):
        return f"{other} is no train, or {fight.left} is not the attack strength"
    return fight.right in it.values("train_strength", other) and fight.left <= fight.right


@sentence("the canal is closed to it", "the canal is closed to it: {units}")
def _closed(it: Board, units: tuple[str, ...] = ()) -> Answer:
    ends = {it.place, it.goal}
    return it.verdict == "fails" and it.map.has_feature("suez", *sorted(map(str, ends)))


@sentence("there is no canal")
def _no_canal(it: Board) -> Answer:
    named = re.search(rf"({UNIT}) - ({_PLACE})", it.row.submitted or "")
    assert named is not None
    start, end = _province(named[1].rpartition(" ")[2]), _province(named[2])
    return not it.map.has_feature("suez", start, end)


@sentence("the power does not control the canal")
def _not_in_egypt(it: Board) -> Answer:
    marked = (it.map.provinces[unit.province].features for unit in it.units_of(it.row.power))
    return not any("suez_control" in one for one in marked)


def _colors(unit: str) -> str:
    return unit.split()[0]


_BEATS = {("Red", "Silver"), ("Purple", "Red"), ("Silver", "Purple")}


@sentence("the unit there defends with a superior color: {units}")
def _superior(it: Board, units: tuple[str, ...]) -> Answer:
    """Its own colour or one that a support gave it beats the colour of the attack."""
    there = next((p for p in it.standing if p.province == it.goal), None)
    if there is None or there.name not in units:
        return "no such unit stands there"
    backed = {_colors(one.name) for one in it.standing if it.helped_by(one.name, there.name)}
    colors = backed | {_colors(there.name)}
    own = {_colors(one.name) for one in it.standing if it.helped_by(one.name, it.row.unit)}
    own |= {_colors(it.row.unit)}
    return any((c, mine) in _BEATS for c in colors for mine in own) or f"it has {colors}"


@sentence("another move to the same province has a superior color: {units}")
def _outranked(it: Board, units: tuple[str, ...]) -> Answer:
    rivals = [one for one in units if it.aim(one) == it.goal]
    colors = {
        _colors(one.name)
        for one in it.standing
        if one.name in rivals or any(it.helped_by(one.name, rival) for rival in rivals)
    }
    own = {_colors(one.name) for one in it.standing if it.helped_by(one.name, it.row.unit)}
    own |= {_colors(it.row.unit)}
    return any((c, mine) in _BEATS for c in colors for mine in own) or f"they have {colors}"


@sentence(
    "the ice holds it until spring",
    "nobody enters the ice before spring",
    "nobody supports from the ice before spring",
    "nobody retreats to the ice before spring",
    "fleets convoy at sea, but in fall not in the ice",
)
def _icy(it: Board) -> Answer:
    places = [_province(one) for one in re.findall(_PLACE, it.row.order) if len(one) > 1]
    frozen = [p for p in places if "ice" in it.map.provinces[p].features]
    is_fall = str(it.position.phase).startswith("F")
    if "convoy" in it.text:
        return not it.convoys_in(_province(it.row.order.split()[1]))
    return is_fall and bool(frozen)


@sentence("no army supports over a border that is difficult to cross")
def _over_border(it: Board) -> Answer:
    here, places = it.here, re.findall(_PLACE, it.row.order)
    is_difficult = it.map.has_feature("difficult", here.province, _province(places[-1]))
    return here.kind is UnitKind.ARMY and is_difficult


@sentence("nobody supports through the canal", "nobody retreats through the canal")
def _through(it: Board) -> Answer:
    places = re.findall(_PLACE, it.row.order)
    here = _province(it.row.unit.split()[-1])
    return it.map.has_feature("suez", here, _province(places[-1]))


# --- what they claim about impossible orders ----------------------------------------------------

_claims(
    {
        "no unit stands in {place}": lambda it, place: place not in it.at and place in it.row.order,
        "no dislodged unit is in {place}": lambda it, place: (
            not any(piece.province == place for piece in it.dislodged)
        ),
        "it names several targets; no unit can convoy in {place}": lambda it, place: (
            place in map(_province, _targets(it.row)) and not it.convoys_in(place)
        ),
        "{word} do not convoy in {place}": lambda it, kind, place: (
            it.at[place].kind.plural == kind and it.map.provinces[place].kind == "sea"
        ),
        ("only {word} convoy", "only {word} and {word} convoy"): lambda it, *kinds: (
            it.by_name[it.row.unit].kind.plural not in kinds
        ),
        "a unit cannot move to where it stands": lambda it: (
            _province(_targets(it.row)[-1]) == _ordered_place(it.row)
        ),
        ("a unit cannot support its own move", "a unit cannot support itself"): lambda it: (
            _other(it.row)[1] == _ordered_place(it.row)
        ),
        "the coast {word} has no meaning": lambda it, coast: (
            re.search(rf"[/( ]{coast.upper()}\b", (it.row.submitted or "").upper()) is not None
        ),
        "the {word} stands on {place}": lambda it, kind, place: any(
            p.location == place and p.kind.word == kind for p in it.by_name.values()
        ),
        "the convoy path is missing": lambda it: (
            len(_targets(it.row)) == 1 and it.verdict == "illegal"
        ),
        "it cannot be read: {text}": lambda it, why: it.verdict == "illegal",
        "the unit is not named properly": lambda it: it.verdict == "illegal",
        "read as {unit}": lambda it, unit: unit in it.by_name,
        "a later set of orders has another order for the unit": lambda it: any(
            one is not it.row and one.unit == it.row.unit for one in it.rows
        ),
        "this phase takes only orders that the rules declare for it": lambda it: (
            it.position.phase.kind is PhaseKind.EXTRA
        ),
    }
)


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


@sentence(
    "the unit in {place} belongs to {title}, not {title2}",
    "the unit dislodged from {place} belongs to {title}, not {title2}",
)
def _foreign(it: Board, place: str, title: str, other: str) -> Answer:
    at_stake = it.dislodged if it.dislodged else it.standing
    owners = [piece.power for piece in at_stake if piece.province == place]
    named = place == _ordered_place(it.row) and it.titles[other] == it.row.power
    return named and owners == [it.titles[title]] and it.row.power not in owners


@sentence("{unit} cannot move to {place}, so it cannot support there")
def _far_support(it: Board, unit: str, place: str) -> Answer:
    piece = it.by_name[unit]
    is_own = unit == it.row.unit and place in it.row.order
    return is_own and place not in it.map.reach_provinces(piece.kind, piece.location)


@sentence("the {word} cannot reach {place} from {place}")
def _far(it: Board, kind: str, place: str, start: str) -> Answer:
    piece = it.by_name[it.row.unit]
    if piece.kind.word != kind or start != piece.location:
        return f"it is {piece.name}"
    return place not in it.map.reach_provinces(piece.kind, start)


@sentence("the {word} cannot reach {place}", "{unit} cannot reach {place}")
def _far_coast(it: Board, who: str, place: str) -> Answer:
    piece = it.by_name.get(who) or it.by_name[it.row.unit]
    return place not in it.map.reach(piece.kind, piece.location)


@sentence("{unit} cannot reach {place} from {place}", "{unit} cannot move to {place}")
def _far_other(it: Board, unit: str, place: str, start: str = "") -> Answer:
    piece = it.by_name[unit]
    if _province(place) == piece.province:
        return True
    if place in it.map.reach(piece.kind, piece.location):
        return "it is a neighbour"
    if "/" not in place and place in it.map.reach_provinces(piece.kind, piece.location):
        return "it is a neighbour"
    return not it.could_be_carried(piece, place, but=_ordered_place(it.row))


@sentence(
    "{unit} cannot move to {place}: the ice holds it until spring",
    "{unit} cannot move to {place}: nobody enters the ice before spring",
)
def _held_by_ice(it: Board, unit: str, place: str) -> Answer:
    places = {it.by_name[unit].province, place}
    is_icy = any("ice" in it.map.provinces[one].features for one in places)
    return is_icy and str(it.position.phase).startswith("F")


@sentence("no {word} stand where they could convoy {word} {word} to {place}")
def _no_convoy_at_all(it: Board, carriers: str, article: str, cargo: str, place: str) -> Answer:
    """Read to the letter: no unit is where it could be the last of a convoy to the place."""
    for piece in it.standing:
        is_carrier = piece.kind.plural == carriers and it.convoys_in(piece.province)
        if is_carrier and place in it.map.reach_provinces(piece.kind, piece.location):
            return f"{piece.name} could convoy {article} {cargo} there"
    return True


@sentence("no {word} stand where they could convoy it from {place} to {place}")
def _no_convoy(it: Board, carriers: str, start: str, place: str) -> Answer:
    piece = it.by_name[it.row.unit]
    if piece.location != start or not any(k.plural == carriers for k in _carriers(it, piece)):
        return f"it is {piece.name}"
    return not it.could_be_carried(piece, place)


@sentence("{place} does not border {place}, and no {word} stand where they could convoy it")
def _far_and_no_convoy(it: Board, start: str, place: str, carriers: str) -> Answer:
    piece, goal = it.by_name[it.row.unit], _targets(it.row)[-1]
    lands = it.map.army.get(start, frozenset()) | {
        one for coast, reached in it.map.fleet.items() if _province(coast) == start
        for one in map(_province, reached)
    }  # fmt: skip
    if (piece.province, _province(goal)) != (start, place) or place in lands:
        return f"it is {piece.name}, ordered to {goal}"
    return _no_convoy(it, carriers, piece.location, goal)


def _carriers(it: Board, cargo: Piece) -> list[UnitKind]:
    kinds = {"army": [UnitKind.FLEET], "fleet": [UnitKind.ARMY]}
    return kinds.get(cargo.kind.word, [])


@sentence("there is no {word} in {place}")
def _empty_route(it: Board, kind: str, place: str) -> Answer:
    there = it.at.get(place)
    return place in _targets(it.row)[:-1] and (there is None or there.kind.word != kind)


@sentence("its route names {place}, where no {word} could convoy it")
def _useless_on_route(it: Board, place: str, kind: str) -> Answer:
    there, cargo = it.at.get(place), it.by_name[it.row.unit]
    is_named = place in map(_province, _targets(it.row)[:-1])
    return is_named and (there is None or not it.carries(there, cargo))


@sentence("{text} is not a convoy path")
def _no_path(it: Board, named: str) -> Answer:
    places = named.split(" - ")
    cargo = it.by_name[it.row.unit]
    seas = [Piece("", "", UnitKind.FLEET, place) for place in places[1:-1]]
    if not all(it.map.provinces[sea.province].kind == "sea" for sea in seas):
        return True
    ways = it.routes_along(cargo, places[-1], seas)
    return not any(tuple(way) == tuple(seas) for way in ways)


@sentence("{an_army} cannot get to {place} from {place}".replace("{an_army}", "{word} {word}"))
def _no_way(it: Board, article: str, kind: str, place: str, start: str) -> Answer:
    piece = it.by_name[it.row.unit]
    if piece.kind.word != kind or start != piece.location:
        return f"it is {piece.name}"
    if place in it.map.reach(piece.kind, start):
        return "it is a neighbour"
    return it.map.provinces[_province(place)].kind != "coast" or not any(
        it.convoys_in(sea)
        for sea in it.map.water.get(_province(place), ())
        if sea in it.map.provinces
    )


@sentence("only a fleet at sea convoys")
def _not_at_sea(it: Board) -> Answer:
    piece = it.by_name[it.row.unit]
    return piece.kind is not UnitKind.FLEET or not it.convoys_in(piece.province)


@sentence("only {word} are convoyed")
def _only_carried(it: Board, kind: str) -> Answer:
    _, place = _other(it.row)
    return it.at[place].kind.plural != kind


@sentence("no convoy of {unit} to {place} needs this {word}")
def _no_part(it: Board, unit: str, place: str, kind: str) -> Answer:
    cargo = it.by_name[unit]
    if _province(place) == cargo.province:
        return True
    ready = [one for one in it.standing if it.carries(one, cargo)]
    return not any(
        any(one.name == it.row.unit for one in way) for way in it.routes_along(cargo, place, ready)
    )


@sentence("the coast is missing: write {places}")
def _no_coast_given(it: Board, places: tuple[str, ...]) -> Answer:
    province = it.map.provinces[_province(places[0])]
    if len(province.locations) < 2 or not set(places) <= set(province.locations):
        return f"{province.code} has {province.locations}"
    return not any(place in it.row.order for place in places)


@sentence("'{text}' is read as {title}")
def _name_read(it: Board, typed: str, name: str) -> Answer:
    known = {place.name for place in it.map.provinces.values()} | set(it.titles)
    return typed.upper() in (it.row.submitted or "").upper() and name in known


@sentence("it belongs to {title}", "read as the unit of {title}")
def _owner_named(it: Board, title: str) -> Answer:
    place = _other(it.row)[1]
    return it.titles.get(title) == it.at[place].power


@sentence("another order names the unit properly")
def _named_better(it: Board) -> Answer:
    place = _ordered_place(it.row)
    rows = [one for one in it.rows if one is not it.row and one.power == it.row.power]
    return any(one.submitted and place in one.order for one in rows)


@sentence("the unit has another order too: {text}")
def _two_orders(it: Board, text: str) -> Answer:
    texts = [one.submitted for one in it.rows if one is not it.row and one.unit == it.row.unit]
    return text in texts or f"the others are {texts}"


@sentence("a movement phase takes only orders to hold, move, support or convoy")
def _not_of_movement(it: Board) -> Answer:
    is_other = re.search(r" (R|D|B)\b|^WAIVE$", it.row.order)
    return it.position.phase.kind is PhaseKind.MOVEMENT and is_other is not None


# --- what they claim in retreat phases ----------------------------------------------------------

_claims(
    {
        "without an order it is disbanded": lambda it: (
            it.row.submitted is None and it.fate == "disbanded"
        ),
        "it has no retreat": lambda it: (
            not next(one for one in it.position.dislodged if str(one.unit) == it.row.unit).retreats
        ),
        "the unit has another order, too": lambda it: any(
            one is not it.row and one.unit == it.row.unit for one in it.rows
        ),
        "there is nothing to waive in a retreat phase": lambda it: (
            it.position.phase.kind is PhaseKind.RETREAT and it.row.order == "WAIVE"
        ),
    }
)


def _retreats_to(it: Board, place: str) -> list[str]:
    """The units with a retreat order that counts to a province."""
    found = [
        one.unit
        for one in it.rows
        if one.verdict in ("succeeds", "fails")
        and (goal := re.search(rf" R ({_PLACE})$", one.order))
        and _province(goal[1]) == place
    ]
    return [*dict.fromkeys(found)]


@sentence("no other unit retreats there")
def _alone(it: Board) -> Answer:
    others = _retreats_to(it, _province(_targets(it.row)[-1]))
    return (it.verdict, others) == ("succeeds", [it.row.unit]) or f"{others} retreat there"


@sentence(
    "{units} retreats there too, so both are disbanded",
    "{units} retreat there too, so all are disbanded",
)
def _clash(it: Board, units: tuple[str, ...]) -> Answer:
    there = _retreats_to(it, _province(_targets(it.row)[-1]))
    if not set(units) <= set(there) or it.row.unit in units or it.fate != "disbanded":
        return f"{there} retreat there"
    entered = [one for one in units if _retreats(it, one)]
    return not entered or f"{entered[0]} does not bounce: it goes there"


def _retreats(it: Board, unit: str) -> bool:
    """Whether a unit retreats and stays on the board."""
    rows = (one for one in it.rows if one.unit == unit and one.verdict == "succeeds")
    return any(re.search(r" R \S+$", one.order) and not one.fate for one in rows)


_WON = (
    "the rules let it go there instead of {units}",
    "its color is superior to that of {units}",
    "it crosses no difficult border, unlike the retreat of {units}",
)


@sentence(*_WON)
def _prevails(it: Board, units: tuple[str, ...]) -> Answer:
    return _won(it, it.row.unit, units, it.text)


@sentence(*(f"{{unit}} goes there: {one}" for one in _WON))
def _beaten(it: Board, winner: str, units: tuple[str, ...]) -> Answer:
    return it.row.unit in units and it.verdict == "fails" and _won(it, winner, units, it.text)


def _won(it: Board, unit: str, others: tuple[str, ...], text: str) -> Answer:
    place = next(_province(_targets(one)[-1]) for one in it.rows if one.unit == unit)
    there = _retreats_to(it, place)
    if not _retreats(it, unit) or {unit, *others} != set(there):
        return f"{there} retreat to {place}"
    if "color" in text:
        return all((_colors(unit), _colors(other)) in _BEATS for other in others)
    crossing = [_crosses(it, one, place) for one in (unit, *others)]
    return "border" not in text or crossing == [False, *([True] * len(others))]


def _crosses(it: Board, unit: str, place: str) -> bool:
    piece = it.by_name[unit]
    is_marked = it.map.has_feature("difficult", piece.province, place)
    return is_marked and piece.kind is UnitKind.ARMY


@sentence("it may retreat to {places}")
def _elsewhere(it: Board, places: tuple[str, ...]) -> Answer:
    lost = next(one for one in it.position.dislodged if str(one.unit) == it.row.unit)
    return set(places) == set(lost.retreats) and _targets(it.row)[-1] not in places


@sentence("a dislodged unit can only retreat or disband")
def _only_retreats(it: Board) -> Answer:
    is_retreat = re.fullmatch(rf"({UNIT}|{_PLACE})( R {_PLACE}| D| - {_PLACE})", it.row.order)
    return any(piece.name == it.row.unit for piece in it.dislodged) and is_retreat is None


# --- what they claim in adjustment phases -------------------------------------------------------

_claims(
    {
        "in an adjustment phase, units are only built or disbanded": lambda it: (
            re.search(r" (B|D)$|^WAIVE$", it.row.order) is None
        ),
        (
            "{title} has no more than {number} build",
            "{title} has no more than {number} builds",
        ): lambda it, title, number: (
            it.due(it.titles[title]) == number or f"it has {it.due(it.titles[title])}"
        ),
        (
            "{title} disbands only {number} unit",
            "{title} disbands only {number} units",
        ): lambda it, title, number: (
            it.due(it.titles[title]) == -number or f"it has {it.due(it.titles[title])}"
        ),
        "more orders than the {number} allowed": lambda it, number: (
            number <= abs(it.due(it.row.power))
        ),
        "builds may not be declined": lambda it: (
            it.row.order == "WAIVE" and it.settings.waive == "illegal"
        ),
        "{unit} stands there": lambda it, unit: it.by_name[unit].province == _ordered_place(it.row),
        "say whether it is {text}": lambda it, kinds: (
            _written(it.row)["kind"] is None and "an army (A)" in kinds and "a fleet (F)" in kinds
        ),
    }
)


def _counted(number: int, word: str) -> str:
    return f"{number} {word}" + ("" if number == 1 else "s")


@sentence(
    "{title} has no build: {text}",
    "{title} need not disband: {text}",
)
def _none_due(it: Board, title: str, counts: str) -> Answer:
    """The counts must say why: without more centres than units there is no build, with as many
    there is no disband, and centres that do not count, or places that are missing, are named."""
    power = it.titles[title]
    counting = it.counting(power)
    wanted = _counted(len(counting), "centre")
    if others := ", ".join(code for code in it.owned(power) if code not in counting):
        wanted += f" ({', '.join(counting)}, but not {others})" if counting else f" (not {others})"
    wanted += f", {_counted(len(it.units_of(power)), 'unit')}"
    if "has no build" in it.text and len(counting) > len(it.units_of(power)):
        wanted += ", but no vacant province to build in"
    if power != it.row.power or counts != wanted:
        return f"it has {wanted}"
    due = it.due(power)
    return due <= 0 if "has no build" in it.text else due >= 0


@sentence("{title} cannot build in {title}: {text}")
def _no_site(it: Board, title: str, name: str, why: str) -> Answer:
    power, code = it.titles[title], _ordered_place(it.row)
    place = it.map.provinces[code]
    if power != it.row.power or place.name != name or it.may_build_in(power, code):
        return f"{power} in {place.name}"
    owner = next((one for one, owned in it.position.centers.items() if code in owned), None)
    every_home = {one for setup in it.map.powers.values() for one in setup.home}
    if why == "it is not a supply centre":
        return not place.supply
    if why == f"it is not a home centre of {title}":
        return code not in it.homes(power) and it.build_rule == "home"
    if why == "nobody owns it":
        return owner is None
    if why == "it is not a home centre of any power":
        return code not in every_home and it.build_rule == "home-any"
    if why == f"{title} owns none of its home centres":
        return not set(it.owned(power)) & set(it.homes(power))
    return owner is not None and owner != power and why == f"it belongs to {titled(owner)}"


@sentence("another unit is built there", "another build is ordered there, too")
def _built_twice(it: Board) -> Answer:
    place = _ordered_place(it.row)
    rows = [one for one in it.rows if one is not it.row and one.order.endswith(" B")]
    return any(_ordered_place(one) == place for one in rows)


@sentence("it is already disbanded")
def _disbanded_twice(it: Board) -> Answer:
    place = _ordered_place(it.row)
    return any(
        one is not it.row and one.fate == "disbanded" and _ordered_place(one) == place
        for one in it.rows
    )


@sentence("{word} {word} cannot be built in {title}: it is at sea")
def _built_at_sea(it: Board, article: str, kind: str, name: str) -> Answer:
    place = it.map.provinces[_ordered_place(it.row)]
    return place.kind == "sea" and place.name == name


@sentence("{word} {word} cannot be built in {title}: it is inland")
def _built_inland(it: Board, article: str, kind: str, name: str) -> Answer:
    place = it.map.provinces[_ordered_place(it.row)]
    return place.kind == "land" and place.name == name and kind != "army"


@sentence("not enough disbands ordered; no unit that stays is farther from {text}")
def _farthest(it: Board, where: str) -> Answer:
    power = it.row.power
    if it.row.submitted is not None or it.fate != "disbanded" or it.due(power) >= 0:
        return "it is not disbanded for lack of orders"
    goals = it.owned(power) if where == "the centres of its power" else it.homes(power)
    gone = {one.unit for one in it.rows if one.fate == "disbanded"}

    def away(unit: Piece) -> int:
        return _away(it, unit, goals, where)

    kept = [away(unit) for unit in it.units_of(power) if unit.name not in gone]
    here = away(it.by_name[it.row.unit])
    return all(here >= other for other in kept) or f"it is {here} away, others {kept}"


def _away(it: Board, unit: Piece, goals: Collection[str], how: str) -> int:
    """The moves from a unit to the nearest of some provinces, by land and sea alike unless `how`
    says how moves count."""
    reached, seen = {unit.location}, {unit.location}
    for moves in range(len(it.map.provinces)):
        if {_province(place) for place in reached} & set(goals):
            return moves
        reached = {near for place in reached for near in _steps(it, unit, place, how)} - seen
        seen |= reached
    return 10_000


def _steps(it: Board, unit: Piece, place: str, how: str) -> Iterator[str]:
    """The places that are one move away."""
    is_fleet = unit.kind is UnitKind.FLEET
    if ("fleets counted" in how and is_fleet) or "convoy" in how:
        yield from it.map.reach(unit.kind, place)
    else:
        yield from it.map.army.get(_province(place), ())
        yield from it.map.water.get(_province(place), ())
    if "convoy" in how and not is_fleet:
        seas = {code for code in it.map.provinces if it.convoys_in(code)}
        ready = [one for one in it.standing if one.kind is UnitKind.FLEET]
        if "over any sea" not in how:
            own = [one for one in ready if one.power == unit.power]
            seas &= {one.province for one in (own if "of its power" in how else ready)}
        aboard = [sea for sea in it.map.water.get(place, ()) if sea in seas]
        for sea in aboard:
            near = it.map.water.get(sea, ())
            aboard += [one for one in near if one in seas and one not in aboard]
            yield from (one for one in near if it.map.provinces[one].kind == "coast")


# --- what the DPjudge's notes claim --------------------------------------------------------------

_claims(
    {
        'step {number} removes the mark "{title}"': lambda it, step, mark: mark not in it.row.marks,
        ("no step marks it", "it has no mark"): lambda it: set(it.row.marks) <= {"dislodged"},
        "step {number} moves it": lambda it, step: _moves(it),
        ("{place} becomes free", "a path is out of danger"): lambda it, place="": (
            it.verdict == "succeeds" and it.goal == (place or it.goal)
        ),
        "step {number} finds the fleet in danger": lambda it, step: it.verdict == "disrupted",
        "step {number} finds the fleet in no danger": lambda it, step: (
            it.verdict == ("disrupted" if it.fate else "available")
        ),
        ("no fleets make a path", "no matching convoy orders make a path"): lambda it: _not_ordered(
            it
        ),
        "the convoy of {order} fails": lambda it, unit: (
            it.results[unit] == "fails" and it.given[it.row.unit]["other"] == unit
        ),
    }
)


@sentence('step {number} marks it "{title}"')
def _marked(it: Board, step: int, mark: str) -> Answer:
    later = f'removes the mark "{mark}"' in it.text
    return (mark in it.row.marks) is not later


@sentence("{orders} has the greatest support count", "{orders} have the greatest support count")
def _greatest(it: Board, units: tuple[str, ...]) -> Answer:
    place = it.place
    return all(it.aim(one) == place or it.by_name[one].province == place for one in units)


@sentence("{order} attacks it", "{order} dislodges it")
def _attacks_it(it: Board, unit: str) -> Answer:
    return it.aim(unit) == it.place


@sentence("it cannot swap places with {order}")
def _no_swap(it: Board, unit: str) -> Answer:
    there = it.by_name[unit].province == it.goal
    return there and it.aim(unit) == it.place


@sentence("its support count {number} is not greater than {number} of {unit}")
def _outweighed(it: Board, own: int, other: int, unit: str) -> Answer:
    """The counts of supports at that step; a support that is cut later still counts."""
    goal = it.goal
    is_rival = it.aim(unit) == goal or it.by_name[unit].province == goal
    ordered = [o for o in it.given.values() if o["verb"] == "S" and o["other"] == it.row.unit]
    return is_rival and own <= other and own <= len(ordered)


@sentence("{unit} is of its own power")
def _of_own(it: Board, unit: str) -> Answer:
    piece = it.by_name[unit]
    return piece.power == it.row.power and piece.province == it.goal


@sentence("the power of {unit} helps it: {units}")
def _helped(it: Board, unit: str, helpers: tuple[str, ...]) -> Answer:
    power = it.by_name[unit].power
    return all(
        it.by_name[one].power == power and it.given[one]["other"] == it.row.unit for one in helpers
    )


@sentence("{units} in danger")
def _fleets_in_danger(it: Board, units: tuple[str, ...]) -> Answer:
    """At that step; a fleet may be out of danger later."""
    carriers = it.carriers_of(it.row.unit, it.given[it.row.unit]["target"])
    return set(units) <= {one.name for one in carriers}


@sentence("{unit} is not ordered to go by convoy")
def _over_land(it: Board, unit: str) -> Answer:
    piece, goal = it.by_name[unit], it.given[unit]["target"]
    is_near = goal in it.map.reach(piece.kind, piece.location)
    return is_near and "VIA" not in it.given[unit][0]


# --- what the stages of DIP_EVAL claim -----------------------------------------------------------

_claims(
    {
        "K{number}": lambda it, number: number in (1, 2, 3, 4),
        ("effective", "not dislodged"): lambda it: (
            it.verdict in _GOOD and not (it.fate and "not dislodged" in it.text)
        ),
        "wins the conflict over {place}": lambda it, place: it.goal == place and _moves(it),
        "fails, its strength {number} is not greater than {number} of {unit}": (
            lambda it, own, other, unit: _outweighed(it, own - 1, other - 1, unit)
        ),
        "dislodged by {order}": lambda it, unit: _dislodged(it, (unit,)),
        "fails, neither it nor {order} wins": lambda it, unit: (
            it.verdict == "fails" and it.results[unit] == "fails" and _no_swap(it, unit)
        ),
        "without effect, beaten by {order}": lambda it, unit: (
            _dislodged(it, (unit,)) is True and _no_swap(it, unit)
        ),
        "{title}'s units hold: the map gives them no orders": lambda it, name: (
            it.map.powers[it.row.power].neutral and it.verdict == "illegal"
        ),
    }
)


@sentence("without effect, its convoy is disrupted, {units} is dislodged")
def _no_route_by(it: Board, units: tuple[str, ...]) -> Answer:
    lost = all(it.fates.get(unit) for unit in units)
    return lost and _no_route(it, units)


@sentence("without effect, {order} attacks it", "without effect, {order} dislodges it")
def _cut_by_order(it: Board, unit: str) -> Answer:
    is_so = _dislodged(it, (unit,)) if "dislodges" in it.text else True
    return it.verdict == "cut" and is_so is True and _attacks_it(it, unit)


@sentence("the map rebuilds it while no other power owns its centre")
def _rebuilt(it: Board) -> Answer:
    setup = it.map.powers[it.row.power]
    return setup.neutral and setup.rebuilt and it.row.unit in setup.start
