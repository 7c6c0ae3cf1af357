"""A game of Diplomacy with its history."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from dipsat.board.load import load_map
from dipsat.board.map import Map
from dipsat.board.province import province_of
from dipsat.errors import AmbiguousNameError, GameError, OrderSyntaxError, UnknownNameError
from dipsat.errors.arguments import checked
from dipsat.frozen import frozen
from dipsat.game.legal_orders import legal_order_texts, legal_orders_of
from dipsat.game.phase_name import PhaseName
from dipsat.game.phase_orders import refuse_misplaced
from dipsat.game.poorly_written import read_unclear
from dipsat.game.position import Position
from dipsat.game.ruling import reading_of, refusal_of
from dipsat.game.victory import victor
from dipsat.orders.order import Order, Unreadable
from dipsat.orders.writer import write_order
from dipsat.profiles.features import check_features
from dipsat.profiles.load import DEFAULT_RULES, load_profile, shipped_names, variant_names
from dipsat.profiles.profile import Profile
from dipsat.proof.adjudicate import adjudicate
from dipsat.proof.declared_orders import declared_orders, declared_orders_of_powers
from dipsat.proof.outcome import Outcome


def _named(profile: Profile) -> str:
    """The name of a shipped profile, the path of any other."""
    name = profile.path.removeprefix("rules/").removesuffix(".yaml")
    is_shipped = profile.path == f"rules/{name}.yaml" and name in shipped_names()
    return name if is_shipped else profile.path


def _is_variant(name: str) -> bool:
    """Whether a name is that of a shipped variant, or of several profiles with one among them."""
    known = variant_names()
    return any(part.strip().rpartition("/")[2] in known for part in name.split("+"))


def _map_name(board: Map) -> str:
    """The name of a shipped map, the path of any other."""
    return board.name if board.path == f"rules/maps/{board.name}.yaml" else board.path


def _listed(orders: object) -> tuple[str | Order, ...]:
    """The orders of a power. Raises `GameError` for anything else."""
    if not isinstance(orders, Iterable) or isinstance(orders, str | Mapping):
        raise GameError("give the orders as a list: submit('FRANCE', ['A PAR - BUR'])")
    found = tuple(orders)
    for one in found:
        if not isinstance(one, str | Order):
            raise GameError(f"{one!r} is no order; give a text such as 'A PAR - BUR'")
    return found


_STANDARD = "standard"


@dataclass(frozen=True)
class Turn:
    """A phase of a game that is done."""

    position: Position
    """The position before."""
    orders: Mapping[str, tuple[str, ...]]
    """Power -> its orders as submitted."""
    rules: Profile
    """The profile."""

    def __post_init__(self) -> None:  # games share their history
        object.__setattr__(self, "orders", frozen(self.orders))

    @cached_property
    def outcome(self) -> Outcome:
        """What came of the orders, as dipsat judges them; worked out when first asked for."""
        return adjudicate(self.position, self.orders, self.rules)


class Game:
    """A game: the position now, the orders submitted for it, and the phases before.

    >>> game = Game.standard()
    >>> game.submit("FRANCE", ["A PAR - BUR", "A MAR S A PAR - BUR"])
    Game('S1901M', map='standard', rules='datc')
    >>> game.advance().order("A PAR").verdict
    'succeeds'
    >>> str(game.phase)
    'F1901M'

    Positions, orders and outcomes never change; a game does: `submit` and `advance` take it
    forward, `undo` takes it back.
    """

    @checked
    def __init__(
        self,
        position: Position,
        rules: str | Path | Profile = DEFAULT_RULES,
        *,
        name: str = "",
        rules_name: str = "",
        map_name: str = "",
        history: Iterable[Turn] = (),
    ) -> None:
        self.name = name
        """What the game is called; yours to choose."""
        self.profile: Profile = load_profile(rules)
        """The rules."""
        check_features(self.profile, position.map)
        named = _named(rules) if isinstance(rules, Profile) else str(rules)
        self.rules: str = rules_name or named
        """The name or path under which a file of this game finds its profile."""
        self.map_name = map_name or _map_name(position.map)
        """The name or path under which it finds its map."""
        self._position = position.with_words(self.profile.words)
        self._history = list(history)
        self._orders: dict[str, tuple[str, ...]] = {}

    @staticmethod
    @checked
    def standard(rules: str | Path | Profile = DEFAULT_RULES) -> Game:
        """A game on the standard map, from its first phase."""
        return Game.new("standard", rules)

    @staticmethod
    @checked
    def new(map: str | Path | Map | None = None, rules: str | Path | Profile | None = None) -> Game:
        """A game from its first phase: of a variant, or on any map by any rules.

        `map` is a map or the name of a variant, perhaps with settings (`colonial+suez_canal=off`);
        of a name that is both, the variant counts if no `rules` are named. Without `map`, the game
        is played on the map that the rules name, else on the standard one. Raises what `load_map`
        and `load_profile` do, and `FeatureError` if the map lacks a feature that the rules need.
        """
        if rules is None and isinstance(map, str) and _is_variant(map):
            rules, map = map, None
        profile = load_profile(DEFAULT_RULES if rules is None else rules)
        if map is None:
            map = profile.map or _STANDARD
        board = map if isinstance(map, Map) else load_map(map)
        name = "" if isinstance(map, Map) else str(map)
        named = "" if isinstance(rules, Profile) else str(rules or DEFAULT_RULES)
        return Game(Position.start(board), profile, rules_name=named, map_name=name)

    def __repr__(self) -> str:
        return f"Game({str(self.phase)!r}, map={self.map_name!r}, rules={self.rules!r})"

    @property
    def position(self) -> Position:
        """The position now."""
        return self._position

    @property
    def phase(self) -> PhaseName:
        """The phase to be played now."""
        return self._position.phase

    @property
    def history(self) -> tuple[Turn, ...]:
        """The phases that are done, the first one first."""
        return tuple(self._history)

    @property
    def orders(self) -> Mapping[str, tuple[str, ...]]:
        """The orders submitted for this phase, by power."""
        return dict(self._orders)

    @property
    def winner(self) -> str | None:
        """The power that has won, by the victory rule of the profile; None while none has."""
        return victor(self._position, self.profile.settings)

    @property
    def is_over(self) -> bool:
        """Whether a power has won."""
        return self.winner is not None

    def submit(
        self,
        power: str | Mapping[str, Iterable[str | Order]],
        orders: Iterable[str | Order] | None = None,
        *,
        keep_unreadable: bool = False,
    ) -> Game:
        """Submit a power's orders for this phase, in place of those it had submitted; or those of
        several powers as a mapping. Gives back the game itself.

        Whether an order can be carried out is decided when the game advances. A poorly written one
        that the rules follow is kept as what it means. Raises `GameError` if the game is over, and
        for what is no list of orders, `OrderFaultError` for orders of another kind of phase, and
        `OrderSyntaxError` or name errors for texts that cannot be read; then nothing is changed.
        With `keep_unreadable`, texts that nobody can read stay where the rules say that their units
        hold (DATC 4.E.2).
        """
        self._refuse_if_over()
        if isinstance(power, str):
            power = {power: () if orders is None else orders}
        elif orders is not None or not isinstance(power, Mapping):
            raise GameError("give either a power and its orders, or a mapping of powers to orders")
        read: dict[str, tuple[str, ...]] = {}
        for typed, texts in power.items():
            given = _listed(() if texts is None else texts)
            name = self._board.names.power(str(typed))
            read[name] = (
                *read.get(name, ()),
                *self._readable(name, given, keep_unreadable),
            )
        self._orders |= read
        return self

    def _readable(self, power: str, orders: Sequence[str | Order], keep: bool) -> tuple[str, ...]:
        """The orders as texts that can be read at any time."""
        board, read = self._board, self._position.reader.read
        texts = tuple(one if isinstance(one, str) else write_order(one, board) for one in orders)
        try:
            for text in texts:
                refuse_misplaced(read(text), power, text, self.phase)
        except (OrderSyntaxError, UnknownNameError, AmbiguousNameError):
            if self.profile.settings.poorly_written == "refused" and not keep:
                raise
            return self._meant(power, texts, keep)
        return texts

    def _meant(self, power: str, texts: Sequence[str], keep: bool) -> tuple[str, ...]:
        """Orders some of which are poorly written, as what they mean (DATC 4.E.2)."""
        found = []
        for one in read_unclear(self._position, power, texts, self.profile.settings):
            refusal = refusal_of(one)
            if keep and refusal is not None:
                found.append(one.text)
                continue
            if isinstance(one.order, Unreadable):
                raise OrderSyntaxError(one.text, one.order.problem)
            if refusal is not None:
                raise OrderSyntaxError(one.text, refusal[1])
            refuse_misplaced(one.order, power, one.text, self.phase)
            meant = write_order(one.order, self._board)
            found.append(meant if reading_of(one) else one.text)
        return tuple(found)

    def advance(self) -> Outcome:
        """Judge the submitted orders and go to the next phase; gives the outcome.

        Units without an order hold, dislodged ones are disbanded, and the civil disorder rule
        disbands those that must go. Raises `GameError` if the game is over.
        """
        self._refuse_if_over()
        turn = Turn(self._position, dict(self._orders), self.profile)
        following = turn.outcome.next
        self._history.append(turn)
        self._position, self._orders = following, {}
        return turn.outcome

    def undo(self) -> Turn:
        """Go back to the phase before, with the orders that were submitted then; gives that turn.

        Raises `GameError` in the first phase.
        """
        if not self._history:
            raise GameError(f"there is nothing to undo before {self.phase}")
        turn = self._history.pop()
        self._position, self._orders = turn.position, dict(turn.orders)
        return turn

    @checked
    def back_to(self, phase: str | PhaseName) -> Game:
        """Go back to an earlier phase, as repeated `undo` does. Gives back the game itself.

        Raises `UnknownNameError` or `GameError` if there was no such phase; then nothing changes.
        """
        wanted = phase if isinstance(phase, PhaseName) else PhaseName.parse(phase)
        phases = [turn.position.phase for turn in self._history]
        if wanted == self.phase:
            return self
        if wanted not in phases:
            known = ", ".join(map(str, phases[-4:])) or "none"
            raise GameError(f"there was no {wanted} in this game; the last phases: {known}")
        while self.phase != wanted:
            self.undo()
        return self

    @checked
    def legal_orders(self, unit: str) -> tuple[str, ...]:
        """The orders that a unit can be given now, in the `diplomacy` notation.

        In a retreat phase the unit is a dislodged one; in an adjustment phase it is one that may
        be disbanded, or the province of a possible build. Orders of kinds that the rules declare
        are among them; `legal_orders_of_power` has those that are no unit's. Raises
        `UnknownNameError` if there is no such unit, and `GameError` for a unit on the board that
        has no orders in this phase.
        """
        found = legal_orders_of(self._position, self.profile.settings, unit)
        texts = self._written(found)
        if self.profile.words.kinds:
            location = self._position.reader.read_unit(unit).location
            texts += self._declared_orders.get(province_of(location), ())
        return texts

    def all_legal_orders(self) -> Mapping[str, tuple[str, ...]]:
        """`legal_orders` of everything that can be ordered now. What powers may order besides has
        keys of its own: `all_legal_orders_of_powers`."""
        found = legal_order_texts(self._position, self.profile.settings)
        declared = self._declared_orders
        if not declared:
            return found
        by_unit = {str(unit): declared.get(unit.province, ()) for unit in self._position.units}
        return {unit: (*texts, *by_unit.get(unit, ())) for unit, texts in found.items()}

    @checked
    def legal_orders_of_power(self, power: str) -> tuple[str, ...]:
        """The orders that a power can give now besides those of its units, as `submit` takes them:
        orders without a unit of kinds that the rules declare, such as Colonial's `SC F MED - RED`.

        Each is accepted if it is given alone; that several go together is not promised. Raises
        `UnknownNameError` or `AmbiguousNameError` for a name that is no power's.
        """
        return self.all_legal_orders_of_powers()[self._board.names.power(power)]

    def all_legal_orders_of_powers(self) -> Mapping[str, tuple[str, ...]]:
        """`legal_orders_of_power` of every power of the map; under most rules there are none."""
        found = declared_orders_of_powers(self.profile, self._position)
        return {power: self._written(orders) for power, orders in found.items()}

    def _written(self, orders: Iterable[Order]) -> tuple[str, ...]:
        return tuple(write_order(order, self._board) for order in orders)

    @property
    def _declared_orders(self) -> Mapping[str, tuple[str, ...]]:
        """Province of a unit -> its orders of declared kinds."""
        if not self.profile.words.kinds:
            return {}
        return {
            province_of(location): self._written(orders)
            for location, orders in declared_orders(self.profile, self._position).items()
        }

    def copy(self) -> Game:
        """A game of its own with the same history, to try something."""
        game = Game(
            self._position, self.profile,
            name=self.name, rules_name=self.rules, map_name=self.map_name, history=self._history,
        )  # fmt: skip
        game._orders = dict(self._orders)
        return game

    def to_dict(self) -> dict[str, Any]:
        """The game as plain values, with the version of this form; `from_dict` reads it."""
        from dipsat.play.files import game_to_dict

        return game_to_dict(self)

    @staticmethod
    def from_dict(value: Mapping[str, Any]) -> Game:
        """The game that `to_dict` gave. Raises `FileError` for anything else."""
        from dipsat.play.files import game_from_dict

        return game_from_dict(value)

    @checked
    def save(self, path: str | Path, format: str | None = None) -> None:
        """Write the game to a file.

        `format` is "dipsat" (JSON, or YAML if the file's name ends so), "diplomacy" (a saved game
        of the package of that name, one line of JSON) or a notation ("datc", "judge", "daide"),
        which writes the orders as text; if None, the name decides: `.jsonl` is "diplomacy", `.txt`
        "datc", everything else "dipsat". Raises `FileError` if it cannot be written, `GameError`
        for a text of a game that did not begin with the map's first board, and `UnknownNameError`
        for another format.
        """
        from dipsat.play.files import save_game

        save_game(self, path, format)

    @staticmethod
    @checked
    def load(path: str | Path, map: str | Path | Map | None = None, *, check: bool = True) -> Game:
        """The one game of a file, in any format that dipsat reads.

        `map` overrules the map that the file names.

        A game of another program goes on from the board as its file has it. A game that dipsat
        wrote is judged again, and refused if it contradicts itself; with `check=False` it is taken
        as it is. Raises `FileError` or `DocumentError` with the place of a fault, and for a file
        with several games (see `dipsat.load_games`).
        """
        from dipsat.play.files import load_game

        return load_game(path, map, check)

    @property
    def _board(self) -> Map:
        return self._position.map

    def _refuse_if_over(self) -> None:
        winner = self.winner
        if winner is not None:
            count = len(self._position.centers[winner])
            raise GameError(
                f"the game is over: {winner} owns {count} centres; go back with undo(), or play on "
                f"under a profile with the setting 'victory: never'"
            )
