"""Arpiesse Diplomacy in tests: its readings, results of orders, battles as text, and small boards
of all colors."""

from __future__ import annotations

import random
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

import dipsat
from dipsat.rules import Profile
from tests.oracles.arpiesse_equations import Reading, colored
from tests.phases import adjudicate, crowded_orders, troubled_orders, without_solvers

RULES = "arpiesse"
COLORS = ("Red", "Purple", "Silver")
Orders: TypeAlias = Mapping[str, Sequence[str]]

READINGS = {
    reading.rules: reading
    for reading in (
        *map(Reading, ("by_section", "fails", "color_fails", "contends")),
        *(Reading(cutting_color=value) for value in ("own", "own_always")),
        Reading(received_color="passed_on"),
        *(
            Reading(attack, cutting, "passed_on")
            for attack, cutting in (
                ("by_section", "own_always"), ("fails", "own"), ("color_fails", "own_always"),
                ("contends", "own"),
            )
        ),
    )
}  # fmt: skip
"""Rules -> the reading that they choose: each option by itself, and some together."""


def verdicts(orders: Orders, rules: str | Profile = RULES) -> dict[str, str]:
    """Place -> the verdict and the fate of its unit, which must be the same without presolve."""
    outcome = adjudicate(orders, rules)
    plain = adjudicate(orders, rules, presolve=False)
    assert without_solvers(outcome.to_dict()) == without_solvers(plain.to_dict())
    assert outcome.decisions == plain.decisions
    return {
        order.unit.rpartition(" ")[2]: f"{order.verdict} {order.fate}".strip()
        for order in outcome.orders
    }


def colors_of(family: str, unit: str, orders: Orders, rules: str = RULES) -> set[str]:
    """The colors with which a unit moves or holds, by the decisions of a family."""
    found = adjudicate(orders, rules).decisions
    pattern = re.compile(rf"{family}\({unit}.*, (\w+)\)")
    return {match[1] for name, value in found.items() if value and (match := pattern.match(name))}


@dataclass(frozen=True)
class Battle:
    """Orders with their results under some rules."""

    title: str
    rules: str
    orders: Orders
    verdicts: Mapping[str, str]
    colors: Mapping[tuple[str, str], set[str]]

    def check(self) -> None:
        """Check that everything comes out as expected."""
        found = verdicts(self.orders, self.rules)
        assert {place: found[place] for place in self.verdicts} == self.verdicts
        for (family, unit), expected in self.colors.items():
            assert colors_of(family, unit, self.orders, self.rules) == expected, (family, unit)


def battles(text: str) -> list[Battle]:
    """The battles of a text. A title may end with an option of the rules and some of its values.
    Below it are the orders of each power and, behind `=`, their results under each value: for the
    unit in a province, or the colors with which a unit moves or holds."""
    found = []
    for entry in re.findall(r"^[^\s#].*\n(?: .+\n)+", text, re.MULTILINE):
        title, *lines = map(str.strip, entry.splitlines())
        about, _, option = title.partition(" +")
        name, _, values = option.partition("=")
        orders, places, colors = dict[str, list[str]](), {}, {}
        for part in " / ".join(lines[:-1]).split(" / "):
            power, _, texts = part.partition(": ")
            orders[power.upper()] = texts.split("; ")
        for result in lines[-1].removeprefix("= ").split(", "):
            if match := re.fullmatch(r"(\w+_color)\((.*)\) (.*)", result):
                colors[match[1], match[2]] = set(match[3].split())
            else:
                place, _, places[place] = result.partition(" ")
        for value in values.split("/"):
            title, rules = (f"{one}+{name}={value}" if value else one for one in (about, RULES))
            found.append(Battle(title, rules, orders, places, colors))
    return found


def small_boards(count: int) -> list[dict[str, list[str]]]:
    """Boards of up to eight orders in one corner of the map, with random colors."""
    found = []
    for seed in range(count):
        orders = troubled_orders(seed) if seed % 2 else crowded_orders(seed, most=8)
        rng = random.Random(seed)
        if sum(map(len, orders.values())) <= 8:
            found.append(colored(orders, (rng.choice(COLORS) for _ in range(20))))
    return found


def battle(seed: int, colors: Sequence[str] = COLORS) -> dict[str, list[str]]:
    """Up to eight armies of random colors: one to three attack one that holds, others support
    them or it, and the rest come against these supporters."""
    rng = random.Random(seed)
    army = dipsat.load_map("standard").army
    center = rng.choice(sorted(place for place in army if len(army[place]) >= 5))
    near = rng.sample(sorted(army[center]), rng.randint(4, min(len(army[center]), 6)))
    attackers = near[: rng.randint(1, 3)]
    texts = {place: f"A {place} - {center}" for place in attackers} | {center: f"A {center} H"}
    for place in near[len(attackers) :]:
        helped = rng.choice([*attackers, *attackers, center])
        texts[place] = f"A {place} S {texts[helped].removesuffix(' H')}"
    outer = sorted({place for one in near for place in army[one]} - texts.keys())
    for place in rng.sample(outer, min(len(outer), 8 - len(texts))):
        target = rng.choice([one for one in near if one in army[place]])
        first = next((text for text in texts.values() if text.endswith(f"- {target}")), "")
        help_first = first and rng.random() < 0.8
        texts[place] = f"A {place} S {first}" if help_first else f"A {place} - {target}"
    orders: dict[str, list[str]] = {}
    for text in texts.values():
        orders.setdefault(rng.choice(["AUSTRIA", "FRANCE", "TURKEY"]), []).append(text)
    return colored(orders, (rng.choice(colors) for _ in range(8)))
