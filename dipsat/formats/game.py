"""A game of Diplomacy with its history."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from dipsat.base import (
    UNLIMITED,
    Drawn,
    FrozenDict,
    Limits,
    checked,
    html_of,
    reading,
    running,
    titled,
)
from dipsat.board import DEFAULT_MAP, Map, is_shipped, language_names, load_map, province_of
from dipsat.errors import FileError, GameError, shortened
from dipsat.formats.game_archive import game_from_dict, read_turns, save_games
from dipsat.formats.open_tasks import tasks_of
from dipsat.formats.order_rulings import rulings_on
from dipsat.formats.players import checked_players, note
from dipsat.formats.results import Results
from dipsat.formats.season import phase_named
from dipsat.formats.turn import GameTurns, Turn, with_later
from dipsat.formats.written_game import game_to_dict
from dipsat.game import (
    PhaseKind,
    PhaseName,
    Position,
    Ruling,
    adjustment_lines,
    adjustments,
    legal_orders_of,
    listed_order_texts,
)
from dipsat.orders import Order, write_order
from dipsat.outcomes import (
    Outcome,
    compiled_legal_orders,
    declared_orders,
    declared_orders_of_powers,
)
from dipsat.rules import (
    DEFAULT_RULES,
    Profile,
    check_features,
    load_profile,
    name_in_files,
    variant_names,
)

# --- game -----------------------------------------------------------------------------------------


def _is_variant(name: str) -> bool:
    """Whether a name is that of a shipped variant, or joins several profiles that include one."""
    known = variant_names()
    return any(part.strip().rpartition("/")[2] in known for part in name.split("+"))


def _map_of(profile: Profile, names: str = "") -> Map:
    """The map that a profile names, or the standard one, with `names` added to its name."""
    with reading(profile.allowed):
        return load_map(f"{profile.map or DEFAULT_MAP}{names}")


def listed_orders(
    position: Position, profile: Profile, power: str | None = None
) -> Iterator[tuple[str, str, tuple[str, ...]]]:
    """Each power (or one) with each thing that it can order in a position, and the legal orders for
    that: a unit, or a province to build in; "" for orders of no unit. Raises `PositionError` in a
    winter in which owners are unknown."""
    compiled = compiled_legal_orders(position, profile)
    found: Iterable[tuple[str, str, tuple[str, ...]]]
    if compiled is None:
        found = listed_order_texts(position, profile.settings, power=power)
    else:
        powers = [unit.power for unit in position.units]
        found = zip(powers, map(str, position.units), compiled, strict=True)
    if not profile.words.kinds:
        yield from (one for one in found if one[2] and power in (None, one[0]))
        return
    declared = _declared(position, profile)
    for owner, subject, texts in found:
        orders = (*texts, *declared.get(province_of(subject.rpartition(" ")[2]), ()))
        if orders and power in (None, owner):  # in an extra phase, a unit may have none
            yield owner, subject, orders
    for owner, texts in orders_of_no_unit(position, profile):
        if power in (None, owner):
            yield owner, "", texts


def orders_of_no_unit(
    position: Position, profile: Profile
) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Each power with orders for no unit, of kinds that the rules declare, and these orders."""
    for owner, own in declared_orders_of_powers(profile, position).items():
        if own:
            yield owner, _written(own, position)


def _declared(position: Position, profile: Profile) -> Mapping[str, tuple[str, ...]]:
    """Province of a unit -> its orders of declared kinds."""
    return {
        province_of(location): _written(orders, position)
        for location, orders in declared_orders(profile, position).items()
    }


def _written(orders: Iterable[Order], position: Position) -> tuple[str, ...]:
    return tuple(write_order(order, position.map) for order in orders)


class Game(Drawn):
    """A game: the current position, the orders submitted for it, and the phases played.

    >>> game = Game.standard()
    >>> game.submit("FRANCE", ["A PAR - BUR", "A MAR S A PAR - BUR"])
    Game('S1901M', map='standard', rules='datc', orders={'FRANCE': 2})
    >>> game.advance().order("A PAR").verdict
    'succeeds'
    >>> str(game.phase)
    'F1901M'

    Without a position, it begins with the first phase of the map that the rules name, or else of
    the standard map.

    Positions, orders and outcomes never change, but a game does: `submit` and `advance` take it
    forward, `undo` takes it back. Two games are equal only if they are the same object; compare
    their `to_dict` to see whether they have the same contents.
    """

    @checked
    def __init__(
        self,
        position: Position | None = None,
        rules: str | Path | Profile = DEFAULT_RULES,
        *,
        name: str = "",
        rules_name: str = "",
        map_name: str = "",
        history: Iterable[Turn] = (),
    ) -> None:
        self.name = name
        """The name of the game, chosen by you."""
        self.profile: Profile = load_profile(rules)
        """The rules."""
        position = position or Position.start(_map_of(self.profile))
        check_features(self.profile, position.map)
        named = name_in_files(rules.path) if isinstance(rules, Profile) else str(rules)
        self.rules: str = rules_name or named
        """The name or path by which a file of this game finds its profile."""
        board = position.map
        self.map_name = map_name or (board.name if is_shipped(board) else board.path)
        """The name or path by which it finds its map."""
        now = Turn(position.with_words(self.profile.words), {}, self.profile)
        self._turns = [*history, now]
        self._players: Mapping[str, str] = FrozenDict()
        self._is_own = True
        self._remarks: tuple[str, ...] = ()

    @staticmethod
    @checked
    def standard(rules: str | Path | Profile = DEFAULT_RULES) -> Game:
        """Return a game on the standard map, from its first phase."""
        return Game.new("standard", rules)

    @staticmethod
    @checked
    def new(
        map: str | Path | Map | None = None,
        rules: str | Path | Profile | None = None,
        *,
        limits: Limits = UNLIMITED,
    ) -> Game:
        """Return a game from its first phase: of a variant, or on any map with any rules.

        `map` is a map, a path, or the name of a map or a variant, perhaps with settings
        (`colonial+suez_canal=off`) or names in another language (`standard+german`). A name that is
        both means the variant if no `rules` are given. Without `map`, the game is played on the map
        that the rules name, or else on the standard map. `limits` apply to `load_map` and
        `load_profile` together. Raises the errors of these, and `FeatureError` if the map lacks a
        feature that the rules need.
        """
        spoken = ""
        if rules is None and isinstance(map, str) and _is_variant(map):
            rules, map = map, None
            base, plus, last = rules.rpartition("+")
            if last in language_names():
                rules, spoken = base, plus + last
        with running(limits):
            profile = load_profile(DEFAULT_RULES if rules is None else rules)
            board = _map_of(profile, spoken) if map is None else load_map(map)
        of_rules = f"{profile.map or DEFAULT_MAP}{spoken}"
        name = "" if isinstance(map, Map) else str(map or of_rules)
        named = "" if isinstance(rules, Profile) else str(rules or DEFAULT_RULES)
        return Game(Position.start(board), profile, rules_name=named, map_name=name)

    def __repr__(self) -> str:
        given = {power: len(own) for power, own in self.turn.orders.items() if own}
        orders = f", orders={given}" if given else ""
        return f"Game({str(self.phase)!r}, map={self.map_name!r}, rules={self.rules!r}{orders})"

    def __str__(self) -> str:
        """Return the board and what is to be done, as `dipsat play` shows them."""
        title, *board = str(self.position).split("\n")
        won = () if self.winner is None else (f"{titled(self.winner)} has won.",)
        due = adjustment_lines(self.position, self.profile.settings)
        return "\n".join((f"{title[:-1]}, rules {self.profile.name})", *board, *due, *won))

    def _repr_html_(self) -> str:
        rows = ((titled(power), ", ".join(own)) for power, own in self.orders.items())
        title = f"Orders for {self.phase}"
        return self.position._repr_html_() + html_of(("Power", "Orders"), rows, title)

    @property
    def position(self) -> Position:
        """The current position."""
        return self._turns[-1].position

    @property
    def phase(self) -> PhaseName:
        """The current phase, which is to be played."""
        return self.position.phase

    @property
    def history(self) -> tuple[Turn, ...]:
        """The phases played, in order."""
        return tuple(self._turns[:-1])

    @property
    def turn(self) -> Turn:
        """The current phase, with the orders submitted for it."""
        return self._turns[-1]

    @property
    def orders(self) -> Mapping[str, tuple[str, ...]]:
        """Power -> the orders submitted for this phase."""
        return dict(self._turns[-1].orders)

    @property
    def later(self) -> Mapping[str, Mapping[str, tuple[str, ...]]]:
        """Future phase -> power -> the orders submitted for it so far."""
        return self._turns[-1].later

    @property
    def players(self) -> Mapping[str, str]:
        """Power -> its player: a name, perhaps with an address (`Anna <anna@example.org>`). Assign
        a mapping to change all of them; a power whose text is empty has no player. Raises
        `UnknownNameError` for a name that is not a power's, and `GameError` for a text of several
        lines."""
        return self._players

    @players.setter
    @checked
    def players(self, given: Mapping[str, str]) -> None:
        self._players = checked_players(self.position.map, given)

    @property
    def deadline(self) -> str:
        """When the orders of this phase are due, in your own words. Results show it. Assign one
        line of text. Raises `GameError` for several lines."""
        return self._turns[-1].deadline

    @deadline.setter
    @checked
    def deadline(self, text: str) -> None:
        self._turns[-1] = replace(self._turns[-1], deadline=note(text, "the deadline"))

    @property
    def missing(self) -> tuple[str, ...]:
        """The powers that have something to do in this phase and have submitted nothing, or have
        not said where a dislodged unit goes. The game can advance without them. Raises
        `PositionError` in a winter in which owners are unknown."""
        tasks = {} if self.is_over else tasks_of(self.position, self.orders, self.profile)
        return tuple(power for power, task in tasks.items() if task.is_missing)

    @property
    def may_replace_its_file(self) -> bool:
        """Whether you can save the game over the file that it was read from without losing
        anything: true if dipsat wrote that file, or if there is none."""
        return self._is_own

    @property
    def remarks(self) -> tuple[str, ...]:
        """What was left out when the game was read from a file, in sentences with its places; ()
        for a game that was not read from a file."""
        return self._remarks

    @property
    def winner(self) -> str | None:
        """The power that has won by the victory rule of the profile, None if none has."""
        return self._turns[-1].winner

    @property
    def is_over(self) -> bool:
        """Whether a power has won."""
        return self.winner is not None

    @checked
    def submit(
        self,
        power: str | Mapping[str, Iterable[str | Order]],
        orders: Iterable[str | Order] | None = None,
        *,
        phase: str | PhaseName | None = None,
        keep_unreadable: bool = False,
    ) -> Game:
        """Submit a power's orders for this phase, or those of several powers as a mapping. They
        replace everything that these powers had submitted, even for other units. Return the game
        itself, which shows how many orders each power has.

        (In `dipsat play`, a line replaces only the orders of the units that it names.) If there are
        several orders for one unit, the rules say which one counts when the game advances (DATC
        4.D.3).

        With a later `phase`, such as the retreats after these moves, the orders are kept, and
        submitted when that phase begins. Orders for units that are not there by then are left out,
        and if the phase is skipped, all are (`turn.left_out` says which).

        Whether an order can be carried out is decided when the game advances. A poorly written
        order that the rules accept is kept as what it means. Raises `GameError` if the game is over
        or if there are no orders (an empty list takes back those submitted), `OrderFaultError` for
        orders of another kind of phase and for those of a neutral power, except holds, and
        `OrderSyntaxError` or name errors for texts that cannot be read; nothing is changed in these
        cases. With `keep_unreadable`, all orders for this phase are kept: those that `check`
        calls illegal are illegal when the game advances, and their units hold, or are disbanded if
        they were dislodged.
        """
        now = self._turns[-1]
        now.refuse_if_over()
        if isinstance(power, str):
            if orders is None:
                raise GameError(
                    f"give a power and its orders, as in submit('FRANCE', ['A PAR - BUR']), not "
                    f"{shortened(power)!r} alone; [] takes back its orders"
                )
            power = {power: orders}
        elif orders is not None or not isinstance(power, Mapping):
            raise GameError("give either a power and its orders, or a mapping of powers to orders")
        wanted = self.phase if phase is None else self._phase(phase)
        if wanted == self.phase:
            self._turns[-1] = now.with_orders(power, keep_unreadable)
        else:
            self._turns[-1] = with_later(now, wanted, power)
        return self

    def _phase(self, name: str | PhaseName) -> PhaseName:
        if isinstance(name, PhaseName):
            return name
        phases = (turn.position.phase for turn in self._turns)
        return phase_named(name, self.position.map, self.profile.words, phases)

    @checked
    def check(self, power: str, orders: Iterable[str | Order]) -> tuple[Ruling, ...]:
        """Return what would be reported on these orders of a power, order by order: whether each is
        legal, amended or illegal, and why. Nothing is submitted; the orders of the other powers are
        those submitted so far. An order that cannot be read is illegal, too.

        Raises `UnknownNameError` for a name that is not a power's.
        """
        name = self.position.map.names.power(power)
        given = {**self.orders, name: tuple(orders)}
        found = rulings_on(self.position, given, self.profile)
        return tuple(one for one in found if one.submission.power == name)

    @checked
    def advance(self, *, limits: Limits = UNLIMITED) -> Outcome:
        """Adjudicate the submitted orders, go to the next phase, and return the outcome.

        Units without an order hold, dislodged ones are disbanded, and the civil disorder rule
        disbands those that must be removed. Raises `GameError` if the game is over, and
        `LimitError` if the limits are not enough to decide everything; nothing is changed then.
        """
        now = self._turns[-1]
        now.refuse_if_over()
        self._turns.append(now.following(limits))
        return now.outcome

    def undo(self) -> Turn:
        """Go back to the previous phase, with the orders that were submitted for it, and return
        that turn.

        Raises `GameError` in the first phase.
        """
        if len(self._turns) == 1:
            raise GameError(f"there is nothing to undo before {self.phase}")
        self._turns.pop()
        return self._turns[-1]

    @checked
    def back_to(self, phase: str | PhaseName) -> Game:
        """Go back to an earlier phase, like repeated `undo`. Return the game itself.

        Raises `UnknownNameError` or `GameError` if there was no such phase; nothing is changed
        then.
        """
        wanted = self._phase(phase)
        if wanted == self.phase:
            return self
        del self._turns[self._turn_of(wanted) + 1 :]
        return self

    def _turn_of(self, wanted: PhaseName) -> int:
        """The place of a phase in the history. Raises `GameError`."""
        phases = [turn.position.phase for turn in self.history]
        if wanted not in phases:
            known = ", ".join(map(str, phases[-4:]))
            last = f"the last phases: {known}" if known else "no phase has been played yet"
            raise GameError(f"{wanted} was not played; {last}")
        return phases.index(wanted)

    @checked
    def results(self, phase: str | PhaseName | None = None) -> Results:
        """Return the results of a phase that was played, by default the last, as they are sent to
        the players. Raises `UnknownNameError` or `GameError` if there was no such phase."""
        if len(self._turns) == 1:
            raise GameError(
                f"there are no results yet: the game is in its first phase, {self.phase}"
            )
        at = len(self._turns) - 2 if phase is None else self._turn_of(self._phase(phase))
        return Results(self.name, self._turns[at], self._turns[at + 1], self._players)

    @checked
    def legal_orders(self, unit: str) -> tuple[str, ...]:
        """Return the orders that a unit can be given now, in the `diplomacy` notation.

        In a retreat phase the unit is a dislodged one. In an adjustment phase it is one that can be
        disbanded, or the province of a possible build. Each order is listed once, with every coast
        that it needs. A support of a fleet's move names the coast if the fleet can reach only one;
        if it can reach two, it is listed with each, and without a coast, which means any. Orders of
        kinds that the rules declare are included.
        Raises `UnknownNameError` if there is no such unit, and `GameError` for a unit on the board
        that has no orders in this phase.
        """
        found = legal_orders_of(self.position, self.profile.settings, unit)
        texts = _written(found, self.position)
        if self.profile.words.kinds:
            location = self.position.reader.read_unit(unit).location
            texts += _declared(self.position, self.profile).get(province_of(location), ())
        return texts

    def all_legal_orders(self) -> Mapping[str, Mapping[str, tuple[str, ...]]]:
        """Return all orders that can be given now: power -> what it orders -> the `legal_orders`.

        Every power of the map is a key; one that has nothing to order has an empty mapping. What is
        ordered is a unit (`A PAR`) in every phase, or the province of a possible build (`PAR`);
        `builds_due` says how many of these a power builds or disbands. Orders that rules declare
        for no unit, such as Colonial's `SC F MED - RED`, are under "". Raises `PositionError` in a
        winter in which owners are unknown.
        """
        found: dict[str, dict[str, tuple[str, ...]]]
        found = {power: {} for power in self.position.map.powers}
        for power, subject, texts in listed_orders(self.position, self.profile):
            found.setdefault(power, {})[subject] = texts
        return found

    @checked
    def legal_orders_of_power(self, power: str) -> tuple[str, ...]:
        """Return all orders that a power can give now, as `submit` takes them: those of its units,
        or its builds and disbands, then orders of no unit.

        Each order is accepted if given alone; several of them may exclude each other. Raises the
        errors of `builds_due`.
        """
        name = self.position.map.names.power(power)
        found = listed_orders(self.position, self.profile, name)
        return tuple(text for _, _, texts in found for text in texts)

    @checked
    def builds_due(self, power: str) -> int:
        """Return how many units a power may build in this phase, or as a negative number, how many
        it must disband; 0 in other phases.

        Raises `PositionError` in a winter in which owners are unknown, and `UnknownNameError` or
        `AmbiguousNameError` for a name that is not a power's.
        """
        name = self.position.map.names.power(power)
        if self.phase.kind is not PhaseKind.ADJUSTMENT:
            return 0
        return adjustments(self.position, name, self.profile.settings)

    def copy(self) -> Game:
        """Return a separate game with the same history, to try out orders."""
        return Game._of(self._recorded)

    __copy__ = copy

    def to_dict(self) -> dict[str, Any]:
        """Return the game as plain values, with the version of this format; `from_dict` reads
        it."""
        return game_to_dict(self._recorded)

    @staticmethod
    @checked
    def from_dict(value: object, *, limits: Limits = UNLIMITED) -> Game:
        """Return the game that `to_dict` wrote. `limits.files` says which files it may name. Raises
        `FileError` for any other value, and `LimitError` if `limits.seconds` are not enough."""
        with running(limits):
            return Game._of(game_from_dict(value))

    @checked
    def save(self, path: str | Path, format: str | None = None) -> None:
        """Write the game to a file.

        `format` is "dipsat" (JSON, or YAML if the file's name ends in `.yaml` or `.yml`),
        "diplomacy" (a saved game of the package of that name, one line of JSON), "jdip" (a case for
        each phase, with dipsat's results) or a notation ("datc", "judge", "daide"), which writes
        the orders as text. If it is None, the file's name decides: `.jsonl` means "diplomacy",
        `.txt` means "datc", and `.json`, `.yaml`, `.yml` or no ending "dipsat". Raises `FileError`
        for any other ending or if the file cannot be written, `UnknownNameError` for any other
        format, and `GameError` for a game that the format cannot hold: text needs one that began
        with the map's first position, jDip one that does not begin with retreats.
        """
        save_games([self._recorded], path, format)

    @staticmethod
    @checked
    def load(
        path: str | Path,
        map: str | Path | Map | None = None,
        *,
        check: bool = True,
        limits: Limits = UNLIMITED,
    ) -> Game:
        """Return the one game of a file, in any format that dipsat reads.

        `map` overrides the map that the file names. `limits.files` says which files the game may
        name as its map and its rules, and these in turn: for a game from a stranger, `Files.none()`
        or `Files.within(folder)`.

        A game of another program continues from the position in its file. A game that dipsat wrote
        is adjudicated again, and refused if it contradicts itself; with `check=False` it is
        accepted as it is. Raises `FileError` or `DocumentError` with the place of a fault, also for
        a file with several games (see `dipsat.load_games`), and `LimitError` if the limits are not
        enough.
        """
        with running(limits):
            games = load_games(path, map, check=check)
            game = next(games)
            if next(games, None) is not None:
                raise FileError(str(path), "holds several games; read them with dipsat.load_games")
            return game

    @staticmethod
    def _of(found: GameTurns) -> Game:
        """The game that a file states."""
        *history, now = found.turns
        game = Game(
            now.position, now.rules,
            name=found.name, rules_name=found.rules, map_name=found.map_name, history=history,
        )  # fmt: skip
        game._turns[-1] = now
        game._players = found.players
        game._is_own = found.is_own
        game._remarks = found.remarks
        return game

    @property
    def _recorded(self) -> GameTurns:
        """The game as a file states it."""
        turns = tuple(self._turns)
        return GameTurns(
            self.name, self.map_name, self.rules, turns, self._players, self._is_own, self._remarks
        )


def load_games(
    path: str | Path,
    map: str | Path | Map | None = None,
    *,
    check: bool = True,
    limits: Limits = UNLIMITED,
) -> Iterator[Game]:
    """Yield the games of a file one by one, each as `Game.load` returns it.

    `map` overrides the maps that the file names; `limits.files` says which files the games may
    name, and `limits.seconds` are for each game. Raises the errors of `Game.load` at the first bad
    game.
    """
    for found in read_turns(path, map, check, limits):
        yield Game._of(found)
