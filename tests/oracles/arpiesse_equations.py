"""The rules of Arpiesse Diplomacy (Szykman) written down a second time by hand, in plain Python.

An oracle that shares nothing with the rule language: for a guess of which moves, supports and
convoys succeed, it computes what the sections say, as sets of colors, and whether the guess is
consistent. It takes the rules of the standard game from `tests.oracles.datc_equations`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import product

from dipsat.equations import Phase
from dipsat.game import ConvoyFacts, MoveFacts, SupportFacts, UnitFacts
from tests.oracles import datc_equations as standard
from tests.oracles.datc_equations import Guess

BEATEN_BY = {"red": "purple", "purple": "silver", "silver": "red"}


@dataclass(frozen=True)
class Reading:
    """One reading of what the rules leave open, as values of dipsat's options."""

    inferior_attack: str = "by_section"
    cutting_color: str = "any"
    received_color: str = "kept"

    @property
    def rules(self) -> str:
        """The name of these rules in dipsat."""
        chosen = (f"{name}={value}" for name, value in vars(self).items())
        return "+".join(("arpiesse", *chosen))


class Arpiesse:
    """The rules in one reading, for the orders of one phase."""

    def __init__(self, phase: Phase, reading: Reading) -> None:
        self.phase = phase
        self.reading = reading
        self.holding: Mapping[UnitFacts, frozenset[str]] = {}

    def consistent_guesses(self) -> Iterator[Guess]:
        """Every assignment of success or failure to the orders that fulfils all conditions, as
        often as there are consistent colors of the units that are supported to hold."""
        phase = self.phase
        orders: list[MoveFacts | SupportFacts | ConvoyFacts] = [*phase.moves, *phase.supports]
        convoys = phase.convoys
        orders += convoys
        for values in product((False, True), repeat=len(orders)):
            guess = dict(zip(orders, values, strict=True))
            for holding in self.colorings(guess):
                self.holding = holding
                if (
                    all(guess[move] == self.enters(guess, move) for move in phase.moves)
                    and all(guess[order] == self.given(guess, order) for order in phase.supports)
                    and all(
                        guess[c] != standard._dislodged(phase, guess, c.unit) for c in phase.convoys
                    )
                ):
                    yield guess

    def colorings(self, guess: Guess) -> Iterator[Mapping[UnitFacts, frozenset[str]]]:
        """The colors with which units hold: those of their own, and any that supports pass, which
        may be those with which the supporters hold."""
        moving = {move.unit for move in self.phase.moves}
        units = [unit for unit in self.phase.units if unit not in moving]
        fixed = {unit: frozenset({color(unit)}) for unit in moving}
        supported = {support.supported for support in self.phase.supports if guess[support]}
        none = frozenset[str]()
        choices = [
            (none, frozenset({BEATEN_BY[color(unit)]})) if unit in supported else (none,)
            for unit in units
        ]
        for extra in product(*choices):
            found = {u: frozenset({color(u)}) | e for u, e in zip(units, extra, strict=True)}
            self.holding = {**fixed, **found}
            if all(self.colors(guess, unit) == found[unit] for unit in units):
                yield self.holding

    def colors(self, guess: Guess, unit: UnitFacts, but: str = "") -> set[str]:
        """VI.1, VI.2: a unit's colors when it moves or holds, without supports of power `but`."""
        own = color(unit)
        passed: set[str] = set()
        for support in self.phase.supports:
            if support.supported is unit and guess[support] and support.power != but:
                passed.add(color(support.unit))
                if self.reading.received_color == "passed_on":
                    passed |= self.holding[support.unit]
        return {own} | (passed & {BEATEN_BY[own]})

    def given(self, guess: Guess, support: SupportFacts) -> bool:
        """5.B.2 with VII."""
        for move in self.phase.moves:
            if move.target is not support.unit.province:
                continue
            is_inferior = BEATEN_BY[color(move.unit)] == color(support.unit)
            if guess[move] and not (is_inferior and self.reading.cutting_color == "own_always"):
                return False
            if move.power == support.power or move.origin is support.target:
                continue
            any_color = self.reading.cutting_color == "any"
            seen = self.colors(guess, move.unit) if any_color else {color(move.unit)}
            cutting = seen - {BEATEN_BY[BEATEN_BY[color(support.unit)]]}
            if cutting and standard._path(self.phase, guess, move):
                return False
        return True

    def enters(self, guess: Guess, move: MoveFacts) -> bool:
        """IX: as if the province were empty, then against the unit that stays."""
        phase = self.phase
        if not standard._path(phase, guess, move):
            return False
        there = self.staying(guess, move)
        if there is not None and there.power == move.power:
            return False
        but = there.power if there is not None else ""
        attack = 1 + standard._backing(phase, guess, move, but=but)
        counted = self.colors(guess, move.unit, but)
        whole = self.competing(guess, move)
        if there is not None:
            opponent = standard._opponent(phase, move)
            defense = self.defense(guess, move, there)
            strength = (
                standard._hold(phase, guess, move.target)
                if opponent is None
                else 1 + standard._backing(phase, guess, opponent)
            )
            if not any(all(against(c, d, attack, strength) > 0 for d in defense) for c in counted):
                return False
        for rival in phase.moves:
            if rival.target is not move.target or rival is move:
                continue
            prevent = standard._prevent(phase, guess, rival)
            if prevent == 0 or self.failed_already(guess, rival):
                continue
            theirs = self.competing(guess, rival)
            if any(against(c, d, attack, prevent) < 0 for c in whole for d in theirs):
                return False
            if not any(against(c, d, attack, prevent) > 0 for c in counted & whole for d in theirs):
                return False
        return True

    def staying(self, guess: Guess, move: MoveFacts) -> UnitFacts | None:
        """The unit that the move has to dislodge."""
        there = standard._unit_in(self.phase, move.target)
        leaves = any(m.unit is there and guess[m] for m in self.phase.moves)
        if there is None or (leaves and standard._opponent(self.phase, move) is None):
            return None
        return there

    def defense(self, guess: Guess, move: MoveFacts, there: UnitFacts) -> set[str]:
        """VI.4: a unit that moves elsewhere defends with its own color only."""
        if standard._opponent(self.phase, move) is not None:
            return self.colors(guess, there)
        if any(m.unit is there for m in self.phase.moves):
            return {color(there)}
        return self.colors(guess, there)

    def failed_already(self, guess: Guess, move: MoveFacts) -> bool:
        """V.3 and example 4; IX where an attack has several colors."""
        there = self.staying(guess, move)
        reading = self.reading.inferior_attack
        if there is None or reading == "contends":
            return False
        if reading == "by_section":
            for other in self.phase.moves:
                attacks = other.target is move.target and standard._prevent(
                    self.phase, guess, other
                )
                if attacks and len(self.colors(guess, other.unit)) > 1:
                    return False
        defense = self.defense(guess, move, there)
        return all(BEATEN_BY[c] in defense for c in self.colors(guess, move.unit))

    def competing(self, guess: Guess, move: MoveFacts) -> set[str]:
        """The colors with which a move meets others. By VIII.1, each may be a separate attack,
        which by V.3 may have failed."""
        colors = self.colors(guess, move.unit)
        there = self.staying(guess, move)
        if there is None or self.reading.inferior_attack != "color_fails":
            return colors
        defense = self.defense(guess, move, there)
        return {c for c in colors if BEATEN_BY[c] not in defense}


def color(unit: UnitFacts) -> str:
    """A unit's own color."""
    return dict(unit.unit.attributes)["color"]


def against(mine: str, other: str, strength: int, resistance: int) -> int:
    """II, III: more than 0 if the first color beats the second, 0 for a tie, otherwise less."""
    if mine == other:
        return strength - resistance
    return 1 if BEATEN_BY[other] == mine else -1


def colored(orders: dict[str, list[str]], colors: Iterable[str]) -> dict[str, list[str]]:
    """The orders with a color before every ordered unit."""
    of = iter(colors)
    return {power: [f"{next(of)} {text}" for text in texts] for power, texts in orders.items()}
