"""The notations in which people write orders, read and written."""

from __future__ import annotations

import re
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import settings, strategies as st

from dipsat import OrderReader, load_map, reader_for, write_order
from dipsat.board import STANDARD_KINDS, UnitKind
from dipsat.errors import AmbiguousNameError, DipsatError, OrderSyntaxError, UnknownNameError
from dipsat.orders import (
    NOTATIONS,
    Build,
    Convoy,
    Disband,
    Hold,
    Move,
    Order,
    Retreat,
    SupportHold,
    SupportMove,
    UnitName,
    Waive,
)
from tests.checkout import ROOT
from tests.exhaustive import few_examples
from tests.strangers.any_text import any_text

DATC = [ROOT.parent / "shared" / "reference" / name for name in ("datc-v3.0.md", "datc-v2.4.md")]
DATC_SLIPS = {"Rhur": "RUH"}
BOARD = load_map("standard")
LETTERS = sorted(set(NOTATIONS) - {"daide"})
"""The notations in the words and letters that people type; test_daide_orders.py has DAIDE's."""
EVERY_TIME = settings(deadline=None, max_examples=300)


@pytest.fixture(scope="module")
def reader() -> OrderReader:
    return reader_for(BOARD)


def a(location: str, power: str | None = None) -> UnitName:
    return UnitName(location, UnitKind.ARMY, power)


def f(location: str, power: str | None = None) -> UnitName:
    return UnitName(location, UnitKind.FLEET, power)


def u(location: str, power: str | None = None) -> UnitName:
    return UnitName(location, None, power)


PAR_BUR = Move(a("PAR"), "BUR")
SPELLINGS: dict[Order, list[str]] = {
    # moves: arrows, dashes, words, case and space
    PAR_BUR: [
        "A PAR - BUR", "A PAR -> BUR", "A PAR->BUR", "A PAR --> BUR", "A PAR => BUR", "A PAR > BUR",
        "A PAR → BUR", "A PAR ⇒ BUR", "A PAR – BUR", "A PAR—BUR", "A PAR -- BUR", "A PAR -BUR",
        "A PAR- BUR", "A PAR to BUR", "A PAR move BUR", "Army Paris moves to Burgundy",
        "army paris moves to burgundy.", "   a   pArIs   -   bUrGuNdY   ", "A Pari - Burgun",
    ],
    Move(u("PAR"), "BUR"): ["par-bur", "par -> bur"],  # no A or F
    Hold(a("PAR")): ["A PAR H", "A Paris Hold", "A PAR stands", "A PAR stand", "A PAR, hold!"],
    Hold(f("NWG")): ["F Norwegian Sea Holds"],
    Hold(u("PAR")): ["Paris H"],
    # supports and convoys
    SupportHold(a("PAR"), a("MAR")): [
        "A PAR S A MAR", "A Par sup. A Mar", "A PAR S A MAR H",
        "A Paris supports A Marseilles holds",
    ],
    SupportMove(a("PAR"), a("MAR"), "BUR"): [
        "A PAR S A MAR - BUR", "a par s a mar-bur", "A PAR support A MAR to BUR",
        "A Paris Supports A Marseilles - Burgundy",
    ],
    SupportMove(a("PAR"), u("MAR"), "BUR"): ["A PAR S MAR-BUR"],
    SupportMove(f("CON"), f("BLA"), "BUL/EC"): ["F CON S F BLA - BUL/EC"],
    Convoy(f("NTH"), a("LON"), "BEL"): [
        "F NTH C A LON - BEL", "f nth c a lon-bel", "F North Sea Convoys A London - Belgium",
        "F NTH convoys A LON to BEL", "F NTH convoy army London - Belgium",
        "F NTH C A LON - BEL VIA",
    ],
    Convoy(u("NTH"), u("LON"), "BEL"): ["NTH C LON - BEL"],
    # armies that go by convoy
    Move(a("LON"), "BEL", via=True): [
        "A LON - BEL VIA", "A LON - BEL via", "A LON - BEL via convoy", "A LON - BEL by convoy",
        "A London - Belgium via Convoy", "A LON - BEL (via convoy)", "A LON - BEL (VIA)",
        "A LON - BEL (by convoy)",  # DATC 2.4 4.A.3: "by Convoy" is the most common notation
    ],
    Move(a("LON"), "BEL", path=("NTH",)): [
        "A LON - NTH - BEL", "A London - North Sea - Belgium", "A Lon-Nth-Bel",
    ],
    Move(a("LON"), "BEL", via=True, path=("NTH",)): ["A LON - NTH - BEL VIA"],
    Move(a("BRE"), "LON", path=("MAO", "ENG")): [
        "A Bre-Mid-Eng-Lon", "A Bre -> Mid -> English Channel -> Lon",
    ],
    # nationality words
    SupportHold(a("PAR"), a("MUN", "GERMANY")): ["A PAR S German A MUN"],
    SupportMove(a("PAR"), a("MUN", "GERMANY"), "BUR"): ["A Par supports Germany's A Mun - Bur"],
    SupportMove(a("PAR"), u("MUN", "GERMANY"), "BUR"): ["A Par S Germany\u2019s Mun-Bur"],
    Convoy(f("NTH"), a("LON", "ENGLAND"), "HOL"): ["F NTH convoys English army London - Holland"],
    SupportHold(a("BOH"), a("VIE", "AUSTRIA")): [
        "A BOH S A Austrian VIE", "A BOH S Austro-Hungarian A VIE", "A BOH S Austria-Hungary A VIE",
        "A BOH S Austria-Hungary's A VIE",
    ],
    SupportMove(f("NTH"), f("LON", "ENGLAND"), "ENG"): ["F NTH S Great Britain's F LON - ENG"],
    SupportHold(f("BLA"), a("CON", "TURKEY")): ["F BLA S TURKEY A CON"],
    # a hyphen inside a name and one between two names
    Move(f("MAO"), "ENG"): [
        "F mid-eng", "F Mid-Eng", "F Mid-Atlantic Ocean - English Channel", "f mid-atlantic - eng",
        "F Mid-Atlantic Ocean-English Channel", "F Mid Atlantic Ocean - English Channel",
        "Fleet Mid-Atlantic Ocean moves to English Channel",
    ],
    Move(f("ENG"), "MAO"): ["F Eng-Mid-Atlantic"],
    Move(f("MAO"), "MAO"): ["F Mid-Atlantic Ocean-Mid-Atlantic Ocean"],
    Move(a("BRE"), "POR", path=("MAO",)): ["A Brest-Mid-Atlantic Ocean-Portugal"],
    # the English Channel, and the English
    Move(f("ENG"), "NTH"): ["F English Channel - North Sea"],
    Move(u("ENG"), "NTH"): ["English Channel - North Sea"],
    SupportMove(f("BEL"), f("LON", "ENGLAND"), "ENG"): [
        "F BEL S English F LON - English Channel",
    ],
    SupportHold(f("BEL"), f("ENG", "ENGLAND")): ["F BEL S English F English Channel"],
    SupportMove(f("BEL"), u("ENG", "ENGLAND"), "NTH"): ["F BEL S English English Channel - NTH"],
    SupportMove(f("BEL"), u("ENG"), "NTH"): ["F BEL S English Channel - NTH"],
    SupportHold(f("WAL"), u("LON", "ENGLAND")): ["F WAL S English Lon"],
    # coasts
    Move(f("MAO"), "SPA/NC"): [
        "F MAO - SPA/NC", "F MAO - SPA(NC)", "F Mao - Spain (nc)", "F mao - spain ( nc )",
        "F Mao - Spain nc", "F Mao - Spain, NC", "F Mao - Spain (north coast)", "F MAO - SPA NCS",
        "F Mao - Spain north coast", "F Mao - Spain/North Coast",
    ],
    Move(f("CON"), "BUL/EC"): [
        "F CON - BUL ECS", "F Con-Bul/ec", "F Con - Bulgaria (east coast)",
        "F Con - Bulgaria (eastern coast)",
    ],
    Move(f("SPA/SC"), "LYO"): [
        "F Spain(sc) - Gulf of Lyon", "F Spain (south coast) - Gulf of Lyon",
        "F Spain, south coast, - Gulf of Lyon",
    ],
    Move(f("STP/SC"), "BOT"): ["F STP/SC - BOT", "F StP(sc)-Bot"],
    SupportHold(f("STP/SC"), f("BOT")): ["F STP SCS S F BOT"],
    SupportMove(f("BUL/SC"), a("RUM", "RUSSIA"), "CON"): ["f bul(sc) s russian a rum-con"],
    # coasts that make no sense are kept (DATC 4.B.6)
    Move(a("GAS"), "SPA/NC"): ["A Gascony - Spain(nc)"],
    Move(f("BRE/EC"), "GAS"): ["F BRE/EC - GAS"],
    Move(f("GAS"), "SPA/WC"): ["F GAS - Spain (west coast)"],
    # abbreviations of other programs
    Move(f("ENG"), "BOT"): ["F ECH - GOB"],
    Move(f("NAO"), "NWG"): ["F NAT - NRG"],
    Move(f("LYO"), "MAO"): ["F gol - mid"],
    Move(a("STP"), "NWY"): ["A St. Petersburg - Nor", "A st.petersburg-norway"],
}  # fmt: skip


@pytest.mark.parametrize(
    ("text", "order"), [(text, order) for order, texts in SPELLINGS.items() for text in texts]
)
def test_a_spelling_from_real_life_is_read_as_the_order_it_means(
    reader: OrderReader, text: str, order: Order
) -> None:
    assert reader.read(text) == order


@pytest.mark.parametrize(
    ("text", "unit"),
    [
        ("F STP/SC", f("STP/SC")), ("Fleet Spain (south coast)", f("SPA/SC")), ("lon", u("LON")),
        ("English F English Channel", f("ENG", "ENGLAND")), ("a mid-atlantic", a("MAO")),
        ("A BRE/EC", a("BRE/EC")),
    ],
)  # fmt: skip
def test_a_unit_is_read_alone(reader: OrderReader, text: str, unit: UnitName) -> None:
    assert reader.read_unit(text) == unit


WRONG_NAMES: dict[str, tuple[type[DipsatError], str]] = {
    "A Pariz - Burgundy": (UnknownNameError, "Paris"),
    "A Paris - Burgundie": (UnknownNameError, "Burgundy"),
    "F Nroth Sea - Norway": (UnknownNameError, "North Sea"),
    "A PAR S A Marseile": (UnknownNameError, "Marseilles"),
    "F NTH C A Londen - Belgium": (UnknownNameError, "London"),
    "A LON - NTH - Belgum": (UnknownNameError, "Belgium"),
    "A PAR - Atlantis": (UnknownNameError, "unknown province"),
    "A Oz - BUR": (UnknownNameError, "unknown province"),
    "F NTH C A Moon - BEL": (UnknownNameError, "unknown province"),
    # beginnings of several names
    "F Gulf of Bothia - Sweden": (AmbiguousNameError, "BOT"),
    "F NWG - North": (AmbiguousNameError, "NTH"),
    "A Nort H": (AmbiguousNameError, "NTH"),
}


@pytest.mark.parametrize("text", WRONG_NAMES)
def test_a_wrong_name_is_an_error_with_the_nearest_name(reader: OrderReader, text: str) -> None:
    error, nearest = WRONG_NAMES[text]
    with pytest.raises(error) as caught:
        reader.read(text)
    assert text in str(caught.value)
    assert nearest in str(caught.value).replace(text, "")


@pytest.mark.parametrize(
    "text",
    [
        "", " ", ".", "-", "A PAR", "F LON", "- PAR", "A PAR -", "A PAR S", "A PAR C",
        "A PAR - BUR -", "F NTH C A LON", "F NTH C A LON BEL", "A PAR - BUR BEL", "A PAR x BUR",
        "A PAR = BUR", "A PAR H H", "A PAR H A PAR H", "A PAR S A MAR - BUR S A MUN",
        "F SPA(NC - GAS", "F SPA/ - GAS", "F SPA(XC) - GAS", "A LON - BEL (via convoy",
        "A LON via convoy - BEL", "A PAR \u00a7 BUR", "(A PAR H)",
        "A PAR [H]", "A \x00PAR H", "A PAR \ud800 H", "FRENCH", "A ENGLAND",
    ],
)  # fmt: skip
def test_other_text_is_a_syntax_error_that_shows_it(reader: OrderReader, text: str) -> None:
    with pytest.raises(OrderSyntaxError) as caught:
        reader.read(text)
    assert caught.value.text == text
    assert repr(text) in str(caught.value)
    assert caught.value.problem


@pytest.mark.parametrize("hyphen", [" - ", " -", "- ", " -> ", "->"])
def test_hyphens_beside_spaces_and_arrows_are_never_part_of_a_name(
    reader: OrderReader, hyphen: str
) -> None:
    with pytest.raises(DipsatError):
        reader.read(f"F Mid{hyphen}Atlantic Ocean H")
    with pytest.raises(DipsatError):
        reader.read(f"A BOH S Austria{hyphen}Hungary A VIE")
    assert reader.read("F Mid-Atlantic Ocean H") == Hold(f("MAO"))


@pytest.mark.parametrize("length", [301, 5_000, 1_000_000])
def test_a_text_too_long_for_an_order_is_a_short_syntax_error(
    reader: OrderReader, length: int
) -> None:
    for text in ("A PAR - BUR ".ljust(length, "-"), "x" * length, "(" * length):
        with pytest.raises(OrderSyntaxError) as caught:
            reader.read(text)
        assert len(str(caught.value)) < 300


# --- the DATC's own orders, by a reader that knows only its format -------------------------------


def _plain_unit(text: str) -> UnitName:
    kind, _, rest = text.strip().partition(" ")
    if kind not in ("A", "F"):
        kind, rest = "", text.strip()
    return UnitName(_plain_place(rest), STANDARD_KINDS["AF".index(kind)] if kind else None)


def _plain_place(text: str) -> str:
    name, _, coast = text.strip().partition("(")
    codes = {p.name: code for code, p in BOARD.provinces.items()} | DATC_SLIPS
    return codes[name.strip()] + (f"/{coast.strip(')').upper()}" if coast else "")


def _plain_order(text: str) -> Order:
    """A DATC order, split at its fixed words."""
    text, via, _ = re.sub(r"\s+via convoy$", " VIA", text.strip(), flags=re.I).partition(" VIA")
    for word in (" Supports ", " Convoys "):
        first, found, rest = text.partition(word)
        if found:
            other, move, target = rest.partition(" - ")
            unit, named = _plain_unit(first), _plain_unit(other)
            if word == " Convoys ":
                return Convoy(unit, named, _plain_place(target))
            if move:
                return SupportMove(unit, named, _plain_place(target))
            return SupportHold(unit, named)
    first, *places = text.split(" - ")
    if not places:
        return Hold(_plain_unit(re.sub(r" Holds?$", "", first)))
    *path, target = map(_plain_place, places)
    return Move(_plain_unit(first), target, bool(via), tuple(path))


def _datc_orders(path: Path) -> list[str]:
    """The movement orders of chapter 6.A to 6.G."""
    lines = path.read_text(encoding="utf-8").splitlines()
    headings = [at for at, line in enumerate(lines) if line.startswith("### 6.")]
    names = [lines[at][4:7] for at in headings]
    chapter = lines[headings[names.index("6.A")] : headings[names.index("6.H")]]
    return [line.strip() for line in chapter if re.match(r"    \s*[AF] [A-Z]", line)]


@pytest.mark.parametrize("path", DATC, ids=lambda path: path.stem)
def test_every_order_of_the_datc_is_read_as_its_words_say(path: Path, reader: OrderReader) -> None:
    if not path.is_file():
        pytest.skip("the DATC is not here (../shared/reference beside the checkout)")
    orders = _datc_orders(path)
    assert len(orders) > 500
    for text in orders:
        assert reader.read(text) == _plain_order(text), text


# --- properties ----------------------------------------------------------------------------------

_codes = st.sampled_from(sorted(BOARD.provinces))
_coasts = st.sampled_from(["", "", "", "/NC", "/EC", "/SC", "/WC"])
_places = st.one_of(
    _codes, st.sampled_from(sorted(BOARD.locations)), st.builds(str.__add__, _codes, _coasts)
)
_seas = st.sampled_from(sorted(BOARD.seas))
_kinds = st.sampled_from([None, UnitKind.ARMY, UnitKind.FLEET])


def _orders(powers: Sequence[str | None]) -> st.SearchStrategy[Order]:
    """Any typed order of the standard map, sensible or not."""
    units = st.builds(UnitName, _places, _kinds, st.sampled_from(powers))
    return st.one_of(
        st.builds(Hold, units),
        st.builds(Move, units, _places, st.booleans(), st.lists(_seas, max_size=3).map(tuple)),
        st.builds(SupportHold, units, units),
        st.builds(SupportMove, units, units, _places),
        st.builds(Convoy, units, units, _places),
        st.builds(Retreat, units, _places),
        st.builds(Disband, units),
        st.builds(Build, units),
        st.just(Waive()),
    )


@pytest.mark.parametrize("notation", sorted({*LETTERS} - {"diplomacy"}))
@few_examples(40, EVERY_TIME, order=_orders([None, *sorted(BOARD.powers)]))
def test_an_order_written_in_a_notation_with_nationality_is_read_back(
    notation: str, order: Order
) -> None:
    assert OrderReader(BOARD).read(write_order(order, BOARD, notation)) == order


@few_examples(40, EVERY_TIME, order=_orders([None]), notation=st.sampled_from(LETTERS))
def test_an_order_that_is_written_is_read_back_in_any_case_and_with_any_spaces(
    order: Order, notation: str
) -> None:
    text = write_order(order, BOARD, notation)
    for typed in (text, text.lower(), text.upper(), f"  {text.replace(' ', '   ')} ", f"{text}."):
        assert OrderReader(BOARD).read(typed) == order


def test_the_notation_of_the_diplomacy_package_leaves_the_nationality_out() -> None:
    order = SupportMove(a("PAR", "FRANCE"), a("MUN", "GERMANY"), "BUR")
    assert write_order(order, BOARD) == "A PAR S A MUN - BUR"
    assert write_order(order, BOARD, "datc") == (
        "French A Paris Supports German A Munich - Burgundy"
    )
    assert write_order(order, BOARD, "judge") == "French A Par S German A Mun-Bur"


def test_an_unknown_notation_is_named_with_the_nearest() -> None:
    with pytest.raises(UnknownNameError, match="judge"):
        write_order(PAR_BUR, BOARD, "juge")


_WORDS = st.sampled_from(
    ["A", "F", "S", "C", "H", "-", "->", "–", "(", ")", "/", "via", "convoy", "by", "to", "moves",
     "supports", "hold", "nc", "south", "coast", "English", "Channel", "Russian", "France's",
     "Mid", "Atlantic", "Ocean", "Spain", "STP", "north", "sea", "gulf", "of", "Lyon", "Austria",
     "Hungary", "x", "1", ".", ",", ";", "'s", "\u2019", "\u00df", "\u0130"]
)  # fmt: skip


def _reads_or_refuses(text: str) -> None:
    """Any exception but a `DipsatError` fails the test; an order that is read is read back."""
    reader = OrderReader(BOARD)
    with suppress(DipsatError):
        assert reader.read(text) == reader.read(text)
    with suppress(DipsatError):
        assert reader.read_unit(text) == reader.read_unit(text)


@few_examples(40, EVERY_TIME, text=any_text(), times=st.one_of(st.just(1), st.integers(1, 5_000)))
def test_the_reader_answers_any_text_with_an_order_or_a_dipsat_error(text: str, times: int) -> None:
    _reads_or_refuses(text * times)


@few_examples(40, EVERY_TIME, words=st.lists(_WORDS, max_size=14), gap=st.sampled_from(["", " "]))
def test_the_reader_answers_any_jumble_of_its_words_with_an_order_or_a_dipsat_error(
    words: list[str], gap: str
) -> None:
    _reads_or_refuses(gap.join(words))
