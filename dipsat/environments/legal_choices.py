"""The legal actions of many games as arrays."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

from dipsat.base import brief
from dipsat.environments.action_list import ActionKind, deepmind_actions
from dipsat.environments.numpy_extra import numbers_below, numpy as np
from dipsat.environments.published_places import published_places
from dipsat.errors import ArgumentError, GameError
from dipsat.kernel import (
    BUILD,
    CONVOY,
    DISBAND,
    MOVE,
    PHASE_KINDS,
    RETREAT,
    SUPPORT_HOLD,
    SUPPORT_MOVE,
    WAIVE,
    LegalOrders,
    MapNumbers,
)

BUILDS = -2
"""The area of a build or a disband."""
RETREAT_PHASE, BUILD_PHASE = map(PHASE_KINDS.index, "RA")
"""The numbers of the kinds of phases other than movement."""
_KINDS = (
    0, ActionKind.HOLD, ActionKind.MOVE, ActionKind.SUPPORT_HOLD, ActionKind.SUPPORT_MOVE,
    ActionKind.CONVOY, ActionKind.RETREAT, ActionKind.DISBAND, ActionKind.BUILD_ARMY,
    ActionKind.WAIVE,
)  # fmt: skip
"""The kind of action for each type of order in the kernel."""


@brief()
@dataclass(frozen=True, eq=False)
class Choices:
    """The orders due in some games, and the legal actions for them. Made by `GameBatch.choices`.

    One choice is due for each unit, or for each build or disband. The choices are sorted by game,
    power and area. The arrays `games`, `powers` and `areas` have a number for each choice.
    """

    games: Any
    """The number of the game."""
    powers: Any
    """The number of the power, in alphabetical order."""
    areas: Any
    """The number of the unit's area, or -2 for a build or a disband."""
    starts: Any
    """Where the legal actions of each choice begin in `actions`, then the number of all actions."""
    actions: Any
    """The indices of the legal actions of all choices. No action is listed twice for a choice."""
    rows: Any
    """For each of these actions, the codes of the order, as in `dipsat.kernel.LegalOrders`."""
    subjects: Any
    """For each choice, the number of its unit in the game."""

    def __len__(self) -> int:
        return len(self.games)

    @cached_property
    def counts(self) -> Any:
        """The number of legal actions of each choice."""
        return np.diff(self.starts)

    @cached_property
    def choice_of_action(self) -> Any:
        """For each of `actions`, the number of its choice."""
        return np.repeat(np.arange(len(self)), self.counts)

    def drawn(self, generator: Any) -> Any:
        """Return a random action for each choice; all legal actions are equally likely. `generator`
        is a `numpy.random.Generator`."""
        if not isinstance(generator, np.random.Generator):
            function, wanted = "dipsat.environments.Choices.drawn", "a numpy.random.Generator"
            raise ArgumentError(function, "generator", generator, wanted)
        which = generator.random(len(self)) * self.counts
        return self.actions[self.starts[:-1] + which.astype(np.int64)]

    def mask(self, choices: Any) -> Any:
        """Return a row for each of these choices, with a 1 for each legal action (`numpy.int8`)."""
        choices = numbers_below(len(self), "Choices.mask", "choices", choices)
        found = np.zeros((len(choices), len(deepmind_actions())), np.int8)
        for row, at in enumerate(choices):
            found[row, self.actions[self.starts[at] : self.starts[at + 1]]] = 1
        return found


class Numbering:
    """DeepMind's numbers for the codes of the kernel."""

    def __init__(self, numbers: MapNumbers) -> None:
        places = published_places()
        self.areas = np.array([places.areas.index(one) for one in numbers.locations])
        """The area of each location."""
        provinces, flags = np.array([places.numbers[one] for one in numbers.locations], np.uint32).T
        self._places, self._provinces = provinces << 1 | flags, provinces << 1
        main = [places.areas.index(code) for code in places.provinces]
        self.main_areas = np.array([main[number] for number in provinces])
        """The area of the province, without coast, of each location."""
        board = places.board
        kinds = {code: int(one.kind == "sea") for code, one in board.provinces.items()}
        self.terrains = np.array([kinds.get(one, 2) for one in numbers.locations])
        """For each location: 0 for land, 1 for a sea, 2 for one of two coasts."""
        self.centers = np.array([numbers.number_of[code] for code in sorted(board.centers)])
        """The kernel's numbers of the centres."""
        self.main_areas_with_coasts = sorted({*self.main_areas[len(main) :].tolist()})
        self.actions = np.array(deepmind_actions())
        """All actions."""
        self._bits = self.actions.astype(np.uint32)

    def choices(self, games: Any, phases: Any, units: Any, legal: LegalOrders, due: Any) -> Choices:
        """The choices of games, from the kinds of their phases, the units that receive orders, all
        legal orders, and the numbers of builds or disbands due."""
        rows = np.asarray(legal.orders).reshape(-1, 4)
        starts = np.asarray(legal.starts, np.int64)
        firsts = np.asarray(legal.subjects, np.int64)
        count, own = len(starts) - 1, np.diff(starts)
        game = np.repeat(np.arange(len(games)), np.diff(firsts))
        number = np.arange(count) - firsts[game]
        builds = phases[game] == BUILD_PHASE
        unit = units[game, np.where(builds, 0, number)]
        power = np.where(builds, rows[starts[:-1], 2], unit[:, 0])
        area = np.where(builds, BUILDS, self.areas[unit[:, 2]])
        subject = np.repeat(np.arange(count), own)
        actions = self._indices(rows, self._provinces[unit[subject, 2]], builds[subject])

        # Supports of a move to different coasts are one action, and so are waivers in all
        # provinces.
        group = (game * due.shape[1] + power) * 128 + area
        order = np.argsort(group, kind="stable")
        kept = np.ones(len(rows), bool)
        kept[1:] = (actions[1:] != actions[:-1]) | (subject[1:] != subject[:-1])
        first = np.zeros(count, bool)
        first[order] = np.diff(group[order], prepend=-1000) != 0
        kept &= (rows[:, 0] != WAIVE) | first[subject]
        left = np.bincount(subject[kept], minlength=count)
        begins = np.cumsum(left) - left
        listed = np.flatnonzero(kept)[_ranges(begins[order], left[order])]

        heads = np.flatnonzero(first[order])
        sizes = np.add.reduceat(left[order], heads) if count else left
        head = order[heads]
        if builds.any():
            times = np.where(builds[head], np.abs(due)[game[head], power[head]], 1)
            begins = np.repeat(np.cumsum(sizes) - sizes, times)
            sizes, head = np.repeat(sizes, times), np.repeat(head, times)
            listed = listed[_ranges(begins, sizes)]
        return Choices(
            games[game[head]], power[head], area[head], np.append(0, np.cumsum(sizes)),
            actions[listed], rows[listed], number[head],
        )  # fmt: skip

    def _indices(self, rows: Any, provinces: Any, in_builds: Any) -> Any:
        """The indices of the actions for orders, given the provinces of their units. Raises
        `GameError` for an order without an action."""
        type, kind, other, target = rows.T
        found = np.array(_KINDS, np.uint32)[type]
        found[(type == MOVE) & (kind == 1)] = ActionKind.CONVOYED
        found[(type == BUILD) & (kind == 1)] = ActionKind.BUILD_FLEET
        found[(type == BUILD) & (kind > 1)] = 0
        found[(type == DISBAND) & in_builds] = ActionKind.REMOVE
        # A place includes its coast where a fleet is built and where a unit moves or retreats to.
        built = found == ActionKind.BUILD_FLEET
        first = np.where(built, self._places[target], self._provinces[target])
        first = np.where(in_builds, first, provinces) * (type != WAIVE)
        moves = (found == ActionKind.MOVE) | (found == ActionKind.RETREAT)
        second = np.where(moves, self._places[target], self._provinces[target])
        second = np.where(type == SUPPORT_HOLD, self._provinces[other], second)
        second *= (type >= MOVE) & (type <= RETREAT)
        third = self._provinces[other] * ((type == SUPPORT_MOVE) | (type == CONVOY))
        bits = found | first << 8 | second << 16 | third << 24
        index = np.searchsorted(self._bits[:-1], bits)
        if (self._bits[index] != bits).any():
            raise GameError(
                "DeepMind's list has no action for an order that these rules allow: choose rules "
                "with armies and fleets that are built in home centres"
            )
        return index


def _ranges(starts: Any, counts: Any) -> Any:
    """The numbers in ranges one after another, from the starts and lengths of the ranges."""
    ends = np.cumsum(counts)
    return np.arange(ends[-1] if len(ends) else 0) + np.repeat(starts - ends + counts, counts)
