"""The shape of godip's web service: what godip has answered, recorded by those who use it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import pytest

import dipsat
from dipsat.app import godip
from dipsat.errors import ArgumentError, DipsatError, OrderSyntaxError, UnknownNameError
from dipsat.formats import godip_table, godip_variant
from dipsat.game import PhaseKind
from dipsat.studies import random_board
from tests.exhaustive import exhaustive, few_of

# The codes of godip's own variants, as its clients list them.
CLASSICAL = """adr aeg alb ank apu arm bal bar bel ber bla boh bot bre bud bul bur cly con den eas
    edi eng fin gal gas gol gre hel hol ion iri kie lon lvn lvp mar mid mos mun naf nap nat nrg nth
    nwy par pic pie por pru rom ruh rum ser sev sil ska smy spa stp swe syr tri tun tus tyr tys ukr
    ven vie wal war wes yor"""
HUNDRED = """als ang anj ara atl bis brs brt cal can cas cha dau dev dij eng fla fri guy hol iri lim
    lon lor lux med min nom nos not orl par poi pro sav sco str thp thw tou wal"""
COLD_WAR = """afg ala alb ara arb arc arm aus bal ban bay ber bla bra car cau cen col den eaf
    eat ege egy eme epa fin flo goa gom grc grd hav hud inc ind ins ion irn irq ist ita jap
    kam len lev lib lon los man mex mid mon mos naf nko noy nts nvi nws nyk pak pan par phi
    que red sai scs sea seo sha sib soj sow spa swe tor tun ukr ura ven vla wat wca wch wge
    wme wpa yel yug"""
NORTH_SEA = """ala ali ams bat cha cns cym ebe ens fri gei ges got gra iro jut lim lns mag men nbr
    ost sbr sea ska sor uns ves wbe wns woo"""
VIETNAM = """ang att ban bur cam cev cgo chi coa eas hai han hue kha kul loe lua med meo nah nak nan
    nkd noa nol non nov pac pak pat pha phh phn phr phs ple pre sag scs soa son stc syk tay thh thn
    ton ubo udo vie vin vir xuy"""
ANCIENT = """adr aeg ale ant apu ara arm ath aus bal bay ber bit bla byz cap car che cil cir cor cre
    cyp cyr dac dal dam egy epi etr gal gau gop gos got ibe ill ion isa jer lep lib lig lus mac mar
    mas mau mem mes mil min nab nea num pet pha pun rav ree rha rom sad sag sah sam sic sid sii sip
    spa syr tar tha the tye tys ven vin"""


def state(**members: Any) -> dict[str, Any]:
    """A state in spring 1901, with these members."""
    return {"Season": "Spring", "Year": 1901, "Type": "Movement", **members}


def units(nation: str, **kinds: str) -> dict[str, dict[str, str]]:
    return {code: {"Type": kind, "Nation": nation} for code, kind in kinds.items()}


def units_of(placed: Iterable[tuple[str, str, str]]) -> dict[str, dict[str, str]]:
    """Nations, places and kinds as letters."""
    kinds = {"A": "Army", "F": "Fleet"}
    return {code: {"Type": kinds[kind], "Nation": nation} for nation, code, kind in placed}


def after(given: Mapping[str, Any], variant: str = "Classical") -> dict[str, Any]:
    return godip.resolved(variant, given)


def phase_of(found: Mapping[str, Any]) -> tuple[str, int, str]:
    return found["Season"], found["Year"], found["Type"]


def failures(found: Mapping[str, Any]) -> dict[str, str]:
    """Why orders failed, without the province to blame."""
    said = {code: one.partition(":")[0] for code, one in found["Resolutions"].items()}
    return {code: one for code, one in said.items() if one != "OK"}


@pytest.mark.parametrize(
    ("variant", "codes"),
    [
        ("Classical", CLASSICAL), ("Hundred", HUNDRED), ("Cold War", COLD_WAR),
        ("Ancient Mediterranean", ANCIENT), ("Pure", "ber con lon mos par rom vie"),
        ("Chaos", CLASSICAL), ("North Sea Wars", NORTH_SEA), ("Vietnam War", VIETNAM),
    ],
)  # fmt: skip
def test_provinces_have_the_codes_of_godip(variant: str, codes: str) -> None:
    found = godip_variant(variant)
    assert sorted(map(found.code, found.map.provinces)) == sorted(codes.split())


@pytest.mark.parametrize("variant", few_of(godip_table().variants, 3))
def test_every_variant_begins_and_every_name_goes_both_ways(variant: str) -> None:
    found, first = godip_variant(variant), godip.started(variant)
    position = dipsat.Position.start(found.map)
    assert len(first["Units"]) == len(position.units)
    for place in found.map.fleet.keys() | found.map.army.keys():
        assert found.location(found.code(place)) == place
    for power, nation in found.nations.items():
        assert found.power(nation, "") == power
    second = after(first, variant)
    expected = "Movement" if first["Type"] == "Adjustment" else "Retreat"
    assert second["Type"] == expected


def test_games_of_the_classical_variant_begin_as_godip_says() -> None:
    first = godip.started("Classical")
    assert phase_of(first) == ("Spring", 1901, "Movement")
    assert first["Units"]["stp/sc"] == {"Type": "Fleet", "Nation": "Russia"}
    assert first["SupplyCenters"]["stp"] == "Russia"
    assert len(first["Units"]) == len(first["SupplyCenters"]) == 22


@pytest.mark.parametrize(
    ("variant", "nations"),
    [
        ("Cold War", ["NATO", "USSR"]),
        ("North Sea Wars", ["Britons", "Frysians", "Norse", "Romans"]),
        ("Vietnam War", ["Cambodia", "Laos", "North Vietnam", "South Vietnam", "Thailand"]),
        ("Ancient Mediterranean", ["Carthage", "Egypt", "Greece", "Persia", "Rome"]),
    ],
)
def test_nations_have_the_names_of_godip(variant: str, nations: list[str]) -> None:
    assert sorted(godip_variant(variant).nations.values()) == nations


def test_chaos_begins_with_builds() -> None:
    first = godip.started("Chaos")
    assert phase_of(first) == ("Fall", 1900, "Adjustment")
    assert first["Units"] == {}
    assert first["SupplyCenters"]["stp"] == "StPetersburg"
    built = after({**first, "Orders": {"StPetersburg": {"stp/nc": ["Build", "Fleet"]}}}, "Chaos")
    assert built["Units"] == units("StPetersburg", **{"stp/nc": "Fleet"})
    assert built["Resolutions"] == {"stp/nc": "OK"}


def test_a_first_move() -> None:
    first = godip.started("Classical")
    found = after({**first, "Orders": {"England": {"lon": ["Move", "eng"]}}})
    assert phase_of(found) == ("Spring", 1901, "Retreat")
    assert found["Units"].pop("eng") == first["Units"].pop("lon")
    assert found["Units"] == first["Units"]
    assert found["Orders"] == found["Dislodgeds"] == found["Dislodgers"] == found["Bounces"] == {}
    assert found["SupplyCenters"] == first["SupplyCenters"]
    assert found["Resolutions"] == dict.fromkeys([*first["Units"], "lon"], "OK")


def test_two_units_of_a_power_with_the_same_target_one_of_them_supported() -> None:
    first = godip.started("Classical")
    england = {"edi": ["Move", "yor"], "lon": ["Move", "yor"], "lvp": ["Support", "edi", "yor"]}
    found = after({**first, "Orders": {"England": england, "Italy": {"nap": ["Move", "tys"]}}})
    assert found["Bounces"] == {"yor": {"lon": True}}
    assert failures(found) == {"lon": "ErrBounce"}
    assert found["Resolutions"]["lon"] == "ErrBounce:edi"
    assert found["Units"]["yor"] == {"Type": "Fleet", "Nation": "England"}


@pytest.mark.parametrize(
    ("orders", "said"),
    [
        ({"lon": ["Move", "lon"]}, {"lon": "ErrIllegalMove"}),
        ({"lon": ["Move", "wal"], "lvp": ["Move", "wal"]}, {"lon": "ErrBounce:lvp"}),
        ({"lon": ["Move", "wal"], "lvp": ["Support", "lon", "wal"]}, {"lon": "OK", "lvp": "OK"}),
        ({"lon": ["Hold"], "lvp": ["Support", "lon", "wal"]}, {"lvp": "ErrInvalidSupporteeOrder"}),
        ({"lon": ["Move", "nowhere"]}, {"lon": "ErrInvalidDestination"}),
        ({"nowhere": ["Hold"]}, {"nowhere": "ErrInvalidSource"}),
        ({"par": ["Hold"]}, {"par": "ErrMissingUnit"}),
        ({"lvp": ["Support", "par", "wal"]}, {"lvp": "ErrMissingSupportUnit"}),
        ({"lon": ["Convoy", "par", "bel"]}, {"lon": "ErrMissingConvoyee"}),
    ],
)
def test_results_have_godips_words(orders: Any, said: Mapping[str, str]) -> None:
    found = after(
        state(Units=units("England", lon="Fleet", lvp="Army"), Orders={"England": orders})
    )
    assert {code: found["Resolutions"][code] for code in said} == said


def test_retreats() -> None:
    lost = units("England", lon="Fleet")
    given = state(Type="Retreat", Dislodgeds=lost)
    found = after({**given, "Orders": {"England": {"lon": ["Move", "eng"]}}})
    assert phase_of(found) == ("Fall", 1901, "Movement")
    assert found["Units"] == units("England", eng="Fleet")
    assert found["Resolutions"] == {"lon": "OK"}
    nowhere = after({**given, "Orders": {"England": {"lon": ["Move", "invalid_province"]}}})
    assert nowhere["Units"] == nowhere["Dislodgeds"] == {}
    assert nowhere["Resolutions"] == {"lon": "ErrInvalidDestination"}
    assert after(given)["Resolutions"] == {"lon": "ErrForcedDisband"}


BURGUNDY = {
    "dij": ["Move", "cal"], "fla": ["Support", "dij", "cal"], "hol": ["Move", "str"],
    "lux": ["Support", "dij", "dij"],
}  # fmt: skip
ENGLAND = {
    "cal": ["Support", "nom", "nom"], "dev": ["Move", "eng"], "guy": ["Move", "tou"],
    "lon": ["Move", "str"], "nom": ["Support", "cal", "cal"],
}  # fmt: skip
FRANCE = {
    "dau": ["Move", "dij"], "orl": ["Support", "par", "par"], "par": ["Support", "dau", "dij"],
    "pro": ["Move", "dau"], "tou": ["Hold"],
}  # fmt: skip


def test_the_first_turns_of_a_game_of_the_hundred_years_war() -> None:
    """Played by people and judged by godip, with a support for a unit that moves, a support that is
    cut, a standoff, and a retreat."""
    orders = {"Burgundy": BURGUNDY, "England": ENGLAND, "France": FRANCE}
    found = after({**godip.started("Hundred"), "Orders": orders}, "Hundred")
    assert phase_of(found) == ("Year", 1425, "Retreat")
    assert failures(found) == {
        "dij": "ErrBounce", "hol": "ErrBounce", "lux": "ErrInvalidSupporteeOrder",
        "cal": "ErrSupportBroken", "guy": "ErrBounce", "lon": "ErrBounce",
    }  # fmt: skip
    assert found["Dislodgeds"] == units("Burgundy", dij="Army")
    assert found["Units"] == {
        **units("Burgundy", fla="Army", hol="Fleet", lux="Army"),
        **units("England", cal="Army", eng="Fleet", guy="Army", lon="Fleet", nom="Army"),
        **units("France", dau="Army", dij="Army", orl="Army", par="Army", tou="Army"),
    }
    found = after({**found, "Orders": {"Burgundy": {"dij": ["Move", "can"]}}}, "Hundred")
    assert phase_of(found) == ("Year", 1430, "Movement")
    assert found["Units"]["can"] == {"Type": "Army", "Nation": "Burgundy"}
    assert found["SupplyCenters"]["dij"] == "Burgundy"  # centres change hands every ten years
    orders = {
        "Burgundy": {
            "can": ["Support", "lux", "dij"], "fla": ["Support", "lux", "dij"],
            "hol": ["Move", "str"], "lux": ["Move", "dij"],
        },
        "England": {"eng": ["Move", "brt"], "guy": ["Support", "eng", "brt"]},
        "France": {
            "dau": ["Move", "can"], "dij": ["Support", "dau", "can"],
            "orl": ["Support", "par", "par"], "par": ["Support", "dij", "dij"],
        },
    }  # fmt: skip
    found = after({**found, "Orders": orders}, "Hundred")
    assert failures(found) == {
        "can": "ErrSupportBroken", "lux": "ErrBounce", "dau": "ErrBounce",
        "dij": "ErrSupportBroken",
    }  # fmt: skip
    found = after(found, "Hundred")
    assert phase_of(found) == ("Year", 1430, "Adjustment")
    assert found["SupplyCenters"]["brt"] == "England"
    assert found["SupplyCenters"]["dij"] == "France"
    found = after(found, "Hundred")
    assert phase_of(found) == ("Year", 1435, "Movement")


def test_adjustments() -> None:
    given = state(
        Season="Fall", Type="Adjustment", SupplyCenters={"lon": "England", "edi": "England"},
        Units=units("England", wal="Army"),
    )  # fmt: skip
    ordered = {"lon": ["Build", "Fleet"], "edi": ["Build", "Army"]}
    found = after({**given, "Orders": {"England": ordered}})
    assert phase_of(found) == ("Spring", 1902, "Movement")
    assert sorted(found["Resolutions"].values()) == ["ErrMissingSurplus", "OK"]
    assert len(found["Units"]) == 2
    too_many = {**given, "SupplyCenters": {}, "Units": units("England", wal="Army", yor="Army")}
    found = after({**too_many, "Orders": {"England": {"wal": ["Disband"]}}})
    assert found["Units"] == {}
    assert found["Resolutions"] == {"wal": "OK", "yor": "ErrForcedDisband"}


WORDS = {"H": "Hold", "-": "Move", "S": "Support", "C": "Convoy"}


@pytest.mark.parametrize("seed", few_of(range(20), 4))
def test_retreats_are_the_same_through_a_state(seed: int) -> None:
    """A state has no list of where units may not retreat; it says what happened before."""
    board = random_board(seed)
    position = dipsat.Position.from_units(board.units)
    outcome = dipsat.adjudicate(position, board.orders)
    variant = godip_variant("Classical")
    orders: dict[str, dict[str, list[str]]] = {}
    for one in outcome.to_dict()["orders"]:
        _, place, kind, *rest = one["order"].split()
        places = [variant.code(part) for part in rest if len(part) > 1 and part != "VIA"]
        if kind == "S" and len(places) == 1:
            places *= 2
        word = "MoveViaConvoy" if "VIA" in rest else WORDS[kind]
        own = orders.setdefault(variant.nations[one["power"]], {})
        own[variant.code(place)] = [word, *places]
    placed = [
        (variant.nations[unit.power], variant.code(unit.location), str(unit)[0])
        for unit in position.units
    ]
    found = after(state(Orders=orders, Units=units_of(placed)))
    phase = variant.phase("Spring", 1901, PhaseKind.RETREAT)
    again = godip._position(variant, godip._read(found), phase)
    expected = {str(one.unit): one.retreats for one in outcome.next.dislodged if one.retreats}
    assert {str(one.unit): one.retreats for one in again.dislodged} == expected
    assert again.units == outcome.next.units


@pytest.mark.parametrize(
    ("given", "error", "text"),
    [
        ({}, ArgumentError, "Season should be a text"),
        (state(Year="1901"), ArgumentError, "Year should be a whole number"),
        (state(Type="Build"), ArgumentError, "Movement, Retreat, Adjustment"),
        (state(Units=[]), ArgumentError, "Units should be an object"),
        (state(Year=10**9), DipsatError, "S1000000000M"),
        (state(Season="Summer"), UnknownNameError, "Spring, Fall"),
        (state(Units=units("England", lon="Wing")), ArgumentError, "Army, Fleet"),
        (state(Units=units("Engeland", lon="Army")), UnknownNameError, "did you mean England"),
        (state(Units=units("England", lun="Army")), ArgumentError, "a province of standard"),
        (state(Orders={"England": {"lon": ["Fly"]}}), OrderSyntaxError, "Move TO"),
        (state(Orders={"England": {"lon": [1]}}), ArgumentError, "a list of texts"),
        (
            state(Units=units("France", par="Army"), Orders={"England": {"par": ["Hold"]}}),
            ArgumentError, "an order for a unit of England; it is of France",
        ),
        (state(Dislodgers={"lon": 1}), ArgumentError, "a text"),
    ],
)  # fmt: skip
def test_what_is_not_a_state_is_one_clear_error(
    given: Any, error: type[DipsatError], text: str
) -> None:
    with pytest.raises(error, match=text):
        after(given)


@exhaustive
def test_variants_are_listed_as_godip_lists_them_and_an_unknown_one_is_an_error() -> None:
    with pytest.raises(UnknownNameError, match="did you mean Classical"):
        godip.started("Clasical")
    listed = godip.variants()["Hundred"]
    assert listed["Nations"] == ["Burgundy", "England", "France"]
    assert listed["Seasons"] == ["Year"]
    assert listed["PhaseTypes"] == ["Movement", "Retreat", "Adjustment"]


def ways(tree: Mapping[str, Any], *before: str) -> set[str]:
    """The orders of a tree, word by word."""
    found = set()
    for word, step in tree.items():
        found |= ways(step["Next"], *before, word) if step["Next"] else {" ".join((*before, word))}
    return found


def test_first_orders_are_those_that_godip_offers() -> None:
    given = godip.with_options("Classical", godip.started("Classical"))
    assert given["phase"] == godip.started("Classical")
    austria = given["options"]["Austria"]
    assert ways({"bud": austria["bud"], "tri": austria["tri"]}) == {
        "bud Hold bud", "bud Move bud gal", "bud Move bud rum", "bud Move bud ser",
        "bud Move bud tri", "bud Move bud vie", "bud Support bud sev rum",
        "bud Support bud tri tri", "bud Support bud ven tri", "bud Support bud vie gal",
        "bud Support bud vie tri", "bud Support bud vie vie", "bud Support bud war gal",
        "tri Hold tri", "tri Move tri adr", "tri Move tri alb", "tri Move tri ven",
        "tri Support tri rom ven", "tri Support tri ven ven",
    }  # fmt: skip
    hold = austria["bud"]["Next"]["Hold"]
    assert (austria["bud"]["Type"], hold["Type"]) == ("Province", "OrderType")
    assert hold["Next"] == {"bud": {"Type": "SrcProvince", "Next": {}}}


def test_builds_are_those_that_godip_offers() -> None:
    centers = {"mos": "Russia", "stp": "Russia", "sev": "Russia"}
    given = state(Season="Fall", Type="Adjustment", SupplyCenters=centers,
                  Units=units("Russia", mos="Army", ukr="Army"))  # fmt: skip
    russia = godip.with_options("Classical", given)["options"]["Russia"]
    army = {"Type": "UnitType", "Next": {"stp": {"Type": "SrcProvince", "Next": {}}}}
    fleet = {"Type": "UnitType", "Next": {"stp/nc": {"Type": "SrcProvince", "Next": {}}}}
    build = {"Type": "OrderType", "Next": {"Army": army, "Fleet": fleet}}
    assert russia["stp/nc"] == {
        "Type": "Province", "Filter": "MAX:Build:1", "Next": {"Build": build},
    }  # fmt: skip
    assert ways(russia) == {
        "sev Build Army sev", "sev Build Fleet sev", "stp/nc Build Army stp",
        "stp/nc Build Fleet stp/nc", "stp/sc Build Army stp", "stp/sc Build Fleet stp/sc",
    }  # fmt: skip


def test_retreats_disbands_and_convoys_are_offered() -> None:
    lost = state(Type="Retreat", Dislodgeds=units("Russia", **{"stp/sc": "Fleet"}))
    russia = godip.with_options("Classical", lost)["options"]["Russia"]
    assert "stp Disband stp/sc" in ways(russia)
    assert "stp Move stp/sc bot" in ways(russia)
    placed = {**units("England", lon="Army", nth="Fleet"), **units("Russia", **{"stp/nc": "Fleet"})}
    offered = godip.with_options("Classical", state(Units=placed))["options"]
    assert {"lon Move lon bel", "lon MoveViaConvoy lon bel", "nth Convoy nth lon bel"} <= ways(
        offered["England"]
    )
    assert "lon MoveViaConvoy lon wal" not in ways(offered["England"])
    assert "stp Support stp/nc lon nwy" in ways(offered["Russia"])
    assert offered["France"] == {}


FALL = {
    "Austria": "A vie",
    "England": "F den A hol F kie F nrg A nwy F swe A wal",
    "France": "F bel A bur A gas F mar A ruh F spa/nc",
    "Italy": "A boh F gol F lon A mun",
    "Russia": "F bal A ber A bud A rum F sev A sil F stp/nc",
    "Turkey": "F alb F bla A bul F ion A ser A tri",
}
BEFORE = {
    "Austria": "tri vie", "England": "den edi hol kie lon lvp nwy",
    "France": "bel bre mar par por spa",
    "Germany": "ber mun", "Italy": "nap rom tun ven", "Russia": "bud mos rum sev stp swe war",
    "Turkey": "ank bul con gre ser smy",
}  # fmt: skip
AFTER = {
    "Austria": "vie", "England": "den edi hol kie lvp nwy swe",
    "France": "bel bre mar par por spa",
    "Italy": "lon mun nap rom tun ven", "Russia": "ber bud mos rum sev stp war",
    "Turkey": "ank bul con gre ser smy tri",
}  # fmt: skip


def owned(lists: Mapping[str, str]) -> dict[str, str]:
    return {code: nation for nation, codes in lists.items() for code in codes.split()}


def test_the_end_of_a_year_of_a_game() -> None:
    """Fall 1903 of a game that people played and godip judged."""
    placed = units_of(
        (nation, code, kind)
        for nation, text in FALL.items()
        for kind, code in zip(text.split()[::2], text.split()[1::2], strict=True)
    )
    fall = {"Season": "Fall", "Year": 1903, "Type": "Retreat"}
    found = after({**fall, "Units": placed, "SupplyCenters": owned(BEFORE)})
    assert phase_of(found) == ("Fall", 1903, "Adjustment")
    assert found["Units"] == placed
    assert found["SupplyCenters"] == owned(AFTER)
    orders = {
        "Italy": {"rom": ["Build", "Fleet"], "ven": ["Build", "Army"]},
        "Turkey": {"con": ["Build", "Army"]},
    }
    found = after({**found, "Orders": orders})
    built = {**units("Italy", rom="Fleet", ven="Army"), **units("Turkey", con="Army")}
    assert found["Resolutions"] == {"rom": "OK", "ven": "OK", "con": "OK"}
    assert found["Units"] == {**placed, **built}
