"""Single orders as players type them: each is read as it is meant, or refused with a hint."""

from __future__ import annotations

from random import Random

import pytest

import dipsat
from dipsat.errors import AmbiguousNameError, DipsatError
from dipsat.formats import Session, carry_out, parse_phase_text
from dipsat.formats.phase_file import orders_for
from dipsat.orders import Retreat
from tests.exhaustive import few_of
from tests.phases import read_sheet

BOARD = dipsat.load_map("standard")
READER = dipsat.reader_for(BOARD)

ARROWS = (
    "-", "--", "->", "-->", "=>", "==>", "~>", ">", "→", "⇒", "➔", "➜", "➡", "➡\ufe0f", "⟶", "⟹",
    "↦", "»", "–", "—", "\u2011", "\u2010", "\u2212", "->>", "⮕", "▶\ufe0f", "\uff0d", "\uff1e",
)  # fmt: skip

READ = {
    # verbs
    "A PAR - BUR": [
        "A Par m Bur", "A Par mv Bur", "A Par M - Bur", "A Par m-Bur", "A Par to Bur",
        *(f"A Par{gap}{arrow}{gap}Bur" for arrow in ARROWS for gap in (" ", "")),
    ],
    "PAR - BUR": [
        "Par->Bur", "Par ➡\ufe0f Bur", "Par m Bur", "Move Par to Bur", "Par will move to Bur",
        "Paris is going to Burgundy, please",
    ],
    "F ENG C A LON - BEL": [
        "F ENG transports A Lon - Bel", "F Eng trans A Lon-Bel", "F Eng transport A Lon to Bel",
    ],
    "A MAR S A PAR": [
        "A Mar support-hold A Par", "A Mar support hold to A Par", "A Mar support-hold to A Par",
        "A Mar SUPPORT - HOLD A Par", "A Mar S/H A Par", "A Mar supports A Par to hold",
    ],
    "A MAR S PAR": [
        "A Mar S-H Par", "A Mar s-h Par.", "A Mar will support Par", "A Mar is to support Par",
        "A Mar is supporting Par",
    ],
    "A MAR S A PAR - BUR": [
        "A Mar support-move A Par - Bur", "A Mar supports A Par into Bur", "A Mar S-M A Par - Bur",
        "A Mar S A Par m Bur", "A Mar supporting A Par ➜ Bur",
    ],
    # convoys
    "A LON - BEL VIA": [
        "A Lon - Bel via convoy", "A Lon - Bel VC", "A Lon - Bel (VC)", "A Lon - Bel via C",
        "A Lon - Bel by convoy", "A Lon - Bel convoyed", "A Lon-Bel via-convoy",
        "A Lon - Bel by sea",
    ],
    "A LON - NTH - HEL - HOL VIA": [
        "A Lon - Hol (via North Sea, Helgoland Bight)", "A Lon - Hol via Nth, Hel",
        "A Lon - Hol via Nth-Hel", "A Lon - Hol via F Nth and F Hel",
        "A Lon - Hol (convoyed by F Nth, F Hel)",
    ],
    "A LON - NTH - HEL - HOL": ["A Lon - NTH - HEL - Hol"],
    "A LON - NTH - NWY": ["A Lon -> Nth -> Nwy"],
    "F NTH C LON - NWY": ["F NTH C Lon-Nwy", "F Nth convoys Lon to Nwy"],
    # names
    "F NTH - NWY": ["F Nth Sea - Nwy", "F NthSea-Nwy", "F N. Sea - Nwy", "F Nth.Sea - Nwy"],
    "F ENG H": ["F Eng Channel H", "F Eng. Chan. H", "F Engl. Channel H", "F Eng. Ch. H"],
    "A NAF H": ["A North Africa H", "A N. Africa H", "A Nor Afr H"],
    "A STP H": ["A St Pete H", "A StPetersburg H", "A St. Pet. H"],
    "F STP/SC H": ["F StP sc H"],
    "F STP/NC H": ["F St.P/nc H"],
    "F NWG H": ["F Norw. Sea H", "F Norwegian H", "F Norw Sea hold", "F Nwg Sea H"],
    "F MAO H": ["F Mid-Atl H", "F Mid Atlantic H", "F M. Atl H", "F Mid Atl. Ocean H"],
    "F WES H": ["F W Med H", "F W. Med. H"],
    "F TYS H": ["F Tyrr H", "F Tyrr. Sea H"],
    "F LYO H": ["F Gulf of Lyons H", "F Lyon H", "F G of Lyon H"],
    "F BOT H": ["F Bothnia H", "F G of Bothnia H"],
    "A CON H": ["A Constant. H", "A Con H"],
    "A TYR H": ["A Tyrolia H"],
    "A LVN H": ["A Livonia H"],
    "F HEL H": ["F Helg H", "F Helg. Bight H"],
    # full stops within names
    "A STP - NWY": ["A St. Petersburg - Nwy"],
    "F STP - BOT": ["F Stp. - Bot."],
    # builds and retreats
    "A BER B": [
        "Build A Ber", "Ber: build army", "Build army in Berlin", "Builds an army in Berlin",
        "B A Ber", "Build the army at Berlin", "Ber build A",
    ],
    "F STP/SC B": ["Build a fleet in St. Petersburg (sc)"],
    "WAIVE": ["Build waived", "Waive", "1 build waived", "waive one build"],
    "WAIVE 2": ["waive 2", "2 builds waived", "Waive two builds"],
    "A BER D": ["Remove the army in Berlin"],
    "A BUR D": [
        "A Bur OTB", "A Bur off the board", "disband A Bur", "A Bur disbands", "A Bur - OTB",
        "A Bur retreats off the board", "A Bur R otb", "Destroy A Bur", "destroys army Burgundy",
    ],
    "A BUR R GAS": [
        "Retreat A Bur to Gas", "A Bur retreats to Gas", "A Bur R Gas", "Retreat: A Bur - Gas",
    ],
    "A GAL R WAR": [
        "If dislodged, A Gal R War", "A Gal R War if dislodged", "(if dislodged) A Gal - War",
        "A Gal - War (if dislodged)", "When it is dislodged, A Gal R War", "A Gal R War or OTB",
    ],
    "A GAL R WAR or UKR": [
        "A GAL R WAR or UKR", "A Gal retreats to War, else Ukr, else disband", "A Gal R War, Ukr",
        "If dislodged, A Gal - War, then Ukr", "A Gal R War, otherwise retreats to Ukr",
    ],
    "A GAL R WAR or UKR or SIL": ["A GAL R WAR, UKR, SIL", "A Gal R War/Ukr/Sil"],
    "F LYO R SPA/SC or MAR": ["F Lyo R Spa/sc/Mar", "F Lyo R Spain (sc), Mar"],
}  # fmt: skip


def test_a_listed_misspelling_is_reported_like_an_unlisted_one() -> None:
    """Romania and Lyons are listed as names in their own right."""
    for text, said in {
        "F Sevastapol - Bla": "'Sevastapol' is read as Sevastopol",
        "A Mos S F Sevastapol": "'Sevastapol' is read as Sevastopol",
        "A Mos - St. Petersberg": "'St. Petersberg' is read as St Petersburg",
        "F Nor Sea - Nwy": "'Nor Sea' is read as North Sea",
        "A Romania - Bul": None,
        "F Mar - Gulf of Lyons": None,
    }.items():
        READER.read(text)
        assert READER.guessed.get(text) == said


ORDER = "A PAR - BUR"
AROUND = (  # text around an order, with {} for the order
    "{} (bounce with Mun)", "{} (please!)", "{} [guard]", "{} (S by Mar)", "{} (*bounce*)",
    "{} (*cut, dislodged*)", "{} {{note}}", "{} (supported by A Mar) (please)",
    ".order {}", "!order {}", "/order {}", "!orders: {}", "`{}`", "```{}```", "**{}**", "_{}_",
    "||{}||", "1) {}", "a) {}", "a. {}", "iv. {}", "• {}", "▸ {}", "→ {}", "[x] {}",
    "(b) {}", "(1) {}", "(ii) {}",
    "- [ ] {}", "+ {}", "-{}", '"{}"',
)  # fmt: skip


@pytest.mark.parametrize(
    ("text", "order"), [(text, order) for order, texts in READ.items() for text in texts]
)
def test_an_order_is_read_as_it_is_meant(text: str, order: str) -> None:
    assert dipsat.write_order(READER.read(text), BOARD) == order
    if "a " in text or "A " in text:
        assert dipsat.write_order(READER.read(text.swapcase()), BOARD) == order


@pytest.mark.parametrize("around", AROUND)
def test_notes_and_marks_are_left_out(around: str) -> None:
    typed = around.format("A Par - Bur")
    assert dipsat.write_order(READER.read(typed), BOARD) == ORDER
    (line,) = read_sheet(f"France\n{typed}\n", BOARD)
    assert dipsat.write_order(READER.read(line.text), BOARD) == ORDER


REFUSED = {
    "A Par - Bur (if Mun moves)": "no condition can be judged, .*; write only what",
    "A Par - Bur [if Mun moves to Bur]": "no condition can be judged",
    "If Mun moves, A Par - Bur": "no condition can be judged",
    "A Gal R War if Russia moves to Gal": "a retreat may say 'if dislodged'",
    "A Par S A Mar if dislodged": "a retreat may say 'if dislodged'",
    "A Par - Bur (or Gas)": r"'\(or Gas\)' is not part of an order",
    "A Par - Bur (Gas)": r"'\(Gas\)' is not part of an order",
    "A Par - Bur (cancelled)": r"'\(cancelled\)' is not part of an order",
    "F Mao - Spa (not nc)": r"'\(not nc\)' is not part of an order",
    "F Mao - Spa (coast)": r"'\(coast\)' is not part of an order",
    "~~A Par - Bur~~": "~~ strikes out",
    "A Gal R War Ukr": "'ukr' is left over",
    "A Par - Bur. A Mar S A Par - Bur. F Bre - MAO.": "each order needs a line of its own",
    "F English Chanel H": "did you mean English Channel?",
    "F Black Sae H": "did you mean Black Sea?",
    "F Mid-Atlantic Ocaen H": "did you mean Mid-Atlantic Ocean?",
    "F Gulf H": "it could be BOT, LYO",
    "F Nort H": "it could be NAF, NAO, NTH",
    "F Nor S. H": "unknown province",
}


@pytest.mark.parametrize(("text", "hint"), REFUSED.items())
def test_what_is_unclear_is_refused_with_a_hint(text: str, hint: str) -> None:
    with pytest.raises(DipsatError, match=hint):
        READER.read(text)


def test_a_short_name_of_two_provinces_lists_them() -> None:
    board = dipsat.parse_map(
        "name: x\npowers: {RED: {home: [CCC]}}\nprovinces:\n"
        "  AAA: {name: North Sea, type: sea, fleet: [BBB, CCC]}\n"
        "  BBB: {name: Norwegian Sea, type: sea, fleet: [AAA]}\n"
        "  CCC: {name: Land, type: coast, supply: true, fleet: [AAA]}\n",
        "x.yaml",
    )
    for text in ("F N. Sea H", "F Land - N Sea"):
        with pytest.raises(AmbiguousNameError, match="it could be AAA, BBB"):
            dipsat.reader_for(board).read(text)


def slips(name: str, random: Random, count: int) -> str:
    """The name with letters left out, doubled, wrong or swapped, the first one excepted."""
    for _ in range(count):
        at = random.randrange(1, len(name) - 1)
        new = ("", name[at] * 2, random.choice("aeiou"), name[at + 1] + name[at])
        kind = random.randrange(4)
        name = name[:at] + new[kind] + name[at + 1 + (kind == 3) :]
    return name


@pytest.mark.parametrize("map", few_of(dipsat.map_names(), 4))
def test_a_misspelt_name_is_refused_with_the_name_that_is_meant(map: str) -> None:
    board, random = dipsat.load_map(map), Random(map)
    reader, missed = dipsat.reader_for(board), []
    names = {one.name: code for code, one in board.provinces.items() if len(one.name) > 4}
    simple = [one for one in names if one.replace(" ", "").isalpha() and " the " not in one]
    for name in simple:
        for count in (1, 2) if len(name) > 8 else (1,):
            typed = slips(name, random, count)
            try:
                order = reader.read(f"F {typed} H")
                is_meant = order.unit.location.partition("/")[0] == names[name]  # type: ignore[union-attr]
            except DipsatError as error:
                told = str(error).replace(f"F {typed} H", "")
                is_meant = name in told or names[name] in told
            missed += [] if is_meant else [typed]
    assert len(missed) <= 0.05 * len(simple), missed


# --- a power before an order ----------------------------------------------------------------------

AUSTRIA = dipsat.Position.from_units({"AUSTRIA": ["A VIE", "A BUD"], "ITALY": ["A VEN"]})
OF_AUSTRIA = (
    "Aus A Vie-Gal", "AUS: A Vie - Gal", "Austria A Vie - Gal", "Austrian A Vie - Gal",
    "A: A Vie - Gal", "aus army vienna - gal", "Austria's A Vie - Gal",
    "Austria (Bob): A Vie - Gal",
)  # fmt: skip


@pytest.mark.parametrize("text", OF_AUSTRIA)
def test_an_order_may_name_its_power(text: str) -> None:
    order = READER.read(text)
    assert order.unit.power == "AUSTRIA"  # type: ignore[union-attr]
    assert dipsat.write_order(order, BOARD) == "A VIE - GAL"
    assert dipsat.Game(AUSTRIA).submit("AUSTRIA", [text]).check("AUSTRIA", [text])[0].code == ""
    found = parse_phase_text(f"{text}\nItaly: A Ven H", "a.txt")
    assert [str(unit) for unit in found.position.units if unit.power == "AUSTRIA"] == ["A VIE"]
    reply = carry_out(Session.of(dipsat.Game(AUSTRIA)), text)
    assert reply.errors == ()
    assert reply.lines[0].startswith("Austria: ")


def test_a_single_letter_before_a_colon_is_a_power() -> None:
    order = READER.read("E: F Lon-Nth")
    assert order.unit.power == "ENGLAND"  # type: ignore[union-attr]


def test_a_supported_unit_may_have_a_shortened_power() -> None:
    order = READER.read("A Ven S Aus A Tri - Tyr")
    assert order.supported.power == "AUSTRIA"  # type: ignore[union-attr]


def test_the_power_before_an_order_is_that_of_the_heading() -> None:
    text, wrong = "Italy:\nAus A Vie - Gal\n", "it names Austria, but it is an order of Italy"
    with pytest.raises(DipsatError, match=f"^a.txt:2:1: .*{wrong}"):
        parse_phase_text(text, "a.txt")
    with pytest.raises(DipsatError, match=f"^a.txt:2:1: .*{wrong}"):
        orders_for(AUSTRIA, text, "a.txt", dipsat.load_profile("datc"))
    with pytest.raises(DipsatError, match=wrong):
        dipsat.Game(AUSTRIA).submit("ITALY", ["Aus A Vie - Gal"])
    with pytest.raises(DipsatError, match=wrong):
        dipsat.adjudicate(AUSTRIA, {"ITALY": ["Aus A Ven - Tri"]})
    found = dipsat.adjudicate(AUSTRIA, {"ITALY": ["Aus A Ven - Tri"]}, lenient=True)
    (order,) = (one for one in found.orders if one.submitted)
    assert (order.verdict, order.reason.code) == ("illegal", "unreadable")
    assert wrong in order.reason.text


# --- several orders in a line ---------------------------------------------------------------------


@pytest.mark.parametrize("sign", [". ", "; ", ", ", " / "])
def test_orders_in_a_line_are_split(sign: str) -> None:
    orders = ["A Par - Bur", "A Mar S A Par - Bur", "F Bre - MAO"]
    found = read_sheet(f"France: {sign.join(orders)}{sign.strip()}", BOARD)
    assert [one.text.rstrip(" ./") for one in found] == orders


@pytest.mark.parametrize(
    "line",
    [
        "A St. Petersburg - Nwy", "F Stp. - Bot.", "A. Par - Bur", "F Eng. Ch. - Nth",
        "A Mar S. A Par - Bur", "A Gal R War, Ukr", "If Mun moves, A Par - Bur",
    ],
)  # fmt: skip
def test_signs_within_an_order_do_not_split_it(line: str) -> None:
    assert [one.text for one in read_sheet(f"France:\n{line}", BOARD)] == [line]


def test_struck_out_text_is_skipped_with_a_remark() -> None:
    text = "France:\n```\nA Par - Bur\n~~A Mar - Spa~~\nA Mar H ~~- Bur~~\n```\n"
    found = parse_phase_text(text, "a.txt")
    assert found.orders == {"FRANCE": ("A Par - Bur", "A Mar H")}
    assert found.skipped == (
        "a.txt:4: skipped what is struck out: 'A Mar - Spa'",
        "a.txt:5: skipped what is struck out: '- Bur'",
    )


# --- words without effect -------------------------------------------------------------------------


@pytest.mark.parametrize("way", ["via land", "by land", "(by land)", "overland"])
def test_a_way_by_land_has_no_effect_and_is_reported(way: str) -> None:
    position = dipsat.Position.from_units({"ENGLAND": ["A LON"]})
    found = dipsat.adjudicate(position, {"ENGLAND": [f"A Lon - Yor {way}"]}).order("A LON")
    assert (found.verdict, found.order) == ("succeeds", "A LON - YOR")
    assert str(found.amended).startswith("'by land' has no effect")


# --- builds and disbands --------------------------------------------------------------------------

WINTER = dipsat.Position.from_units(
    {"GERMANY": ["A MUN"], "FRANCE": ["A PAR", "A BUR", "A GAS"]},
    phase="W1901A",
    centers={"GERMANY": ["BER", "KIE", "MUN"], "FRANCE": ["PAR", "MAR"]},
)
SIGNED = {
    ("GERMANY", "+A Berlin"): "A BER B",
    ("GERMANY", "+ F Kie"): "F KIE B",
    ("GERMANY", "A Ber +"): "A BER B",
    ("FRANCE", "-A Burgundy"): "A BUR D",
    ("FRANCE", "- A Bur"): "A BUR D",
    ("FRANCE", "–A Bur"): "A BUR D",
}


@pytest.mark.parametrize(("power", "text"), SIGNED)
def test_a_sign_builds_or_disbands(power: str, text: str) -> None:
    meant = SIGNED[power, text]
    assert dipsat.Game(WINTER).submit(power, [text]).orders == {power: (meant,)}
    sheet = orders_for(WINTER, f"{power}:\n{text}\n", "a.txt", dipsat.load_profile("datc"))
    (found,) = (one for one in dipsat.adjudicate(WINTER, sheet.orders).orders if one.power == power)
    assert (found.order, found.verdict) == (meant, "succeeds")
    assert carry_out(Session.of(dipsat.Game(WINTER)), text).errors == ()


@pytest.mark.parametrize(("power", "text"), [("GERMANY", "-A Ber"), ("FRANCE", "+A Bur")])
def test_a_sign_that_the_power_cannot_mean_is_refused(power: str, text: str) -> None:
    with pytest.raises(DipsatError, match="write H to hold, D to disband, B to build"):
        dipsat.Game(WINTER).submit(power, [text])
    with pytest.raises(DipsatError):
        orders_for(WINTER, f"{power}:\n{text}\n", "a.txt", dipsat.load_profile("datc"))


def test_a_line_may_have_several_signed_units() -> None:
    found = read_sheet("Germany: +A Ber, + F Kie", BOARD)
    assert [(one.text, one.column) for one in found] == [("+A Ber", 10), ("+ F Kie", 18)]


def test_a_text_waives_as_many_builds_as_it_says() -> None:
    after = dipsat.adjudicate(WINTER, {"GERMANY": ["waive 2", "A Ber B"]})
    found = [(one.order, one.verdict) for one in after.orders if one.power == "GERMANY"]
    assert found == [("WAIVE", "succeeds"), ("WAIVE", "succeeds"), ("A BER B", "illegal")]
    many = dipsat.adjudicate(WINTER, {"GERMANY": ["waive 3"]})
    waived = [one.verdict for one in many.orders if one.power == "GERMANY"]
    assert waived == ["succeeds", "succeeds", "illegal"]


# --- retreats as preferences ----------------------------------------------------------------------

RETREATS = dipsat.Position.from_units(
    {"RUSSIA": ["A GAL"], "FRANCE": ["F MAO"]},
    phase="S1902R",
    dislodged={
        "AUSTRIA": {"A GAL": ["UKR", "SIL", "VIE"]},
        "ENGLAND": {"F POR": ["SPA/NC", "SPA/SC"]},
    },
)
CHOSEN = {
    "A GAL R WAR, UKR, SIL": "A GAL R UKR",
    "A Gal R War/Ukr/Sil": "A GAL R UKR",
    "A GAL R SIL or UKR": "A GAL R SIL",
    "A Gal retreats to War, else Ukr, else disband": "A GAL R UKR",
    "A Gal - War, Ukr": "A GAL R UKR",
    "If dislodged, A Gal - War or Vie": "A GAL R VIE",
    "F Por R Spa, Spa(sc)": "F POR R SPA/SC",  # Spa alone names no coast
    "F Por R Gas/Spa(nc)": "F POR R SPA/NC",
}


@pytest.mark.parametrize(("text", "meant"), CHOSEN.items())
def test_the_first_place_to_which_a_unit_may_retreat_is_chosen(text: str, meant: str) -> None:
    power = "AUSTRIA" if "GAL" in meant else "ENGLAND"
    game = dipsat.Game(RETREATS).submit(power, [text])
    sheet = orders_for(RETREATS, f"{power}:\n{text}\n", "a.txt", dipsat.load_profile("datc"))
    for orders in (game.orders, sheet.orders, {power: [text]}):
        outcome = dipsat.adjudicate(RETREATS, orders)
        (found,) = (one for one in outcome.orders if one.submitted)
        assert (found.order, found.verdict) == (meant, "succeeds")
        is_read_already = orders == {power: (meant,)}
        said = f"{meant.split()[-1]} is the first of"
        assert is_read_already or said in str(found.amended)
    reply = carry_out(Session.of(dipsat.Game(RETREATS)), text)
    assert f"(read as {meant})" in reply.lines[0] or said in reply.lines[0]
    assert game.advance().next == dipsat.adjudicate(RETREATS, {power: [meant]}).next


def test_a_unit_that_may_retreat_to_none_of_them_is_disbanded() -> None:
    outcome = dipsat.adjudicate(RETREATS, {"AUSTRIA": ["A Gal R War, Boh"]})
    (found,) = (one for one in outcome.orders if one.submitted)
    assert (found.verdict, found.fate) == ("illegal", "disbanded")
    assert found.reason.text.startswith("it may retreat to none of WAR, BOH; it may retreat to")


def test_a_list_of_retreats_is_a_typed_order_too() -> None:
    unit = READER.read_unit("A GAL")
    order = Retreat(unit, "WAR", ("UKR",))
    assert dipsat.write_order(order, BOARD) == "A GAL R WAR or UKR"
    assert READER.read("A GAL R WAR or UKR") == order
    outcome = dipsat.adjudicate(RETREATS, {"AUSTRIA": [order]})
    assert [one.order for one in outcome.orders if one.submitted] == ["A GAL R UKR"]


@pytest.mark.parametrize("text", ["A GAL R WAR, UKR", "(if dislodged) A Gal - War"])
def test_in_a_movement_phase_a_retreat_is_not_an_order(text: str) -> None:
    game = dipsat.Game(dipsat.Position.from_units({"AUSTRIA": ["A GAL"]}))
    with pytest.raises(DipsatError, match="not an order of this phase"):
        game.submit("AUSTRIA", [text])
