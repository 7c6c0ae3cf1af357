"""Pictures of boards, read back as XML: every province, unit and order, and nothing harmful."""

from __future__ import annotations

import gzip
import re
from collections.abc import Sequence
from dataclasses import replace
from itertools import combinations, pairwise
from math import dist, hypot
from xml.etree import ElementTree

import pytest

import dipsat
from dipsat import studies
from dipsat.draw import board_drawing as drawing, check_picture, order_lines, picture_for
from dipsat.draw.board_drawing import LAYERS, draw
from dipsat.draw.board_picture import Shown, scene_of
from dipsat.draw.map_picture import Picture
from dipsat.draw.picture_choice import shipped_picture
from dipsat.draw.places import name_box
from dipsat.draw.style_sheet import rgb, usual_colors
from dipsat.errors import ArgumentError, DipsatError, MapError, PictureError, UnknownNameError
from tests.draw.svg_reading import (
    EVIL,
    SVG,
    Element,
    classes,
    data,
    hostile_map,
    of_class,
    orders as orders_of,
    read,
    with_data,
)
from tests.exhaustive import few_of
from tests.phases import adjudicate

board = dipsat.draw.board
Made = tuple[dipsat.Outcome, Element]

ORDERS = {
    "ENGLAND": [
        "F LON S F WAL - ENG", "F WAL - ENG", "F NWG S A NWY", "A NWY H",
    ],
    "FRANCE": [
        "A BRE - LON", "F ENG C A BRE - LON", "A PAR - BUR", "A MAR S A PAR - BUR",
        "F LYO - SPA/SC",
    ],
    "GERMANY": ["F NTH S F BEL - ENG", "F BEL - ENG", "A MUN H", "A BER - LVN"],
    "ITALY": ["F ION C A TUN - NAP", "A TUN - NAP", "A ROM - NAP"],
    "AUSTRIA": ["A VIE - BUD", "A RUM S A SER - BUL", "A SER - BUL"],
    "TURKEY": ["A BUL - SER", "F SEV S A BUL - RUM"],
    "RUSSIA": ["A UKR - SEV", "A MOS S A UKR - SEV"],
}  # fmt: skip
"""A paradox, a bounce off a convoyed army, an exchange, a dislodgement, and all kinds of orders."""


def order_of(root: Element, text: str) -> Element:
    (found,) = (one for one in with_data(root, "order") if one.attrib["data-order"] == text)
    return found


def unit_of(root: Element, text: str) -> Element:
    (found,) = (one for one in of_class(root, "unit") if one.attrib["data-unit"] == text)
    return found


def sign_of(root: Element, text: str) -> str:
    """The name of the sign of an order, "" without one."""
    found = [one for one in with_data(root, "of") if one.attrib["data-of"] == text]
    return "".join(name[5:] for one in found for name in classes(one) if name[:5] == "sign-")


def shapes_in(one: Element) -> tuple[str, ...]:
    """What is drawn in an element, apart from its colours."""
    left_out = (f"{SVG}g", f"{SVG}title")
    return tuple(part.attrib.get("d", part.tag) for part in one.iter() if part.tag not in left_out)


@pytest.fixture(scope="module")
def made() -> Made:
    outcome = adjudicate(ORDERS)
    return outcome, read(board(outcome))


# --- What is on a board ---------------------------------------------------------------------------


def test_a_board_has_every_province_unit_and_order(made: Made) -> None:
    outcome, root = made
    assert sorted(data(root, "province")) == sorted(outcome.position.map.provinces)
    assert sorted(data(root, "order")) == sorted(one.order for one in outcome.orders)
    for one in with_data(root, "order"):
        verdict = outcome.order(one.attrib["data-unit"]).verdict
        assert {"order", verdict} <= classes(one)
    units = [one for one in with_data(root, "unit") if "data-order" not in one.attrib]
    drawn = sorted((one.attrib["data-power"], one.attrib["data-unit"]) for one in units)
    assert drawn == sorted((unit.power, str(unit)) for unit in outcome.position.units)


@pytest.mark.parametrize(
    ("text", "kind", "verdict", "sign"),
    [
        ("A PAR - BUR", "move", "succeeds", ""),
        ("F WAL - ENG", "move", "fails", "fails"),
        ("A MAR S A PAR - BUR", "support", "given", ""),
        ("F SEV S A BUL - RUM", "support", "invalid", "invalid"),
        ("F NWG S A NWY", "guard", "given", ""),
        ("A RUM S A SER - BUL", "support", "given", ""),
        ("F ION C A TUN - NAP", "convoy", "available", "available"),
        ("A TUN - NAP", "move", "fails", "fails"),  # bounces, though its convoy stands
        ("F ENG C A BRE - LON", "convoy", "disrupted", "disrupted"),
        ("A BER - LVN", "move", "illegal", "illegal"),
        ("A MUN H", "hold", "stands", ""),
    ],
)
def test_orders_are_drawn_as_the_outcome_says(
    made: Made, text: str, kind: str, verdict: str, sign: str
) -> None:
    outcome, root = made
    assert outcome.order(text.partition(" -")[0][:5]).verdict == verdict
    assert {kind, verdict} <= classes(order_of(root, text))
    assert sign_of(root, text) == sign


def test_a_dislodged_unit_is_drawn_differently_from_one_that_stays(made: Made) -> None:
    outcome, root = made
    assert {lost.unit for lost in outcome.dislodged} == {"A BUL", "F SEV"}
    for unit, other in (("A BUL", "A VIE"), ("F SEV", "F LYO")):
        assert {"unit", "dislodged"} <= classes(unit_of(root, unit))
        assert set(shapes_in(unit_of(root, other))) < set(shapes_in(unit_of(root, unit)))


def test_results_differ_in_shape() -> None:
    """People who cannot see colours see the shapes."""
    signs = {
        name.removeprefix("sign-"): shape
        for name, shape in order_lines.shapes().items()
        if name.startswith("sign-")
    }
    shapes = {
        name: shapes_in(ElementTree.fromstring(f"<g>{shape}</g>")) for name, shape in signs.items()
    }
    verdicts = {"fails", "cut", "disrupted", "illegal", "invalid", "unknown", "available"}
    assert verdicts < shapes.keys()
    outer = {name: re.sub(r'class="[^"]*"', "", shape) for name, shape in signs.items()}
    assert len(set(outer.values())) == len(outer) == len(set(shapes.values()))


def test_a_cut_support_has_its_sign() -> None:
    given = {"FRANCE": ["A PAR H", "A BUR S A PAR"], "GERMANY": ["A MUN - BUR"]}
    root = read(board(adjudicate(given)))
    assert sign_of(root, "A BUR S A PAR") == "cut"
    assert {"guard", "cut"} <= classes(order_of(root, "A BUR S A PAR"))


def test_a_unit_without_a_retreat_is_crossed_out() -> None:
    around = ["A VEN - TRI", "A TYR S A VEN - TRI", "A VIE H", "A BUD H", "A SER H", "A ALB H"]
    outcome = adjudicate({"AUSTRIA": ["A TRI H"], "ITALY": around})
    assert outcome.order("A TRI").fate == "destroyed"
    assert {"destroyed", "leaving"} <= classes(unit_of(read(board(outcome)), "A TRI"))


def test_what_is_undecided_has_a_sign() -> None:
    scene = scene_of(adjudicate({"FRANCE": ["A PAR - BUR"]}))
    (order,) = scene.orders
    open_ = replace(scene, orders=(replace(order, verdict="unknown"),))
    assert sign_of(read(draw(open_).svg()), "A PAR - BUR") == "unknown"


def test_a_standoff_is_marked() -> None:
    outcome = adjudicate({"FRANCE": ["A PAR - BUR"], "GERMANY": ["A MUN - BUR"]})
    assert data(read(board(outcome)), "standoff") == ["BUR"]


RETREATS = dipsat.Position.from_units(
    {"FRANCE": ["A BUR"], "RUSSIA": ["F NTH"], "ITALY": ["A MUN"]},
    phase="S1901R",
    dislodged={"GERMANY": ["A BUR", "A MUN"], "ENGLAND": ["F NTH"]},
)


def test_retreats_begin_at_the_dislodged_unit_and_clashes_show() -> None:
    orders = {"GERMANY": ["A BUR R RUH", "A MUN R RUH"], "ENGLAND": ["F NTH D"]}
    root = read(board(dipsat.adjudicate(RETREATS, orders)))
    assert {"retreat", "fails"} <= classes(order_of(root, "A BUR R RUH"))
    assert sign_of(root, "A BUR R RUH") == "fails"
    assert "disband" in classes(order_of(root, "F NTH D"))
    lost = of_class(root, "lost")
    assert sorted(one.attrib["data-unit"] for one in lost) == ["A BUR", "A MUN", "F NTH"]
    shape = picture_for(RETREATS.map).shapes["BUR"]
    places = {one.attrib["data-unit"]: one.attrib["transform"] for one in lost}
    x, y = shape.place.dislodged
    assert places["A BUR"].startswith(f"translate({x:.1f}".removesuffix(".0"))
    assert f"{y:.1f}".removesuffix(".0") in places["A BUR"]


def test_builds_disbands_and_waives() -> None:
    position = dipsat.Position.from_units(
        {"FRANCE": ["A PAR", "A MAR"], "GERMANY": ["A BUR"]},
        phase="W1901A",
        centers={"FRANCE": ["PAR"], "GERMANY": ["KIE", "BER", "MUN", "HOL"]},
    )
    orders = {"FRANCE": ["A MAR D"], "GERMANY": ["F KIE B", "A BUR B", "WAIVE"]}
    root = read(board(dipsat.adjudicate(position, orders)))
    built = {one.attrib["data-unit"]: one for one in of_class(root, "built")}
    assert built.keys() == {"F KIE", "A BUR"}
    assert "illegal" not in classes(built["F KIE"])
    assert sign_of(root, "F KIE B") == "build"
    assert sign_of(root, "A BUR B") == "illegal"
    assert {"unit", "disbanded", "leaving"} <= classes(unit_of(root, "A MAR"))
    assert "disbanded" not in classes(unit_of(root, "A PAR"))


def test_a_build_that_is_illegal_shows_its_unit_clear_of_others() -> None:
    position = dipsat.Position.from_units(
        {"RUSSIA": ["F STP/SC"], "GERMANY": ["A BER"]},
        phase="W1901A",
        centers={"RUSSIA": ["STP", "MOS"], "GERMANY": ["BER", "KIE", "MUN"]},
    )
    orders = {"RUSSIA": ["F STP/NC B"], "GERMANY": ["F BER B", "A KIE B", "A NAP B"]}
    root = read(board(dipsat.adjudicate(position, orders)))
    built = {one.attrib["data-unit"]: one for one in of_class(root, "built")}
    illegal = [unit for unit, one in built.items() if "illegal" in classes(one)]
    assert sorted(illegal) == ["A NAP", "F BER", "F STP/NC"]
    assert built["F STP/NC"].attrib["data-power"] == "RUSSIA"
    assert len(of_class(root, "frame")) == 1
    standing = {unit_of(root, unit).attrib["transform"] for unit in ("F STP/SC", "A BER")}
    assert not standing & {one.attrib["transform"] for one in built.values()}


def test_units_stand_on_their_coasts() -> None:
    position = dipsat.Position.from_units({"RUSSIA": ["F STP/NC"], "FRANCE": ["A SPA"]})
    root = read(board(position))
    shapes = picture_for(position.map).shapes
    x, y = shapes["STP"].coasts["NC"].unit
    moved = unit_of(root, "F STP/NC").attrib["transform"]
    numbers = [float(one) for one in re.findall(r"[\d.]+", moved)[:2]]
    assert numbers == [pytest.approx(x, abs=0.06), pytest.approx(y, abs=0.06)]


def test_owners_tint_their_provinces() -> None:
    root = read(board(dipsat.Position.start()))
    owners = {
        one.attrib["data-province"]: one.attrib["data-owner"] for one in with_data(root, "owner")
    }
    powers = dipsat.load_map("standard").powers.values()
    assert owners == {code: power.name for power in powers for code in power.centers}


def test_land_without_a_centre_has_the_colour_of_its_last_holder() -> None:
    game = dipsat.Game.standard()
    game.submit("FRANCE", ["A PAR - BUR", "A MAR - PIE"])
    game.advance()
    game.submit("FRANCE", ["A BUR - BEL", "A PIE - TYR"])
    game.submit("AUSTRIA", ["A VIE - TYR"])  # and so nobody enters it
    game.advance()

    def colored(picture: str) -> dict[str, str]:
        numbers = {f"o{at}": name for at, name in enumerate(game.position.map.powers)}
        lands = with_data(read(picture), "province")
        found = ((one, numbers.keys() & classes(one)) for one in lands)
        return {one.attrib["data-province"]: numbers[of.pop()] for one, of in found if of}

    whose = colored(board(game))
    assert (whose["BUR"], whose["PIE"], whose["PAR"]) == ("FRANCE", "FRANCE", "FRANCE")
    assert not {"TYR", "RUH"} & {*whose}
    centers = {code for codes in game.position.centers.values() for code in codes}
    assert {*colored(board(game, holders=False))} == centers
    assert {*colored(board(game.history[0].outcome))} == centers - {"BEL"}  # not held yet


def test_a_coast_of_a_province_with_several_has_its_name() -> None:
    texts = [one.text for one in of_class(read(board("standard")), "coast")]
    assert sorted(filter(None, texts)) == ["EC", "NC", "NC", "SC", "SC", "SC"]


# --- Lines ----------------------------------------------------------------------------------------


def numbers_in(path: str) -> list[float]:
    return [float(one) for one in re.findall(r"-?\d+(?:\.\d+)?", path)]


def shaft(root: Element, text: str) -> list[tuple[float, float]]:
    """The points of the line of an order."""
    (ink,) = (one for one in order_of(root, text) if one.attrib.get("class") == "ink")
    numbers = numbers_in(ink.attrib["d"])
    return list(zip(numbers[::2], numbers[1::2], strict=True))


def _one_by_one(name: str, orders: list[str]) -> tuple[Element, Picture]:
    """The board of these orders of one power, and its picture."""
    units = [" ".join(order.split()[:2]) for order in orders]
    power = next(iter(dipsat.load_map(name).powers))
    position = dipsat.Position.from_units({power: units}, name)
    outcome = dipsat.adjudicate(position, {power: orders})
    return read(board(outcome)), picture_for(position.map)


def test_units_that_change_places_have_arrows_apart(made: Made) -> None:
    _, root = made
    one, other = shaft(root, "A SER - BUL"), shaft(root, "A BUL - SER")
    middles = [(sum(x for x, _ in line) / 4, sum(y for _, y in line) / 4) for line in (one, other)]
    (x, y), (z, w) = middles
    assert hypot(x - z, y - w) > 8


def test_a_convoyed_army_goes_through_its_fleet(made: Made) -> None:
    outcome, root = made
    x, y = picture_for(outcome.position.map).shapes["ION"].place.unit
    assert min(hypot(a - x, b - y) for a, b in shaft(root, "A TUN - NAP")) < 0.2


def test_a_support_ends_on_the_supported_arrow(made: Made) -> None:
    _, root = made
    (x, y) = shaft(root, "A MAR S A PAR - BUR")[-1]
    a, b = shaft(root, "A PAR - BUR")[0], shaft(root, "A PAR - BUR")[-1]
    length = hypot(b[0] - a[0], b[1] - a[1])
    off = abs((b[0] - a[0]) * (a[1] - y) - (a[0] - x) * (b[1] - a[1])) / length
    assert off < 4
    assert min(a[0], b[0]) - 1 < x < max(a[0], b[0]) + 1


@pytest.mark.parametrize(
    ("name", "orders"),
    [
        ("world", ["F NEP - CPO", "F PIS S F NEP - CPO"]),
        ("world", ["F NWP - NPO", "F NPO S F NWP"]),
        ("world", ["A CLF - NZE VIA", "F PIS C A CLF - NZE", "F EPA C A CLF - NZE"]),
        ("coldwar", ["F ALA - BER"]),
        ("twentytwenty", ["F ANC - VLA"]),
        ("youngstown_redux", ["F BXB - BXE", "F BXD S F BXE"]),
        ("youngstown_redux", ["F BXA - BXD"]),
        ("youngstown_redux", ["F BXC - BXF"]),
    ],
)
def test_lines_go_around_a_round_world_where_that_is_shorter(name: str, orders: list[str]) -> None:
    root, picture = _one_by_one(name, orders)
    width = picture.width
    rounds = 0
    for order in orders:
        points = shaft(root, order)
        steps = [abs(one[0] - two[0]) for one, two in pairwise(points)]
        rounds += (jumps := sum(step == pytest.approx(width, abs=0.2) for step in steps))
        assert jumps <= 1
        assert all(step < width / 3 for step in steps if step != pytest.approx(width, abs=0.2))
    assert rounds >= 1


@pytest.mark.parametrize(
    ("name", "order", "sea", "end"),
    [
        ("1900", "F EGY - MID", "MID", -1),
        ("1900", "F HEJ S F MID", "MID", -1),
        ("1900", "F MID - EGY", "MID", 0),
        ("1900", "F MID S F EGY - HEJ", "MID", 0),
        ("europe1939", "F RED - SAO", "SAO", -1),
        ("europe1939", "F SAO - PER", "SAO", 0),
    ],
)
def test_a_line_leads_to_the_nearest_piece_of_a_divided_sea(
    name: str, order: str, sea: str, end: int
) -> None:
    """Around Africa, the ocean is at both edges of these maps, and the unit at the west one."""
    root, picture = _one_by_one(name, [order, f"F {sea} H"][: 1 if end == 0 else 2])
    points, (there,) = shaft(root, order), picture.shapes[sea].again
    assert there[0] > picture.width / 2
    assert dist(points[end], there) < 4 * picture.radius
    assert all(x > picture.width / 2 for x, _ in points)


def test_a_convoy_through_a_divided_sea_leaves_from_the_other_piece() -> None:
    root, picture = _one_by_one("1900", ["A EGY - BRE", "F MID C A EGY - BRE"])
    points, sea = shaft(root, "A EGY - BRE"), picture.shapes["MID"]
    for one in (sea.place.unit, *sea.again):
        assert min(dist(one, point) for point in points) < 1
    steps = [abs(one[0] - two[0]) for one, two in pairwise(points)]
    assert sum(step > picture.width / 2 for step in steps) == 1
    assert not any(one.get("class") == "ink" for one in order_of(root, "F MID C A EGY - BRE"))


@pytest.mark.parametrize("guards", [[], ["A GAS S A BRE"]])
def test_the_sign_of_a_convoyed_move_covers_neither_a_unit_nor_a_name(guards: list[str]) -> None:
    """The fleet in ENG, and the name below it, leave no room for a sign between ENG and BRE."""
    orders = {"FRANCE": ["A BEL - BRE", "F ENG C A BEL - BRE"], "GERMANY": ["A BRE H", *guards]}
    outcome = adjudicate(orders)
    root, picture = read(board(outcome)), picture_for(outcome.position.map)
    (sign,) = (one for one in with_data(root, "of") if one.attrib["data-of"] == "A BEL - BRE")
    x, y = numbers_in(sign.attrib["transform"])[:2]
    for code in ("BEL", "BRE", "ENG"):
        place = picture.shapes[code].place
        assert dist((x, y), place.unit) > 1.4 * picture.radius
        assert place.label is not None
        left, top, right, bottom = name_box(place.label, code, 1.0, picture.scale)
        assert max(left - x, x - right, top - y, y - bottom) > 0.6 * picture.radius


@pytest.mark.parametrize(
    ("name", "order"),
    [("renaissance", "F ENG C A LON - BRE"), ("coldwar", "F BAL C A FIN - EGE")],
)
def test_the_line_of_a_convoy_is_long_enough_to_be_seen(name: str, order: str) -> None:
    root, picture = _one_by_one(name, [order])
    points = shaft(root, order)
    assert dist(points[0], points[-1]) > picture.radius


def test_lines_on_a_flat_map_go_straight_however_long_they_are() -> None:
    outcome = adjudicate({"TURKEY": ["F NAO - ARM"]})
    points, width = shaft(read(board(outcome)), "F NAO - ARM"), 1500
    assert picture_for(outcome.position.map).width == width
    assert abs(points[0][0] - points[-1][0]) > width / 2
    assert max(abs(one[0] - two[0]) for one, two in pairwise(points)) < width / 2


def test_kinds_of_lines_differ_in_their_dashes(made: Made) -> None:
    _, root = made
    style = root.find(f"{SVG}style")
    assert style is not None
    dashes = {}
    for kind in ("support", "convoy", "retreat", "other", "illegal"):
        found = re.findall(
            rf"\.{kind}>\.ink[^{{}}]*\{{[^{{}}]*stroke-dasharray:([^;}}]*)", style.text or ""
        )
        dashes[kind] = found[0]
    assert len(set(dashes.values())) == len(dashes)
    assert not re.search(r"\.move>\.ink[^{}]*\{[^{}]*dasharray", style.text or "")


@pytest.mark.parametrize("seed", few_of(range(12), 1))
@pytest.mark.parametrize("name", ["standard", "world"])
def test_lines_and_signs_stay_on_the_board(name: str, seed: int) -> None:
    random = studies.random_board(seed, units=34, map=name)
    position = dipsat.Position.from_units(random.units, name)
    made = draw(scene_of(dipsat.adjudicate(position, random.orders)))
    width, height = made.picture.width, made.picture.height
    for line in made.lines:
        points = [line.at] if line.curve is None else [line.at, *line.curve.spread()]
        assert all(0 <= x <= width and 0 <= y <= height for x, y in points), line.order.text


# --- Other things that are shown ------------------------------------------------------------------


def test_a_game_shows_the_orders_submitted_or_the_last_results() -> None:
    game = dipsat.Game.standard()
    game.submit("FRANCE", ["A PAR - BUR"])
    game.submit("GERMANY", ["A MUN - BUR"])
    assert orders_of(read(board(game))).keys() == {"A PAR - BUR", "A MUN - BUR"}
    assert orders_of(read(board(game, power="france"))).keys() == {"A PAR - BUR"}
    game.advance()
    after = read(board(game))
    assert {"last", "fails"} <= classes(order_of(after, "A PAR - BUR"))
    assert with_data(read(board(game, last=False)), "order") == []


def test_orders_can_be_drawn_without_results() -> None:
    position = dipsat.Position.start()
    root = read(board(position, orders={"Italy": ["A VEN - TRI", "A ROM - VEN"]}))
    assert len(with_data(root, "order")) == 2
    assert with_data(root, "of") == []
    with pytest.raises(UnknownNameError):
        board(position, orders={"ITALY": ["whatever"]})


def test_a_map_is_drawn_by_its_name_and_as_itself() -> None:
    assert board("standard") == board(dipsat.load_map("standard"))
    assert with_data(read(board("standard")), "unit") == []


def test_options() -> None:
    position = dipsat.Position.start()
    assert 'class="name' not in board(position, labels=False)
    assert ">PAR</text>" in board(position)
    root = read(board(position, size=300))
    assert root.attrib["width"] == "300"
    assert float(root.attrib["height"]) == pytest.approx(280, abs=30)
    assert "#123456" in board(position, colors={"france": "#123456"})
    assert "Spring 1901" in board(position, caption=True).partition("</title>")[2]
    assert data(read(board(position, legend=True)), "legend") == list(position.map.powers)
    both = board(position, dark=None)
    assert "prefers-color-scheme:dark" in both
    assert len({board(position), board(position, dark=True), both}) == 3
    lit = read(board(position, highlight=["Burgundy", "A PAR"]))
    assert len(of_class(lit, "lit")) == len(of_class(lit, "glow")) == 1


def test_what_is_highlighted_has_its_own_colour() -> None:
    """In its style, since a rule of the style sheet would win over an attribute `fill`."""
    lit = read(board(dipsat.Position.start(), highlight={"Burgundy": "#AB12CD", "A PAR": "#0f0"}))
    styles = [one.attrib["style"] for name in ("lit", "glow") for one in of_class(lit, name)]
    assert styles == ["fill:#ab12cd;stroke:#ab12cd", "stroke:#0f0"]


@pytest.mark.parametrize(
    ("wrong", "error", "told"),
    [
        ({"colors": {"FRANCE": "red;}</style>"}}, ArgumentError, "should be a colour"),
        ({"colors": {"FRANCE": "url(x)"}}, ArgumentError, "should be a colour"),
        ({"highlight": {"BUR": "red;}</style>"}}, ArgumentError, "should be a colour"),
        ({"highlight": {"A PAR": '#000"><script>'}}, ArgumentError, "should be a colour"),
        ({"highlight": {"A PAR": None}}, ArgumentError, "should be a colour"),
        ({"size": "600"}, ArgumentError, r"size should be a number or None, not '600' \(str\)"),
        ({"size": 0}, ArgumentError, "size should be a number of at least 1"),
        ({"size": float("nan")}, ArgumentError, "size should be a number"),
        ({"size": float("inf")}, ArgumentError, "size should be a number of pixels up to 100,000"),
        ({"colors": {"Narnia": "#123456"}}, UnknownNameError, "Narnia"),
        ({"highlight": ["XYZ"]}, UnknownNameError, "XYZ"),
        ({"power": "Narnia"}, UnknownNameError, "Narnia"),
    ],
)
def test_what_would_spoil_a_picture_is_refused(
    wrong: dict[str, object], error: type[DipsatError], told: str
) -> None:
    with pytest.raises(error, match=told):
        board(dipsat.Position.start(), **wrong)  # type: ignore[arg-type]  # as the name says


def test_orders_and_results_that_would_not_be_shown_are_refused() -> None:
    start = dipsat.Position.start()
    outcome, orders = dipsat.adjudicate(start, {}), {"FRANCE": ["A PAR - BUR"]}
    wrong: list[tuple[Shown, dict[str, object], str]] = [
        (outcome, {"orders": orders}, "has its own orders"),
        ("standard", {"orders": orders}, "None for a map"),
        (start.map, {"last": outcome}, "None for a map"),
        (start, {"last": True}, "that of a Game"),
    ]
    for what, given, told in wrong:
        with pytest.raises(ArgumentError, match=told):
            board(what, **given)  # type: ignore[arg-type]  # as the name says
    assert board("standard", last=False) == board("standard")


@pytest.mark.parametrize("dark", [False, True])
def test_the_lines_of_light_colours_are_darker_on_light_boards(dark: bool) -> None:
    outcome = dipsat.adjudicate(dipsat.Position.start(), {"TURKEY": ["A CON - BUL"]})
    style = board(outcome, colors={"TURKEY": "#e0bd1c", "FRANCE": "#203080"}, dark=dark)
    own = dict(re.findall(r"[.]b\w+ ([.]order[.]p\d)\{color:(#\w+)\}", style))
    assert ".order.p2" not in own  # dark blue is seen well enough
    assert (".order.p6" in own) != dark
    if not dark:
        assert sum(rgb(own[".order.p6"])) <= 0.8 * sum(rgb("#e0bd1c"))


def test_a_sign_keeps_off_names() -> None:
    start = dipsat.Position.start()
    drawing = draw(scene_of(dipsat.adjudicate(start, {"ENGLAND": ["A LVP - EDI"]})))
    line, name = drawing.line("A LVP"), shipped_picture("standard").shapes["EDI"].place.label
    assert line is not None
    assert line.curve is not None
    assert name is not None
    way = [line.curve.at(step / 20) for step in range(21)]
    radius = drawing.picture.radius
    assert min(hypot(x - name[0], y - name[1]) for x, y in way) < 0.6 * radius  # it runs over it
    assert hypot(line.at[0] - name[0], line.at[1] - name[1]) > radius


def test_the_heads_of_arrows_hide_no_name() -> None:
    start = dipsat.Position.start()
    picture, names = picture_for(start.map), []
    for code, shape in picture.shapes.items():
        assert shape.place.label is not None
        names.append(name_box(shape.place.label, code, shape.size, picture.scale))
    for turn in range(6):
        orders: dict[str, list[str]] = {}
        for unit in start.units:
            near = start.map.army if unit.kind is dipsat.UnitKind.ARMY else start.map.fleet
            targets = sorted(near[unit.location])
            orders.setdefault(unit.power, []).append(f"{unit} - {targets[turn % len(targets)]}")
        for line in draw(scene_of(start, orders)).lines:
            assert line.curve is not None
            tip, way = line.curve.end, line.curve.heading(1.0)
            back = [tip[axis] - order_lines.HEAD * picture.radius * way[axis] for axis in (0, 1)]
            middle = (tip[0] + back[0]) / 2, (tip[1] + back[1]) / 2
            for left, top, right, bottom in names:
                assert not any(
                    left < x < right and top < y < bottom for x, y in (tip, back, middle)
                )


@pytest.mark.parametrize("supports", [1, 2, 3])
def test_an_arrow_ends_before_the_rings_around_a_unit(supports: int) -> None:
    guards = ["F LON", "F IRI", "F NTH"][:supports]
    orders = [f"{unit} S F ENG" for unit in guards]
    outcome = adjudicate({"ENGLAND": ["F ENG H", *orders], "FRANCE": ["F MAO - ENG"]})
    drawing = draw(scene_of(outcome))
    arrow, rings = drawing.line("F MAO"), [drawing.line(unit) for unit in guards]
    assert arrow is not None
    assert arrow.curve is not None
    x, y = arrow.curve.end
    for line in rings:
        assert line is not None
        assert line.middle is not None
        assert hypot(x - line.middle[0], y - line.middle[1]) > line.ring


def test_others_add_to_a_board() -> None:
    made = draw(scene_of(adjudicate(ORDERS)))
    assert made.layers.keys() <= set(LAYERS)
    more = made.with_layer("badges", '<g class="badge"/>', styles=[(".badge", "fill:#123456")])
    root = read(more.svg())
    assert sum(one.attrib.get("class") == "badge" for one in root.iter()) == 1
    style = root.find(f"{SVG}style")
    assert style is not None
    assert re.search(r"\.b[0-9a-f]{8} \.badge\{fill:#123456\}", style.text or "")
    assert made.anchor("A PAR") is not None
    assert made.anchor("A XYZ") is None
    inner = read(f'<svg xmlns="{SVG[1:-1]}">{made.markup(x=5.0, width=100.0)}</svg>')
    assert inner[0].attrib["x"] == "5"


# --- Maps -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", few_of(dipsat.map_names(), 4))
def test_every_shipped_map_has_its_picture(name: str) -> None:
    position = dipsat.Position.start(name)
    root = read(board(position))
    assert sorted(data(root, "province")) == sorted(position.map.provinces)
    assert len(data(root, "unit")) == len(position.units)


def test_a_map_with_the_geography_of_another_has_its_picture() -> None:
    text = "name: mine\nextends: standard\nvictory: 10\n"
    assert picture_for(dipsat.parse_map(text, "mine.yaml")) is shipped_picture("standard")


def mine(picture: str) -> dipsat.Map:
    return dipsat.parse_map(f"name: mine\nextends: standard\npicture: {picture}\n", "m.yaml")


def test_a_map_says_in_whose_shape_it_is_drawn() -> None:
    loaded = dipsat.load_map("standard")
    fewer = replace(
        loaded,
        army={
            code: near - {"BOH"} if code == "TYR" else near for code, near in loaded.army.items()
        },
        picture=mine("{like: standard}").picture,
        path="",
    )
    assert picture_for(fewer) is shipped_picture("standard")
    provinces = {code: one for code, one in loaded.provinces.items() if code != "POR"}
    smaller = picture_for(replace(fewer, provinces=provinces))
    assert smaller.shapes.keys() == provinces.keys()
    assert set(shipped_picture("standard").shapes["POR"].rings) <= set(smaller.blank)
    with pytest.raises(UnknownNameError, match="did you mean standard"):
        picture_for(mine("{like: standart}"))
    with pytest.raises(PictureError, match="cannot be drawn like sengoku, which has no ADR"):
        picture_for(mine("{like: sengoku}"))


def test_a_map_states_places_of_its_own() -> None:
    loaded = mine(
        "{places: {PAR: {unit: [10, 20.5], name: [30, 40]}, STP/NC: {unit: [5, 6]}, "
        "ALB: {center: [7, 8]}}}"
    )
    shapes, usual = picture_for(loaded).shapes, shipped_picture("standard").shapes
    assert shapes["PAR"].place == replace(usual["PAR"].place, unit=(10.0, 20.5), label=(30.0, 40.0))
    assert shapes["STP"].coasts["NC"].unit == (5.0, 6.0)
    assert shapes["STP"].coasts["SC"] == usual["STP"].coasts["SC"]
    assert shapes["ALB"].centre == (7.0, 8.0)
    assert shapes["BUR"] == usual["BUR"]


def test_places_off_the_picture_are_refused() -> None:
    loaded = mine("{places: {PAR: {unit: [430, 8700]}}}")
    told = "the unit of PAR would stand at [430, 8700], off the picture, which is 1500 wide"
    with pytest.raises(PictureError, match=re.escape(told)):
        board(loaded)
    with pytest.raises(MapError, match=r"m.yaml:3:10: the unit of PAR would stand at"):
        check_picture(loaded)
    assert check_picture(mine("{places: {PAR: {unit: [430, 870]}}}")) == ""


@pytest.mark.parametrize(
    ("picture", "told"),
    [
        ("{places: {XXX: {unit: [1, 2]}}}", "m.yaml:3:20: XXX is neither a province nor a coast"),
        ("{places: {PAR: {unit: [1]}}}", "a point is [x, y]"),
        ("{places: {PAR: {unit: [1, -2]}}}", "a point is [x, y]"),
        ("{places: {PAR: {unit: [.inf, .nan]}}}", "a point is [x, y]"),
        ("{places: {PAR: {unit: [1, yes]}}}", "a point is [x, y]"),
        ("{places: {PAR: {wings: [1, 2]}}}", "unknown key 'wings'"),
        ("{shapes: x}", "unknown key 'shapes'"),
        (
            "{svg: x.svg, like: standard}",
            "a picture has its shapes from like or svg, not from both",
        ),
        ("{file: [x]}", "file should be a text, not a list"),
        ("{svg: ' '}", "svg should be the path of a file"),
        ("{svg: x.svg, places: {PAR: {unit: [-100001, 2]}}}", "numbers from -100,000 to 100,000"),
    ],
)
def test_what_a_map_says_wrongly_of_its_picture_is_reported(picture: str, told: str) -> None:
    with pytest.raises(DipsatError, match=re.escape(told)):
        mine(picture)


def test_the_lines_and_features_of_a_map_are_drawn() -> None:
    for name in dipsat.map_names():
        loaded = dipsat.load_map(name)
        if loaded.lines or loaded.border_features:
            root = read(board(loaded))
            assert {*data(root, "line")} == {*loaded.lines}
            assert {*data(root, "feature")} == {*loaded.border_features}


def test_powers_have_colours_that_differ() -> None:
    for name in dipsat.map_names():
        loaded = dipsat.load_map(name)
        colors = usual_colors(loaded)
        assert colors.keys() == loaded.powers.keys()
        nearest = min(dist(cielab(a), cielab(b)) for a, b in combinations(colors.values(), 2))
        assert nearest >= 20, (name, nearest)


def cielab(color: str) -> tuple[float, float, float]:
    """A colour of sRGB in CIELAB of 1976, in which 2 is the least difference that people see."""
    red, green, blue = (
        part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4
        for part in (value / 255 for value in rgb(color))
    )
    x, y, z = (
        part ** (1 / 3) if part > 216 / 24389 else (24389 / 27 * part + 16) / 116
        for part in (
            (0.4124564 * red + 0.3575761 * green + 0.1804375 * blue) / 0.95047,
            0.2126729 * red + 0.7151522 * green + 0.0721750 * blue,
            (0.0193339 * red + 0.1191920 * green + 0.9503041 * blue) / 1.08883,
        )
    )
    return 116 * y - 16, 500 * (x - y), 200 * (y - z)


def luminance(color: Sequence[float]) -> float:
    parts = (part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in color)
    return sum(weight * part for weight, part in zip((0.2126, 0.7152, 0.0722), parts, strict=True))


def contrast(one: Sequence[float], other: Sequence[float]) -> float:
    """The contrast of two colours as accessibility guidelines define it."""
    dark, light = sorted((luminance(one), luminance(other)))
    return (light + 0.05) / (dark + 0.05)


def over(front: Sequence[float], back: Sequence[float], opacity: float) -> list[float]:
    """A colour laid over another."""
    return [a * opacity + b * (1 - opacity) for a, b in zip(front, back, strict=True)]


def styles_in(picture: str) -> dict[str, dict[str, str]]:
    """Selector without the board's class -> its declarations; the last of each name."""
    found: dict[str, dict[str, str]] = {}
    style = picture.partition("<style>")[2].partition("</style>")[0]
    for selectors, body in re.findall(r"([^{}]+)\{([^{}]*)\}", style):
        declared = dict(re.findall(r"([\w-]+):([^;]+)", body))
        for selector in selectors.split(","):
            found.setdefault(selector.partition(" ")[2], {}).update(declared)
    return found


EVERY_MAP = [(name, dark) for name in dipsat.map_names() for dark in (False, True)]


@pytest.mark.parametrize(("name", "dark"), EVERY_MAP)
def test_the_land_of_powers_differs_from_the_sea_and_from_other_land(name: str, dark: bool) -> None:
    styles = styles_in(board(name, dark=dark))
    ground = [cielab(styles[f".{kind}"]["fill"]) for kind in ("sea", "land", "blank")]
    powers = range(len(dipsat.load_map(name).powers))
    lands = [cielab(styles[f".o{at}"]["fill"]) for at in powers]
    assert min(dist(land, other) for land in lands for other in ground) >= 15
    assert min(dist(one, other) for one, other in combinations(lands, 2)) >= 9


@pytest.mark.parametrize(("name", "dark"), EVERY_MAP)
def test_the_line_of_a_power_or_its_outline_is_clear_on_every_ground(name: str, dark: bool) -> None:
    styles = styles_in(board(name, dark=dark))
    shades = {
        selector: [part / 255 for part in rgb(styles[selector]["fill"])]
        for selector in styles
        if re.fullmatch(r"\.(sea|land|o\d+)", selector)
    }
    for at in range(len(dipsat.load_map(name).powers)):
        own = styles[f".p{at}"] | styles.get(f".order.p{at}", {})
        halo = styles[".halo"] | styles.get(f".order.p{at} .halo", {})
        line = [part / 255 for part in rgb(own["color"])]
        outline, opacity = (
            [part / 255 for part in rgb(halo["stroke"])],
            float(halo["stroke-opacity"]),
        )
        for selector, ground in shades.items():
            around = over(outline, ground, opacity)
            found = max(
                contrast(line, ground), min(contrast(line, around), contrast(around, ground))
            )
            on_ground = 2.5 if dark else 1.9
            assert found >= (on_ground if selector in (".sea", ".land") else 1.5), (
                at,
                selector,
                found,
            )


# --- Safety ---------------------------------------------------------------------------------------


def test_names_cannot_bring_in_markup(monkeypatch: pytest.MonkeyPatch) -> None:
    position = dipsat.Position.start(hostile_map(monkeypatch))
    first = position.units[0]
    root = read(board(position, orders={first.power: [f"{first} H"]}, caption=EVIL))
    assert any(EVIL in (one.text or "") for one in root.iter(f"{SVG}title"))
    assert any(EVIL in name for name in data(root, "power"))


def test_pictures_refer_to_nothing_outside(made: Made) -> None:
    for dark in (False, True, None):
        read(board(made[0], dark=dark, caption=True, highlight=["PAR"]))


def test_styles_are_plain_colours(made: Made) -> None:
    _, root = made
    style = root.find(f"{SVG}style")
    assert style is not None
    assert style.text is not None
    assert "var(" not in style.text
    rules = re.findall(r"([^{}]+)\{[^{}]*\}", style.text)
    assert all(re.match(r"\.b[0-9a-f]{8}\b", one) for rule in rules for one in rule.split(","))


def test_a_full_board_is_small(made: Made) -> None:
    outcome, _ = made
    assert len(gzip.compress(board(outcome).encode())) < 80_000


def test_an_order_of_a_power_is_drawn_between_the_places_that_it_names() -> None:
    rules, units = dipsat.load_profile("colonial"), {"TURKEY": ["A EGY"], "BRITAIN": ["F MED"]}
    position = dipsat.Position.from_units(units, "colonial", rules=rules)
    orders = {"TURKEY": ["SC F MED - RED"], "BRITAIN": ["F MED - RED"]}
    outcome = dipsat.adjudicate(position, orders, rules)
    given = order_of(read(board(outcome)), "SC F MED - RED")
    assert {"order", "other"} <= classes(given)
    drawn = draw(scene_of(outcome), drawing.Look())
    (line,) = (one for one in drawn.lines if not one.order.unit)
    assert line.curve is not None
    for point, code in ((line.curve.start, "MED"), (line.curve.end, "RED")):
        place = drawn.place(code)
        assert place is not None
        assert hypot(point[0] - place[0], point[1] - place[1]) < 15 * drawn.scale


def test_an_order_given_many_times_is_drawn_once() -> None:
    orders = {"FRANCE": ["A PAR - BUR", "A PAR - PIC", *["A PAR - BUR"] * 600]}
    outcome = dipsat.adjudicate(dipsat.Game.standard().position, orders)
    drawn = [one.attrib["data-order"] for one in with_data(read(board(outcome)), "order")]
    assert sorted(text for text in drawn if "PAR" in text) == ["A PAR - BUR", "A PAR - PIC"]
