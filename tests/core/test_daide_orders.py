"""Orders in DAIDE syntax, read and written, against the DAIDE message syntax document (version
0.178), the `diplomacy` package's own DAIDE parser, and the map file with the codes."""

from __future__ import annotations

import re
from contextlib import suppress
from itertools import product
from pathlib import Path
from typing import Any

import pytest
from hypothesis import settings, strategies as st

import dipsat
from dipsat.board import STANDARD_KINDS, UnitKind, parse_map
from dipsat.errors import (
    DipsatError,
    MapError,
    OrderSyntaxError,
    OrderWriteError,
    ProblemsError,
    UnknownNameError,
)
from dipsat.orders import (
    Build,
    Convoy,
    Disband,
    Hold,
    Move,
    Order,
    OrderReader,
    Retreat,
    SupportHold,
    SupportMove,
    UnitName,
    Waive,
    write_order,
)
from dipsat.orders.daide import read_daide, write_daide
from tests.checkout import ROOT
from tests.exhaustive import exhaustive, few_examples, few_of

BOARD = dipsat.load_map("standard")
EVERY_TIME = settings(deadline=None, max_examples=500)

PROVINCES = [  # the document's list
    "ADR", "AEG", "ALB", "ANK", "APU", "ARM", "BAL", "BAR", "BEL", "BER", "BLA", "BOH",
    "BRE", "BUD", "BUL", "BUR", "CLY", "CON", "DEN", "EAS", "ECH", "EDI", "FIN", "GAL",
    "GAS", "GOB", "GOL", "GRE", "HEL", "HOL", "ION", "IRI", "KIE", "LON", "LVN", "LVP",
    "MAO", "MAR", "MOS", "MUN", "NAF", "NAO", "NAP", "NTH", "NWG", "NWY", "PAR", "PIC",
    "PIE", "POR", "PRU", "ROM", "RUH", "RUM", "SER", "SEV", "SIL", "SKA", "SMY", "SPA",
    "STP", "SWE", "SYR", "TRI", "TUN", "TUS", "TYR", "TYS", "UKR", "VEN", "VIE", "WAL",
    "WAR", "WES", "YOR",
]  # fmt: skip
POWERS = ["AUS", "ENG", "FRA", "GER", "ITA", "RUS", "TUR"]
COASTS = {"NCS", "ECS", "SCS", "WCS"}
TURNED = {"ENG": "ECH", "BOT": "GOB", "LYO": "GOL"}


def a(power: str, location: str) -> UnitName:
    return UnitName(location, UnitKind.ARMY, power)


def f(power: str, location: str) -> UnitName:
    return UnitName(location, UnitKind.FLEET, power)


ENG, FRA, ITA, RUS = "ENGLAND", "FRANCE", "ITALY", "RUSSIA"

# The document's examples and forms, with spaces as programs write them, and who gives the order.
ORDERS: list[tuple[str, str, Order]] = [
    ("( ENG AMY LVP ) HLD", ENG, Hold(a(ENG, "LVP"))),
    ("( FRA FLT ECH ) HLD", FRA, Hold(f(FRA, "ENG"))),
    ("( RUS FLT GOB ) HLD", RUS, Hold(f(RUS, "BOT"))),
    ("( ITA FLT GOL ) HLD", ITA, Hold(f(ITA, "LYO"))),
    ("( RUS FLT ( STP SCS ) ) HLD", RUS, Hold(f(RUS, "STP/SC"))),
    ("( ENG FLT LON ) MTO NTH", ENG, Move(f(ENG, "LON"), "NTH")),
    ("( ENG FLT BAR ) MTO ( STP NCS )", ENG, Move(f(ENG, "BAR"), "STP/NC")),
    ("( TUR FLT CON ) MTO ( BUL ECS )", "TURKEY", Move(f("TURKEY", "CON"), "BUL/EC")),
    ("( ENG FLT EDI ) SUP ( ENG FLT LON )", ENG, SupportHold(f(ENG, "EDI"), f(ENG, "LON"))),
    ("( ENG FLT NTH ) SUP ( FRA AMY BEL )", ENG, SupportHold(f(ENG, "NTH"), a(FRA, "BEL"))),
    ("( ENG FLT EDI ) SUP ( ENG FLT LON ) MTO NTH", ENG,
     SupportMove(f(ENG, "EDI"), f(ENG, "LON"), "NTH")),
    ("( ENG FLT NWY ) SUP ( ENG FLT BAR ) MTO STP", ENG,
     SupportMove(f(ENG, "NWY"), f(ENG, "BAR"), "STP")),
    ("( ITA AMY TUN ) CTO SYR VIA ( ION EAS )", ITA,
     Move(a(ITA, "TUN"), "SYR", True, ("ION", "EAS"))),
    ("( ENG AMY YOR ) CTO NWY VIA ( NTH )", ENG, Move(a(ENG, "YOR"), "NWY", True, ("NTH",))),
    ("( ENG AMY YOR ) CTO NWY", ENG, Move(a(ENG, "YOR"), "NWY", True)),
    ("( ITA FLT ION ) CVY ( ITA AMY TUN ) CTO SYR", ITA,
     Convoy(f(ITA, "ION"), a(ITA, "TUN"), "SYR")),
    ("( ENG FLT NTH ) CVY ( ENG AMY LON ) CTO BEL", ENG,
     Convoy(f(ENG, "NTH"), a(ENG, "LON"), "BEL")),
    ("( FRA AMY BEL ) RTO PIC", FRA, Retreat(a(FRA, "BEL"), "PIC")),
    ("( ENG FLT LON ) RTO ( SPA NCS )", ENG, Retreat(f(ENG, "LON"), "SPA/NC")),
    ("( RUS FLT GOB ) DSB", RUS, Disband(f(RUS, "BOT"))),
    ("( ITA FLT NAP ) BLD", ITA, Build(f(ITA, "NAP"))),
    ("( RUS FLT ( STP NCS ) ) BLD", RUS, Build(f(RUS, "STP/NC"))),
    ("ENG WVE", ENG, Waive()),
]  # fmt: skip


@pytest.mark.parametrize(("text", "power", "order"), ORDERS)
def test_an_order_is_read_and_written_as_the_document_says(
    text: str, power: str, order: Order
) -> None:
    """Spaces, case and outer words do not matter."""
    tight = re.sub(r"\s*([()])\s*", r"\1", text)
    for typed in (
        text, text.lower(), tight, tight.lower(), f"( {text} )", f"SUB ( {text} )", f"SUB({tight})",
        f"sub {text.lower()}", f"  {text.replace(' ', '   ')}\n", f"{text}.",
    ):  # fmt: skip
        assert read_daide(typed, BOARD) == (power, order), typed
        assert OrderReader(BOARD).read(typed) == order, typed
    assert write_daide(order, power, BOARD) == text
    assert write_order(order, BOARD, "daide", power=power) == text
    if not isinstance(order, Waive):
        assert write_order(order, BOARD, "daide") == text


@pytest.mark.parametrize(
    ("text", "order"),
    [
        # removing a unit is disbanding it, in the adjustment phase
        ("( RUS FLT GOB ) REM", Disband(f(RUS, "BOT"))),
        # the `diplomacy` package writes VIA without the seas
        ("( ENG AMY YOR ) CTO NWY VIA", Move(a(ENG, "YOR"), "NWY", True)),
        # a coast where DAIDE has none
        ("( ENG FLT NWY ) SUP ( ENG FLT BAR ) MTO ( STP NCS )",
         SupportMove(f(ENG, "NWY"), f(ENG, "BAR"), "STP/NC")),
        # an abbreviation that slipped into the document, and the map's own names
        ("( ITA AMY TUN ) CTO SYR VIA ( ION EMS )",
         Move(a(ITA, "TUN"), "SYR", True, ("ION", "EAS"))),
        ("( ENGLAND FLT LONDON ) MTO ENG", Move(f(ENG, "LON"), "ENG")),
        ("( FRENCH FLT (SPA NC) ) MTO LYO", Move(f(FRA, "SPA/NC"), "LYO")),
    ],
)  # fmt: skip
def test_what_other_programs_write_is_read(text: str, order: Order) -> None:
    assert OrderReader(BOARD).read(text) == order


@pytest.mark.parametrize(
    ("order", "power", "adjustment", "text"),
    [
        # a removal and a retreat off the board have their own words
        (Disband(f(RUS, "BOT")), None, True, "( RUS FLT GOB ) REM"),
        (Disband(f(RUS, "BOT")), None, False, "( RUS FLT GOB ) DSB"),
        # the power that gives the order stands in for one that is not written
        (Hold(UnitName("PAR", UnitKind.ARMY)), FRA, False, "( FRA AMY PAR ) HLD"),
        (Hold(a("GERMANY", "PAR")), FRA, False, "( GER AMY PAR ) HLD"),
        # a path is a convoy, and a supported move has no coast
        (Move(a(ENG, "LON"), "BEL", path=("NTH",)), None, False,
         "( ENG AMY LON ) CTO BEL VIA ( NTH )"),
        (SupportMove(f(FRA, "POR"), f(FRA, "MAO"), "SPA/NC"), None, False,
         "( FRA FLT POR ) SUP ( FRA FLT MAO ) MTO SPA"),
    ],
)  # fmt: skip
def test_what_the_map_or_the_phase_adds_is_written(
    order: Order, power: str | None, adjustment: bool, text: str
) -> None:
    assert write_daide(order, power, BOARD, adjustment=adjustment) == text
    assert write_order(order, BOARD, "daide", power=power, adjustment=adjustment) == text


@pytest.mark.parametrize(
    ("order", "missing"),
    [
        (Waive(), "power that waives"),
        (Hold(UnitName("PAR", UnitKind.ARMY)), "power of the unit in PAR"),
        (Hold(UnitName("PAR", None, FRA)), "kind of the unit in PAR, army or fleet"),
        (SupportHold(a(FRA, "PAR"), UnitName("MUN", UnitKind.ARMY)), "power of the unit in MUN"),
        (Convoy(f(ENG, "NTH"), UnitName("LON", None, ENG), "BEL"), "kind of the unit in LON"),
    ],
)
def test_what_is_missing_to_write_an_order_is_named(order: Order, missing: str) -> None:
    with pytest.raises(OrderWriteError, match=missing) as caught:
        write_order(order, BOARD, "daide")
    assert caught.value.order == order


@pytest.mark.parametrize(
    ("order", "power", "kind"),
    [
        (Waive(), "Englnd", "power"),
        (Hold(a("NOBODY", "PAR")), None, "power"),
        (Hold(a(FRA, "PAX")), None, "province"),
        (Move(f(FRA, "MAO"), "SPA/XC"), None, "coast"),
    ],
)
def test_an_order_of_another_map_is_not_written(order: Order, power: str | None, kind: str) -> None:
    with pytest.raises(UnknownNameError) as caught:
        write_daide(order, power, BOARD)
    assert caught.value.kind == kind


# --- bad input -----------------------------------------------------------------------------------

LVP = "( ENG AMY LVP )"


@pytest.mark.parametrize(
    ("text", "word"),
    [
        ("(", ") is missing"),
        (f"{LVP} ) HLD", "character 17"),
        ("( ( ( ( ENG AMY LVP ) ) ) ) HLD", "character 7"),
        ("SUB ( )", "write a unit"),
        (f"( {LVP} )", "what the unit does"),
        (f"{LVP} FOO", "FOO is not an action"),
        (f"{LVP} HLD HLD", "HLD alone"),
        (f"{LVP} MTO YOR EDI", "MTO province"),
        (f"{LVP} MTO ( YOR )", "( YOR ) is not a place"),
        (f"{LVP} MTO ( STP NEC )", "known: NCS, ECS, SCS, WCS"),
        (f"{LVP} SUP", "SUP ( unit )"),
        (f"{LVP} SUP YOR", "YOR is not a unit"),
        (f"{LVP} SUP {LVP} CTO YOR", "SUP ( unit ) MTO province"),
        (f"{LVP} CVY {LVP} MTO YOR", "CVY ( unit ) CTO province"),
        (f"{LVP} CTO YOR VIA NTH", "VIA ( sea sea ... )"),
        (f"{LVP} CTO YOR VIA ( )", "VIA ( sea sea ... )"),
        (f"{LVP} RTO", "RTO province"),
        (f"{LVP} DSB YOR", "DSB alone"),
        ("( ENG AMY ) HLD", "( ENG AMY ) is not a unit"),
        ("( ENG ARM LVP ) HLD", "write AMY or FLT"),
        (f"SUB ( {LVP} HLD ) ( {LVP} HLD )", "one order"),
        (f"SUB ( SPR 1901 ) ( {LVP} HLD )", "no turn"),
    ],
)
def test_other_text_is_a_syntax_error_that_says_what_would_be(text: str, word: str) -> None:
    for read in (OrderReader(BOARD).read, lambda typed: read_daide(typed, BOARD)):
        with pytest.raises(OrderSyntaxError) as caught:
            read(text)
        assert caught.value.text == text
        assert word in caught.value.problem


@pytest.mark.parametrize(
    "text", ["", " ", "SUB", "WVE", "A PAR H", "ENG WVE WVE", "\x00", "\ud800"]
)
def test_other_text_than_daide_is_a_syntax_error_too(text: str) -> None:
    with pytest.raises(OrderSyntaxError):
        read_daide(text, BOARD)


@pytest.mark.parametrize(
    ("text", "kind", "nearest"),
    [
        ("( ENH AMY LVP ) HLD", "power", "ENG"),
        ("AUT WVE", "power", "AUS"),
        ("( ENG AMY LVQ ) HLD", "province", "LVP"),
        ("( ENG FLT ( STQ SCS ) ) HLD", "province", "STP"),
        ("( ENG FLT NTH ) CVY ( ENG AMY LOM ) CTO BEL", "province", "LON"),
        ("( ENG AMY LON ) CTO BEL VIA ( NTH ECC )", "province", "ECH"),
    ],
)
def test_an_unknown_code_is_an_error_with_the_nearest(text: str, kind: str, nearest: str) -> None:
    with pytest.raises(UnknownNameError) as caught:
        OrderReader(BOARD).read(text)
    assert caught.value.kind == kind
    assert nearest in caught.value.nearest
    assert text in str(caught.value)


@pytest.mark.parametrize(
    "text", ["( ENG AMY LON ) CTO BEL VIA (" + " NTH" * 1240 + " )", "(" * 5000, "ENG WVE " * 625]
)
def test_an_absurdly_long_text_is_a_short_syntax_error(text: str) -> None:
    with pytest.raises(OrderSyntaxError, match="longer than 300") as caught:
        OrderReader(BOARD).read(text)
    assert len(str(caught.value)) < 300


_TOKENS = st.sampled_from(
    ["(", ")", "SUB", "ENG", "FRA", "AMY", "FLT", "LON", "STP", "NCS", "HLD", "MTO", "SUP", "CVY",
     "CTO", "VIA", "RTO", "DSB", "BLD", "REM", "WVE", "(ENG AMY LON)", "(RUS FLT (STP SCS))",
     "x", "-", ".", "\u00df", "\u0130", "#1901"]
)  # fmt: skip


@few_examples(40, EVERY_TIME, words=st.lists(_TOKENS, max_size=16), gap=st.sampled_from(["", " "]))
def test_any_jumble_of_tokens_is_read_or_refused(words: list[str], gap: str) -> None:
    text = gap.join(words)
    for read in (OrderReader(BOARD).read, lambda typed: read_daide(typed, BOARD)):
        with suppress(DipsatError):
            assert read(text) == read(text)


# --- every order there and back ------------------------------------------------------------------

_powers = st.sampled_from(sorted(BOARD.powers))
_locations = st.sampled_from(sorted(BOARD.locations))
_provinces = st.sampled_from(sorted(BOARD.provinces))
_seas = st.lists(st.sampled_from(sorted(BOARD.seas)), max_size=19, unique=True).map(tuple)
_units = st.builds(UnitName, _locations, st.sampled_from(STANDARD_KINDS), _powers)
_by_type: dict[type[Order], st.SearchStrategy[Order]] = {
    Hold: st.builds(Hold, _units),
    Move: st.one_of(
        st.builds(Move, _units, _locations),
        st.builds(Move, _units, _locations, st.just(True), _seas),
    ),
    SupportHold: st.builds(SupportHold, _units, _units),
    SupportMove: st.builds(SupportMove, _units, _units, _provinces),
    Convoy: st.builds(Convoy, _units, _units, _locations),
    Retreat: st.builds(Retreat, _units, _locations),
    Disband: st.builds(Disband, _units),
    Build: st.builds(Build, _units),
    Waive: st.just(Waive()),
}


@pytest.mark.parametrize("kind", few_of(_by_type, 2), ids=lambda kind: kind.__name__)
@few_examples(50, EVERY_TIME, data=st.data(), power=_powers, adjustment=st.booleans())
def test_an_order_written_is_read_back(
    kind: type[Order], data: st.DataObject, power: str, adjustment: bool
) -> None:
    order = data.draw(_by_type[kind])
    giver = power if isinstance(order, Waive) else order.unit.power
    text = write_daide(order, power, BOARD, adjustment=adjustment)
    assert text == text.upper()
    assert read_daide(text, BOARD) == (giver, order)
    assert OrderReader(BOARD).read(text) == order


def test_every_location_of_every_power_is_read_back() -> None:
    for location in BOARD.locations:
        for power, kind in product(BOARD.powers, STANDARD_KINDS):
            order = Hold(UnitName(location, kind, power))
            assert read_daide(write_daide(order, None, BOARD), BOARD) == (power, order)


# --- the codes -----------------------------------------------------------------------------------


def test_the_codes_of_the_standard_map_are_those_of_the_document() -> None:
    codes = BOARD.codes("daide")
    assert len(PROVINCES) == len(set(PROVINCES)) == 75
    assert sorted(codes.provinces.values()) == PROVINCES
    assert {p: code for p, code in codes.provinces.items() if p != code} == TURNED
    assert [codes.powers[power] for power in sorted(BOARD.powers)] == POWERS
    assert all(power.startswith(code) for power, code in codes.powers.items())
    assert {codes.coasts[coast] for coast in ("NC", "EC", "SC", "WC")} == COASTS
    assert all(code == f"{coast}S" for coast, code in codes.coasts.items())


@pytest.fixture(scope="module")
def peer() -> Any:
    """The DAIDE parser of the `diplomacy` package."""
    return pytest.importorskip("diplomacy.daide.clauses")


def test_the_codes_are_those_of_the_diplomacy_package(peer: Any) -> None:
    tokens = pytest.importorskip("diplomacy.daide.tokens")
    codes = BOARD.codes("daide")
    assert sorted(map(str, tokens.PROVINCE_TOKENS)) == sorted(codes.provinces.values())
    assert set(codes.coasts.values()) <= set(map(str, tokens.COAST_TOKENS))
    for location in BOARD.locations:
        text = write_daide(Retreat(a(ENG, "LON"), location), None, BOARD).partition(" RTO ")[2]
        assert bytes(peer.parse_string(peer.Province, location)) == _in_bytes(text)
    for power, code in codes.powers.items():
        assert bytes(peer.parse_string(peer.Power, power)) == _in_bytes(code)


def _in_bytes(text: str) -> bytes:
    found: bytes = pytest.importorskip("diplomacy.daide.utils").str_to_bytes(text)
    return found


@exhaustive
@few_examples(
    100, EVERY_TIME, order=st.one_of(*_by_type.values()), power=_powers, adjustment=st.booleans()
)
def test_an_order_written_is_what_the_diplomacy_package_reads(
    peer: Any, order: Order, power: str, adjustment: bool
) -> None:
    """It drops the seas of a convoy, and keeps VIA only if there were some."""
    text = write_daide(order, power, BOARD, adjustment=adjustment)
    theirs, left = peer.parse_bytes(peer.Order, _in_bytes(f"( {text} )"))
    assert not left
    assert theirs.power_name == (power if isinstance(order, Waive) else order.unit.power)
    if isinstance(order, Move):
        order = Move(order.unit, order.target, bool(order.path))
    assert str(theirs) == write_order(order, BOARD)


# --- the codes in a map file ---------------------------------------------------------------------

TINY = """\
name: tiny
coasts: {NC: [nc], SC: [sc]}
notations:
  daide:
    provinces:
      SEA: TSE
    powers: {GREAT RED: RED}
    coasts: {NC: NCS}
powers:
  GREAT RED: {}
provinces:
  LAN: {name: Land, type: land, army: [COA]}
  COA: {name: Coast, type: coast, army: [LAN], fleet: {NC: [SEA], SC: [SEA]}}
  SEA: {name: Sea, type: sea, fleet: [COA/NC, COA/SC]}
"""


def test_the_codes_of_the_maps_page_mean_what_it_says() -> None:
    page = (ROOT / "docs" / "maps.md").read_text(encoding="utf-8")
    text, sample = page.split("```yaml\n")[1].split("```")[0], "( SOU FLT ( BBB SCS ) ) MTO TSE"
    assert sample in page
    order = Move(f("SOUTH", "BBB/SC"), "SEA")
    assert read_daide(sample, parse_map(text, "island.yaml")) == ("SOUTH", order)


def test_a_map_file_states_only_the_codes_that_differ() -> None:
    board = parse_map(TINY, "tiny.yaml")
    for text in ("( RED FLT ( COA NCS ) ) MTO TSE", "( RED FLT TSE ) MTO ( COA SC )"):
        power, order = read_daide(text, board)
        assert power == "GREAT RED"
        assert write_daide(order, power, board) == text
    assert board.codes("daide").provinces == {"LAN": "LAN", "COA": "COA", "SEA": "TSE"}


def test_without_codes_the_maps_own_are_used() -> None:
    text = TINY.replace(TINY[TINY.index("notations") : TINY.index("powers:\n  GREAT")], "")
    board = parse_map(text.replace("GREAT RED", "RED"), "tiny.yaml")
    order = Move(f("RED", "COA/NC"), "SEA")
    assert write_daide(order, None, board) == "( RED FLT ( COA NC ) ) MTO SEA"
    assert read_daide("( red flt ( coa nc ) ) mto sea", board) == ("RED", order)
    with pytest.raises(OrderWriteError, match=r"'GREAT RED' is not one word.*`notations`"):
        write_daide(Waive(), "GREAT RED", parse_map(text, "tiny.yaml"))


@pytest.mark.parametrize(
    ("old", "new", "place", "words"),
    [
        ("SEA: TSE", "SEE: TSE", "6:7", ["'SEE' is not under `provinces`", "did you mean SEA"]),
        ("{GREAT RED: RED}", "{BLUE: RED}", "7:14", ["'BLUE' is not under `powers`"]),
        ("{NC: NCS}", "{EC: ECS}", "8:14", ["'EC' is not under `coasts`"]),
        ("SEA: TSE", "SEA: lan", "6:12", ["'lan' stands for LAN and SEA"]),
        ("SEA: TSE", "SEA: XXX\n      COA: XXX", "6:12", ["'XXX' stands for COA and SEA"]),
        ("SEA: TSE", "SEA: T E", "6:12", ["'T E' of SEA", "letters and digits"]),
        ("SEA: TSE", "SEA: ''", "6:12", ["'' of SEA"]),
        ("SEA: TSE", "SEA: [TSE]", "6:12", ["should be a text"]),
        ("  daide:", "  diade:", "4:3", ["did you mean 'daide'"]),
        ("    powers:", "    power:", "7:5", ["did you mean 'powers'"]),
        ("{NC: NCS}", "NCS", "8:13", ["coasts of notation daide should be a mapping"]),
    ],
)
def test_a_wrong_code_in_a_map_file_is_an_error_at_its_place(
    tmp_path: Path, old: str, new: str, place: str, words: list[str]
) -> None:
    assert TINY.count(old) == 1
    path = tmp_path / "broken.yaml"
    path.write_text(TINY.replace(old, new), encoding="utf-8")
    with pytest.raises(DipsatError) as caught:
        dipsat.load_map(path)
    (message,) = str(caught.value).splitlines()
    assert message.startswith(f"{path}:{place}: ")
    assert all(word in message for word in words)


def test_wrong_codes_are_all_reported_at_once() -> None:
    text = TINY.replace("SEA: TSE", "SEE: TSE").replace("GREAT RED: RED", "GREAT RED: R!")
    with pytest.raises(ProblemsError) as caught:
        parse_map(text, "tiny.yaml")
    assert len(caught.value.problems) == 2
    assert all(isinstance(problem, MapError) for problem in caught.value.problems)


# --- in a game -----------------------------------------------------------------------------------


def test_orders_of_a_phase_may_be_written_in_daide() -> None:
    units = {"ENGLAND": ["F NTH", "A LON"], "FRANCE": ["A PAR"], "GERMANY": ["A RUH"]}
    orders = {
        "ENGLAND": ["( ENG AMY LON ) CTO BEL VIA ( NTH )",
                    "( ENG FLT NTH ) CVY ( ENG AMY LON ) CTO BEL"],
        "FRANCE": ["SUB ( ( FRA AMY PAR ) MTO BUR )"],
        "GERMANY": ["( ( GER AMY RUH ) SUP ( ENG AMY LON ) MTO BEL )"],
    }  # fmt: skip
    outcome = dipsat.adjudicate(dipsat.Position.from_units(units), orders)
    assert {order.verdict for order in outcome.orders} == {"succeeds", "available", "given"}
    assert outcome.units["ENGLAND"] == ("A BEL", "F NTH")
