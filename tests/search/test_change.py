"""`explain(..., change=True)`: the smallest change of a power's orders, against trying all."""

from __future__ import annotations

import json
import signal
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import product
from math import prod
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

import dipsat
from dipsat import searches
from dipsat.cli import main
from dipsat.equations import Key, Term
from dipsat.formats import load_cases
from dipsat.game import legal_orders
from dipsat.orders import write_order
from dipsat.rules import Profile
from dipsat.searches.open_order_facts import OrderChoice
from dipsat.searches.open_query import Cone, OrderQuery, Reordering
from dipsat.searches.order_changes import _Changes, _ChangeSearch
from tests.exhaustive import exhaustive, few_of, parts_of
from tests.oracles import every_order
from tests.phases import adjudicate, crowded_orders, troubled_orders

GOOD = {"succeeds", "given", "available"}
TRIED = 2500  # orders of a power tried one by one
TWO_SUPPORTS = {
    "FRANCE": ["A PAR - BUR", "A MAR H", "A GAS H", "A PIC H"],
    "GERMANY": ["A BUR H", "A MUN S A BUR"],
}


def change(outcome: dipsat.Outcome, unit: str) -> searches.SmallestChange:
    """The smallest change for a unit's order."""
    found = dipsat.explain(outcome, unit, change=True).change
    assert found is not None
    return found


def case(name: str) -> dipsat.Outcome:
    """The outcome of a DATC case."""
    (found,) = load_cases([name])
    return dipsat.adjudicate(found.position, found.orders)


# --- what a person would say ----------------------------------------------------------------------


CHANGES: Mapping[str, tuple[Mapping[str, list[str]], str, Mapping[str, str] | None]] = {
    "a support overcomes a bounce": (
        {"FRANCE": ["A PAR - BUR", "A MAR - SPA", "F BRE H"], "GERMANY": ["A MUN - BUR"]},
        "A PAR - BUR succeeds", {"A MAR - SPA": "A MAR S A PAR - BUR"},
    ),
    "units of one power that bounce support rather than go away": (
        {"FRANCE": ["A PAR - BUR", "A MAR - BUR"]},
        "A PAR - BUR succeeds", {"A MAR - BUR": "A MAR S A PAR - BUR"},
    ),
    "one support is enough against a unit alone": (
        {"FRANCE": ["A PAR - BUR", "A MAR H", "A GAS H", "A PIC H"], "GERMANY": ["A BUR H"]},
        "A PAR - BUR succeeds", {"A GAS H": "A GAS S A PAR - BUR"},
    ),
    "two supports are needed against one": (
        TWO_SUPPORTS,
        "A PAR - BUR succeeds",
        {"A GAS H": "A GAS S A PAR - BUR", "A MAR H": "A MAR S A PAR - BUR"},
    ),
    "nothing helps who is alone": (
        {"FRANCE": ["A PAR - BUR"], "GERMANY": ["A MUN - BUR"]}, "A PAR - BUR succeeds", None,
    ),
    "a move that succeeds needs no change": (
        {"FRANCE": ["A PAR - BUR", "A MAR H"]}, "A PAR - BUR succeeds", {},
    ),
    "a unit that stands needs no change": (
        {"FRANCE": ["A PAR - BUR", "A MAR H"]}, "A MAR is not dislodged", {},
    ),
    "a unit that held need not be dislodged": (
        {"FRANCE": ["A BUR H", "A PAR - PIC"], "GERMANY": ["A MUN - BUR", "A RUH S A MUN - BUR"]},
        "A BUR is not dislodged", {"A PAR - PIC": "A PAR S A BUR"},
    ),
    "a support needs its unit to do what it supports": (
        {"FRANCE": ["A PAR H", "A MAR S A PAR - BUR"]},
        "A MAR S A PAR - BUR given", {"A PAR H": "A PAR - BUR"},
    ),
    "a support that is lost may at least not cost its unit": (
        {"FRANCE": ["A BUR S A PAR", "A PAR H", "A PIC H"],
         "GERMANY": ["A MUN - BUR", "A RUH S A MUN - BUR"]},
        "A BUR is not dislodged", {"A PAR H": "A PAR S A BUR"},
    ),
    "a swap of places needs a convoy": (
        {"ENGLAND": ["A LON - WAL", "F ENG H"], "FRANCE": ["A WAL - LON", "A YOR S A WAL - LON"]},
        "A LON - WAL succeeds", {"F ENG H": "F ENG C A LON - WAL"},
    ),
    "the way of an order may change": (
        {"FRANCE": ["A GAS - SPA VIA", "F MAO H"]},
        "A GAS - SPA VIA succeeds", {"A GAS - SPA VIA": "A GAS - SPA"},
    ),
    "a convoy and a support": (
        {"ENGLAND": ["A LON - NWY", "F NTH H", "F NWG H"], "RUSSIA": ["F SKA - NWY"]},
        "A LON - NWY succeeds",
        {"F NTH H": "F NTH C A LON - NWY", "F NWG H": "F NWG S A LON - NWY"},
    ),
}  # fmt: skip


@pytest.mark.parametrize(("orders", "aim", "changes"), CHANGES.values(), ids=CHANGES)
def test_the_smallest_change_is_what_a_person_would_say(
    orders: Mapping[str, list[str]], aim: str, changes: Mapping[str, str] | None
) -> None:
    outcome = adjudicate(orders)
    found = change(outcome, aim[:5])
    assert found.aim == aim
    assert found.verdict == ("impossible" if changes is None else "found")
    assert dict(zip(found.instead_of, found.orders, strict=True)) == (changes or {})
    assert (found.is_smallest, found.why) == (changes is not None, "")
    assert change(outcome, aim[:5]) == found


def test_a_change_may_move_a_unit_out_of_the_way() -> None:
    outcome = adjudicate({"FRANCE": ["A PAR - BUR", "A BUR H"]})
    (order,) = change(outcome, "A PAR").orders
    assert order.startswith("A BUR - ")


def test_a_unit_without_an_order_counts_as_holding() -> None:
    position = dipsat.Position.from_units(
        {"FRANCE": ["A BUR", "A PAR"], "GERMANY": ["A MUN", "A RUH"]}
    )
    outcome = dipsat.adjudicate(position, {"GERMANY": ["A MUN - BUR", "A RUH S A MUN - BUR"]})
    assert change(outcome, "A BUR").orders == ("A PAR S A BUR",)


def test_illegal_orders_and_other_phases_have_no_answer() -> None:
    position = dipsat.Position.from_units({"FRANCE": ["A PAR"]})
    found = change(dipsat.adjudicate(position, {"FRANCE": ["A PAR - LON"]}), "A PAR")
    assert (found.verdict, found.why) == ("unknown", "an illegal order cannot succeed")
    position = dipsat.Position.from_units(
        {"FRANCE": ["A BUR"]}, phase="F1901R", dislodged={"GERMANY": ["A RUH"]}
    )
    found = change(dipsat.adjudicate(position, {"GERMANY": ["A RUH R HOL"]}), "A RUH")
    assert found.verdict == "unknown"
    assert "movement phases" in found.why


def test_orders_of_a_summer_phase_are_not_treated_as_open() -> None:
    """Arpiesse XII: an exchange depends on the other unit's order, which no question covers; an
    exchange that succeeded needs no change."""
    rules = dipsat.load_profile("arpiesse+color_exchange=on")
    units = {"ITALY": ["Purple F ADR"], "AUSTRIA": ["Silver A TRI"]}
    position = dipsat.Position.from_units(units, phase="U1901X", rules=rules)
    orders = {"ITALY": ["F ADR X A TRI"]}
    told = dipsat.explain(
        dipsat.adjudicate(position, orders, rules), "F ADR", core=True, change=True
    )
    assert told.change is not None
    assert told.core is not None
    assert (told.verdict, told.change.verdict, told.core.verdict) == ("fails", *["unknown"] * 2)
    assert told.change.aim == "Purple F ADR X Silver A TRI succeeds"
    assert "of an extra phase" in told.change.why
    assert "of an extra phase" in told.core.why
    both = dipsat.adjudicate(position, {**orders, "AUSTRIA": ["A TRI X F ADR"]}, rules)
    assert change(both, "F ADR").verdict == "found"
    assert change(both, "F ADR").orders == ()


def test_a_train_that_arrives_needs_no_change() -> None:
    position = dipsat.Position.from_units(
        {"RUSSIA": ["A MOS"]}, "colonial", centers={"RUSSIA": ["MOS"]}
    )
    found = change(
        dipsat.adjudicate(position, {"RUSSIA": ["A MOS - TSR - PRM"]}, "colonial"), "A MOS"
    )
    assert (found.verdict, found.aim) == ("found", "A MOS - TSR - PRM succeeds")


@pytest.mark.parametrize(("rules", "word"), [("datc+4.D.9-a", "4.D.9"), ("datc+4.E.3-a", "4.E.3")])
def test_settings_that_open_orders_cannot_express_are_named(rules: str, word: str) -> None:
    position = dipsat.Position.from_units({"FRANCE": ["A PAR", "A MAR"], "GERMANY": ["A MUN"]})
    orders = {"FRANCE": ["A PAR - BUR"], "GERMANY": ["A MUN - BUR"]}
    found = change(dipsat.adjudicate(position, orders, rules), "A PAR")
    assert found.verdict == "unknown"
    assert word in found.why


# --- trying everything ----------------------------------------------------------------------------


@dataclass(frozen=True)
class Tried:
    """The results of a power's units under one choice of orders, of which `size` are new."""

    orders: Mapping[str, str]
    size: int
    reached: frozenset[tuple[str, str]]  # (unit, "order" or "stays")


def given_texts(outcome: dipsat.Outcome) -> dict[str, str]:
    """What each unit did."""
    return {
        order.unit: f"{order.unit} H" if order.verdict == "illegal" else order.order
        for order in outcome.orders
    }


def every_choice(outcome: dipsat.Outcome, power: str, rules: str | Profile) -> Iterator[Tried]:
    """All orders of a power, adjudicated."""
    position, given = outcome.position, given_texts(outcome)
    mine = [str(unit) for unit in position.units if unit.power == power]
    legal = legal_orders(position, outcome.profile.settings)
    texts = {
        unit: dict.fromkeys([given[unit], *(write_order(o, position.map) for o in legal[unit])])
        for unit in mine
    }
    sets = [dict(zip(mine, chosen, strict=True)) for chosen in product(*texts.values())]
    by_power: list[dict[str, list[str]]] = []
    for new in sets:
        by_power.append({})
        for unit in position.units:
            by_power[-1].setdefault(unit.power, []).append(new.get(str(unit), given[str(unit)]))
    for new, found in zip(sets, every_order.tried(position, by_power, rules), strict=True):
        good = {(unit, "order") for unit in mine if found.verdicts[unit] in GOOD}
        kept = {(unit, "stays") for unit in mine if unit not in found.dislodged}
        size = sum(new[unit] != given[unit] for unit in mine)
        yield Tried(new, size, frozenset(good | kept))


def plain(order: str) -> str:
    """An order without its route: no `VIA`, and no coast of a supported move."""
    head, _, target = order.removesuffix(" VIA").rpartition(" - ")
    return f"{head} - {target.partition('/')[0]}" if " S " in head else order.removesuffix(" VIA")


def check_board(outcome: dipsat.Outcome, rules: str | Profile = "datc") -> int:
    """Compare the answer for each order of a board with trying all orders of its power."""
    legal = legal_orders(outcome.position, outcome.profile.settings)
    count = 0
    for power in sorted({order.power for order in outcome.orders}):
        mine = [str(u) for u in outcome.position.units if u.power == power]
        if prod(len(legal[unit]) for unit in mine) > TRIED:
            continue
        choices = list(every_choice(outcome, power, rules))
        for order in outcome.orders:
            if order.power == power and order.unit in mine and order.verdict != "illegal":
                check_order(outcome, order, choices)
                count += 1
    return count


def check_order(outcome: dipsat.Outcome, order: dipsat.OrderOutcome, choices: list[Tried]) -> None:
    """Compare the answer for an order with all orders of its power."""
    given = given_texts(outcome)[order.unit]
    is_hold, is_move = given.endswith(" H"), " - " in given and " S " not in given
    is_move = is_move and " C " not in given
    aims = ["stays"] if is_hold else ["order"]
    if not is_hold and not is_move and order.fate:
        aims.append("stays")
    found = change(outcome, order.unit)
    assert found.verdict in ("found", "impossible"), (order.order, found)
    for what in aims:
        good = [
            one for one in choices
            if (order.unit, what) in one.reached and plain(one.orders[order.unit]) == plain(given)
        ]  # fmt: skip
        if good:
            assert found.verdict == "found"
            assert found.is_smallest
            assert len(found.orders) == min(one.size for one in good)
            assert found.aim.endswith(" is not dislodged") == (what == "stays")
            old = given_texts(outcome)
            units = [unit for unit in old if set(found.instead_of) & {old[unit]}]
            new = dict(zip(found.instead_of, found.orders, strict=True))
            wanted = {u: new.get(old[u], old[u]) for u in good[0].orders}
            assert len(units) == len(found.orders)
            assert wanted in [one.orders for one in good]
            return
    assert found.verdict == "impossible", (order.order, found)


@exhaustive
@pytest.mark.parametrize("seed", few_of([*range(101, 113), 100], 2))
def test_crowded_boards_equal_those_found_by_trying_all_orders(seed: int) -> None:
    check_board(adjudicate(crowded_orders(seed, 5)))


@exhaustive
@pytest.mark.parametrize("seed", few_of([*range(16, 28)], 2))
def test_troubled_boards_equal_those_found_by_trying_all_orders(seed: int) -> None:
    check_board(adjudicate(troubled_orders(seed)))


RULES = (
    "datc+4.A.3-a", "datc+4.A.3-b", "datc+4.A.3-c", "datc+4.A.3-d", "datc+4.A.6-c", "datc+4.A.4-a",
    "datc+4.A.7-a", "1982", "2000", "2023", "datc+4.B.4-a", "datc+4.A.2-all-hold",
)  # fmt: skip


@exhaustive
@pytest.mark.parametrize("rules", few_of(RULES, 2))
@pytest.mark.parametrize("seeds", parts_of(range(4), 1))
def test_other_rules_equal_those_found_by_trying_all_orders(seeds: range, rules: str) -> None:
    for seed in seeds:
        for orders in (crowded_orders(seed, 4), troubled_orders(seed)):
            check_board(adjudicate(orders, rules), rules)


@cache
def small_cases() -> tuple[str, ...]:
    """DATC cases of a movement phase with up to five units."""
    return tuple(
        case.name
        for case in load_cases([f"6.{section}" for section in "ABCDEFG"])
        if len(case.position.units) <= 5 and case.name not in ("6.D.33",)
    )


@pytest.mark.parametrize("name", few_of(small_cases(), 6))
def test_small_cases_equal_those_found_by_trying_all_orders(name: str) -> None:
    check_board(case(name))


# --- limits ---------------------------------------------------------------------------------------


def test_without_time_the_change_is_unknown() -> None:
    outcome = adjudicate({"FRANCE": ["A PAR - BUR", "A MAR H"], "GERMANY": ["A MUN - BUR"]})
    limits = dipsat.Limits(seconds=1e-9)
    found = dipsat.explain(outcome, "A PAR", core=True, change=True, limits=limits)
    assert found.core is not None
    assert found.change is not None
    assert (found.core.verdict, found.core.why) == ("unknown", "the time limit was not enough")
    assert (found.change.verdict, found.change.why) == ("unknown", "the time limit was not enough")


@pytest.mark.parametrize("steps", [1, 10_000, 20_000, 40_000])
def test_changes_found_in_few_steps_are_right(monkeypatch: pytest.MonkeyPatch, steps: int) -> None:
    monkeypatch.setattr("dipsat.searches.order_changes._CHANGE_STEPS", steps)
    outcome = adjudicate(TWO_SUPPORTS)
    found = change(outcome, "A PAR")
    assert found == change(outcome, "A PAR")
    if found.verdict == "unknown":
        assert found.why == "it would take too many steps"
        return
    assert found.is_smallest == (not found.why)
    given = given_texts(outcome)
    new = dict(zip(found.instead_of, found.orders, strict=True))
    orders: dict[str, list[str]] = {}
    for unit in outcome.position.units:
        orders.setdefault(unit.power, []).append(new.get(given[str(unit)], given[str(unit)]))
    played = dipsat.adjudicate(outcome.position, orders)
    assert played.order("A PAR").verdict == "succeeds"


@pytest.mark.usefixtures("interrupts")
@pytest.mark.parametrize("asked", [0, 1, 3])
@pytest.mark.parametrize("what", ["core", "change"])
def test_an_interrupt_leaves_what_has_been_found(
    monkeypatch: pytest.MonkeyPatch, what: str, asked: int
) -> None:
    ask, count = OrderQuery.ask, [0]

    def interrupted(self: OrderQuery, assumed: Iterable[int]) -> frozenset[Key] | None:
        if count[0] == asked:
            signal.raise_signal(signal.SIGINT)
        count[0] += 1
        return ask(self, assumed)

    monkeypatch.setattr(OrderQuery, "ask", interrupted)
    found = dipsat.explain(
        adjudicate(TWO_SUPPORTS), "A PAR", core=what == "core", change=what == "change"
    )
    assert count[0] == asked + 1
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler
    for answer in (found.core, found.change):
        if answer is not None and answer.verdict == "unknown":
            assert answer.why == "the search was interrupted"
        elif answer is not None:
            assert not answer.is_smallest
            assert answer.orders


# --- the command ----------------------------------------------------------------------------------

SHEET = "France:\n A Par - Bur\n A Mar H\nGermany:\n A Mun - Bur\n"


@pytest.fixture
def sheet(tmp_path: Path) -> str:
    path = tmp_path / "orders.txt"
    path.write_text(SHEET, encoding="utf-8")
    return str(path)


def run(*arguments: str) -> Result:
    result = CliRunner().invoke(main, ["explain", *arguments])
    assert result.exception is None or isinstance(result.exception, SystemExit), result.exception
    return result


def words(result: Result) -> str:
    return " ".join(result.stdout.split())


@exhaustive
def test_command_names_the_change(sheet: str) -> None:
    assert (
        "With these orders of France's own, A PAR - BUR succeeds: A MAR S A PAR - BUR instead of "
        "A MAR H. No smaller change is enough."
    ) in words(run(sheet, "A PAR", "--change"))
    said = "No change of France's orders is needed: A MAR is not dislodged."
    assert said in words(run(sheet, "A MAR", "--change"))
    said = "Germany has no orders with which A MUN - BUR succeeds. That is proven."
    assert said in words(run(sheet, "A MUN", "--change"))
    said = "No change of France's orders was found: the time limit was not enough."
    assert said in words(run(sheet, "A PAR", "--change", "--timeout", "0.00001"))
    assert run(sheet, "--change").exit_code == 2


def test_command_prints_the_change_as_json(sheet: str) -> None:
    (unit,) = json.loads(run(sheet, "A PAR", "--change", "--json").stdout)["units"]
    assert unit["core"] is None
    assert unit["change"] == {
        "verdict": "found",
        "aim": "A PAR - BUR succeeds",
        "orders": ["A MAR S A PAR - BUR"],
        "instead_of": ["A MAR H"],
        "smallest": True,
        "why": "",
    }


def test_the_worked_example_of_the_smallest_change(monkeypatch: pytest.MonkeyPatch) -> None:
    """The module computes what its docstring says about A BUR - MUN."""
    helps = "A RUH S A BUR - MUN", "A TYR S A BUR - MUN"
    cones: list[tuple[int, int]] = []
    choices: list[int] = []
    tried: list[tuple[tuple[str, ...], bool]] = []
    look, confirm, changes = Reordering.cone, _ChangeSearch.is_confirmed, _Changes.__init__

    def cone(self: Reordering, claim: Term, depth: int, most: int) -> Cone:
        found = look(self, claim, depth, most)
        cones.append((len(found.equations), len(found.edge)))
        return found

    def is_confirmed(self: _ChangeSearch, changed: Sequence[OrderChoice]) -> bool:
        found = confirm(self, changed)
        tried.append((tuple(self.open.write(choice) for choice in changed), found))
        return found

    def init(self: _Changes, search: _ChangeSearch, claim: Term, cone: Cone) -> None:
        changes(self, search, claim, cone)
        choices.append(len(self.choices))
        assert [len(search.open.open.choices[unit]) for unit in self.given] == [18, 13]

    monkeypatch.setattr(Reordering, "cone", cone)
    monkeypatch.setattr(_ChangeSearch, "is_confirmed", is_confirmed)
    monkeypatch.setattr(_Changes, "__init__", init)
    orders = {
        "FRANCE": ["A BUR - MUN", "A RUH H", "A TYR - BOH"],
        "GERMANY": ["A MUN H", "A KIE S A MUN", "A BER - KIE"],
    }
    outcome = adjudicate(orders)
    assert outcome.decisions["attack_strength(A BUR - MUN)"] == 1
    assert outcome.decisions["hold_strength(MUN)"] == 2
    found = change(outcome, "A BUR")
    assert (found.orders, found.is_smallest) == (helps, True)
    assert cones == [(27, 0)]
    assert choices == [13]
    assert tried == [(helps, True)]
