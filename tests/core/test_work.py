"""Rules that would never end are refused before they begin, by a count of steps."""

from __future__ import annotations

from collections import Counter
from itertools import pairwise
from typing import Any

import pytest

import dipsat
from dipsat import studies
from dipsat.equations import MAX_OPEN_STEPS, Grounder, Term, all_decisions
from dipsat.equations.grounding import MAX_STEPS, Read, Readings
from dipsat.errors import WorkLimitError
from dipsat.outcomes import MovementOutcome
from dipsat.outcomes.reasons import DecisiveWalk
from dipsat.rules import (
    Expression,
    load_profile,
    parse_profile,
    settings,
    shipped_names,
    variant_names,
)
from dipsat.searches import order_changes as searches
from dipsat.searches.encoding import candidates, limits
from dipsat.searches.open_order_facts import open_phase_of
from dipsat.solving import Budget, equations_of, resolution as resolve
from dipsat.solving.resolution import MAX_GROUNDED
from dipsat.studies import Sheet
from dipsat.studies.random_boards import trial_board
from dipsat.studies.sheet import kept_map
from tests.exhaustive import exhaustive, few_of
from tests.legal_texts import legal_order_texts

START = dipsat.Position.start("standard")
WINTER = dipsat.Position.from_units(
    {"FRANCE": ["A PAR"]}, phase="W1901A", centers={"FRANCE": ["PAR", "MAR"]}
)
BATTLE = dipsat.Position.from_units({"FRANCE": ["A BUR", "A RUH"], "GERMANY": ["A MUN"]})
ATTACK = {"FRANCE": ["A BUR - MUN", "A RUH S A BUR - MUN"]}
NESTED = (  # it always holds, so no loop ends early
    "all(all(all(all(q != r or s != t or s == t for t in {0}) for s in {0}) for r in {0}) "
    "for q in {0})"
)
EVERYWHERE = NESTED.format("Province")


def profile_of(body: str) -> dipsat.Profile:
    return parse_profile(f"name: heavy\nextends: datc\n{body}", "heavy.yaml")


@exhaustive
@pytest.mark.parametrize(
    ("body", "entry"),
    [
        (f"define:\n  x(p): {EVERYWHERE}\ndecisions:\n  dislodge(u): x(u.province)\n", "dislodge"),
        ("variables: {q: Province}\ndecisions:\n  y(p, q): all(all(all(q != r or s != t "
         "or s == t for t in Province) for s in Province) for r in Province)\n", "y"),
        (f"results:\n  contested(p): {EVERYWHERE}\n", "contested"),
        (f"variables: {{v: Power}}\nlegal:\n  counts_for(v, p): {EVERYWHERE}\n", "counts_for"),
    ],
)  # fmt: skip
def test_nested_quantifiers_over_all_provinces_are_refused_with_the_entry(
    body: str, entry: str
) -> None:
    rules = profile_of(body)
    with pytest.raises(WorkLimitError) as caught:
        dipsat.adjudicate(WINTER if "counts_for" in body else BATTLE, ATTACK, rules).to_dict()
    assert caught.value.entry == entry
    assert caught.value.steps > caught.value.most


@exhaustive
def test_conditions_on_orders_are_refused_too() -> None:
    rules = profile_of(f"legal:\n  odd(m): {EVERYWHERE}\n")
    with pytest.raises(WorkLimitError, match=r"heavy.yaml: odd would take 348,\d{3},\d{3} steps"):
        dipsat.adjudicate(START, {"FRANCE": ["A PAR - BUR"]}, rules)
    with pytest.raises(WorkLimitError):
        dipsat.Game(START, rules=rules).legal_orders("A PAR")
    text = f"form: '{{unit}} WISH {{target: Province}}'\n    legal:\n      odd: {EVERYWHERE}\n"
    rules = profile_of(f"variables: {{x: Wish}}\norders:\n  Wish(x):\n    {text}")
    with pytest.raises(WorkLimitError, match="heavy: Wish would take"):
        dipsat.adjudicate(START, {"FRANCE": ["A PAR WISH BUR"]}, rules)


@exhaustive
def test_engines_refuse_what_adjudicate_refuses() -> None:
    rules = profile_of(f"decisions:\n  x(p): {EVERYWHERE}\n")
    with pytest.raises(WorkLimitError):
        dipsat.adjudicate(BATTLE, {}, rules, engine="decision_graph")


@exhaustive
def test_proofs_refuse_what_adjudicate_refuses() -> None:
    with pytest.raises(WorkLimitError):
        dipsat.prove(BATTLE, {}, profile_of(f"decisions:\n  x(p): {EVERYWHERE}\n"))


@exhaustive
def test_propagation_that_goes_on_and_on_is_refused() -> None:
    """Two numbers that raise each other, round by round."""
    rules = profile_of(
        "decisions:\n  up(p): 1 + down(p) + sum(1 for q in Province if down(q) < 0)\n"
        "  down(p): up(p)\n"
    )
    with pytest.raises(WorkLimitError):
        dipsat.adjudicate(START, {}, rules)


@pytest.mark.parametrize(
    ("name", "map"),
    [
        ("datc", "world"), ("arpiesse", "standard"),
        *(pytest.param(name, None, marks=exhaustive) for name in shipped_names()),
        *(
            pytest.param(name, map, marks=exhaustive)
            for name in ("datc", "arpiesse", "4.A.2-1982")
            for map in ("known_world_901", "twentytwenty")
        ),
    ],
)  # fmt: skip
def test_a_full_board_under_shipped_rules_takes_less_than_half_of_the_limit(
    name: str, map: str | None
) -> None:
    profile = load_profile(name)
    board = kept_map(map or profile.map or "standard")
    assert 0 < phase_on(profile, board, 400).solution.bounds.steps < MAX_STEPS / 2


@pytest.mark.parametrize("rules", ["datc", "arpiesse", "colonial"])
def test_every_part_that_is_read_is_counted(rules: str, monkeypatch: pytest.MonkeyPatch) -> None:
    stopwatch = Stopwatch(monkeypatch)
    profile = parse_profile(f"name: copy\nextends: {rules}\n", "copy.yaml")
    outcome = phase_on(profile, kept_map(profile.map or "standard"), 30)
    grounder = Grounder(profile, outcome.facts)
    for key in all_decisions(profile.decisions, outcome.facts):
        stopwatch.terms, before = 0, grounder.steps
        grounder.equation(key)
        assert 0 < stopwatch.terms <= grounder.steps - before, key


def phase_on(profile: dipsat.Profile, board: dipsat.Map, units: int) -> MovementOutcome:
    sheet = trial_board(profile, board, 1, units)
    outcome = dipsat.adjudicate(sheet.position(), sheet.orders, profile)
    assert isinstance(outcome, MovementOutcome)
    return outcome


# With open orders, the steps are counted while they are taken.

CROWDED = (
    "sum(sum(sum(sum(sum({0} for e in {1}) for d in {1}) for w in {1}) for b in {1}) for a in {1}) "
    "> 0"
)
STRENGTHS = (
    f"1 if {' + '.join(f'attack_strength({one})' for one in 'abwd')} > attack_strength(e) else 0"
)
MANY_ATTACKERS = (
    "variables: {a: Move, b: Move, w: Move, d: Move, e: Move}\n"
    f"decisions:\n  move(m): {CROWDED.format(STRENGTHS, 'm.target.attackers')}\n"
)
"""Five nested sums over the attackers of a province; with open orders there are many attackers."""


class Stopwatch:
    """Count the terms that are grounded, and fail the test at ten million."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.terms = 0
        sharing = Readings._sharing

        def counted(readings: Readings, node: Expression, read: Read) -> Read:
            return sharing(readings, node, self._counting(read))

        monkeypatch.setattr(Readings, "_sharing", counted)

    def _counting(self, read: Read) -> Read:
        def counting(grounder: Any, scope: Any) -> Term:
            self.terms += 1
            return read(grounder, scope)

        return counting


def crowded_board() -> tuple[dipsat.Profile, Sheet]:
    rules = profile_of(MANY_ATTACKERS)
    return rules, trial_board(rules, kept_map("standard"), 1, 75)


@pytest.mark.parametrize("most", [100_000, pytest.param(searches._CORE_STEPS, marks=exhaustive)])
def test_the_orders_responsible_are_unknown_if_the_equations_are_too_long(
    most: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(searches, "_CORE_STEPS", most)
    rules, sheet = crowded_board()
    outcome = dipsat.adjudicate(sheet.position(), sheet.orders, rules)
    move = next(one for one in outcome.orders if one.verdict in ("succeeds", "fails"))
    stopwatch = Stopwatch(monkeypatch)
    core = dipsat.explain(outcome, move.unit, core=True).core
    assert core is not None
    assert (core.verdict, core.why) == ("unknown", "it would take too many steps")
    assert stopwatch.terms <= most + 10_000


@exhaustive
def test_an_equation_that_is_too_long_is_refused() -> None:
    rules, sheet = crowded_board()
    position = sheet.position()
    opened = open_phase_of(rules, position, candidates(rules, position).of_units)
    grounder = Grounder(rules, opened.phase, most=100_000)
    with pytest.raises(WorkLimitError, match=r"heavy: move would take 1\d\d,\d{3} steps") as caught:
        equations_of(grounder, all_decisions(rules.decisions, opened.phase))
    assert (caught.value.entry, caught.value.most) == ("move", 100_000)


@exhaustive
def test_a_search_keeps_to_its_time_while_it_grounds(monkeypatch: pytest.MonkeyPatch) -> None:
    """The clock is read at least once in a thousand steps."""
    rules, sheet = crowded_board()
    stopwatch = Stopwatch(monkeypatch)
    seen: list[int] = []

    def is_late(budget: Budget) -> bool:
        seen.append(stopwatch.terms)
        return stopwatch.terms > 50_000

    monkeypatch.setattr(Budget, "is_late", is_late)
    found = dipsat.search(sheet.position(), dipsat.Paradox(), rules=rules)
    assert found.verdict == "unknown"
    assert stopwatch.terms <= 51_000
    assert max(more - less for less, more in pairwise(seen)) <= 1000


@exhaustive
@pytest.mark.parametrize(
    ("times", "most"), few_of([(1, 100_000), (12, MAX_GROUNDED), (1, MAX_GROUNDED)], 1)
)
def test_rounds_of_rules_for_cycles_ground_no_more_than_a_limit(
    times: int, most: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each rule settles one move, so all equations are grounded again for every unit. A single
    round is far from the limit, and propagation takes no time."""
    monkeypatch.setattr(resolve, "MAX_GROUNDED", most)
    board = studies.random_board(3, 14)
    position = dipsat.Position.from_units(board.units)
    legal = legal_order_texts(position, dipsat.Settings())
    orders: dict[str, list[str]] = {}
    for unit in position.units:
        move = next(text for text in legal[str(unit)] if text.split()[2] == "-")
        orders.setdefault(unit.power, []).append(move)
    pairs = " and ".join(["(move(x) or x == y or m == x) and (move(y) or y == m)"] * 4 * times)
    body = f"decisions:\n  move(m): any(any(x != y and {pairs} for x in Move) for y in Move)\n"
    body += "cycles:\n" + "".join(
        f'  - name: {unit.province}\n    when: any(m.origin.code == "{unit.province}" for m in '
        f"cycle.move)\n    where: {{move(m): m.origin.code == '{unit.province}'}}\n"
        "    set: {move: false}\n"
        for unit in position.units
    )
    if most > 1_100_000 * times:
        assert dipsat.adjudicate(position, orders, profile_of(body)).orders
        return
    with pytest.raises(WorkLimitError, match=f"{most:,}"):
        dipsat.adjudicate(position, orders, profile_of(body))


def test_a_reason_visits_each_decision_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """There are far too many ways through the equations to follow: each move depends on its path,
    which depends on the move once for every province."""
    rules = profile_of(
        "decisions:\n  path(m): any(entered(m.target) != entered(m.unit.province) or move(m) "
        "for p in Province)\n"
    )
    followed = Counter[str]()
    ends = DecisiveWalk.ends

    def counted(walk: DecisiveWalk, *given: Any) -> Any:
        followed["parts"] += 1
        return ends(walk, *given)

    monkeypatch.setattr(DecisiveWalk, "ends", counted)
    board = studies.random_board(1, 8)
    position = dipsat.Position.from_units(board.units)
    outcome = dipsat.adjudicate(position, board.orders, rules)
    assert all(order.reason.text for order in outcome.orders)
    assert 0 < followed["parts"] < 1_000


@pytest.mark.parametrize("name", ["builds_in", "counts_for"])
def test_a_condition_for_each_power_and_province_is_limited_for_all_together(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    rules = profile_of(f"variables: {{v: Power}}\nlegal:\n  {name}(v, p): p.owner == v\n")
    assert dipsat.adjudicate(WINTER, {}, rules).orders is not None
    monkeypatch.setattr(settings, "MAX_TOGETHER", 75 * 7 * 3 - 1)
    with pytest.raises(WorkLimitError, match=rf"{name}.* 1,57\d"):
        dipsat.adjudicate(
            WINTER,
            {},
            profile_of(f"variables: {{v: Power}}\nlegal:\n  {name}(v, p): v == p.owner\n"),
        )


@pytest.mark.parametrize(
    "rules", few_of(["datc", "4.A.2-1982", "4.A.2-dptg", "4.A.3-2023", *variant_names()], 1)
)
def test_parts_that_are_grounded_once_give_the_same_terms_and_steps(rules: str) -> None:
    profile = load_profile(rules)
    position = trial_board(profile, kept_map(profile.map or "standard"), 2, 9).position()
    position = position.with_words(profile.words)
    if limits(profile, position):
        pytest.skip("orders cannot be open")
    phase = open_phase_of(profile, position, candidates(profile, position).of_units).phase
    anew = Grounder(profile, phase, most=MAX_OPEN_STEPS)
    shared = Grounder(profile, phase, most=MAX_OPEN_STEPS, shared=True)
    for key in all_decisions(profile.decisions, phase):
        assert shared.equation(key) == anew.equation(key), key
        assert shared.steps == anew.steps, key
