"""What is fuzzed: every reader of dipsat, with good inputs to begin with."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

from tests.strangers.fuzzing import players, readers, seeds
from tests.strangers.fuzzing.documents import Documents
from tests.strangers.fuzzing.equations import equation, made_profile
from tests.strangers.fuzzing.words import Kin, damaged_lines, damaged_words


@dataclass(frozen=True, slots=True)
class Target:
    """A reader: what it does with a text, texts that it reads, and perhaps a maker of more."""

    name: str
    run: Callable[[str], object]
    seeds: Callable[[], list[str]]
    made: Callable[[random.Random], str] | None = None


class Damage:
    """Damages texts of a target: by words, by lines, by words of one kind, or as documents."""

    def __init__(self, target: Target) -> None:
        self.target = target
        self.seeds = target.seeds()
        self.kin = Kin(self.seeds)
        self.documents = Documents(self.seeds, self.kin, equation)

    def damaged(self, text: str, rng: random.Random) -> str:
        """The text with a few changes."""
        chance = rng.random()
        if chance < 0.45:
            found = self.documents.damaged(text, rng)
            if found is not None:
                return found
        if chance < 0.75:
            return self.kin.damaged(text, rng)
        change = damaged_lines if chance < 0.85 else damaged_words
        return change(text, self.seeds, rng)

    def input(self, rng: random.Random) -> str:
        """A new input: a good one, mostly damaged."""
        made = self.target.made
        if made is not None and rng.random() < 0.5:
            text = made(rng)
            return text if rng.random() < 0.5 else self.damaged(text, rng)
        return self.damaged(rng.choice(self.seeds), rng)

    def inputs(self, seed: int) -> Iterator[str]:
        """Inputs without end, the same for the same seed; each has a seed of its own."""
        number = 0
        while True:
            yield self.input(random.Random(f"{seed} {number}"))
            number += 1


TARGETS: Mapping[str, Target] = {
    one.name: one
    for one in (
        Target("orders", readers.read_orders, seeds.orders, seeds.made_orders),
        Target("daide", readers.read_daide_order, seeds.daide),
        Target("phases", readers.read_phase, seeds.phases, seeds.made_phase),
        Target("games", readers.read_games, seeds.games, seeds.made_saved),
        Target("packed", readers.read_packed, seeds.packed, seeds.made_packed),
        Target("rows", readers.read_rows, seeds.rows),
        Target("jdip", readers.read_cases, seeds.cases),
        Target("maps", readers.read_map, seeds.maps),
        Target("variants", readers.read_variant, seeds.variants),
        Target("rules", readers.read_rules, seeds.rules, made_profile),
        Target("expressions", readers.read_expression, seeds.expressions, seeds.made_expression),
        Target("lines", readers.read_line, seeds.lines),
        Target("sets", readers.read_set, seeds.sets),
        Target("names", readers.read_names, seeds.names),
        Target("pasted", players.read_pasted, players.letters, players.made_letter),
        Target("lenient", players.read_leniently, players.letters, players.made_letter),
        Target("play", players.play_lines, players.lines, players.made_lines),
        Target("commands", readers.run_command, seeds.commands),
    )
}
"""Name -> the target."""
