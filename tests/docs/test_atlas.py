"""docs/atlas: its lines hold, its pages say what its data say, and dipsat finds the same again."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import combinations_with_replacement
from typing import Any

import pytest

import dipsat
from dipsat import searches
from dipsat.base import grouped
from dipsat.board import province_of
from dipsat.searches import borders_of
from tests.exhaustive import exhaustive, parts_of, spread
from tools.atlas import pages, published, record
from tools.atlas.answers import Answer, as_answer, lines_in, question_of, search
from tools.atlas.bounds import raise_bound
from tools.atlas.checker import borders, why_not
from tools.atlas.trials import attacked, breaks_without, line_of

MAPS = pages.maps()
ANSWERS = [
    (name, one) for name in MAPS for answers in record.read(name).values() for one in answers
]
HOLDING = [(name, one) for name, one in ANSWERS if one["forms"]]
FIRST = [(name, one, form) for name, one in HOLDING for form in one["forms"] if "without" in form]
MOST = 2  # values of each other map than the standard one, in tests that adjudicate or solve
PUBLISHED = {
    3: 6, 5: 12, 6: 13, 7: 13, 8: 12, 9: 13, 10: 13, 11: 13, 12: 13, 13: 12, 14: 11, 15: 10,
    16: 11, 17: 11,
}  # fmt: skip
"""Centres of the standard map -> the fewest units, which another solver found."""


def of_standard_and_some(values: Sequence[Any]) -> list[Any]:
    """The values of the standard map, and a few of each other map, spread evenly. The script that
    makes the atlas has tried all of them."""
    of_map = grouped((one[0], one) for one in values)
    standard = of_map.pop("standard")
    others = [some[at] for some in of_map.values() for at in spread(len(some), MOST)]
    return [*standard, *others]


SAMPLE = of_standard_and_some(HOLDING)


def line(name: str, one: Answer, form: Mapping[str, Any], orders: str) -> searches.StalemateLine:
    return line_of(name, one["asked"].get("power"), form, orders)


def test_the_standard_map_has_the_table_that_another_solver_found() -> None:
    sizes = record.read("standard")["sizes"]
    found = {one["asked"]["centres"]: one["fewest"] for one in sizes}
    assert found == {size: PUBLISHED.get(size) for size in range(1, 18)}
    assert all(one["bound"] == one["fewest"] for one in sizes)
    assert {one["verdict"] for one in sizes} == {"found", "impossible"}


@pytest.mark.parametrize("name", MAPS)
def test_every_certificate_passes_the_checker(name: str) -> None:
    for one in (one for of, one in HOLDING if of == name):
        path = record.LINES / f"{record.slug_of(name, one)}.json"
        certificates = json.loads(path.read_text(encoding="utf-8"))
        for certificate, (form, orders) in zip(certificates, lines_in(one), strict=True):
            assert why_not(certificate, borders(name)) == ""
            assert ", ".join(certificate["orders"]) == orders
            for member in ("centres", "region"):
                assert certificate[member] == form[member]


def test_the_answers_keep_what_was_asked() -> None:
    for name, one in HOLDING:
        asked, board = one["asked"], dipsat.load_map(name)
        if "split" in asked:
            assert [len(form["centres"]) for form in one["forms"]] == asked["split"]
            assert sum(len(form["units"]) for form in one["forms"]) == one["fewest"]
        else:
            assert {len(form["units"]) for form in one["forms"]} == {one["fewest"]}
        for form in one["forms"]:
            held = len(form["centres"])
            if isinstance(asked.get("centres"), int):
                assert held == asked["centres"]
            if "power" in asked:
                assert {*board.powers[asked["power"]].home} <= {*form["centres"]}
            if "self_sufficient" in asked:
                assert held >= one["fewest"]


def broken(name: str, one: Answer, form: Mapping[str, Any]) -> Iterator[tuple[str, bool]]:
    """Each unit of the first line of a form, and whether the stated orders break the line without
    it."""
    whole = line(name, one, form, form["lines"][0])
    enemy = whole.enemy.powers[0]
    for unit, orders in form["without"].items():
        left = [other for other in whole.units if str(other) != unit]
        gone = province_of(unit.split()[1])
        supports = {a: b for a, b in whole.supports.items() if gone not in (a, b)}
        own = replace(whole, units=tuple(left), supports=supports)
        attackers = [" ".join(order.split()[:2]) for order in orders]
        units = {whole.power: list(map(str, left)), enemy: attackers}
        position = dipsat.Position.from_units(units, whole.map)
        ordered = {whole.power: list(own.order_texts(supports)), enemy: orders}
        after = dipsat.adjudicate(position, ordered).next
        inside = {gone, *whole.region, *whole.by_province}
        still = {str(other) for other in after.units if other.power == whole.power}
        entered = any(o.province in inside for o in after.units if o.power == enemy)
        yield unit, entered or still != {str(other) for other in left}


@pytest.mark.parametrize("firsts", parts_of(of_standard_and_some(FIRST)[::-1], 2))
def test_lines_break_without_any_unit(firsts: list[tuple[str, Answer, Mapping[str, Any]]]) -> None:
    for name, one, form in firsts:
        found = dict(broken(name, one, form))
        assert len(found) == len(form["units"])
        assert all(found.values()), (name, one["asked"], found)


@pytest.mark.parametrize("name", MAPS)
def test_the_pages_are_made_from_the_data(name: str) -> None:
    """`python -m tools.atlas --pages` writes them."""
    text = "\n".join(pages.map_page(name, record.read(name))).rstrip()
    assert (record.FOLDER / f"{name}.md").read_text(encoding="utf-8") == f"{text}\n"


def test_the_first_page_has_the_tables_of_the_data() -> None:
    text = pages.README.read_text(encoding="utf-8")
    assert "\n".join(pages.sizes_table("standard", record.read("standard"))) in text
    assert "\n".join(pages.maps_table(MAPS)) in text


def test_every_line_has_files_and_no_others_are_there() -> None:
    files = {f"{record.slug_of(*of)}.{kind}" for of in HOLDING for kind in ("json", "yaml")}
    splits = [record.slug_of(*of) for of in HOLDING if "split" in of[1]["asked"]]
    files |= {f"{slug}-other.yaml" for slug in splits}
    assert files == {path.name for path in record.LINES.iterdir()}


def test_the_files_of_lines_are_those_of_the_data() -> None:
    """The files that open each line, and all files of one line.
    `test_every_certificate_passes_the_checker` reads the certificates of the others."""
    made = [record.lines_to_open(*of) for of in HOLDING]
    for file, text in (
        one for files in [*made, record.files_of(*SAMPLE[0])] for one in files.items()
    ):
        assert (record.LINES / file).read_text(encoding="utf-8") == text


def sharing() -> dict[str, set[str]]:
    """Map of the atlas -> the others that have its borders and centres, as the first page says."""
    text = pages.README.read_text("utf-8")
    (standard,) = re.findall(r"The maps (`[^.;]*) have the borders", text)
    found = {"standard": {*re.findall(r"`(\w+)`", standard)}}
    for other, name in re.findall(r"`(\w+)` has\sthose\sof\s`(\w+)`", text):
        found.setdefault(name, set()).add(other)
    return found


def test_maps_that_share_the_board_share_its_lines() -> None:
    said = sharing()
    assert {name: len(others) for name, others in said.items()} == {"standard": 5, "hundred": 1}
    for name, others in said.items():
        for other in others:
            assert {**borders_of(dipsat.load_map(other)), "map": name} == borders(name), other


@exhaustive
def test_no_other_map_shares_a_board_of_the_atlas() -> None:
    boards = {json.dumps({**borders(name), "map": ""}): name for name in MAPS}
    found = dict[str, set[str]]()
    for other in {*dipsat.map_names()} - {*MAPS}:
        board = json.dumps({**borders_of(dipsat.load_map(other)), "map": ""})
        if board in boards:
            found.setdefault(boards[board], set()).add(other)
    assert found == sharing()


def test_one_published_line_needs_that_no_fleet_is_in_venice() -> None:
    names = ("beshera-1", "beshera-1-venice")
    broken, held = (searches.hold_line(published.FOLDER / f"{name}.yaml") for name in names)
    assert (broken.verdict, held.verdict) == ("breaks", "holds")
    assert broken.witness is not None
    assert any("F VEN - ADR" in orders for orders in broken.witness.orders.values())


@exhaustive
def test_the_page_of_published_lines_is_made_from_the_data() -> None:
    text = published.PAGE.read_text(encoding="utf-8")
    made = list(published.table_of(record.read("standard")["published"]))
    assert "\n".join(made) in text
    assert "\n".join(published.broken()) in text
    assert sum("| holds |" in row for row in made) == 11
    assert sum(row.endswith("as printed |") for row in made) == 10


@exhaustive
@pytest.mark.parametrize(("name", "one"), [SAMPLE[at] for at in spread(len(SAMPLE), 12)])
def test_dipsat_confirms_lines(name: str, one: Answer) -> None:
    """All lines were confirmed when the atlas was made."""
    held = searches.hold_line(record.LINES / f"{record.slug_of(name, one)}.yaml")
    form, orders = next(lines_in(one))
    assert (held.verdict, ", ".join(held.orders)) == ("holds", orders)
    assert sorted(held.line.region) == form["region"]


@exhaustive
def test_random_attacks_break_lines_only_without_a_unit() -> None:
    """So these attacks could find a fault."""
    (one,) = (one for one in record.read("standard")["sizes"] if one["asked"] == {"centres": 15})
    form, orders = next(lines_in(one))
    whole = line("standard", one, form, orders)
    assert attacked(whole, 2000) == 0
    assert breaks_without(whole) == form["without"]
    for unit in whole.units:
        short = replace(
            whole,
            units=tuple(other for other in whole.units if other != unit),
            supports={a: b for a, b in whole.supports.items() if unit.province not in (a, b)},
            region=whole.region | {unit.province},
        )
        assert attacked(short, 500) > 0, unit


@exhaustive
@pytest.mark.parametrize("worse", [0, 1])
def test_bounds_rise_up_to_what_another_solver_found(worse: int) -> None:
    """And no further if the best line so far has one more unit than is needed."""
    asked = {"centres": 3}
    one = {"asked": asked, "verdict": "unknown", "fewest": PUBLISHED[3] + worse, "bound": 0}
    raise_bound("standard", one, dipsat.Limits(work=1))
    assert one["bound"] == 0
    raise_bound("standard", one, dipsat.Limits(seconds=60))
    assert one["bound"] == PUBLISHED[3]
    assert one["verdict"] == ("unknown" if worse else "found")


@exhaustive
@pytest.mark.parametrize("centres", [2, 3])
def test_a_new_search_finds_the_same(centres: int) -> None:
    sizes = record.read("standard")["sizes"]
    (one,) = (one for one in sizes if one["asked"] == {"centres": centres})
    found = search("standard", one["asked"], dipsat.Limits(seconds=60), every=True)
    made = as_answer(one["asked"], found.to_dict(), whole=True)
    for form in one["forms"]:
        form.pop("without", None)
    one.pop("attacks")
    assert made == one


# --- splits ---------------------------------------------------------------------------------------

KNOWN = record.read("standard")
SPLITS: dict[tuple[int, int], Answer] = {
    tuple(one["asked"]["split"]): one for one in KNOWN["splits"]
}
SIZES = {one["asked"]["centres"]: one["fewest"] for one in KNOWN["sizes"] if one["fewest"]}


def test_every_two_numbers_that_single_lines_hold_are_asked() -> None:
    assert SPLITS.keys() == {*combinations_with_replacement(sorted(SIZES), 2)}
    for (less, more), one in SPLITS.items():
        assert one["verdict"] == ("impossible" if (less, more) == (5, 5) else "found")
        if one["fewest"] is not None:
            assert one["bound"] == one["fewest"] >= SIZES[less] + SIZES[more]


def test_splits_with_lines_are_those_that_need_fewer_units_than_more_even_ones() -> None:
    units = {both: one["fewest"] for both, one in SPLITS.items() if one["fewest"]}
    for both, one in SPLITS.items():
        more_even = [units[other] for other in units if other > both]
        shown = both in units and all(units[both] < fewest for fewest in more_even)
        assert shown == bool(one["forms"]), both


def test_the_first_page_says_which_splits_are_cheap() -> None:
    units = {both: one["fewest"] for both, one in SPLITS.items() if one["fewest"]}
    assert units[15, 15] == 22 == min(units[both] for both in units if both[0] > 3)
    assert [len(form["units"]) for form in SPLITS[15, 15]["forms"]] == [10, 12]
    assert (units[15, 17], units[17, 17], units[3, 17]) == (23, 24, 17)
    assert min(units, key=lambda both: units[both]) == (3, 3)


def test_lines_of_a_split_share_no_province() -> None:
    for one in SPLITS.values():
        if one["forms"]:
            (first, orders), (second, others) = lines_in(one)
            lines = (
                line_of("standard", None, first, orders), line_of("standard", None, second, others)
            )  # fmt: skip
            here, there = ({*line.region, *line.by_province} for line in lines)
            assert not here & there


@exhaustive
@pytest.mark.parametrize(("less", "more"), [(3, 17)])
def test_another_statement_and_solver_confirm_splits(less: int, more: int) -> None:
    """`python -m tools.atlas.confirm standard --section splits` confirms all."""
    fewest = SPLITS[less, more]["fewest"]
    found = searches.confirm_fewest(question_of("standard", {"split": [less, more]}), fewest)
    assert found.verdict == "confirmed"
