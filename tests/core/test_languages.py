"""Names and words of other languages that are laid over a map: `standard+german`."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from unicodedata import normalize

import pytest

import dipsat
from dipsat.base import Node, data_folder, parse_yaml
from dipsat.board import check_map, language_names
from dipsat.errors import AmbiguousNameError, DipsatError, ProblemsError, UnknownNameError
from dipsat.game import PhaseName
from dipsat.orders import (
    Build,
    Convoy,
    Disband,
    Hold,
    Move,
    Order,
    Retreat,
    SupportHold,
    SupportMove,
    Waive,
    power_of_heading,
    reader_for,
)

FOLDER = data_folder("rules") / "languages"
LANGUAGES = language_names()
STANDARD = dipsat.load_map("standard")


def read(language: str, text: str) -> Order:
    return reader_for(f"standard+{language}").read(text)


def stated(language: str, section: str) -> Iterator[tuple[str, str]]:
    """Each thing that a shipped file names, with each of its names."""
    text = (FOLDER / f"{language}.yaml").read_text(encoding="utf-8")
    root: dict[str, Node] = parse_yaml(text, language).mapping()
    for thing, node in root[section].mapping().items():
        yield from ((thing, name) for name in node.texts())


def written(folder: Path, text: str) -> str:
    path = folder / "mine.yaml"
    path.write_text(text, encoding="utf-8")
    return f"standard+{path}"


def problems(name: str) -> list[str]:
    """What is wrong with the names that are added to a map, without the path of the folder."""
    with pytest.raises(DipsatError) as caught:
        dipsat.load_map(name)
    found = caught.value.problems if isinstance(caught.value, ProblemsError) else (caught.value,)
    return [str(one).rpartition("/")[2] for one in found]


# --- shipped files --------------------------------------------------------------------------------


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_province_and_power_and_coast_has_a_name(language: str) -> None:
    assert {code for code, _ in stated(language, "provinces")} == set(STANDARD.provinces)
    assert {power for power, _ in stated(language, "powers")} == set(STANDARD.powers)
    assert {coast for coast, _ in stated(language, "coasts")} == set(STANDARD.coast_names)


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_name_of_a_province_is_read_in_every_way_of_typing_it(language: str) -> None:
    reader = reader_for(f"standard+{language}")
    for code, name in stated(language, "provinces"):
        for typed in (name, name.upper(), name.lower(), normalize("NFD", name)):
            assert reader.read_unit(f"A {typed}").location == code, typed
            assert reader.read(f"F {typed}-{typed}") == reader.read(f"F {code} - {code}"), typed


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_name_of_a_power_heads_orders_and_says_whose_a_unit_is(language: str) -> None:
    board = dipsat.load_map(f"standard+{language}")
    for power, name in stated(language, "powers"):
        assert power_of_heading(name, True, board) == power
        order = read(language, f"A VIE S {name} A BUD")
        assert isinstance(order, SupportHold)
        assert order.supported.power == power, name


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_name_of_a_coast_is_read_behind_a_province(language: str) -> None:
    for coast, name in stated(language, "coasts"):
        for text in (f"F STP({name})", f"F STP/{name}"):
            unit = reader_for(f"standard+{language}").read_unit(text)
            assert unit.location == f"STP/{coast}", text


ORDERS = {
    "army": ("{} VIE H", "A VIE H"),
    "fleet": ("F ADR C {} TRI - VEN", "F ADR C F TRI - VEN"),
    "holds": ("A VIE {}", "A VIE H"),
    "supports": ("A MUN {} A BER - SIL", "A MUN S A BER - SIL"),
    "convoys": ("F ENG {} A LON - BEL", "F ENG C A LON - BEL"),
    "moves": ("A VIE {} BOH", "A VIE - BOH"),
    "via": ("A LON - BEL {}", "A LON - BEL VIA"),
    "retreats": ("A VIE {} BOH", "A VIE R BOH"),
    "disbands": ("A VIE {}", "A VIE D"),
    "builds": ("{} A VIE", "A VIE B"),
    "waives": ("{}", "WAIVE"),
}


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_word_of_orders_means_its_english_word(language: str) -> None:
    for english, word in stated(language, "words"):
        if english in ORDERS:
            text, meant = ORDERS[english]
            for typed in (word, word.upper(), normalize("NFD", word)):
                assert read(language, text.format(typed)) == read(language, meant), typed


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_word_for_a_season_names_its_phase(language: str) -> None:
    board = dipsat.load_map(f"standard+{language}")
    seasons = {"spring": "S1901M", "fall": "F1901M", "winter": "W1901A"}
    for english, word in stated(language, "words"):
        if english in seasons:
            named = board.language.in_english(f"{word.upper()} 1901")
            assert str(PhaseName.parse(named)) == seasons[english], word


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_the_map_reads_is_read_as_without_the_names(language: str) -> None:
    """All codes, full names, names of powers and other names mean what they meant before."""
    spoken = dipsat.load_map(f"standard+{language}").names
    for before, now in (
        (STANDARD.names.provinces, spoken.provinces),
        (STANDARD.names.powers, spoken.powers),
        (STANDARD.names.coasts, spoken.coasts),
    ):
        assert {name: now[name] for name in before} == before
    for text in ("A PAR H", "A Paris Holds", "F NTH C A LON - BEL", "f nth s a lon-bel", "A PAR B"):
        assert read(language, text) == reader_for("standard").read(text)


GERMAN = (
    ("A München - Burgund", Move, "MUN BUR"), ("A Muenchen nach Burgund", Move, "MUN BUR"),
    ("A Munchen zieht nach Burgund", Move, "MUN BUR"), ("Armee Wien hält", Hold, "VIE"),
    ("HEER WIEN HAELT", Hold, "VIE"), ("A Mün u A Ber - Sil", SupportMove, "MUN BER SIL"),
    ("F Nordsee unterstützt F Kanal - Belgien", SupportMove, "NTH ENG BEL"),
    ("F Ostsee geleitet A Ber - Schweden", Convoy, "BAL BER SWE"),
    ("A Wien zieht sich zurück nach Böhmen", Retreat, "VIE BOH"),
    ("A Kiel löst sich auf", Disband, "KIE"),
    ("Aufbau F St. Petersburg (Südküste)", Build, "STP/SC"), ("verzichtet auf Aufbau", Waive, ""),
    ("F Konstantinopel - Bulgarien (Ostküste)", Move, "CON BUL/EC"),
    ("F Spa/NK - Mittelatlantik", Move, "SPA/NC MAO"), ("A Preußen - Tirol", Move, "PRU TYR"),
)  # fmt: skip
FRENCH = (
    ("A Marseille soutient A Paris - Bourgogne", SupportMove, "MAR PAR BUR"),
    ("A Vienne tient", Hold, "VIE"), ("A CON T", Hold, "CON"),
    ("F Manche C A Lon - Bel", Convoy, "ENG LON BEL"),
    ("F NOI S A ARM - SEB", SupportMove, "BLA ARM SEV"),
    ("A Paris à Bourgogne", Move, "PAR BUR"), ("A PARIS VERS GASCOGNE", Move, "PAR GAS"),
    ("A Bohême se retire en Galicie", Retreat, "BOH GAL"), ("Démantèle A Vienne", Disband, "VIE"),
    ("F Rou - Bul (c.e.)", Move, "RUM BUL/EC"), ("F Man - AMO", Move, "ENG MAO"),
    ("construit F Saint-Petersbourg (cote sud)", Build, "STP/SC"), ("renonce", Waive, ""),
)  # fmt: skip


@pytest.mark.parametrize(
    ("language", "text", "kind", "places"),
    [
        *(("german", *one) for one in GERMAN),
        *(("french", *one) for one in FRENCH),
    ],
)
def test_orders_are_read_as_players_write_them(
    language: str, text: str, kind: type[Order], places: str
) -> None:
    order = read(language, text)
    assert type(order) is kind
    found = []
    if not isinstance(order, Waive):
        others = (getattr(order, one, None) for one in ("supported", "army"))
        found = [one.location for one in (order.unit, *others) if one is not None]
        found += [order.target] if hasattr(order, "target") else []
    assert " ".join(found) == places


# --- mistakes of players --------------------------------------------------------------------------


def test_names_of_other_languages_are_suggested_for_misspelt_names() -> None:
    with pytest.raises(UnknownNameError, match=r"unknown province 'Wein'.*did you mean Wien"):
        read("german", "A Wein - Böhmen")
    board = dipsat.load_map("standard+german")
    with pytest.raises(UnknownNameError, match="'Östereich'; did you mean Österreich"):
        power_of_heading("Östereich", True, board)
    with pytest.raises(UnknownNameError, match="unknown province 'hält' in 'A hält'"):
        read("german", "A hält")


@pytest.mark.parametrize("name", ["A Wien - BOH", "A VIE - Böhmen", "A VIE - Bohême"])
def test_a_name_in_a_shipped_language_says_how_to_use_that(name: str) -> None:
    language = "french" if "Bohême" in name else "german"
    said = f"name the map standard.{language} to use {language.capitalize()} names"
    with pytest.raises(UnknownNameError, match=said):
        reader_for("standard").read(name)
    with pytest.raises(UnknownNameError, match="this is German for AUSTRIA"):
        power_of_heading("Österreich", True, STANDARD)


def test_a_letter_heads_the_orders_of_a_power_if_only_one_begins_with_it() -> None:
    german, french = (dipsat.load_map(f"standard+{one}") for one in ("german", "french"))
    assert power_of_heading("D", True, german) == "GERMANY"
    assert power_of_heading("Ö", True, german) == "AUSTRIA"
    assert power_of_heading("F", True, german) == power_of_heading("F", True, french) == "FRANCE"
    with pytest.raises(AmbiguousNameError):  # Autriche, Allemagne, Angleterre
        power_of_heading("A", True, french)


# --- own files ------------------------------------------------------------------------------------


def test_own_names_are_laid_over_a_map_or_over_other_names(tmp_path: Path) -> None:
    text = (
        "words: {holds: [wartet]}\npowers: {TURKEY: [Pforte]}\nprovinces: {TYS: [TYH, Thyrrhen]}\n"
    )
    name = written(tmp_path, text)
    order = reader_for(name).read("F Thyrrhen wartet")
    assert order == reader_for("standard").read("F TYS H")
    board = dipsat.load_map(name.replace("standard", "standard+german"))
    assert board.name == "standard+german+mine"
    order = reader_for(board).read("F Thyrrhen unterstützt pforte F Ägäis - Ionisches Meer")
    assert isinstance(order, SupportMove)
    assert order.supported.power == "TURKEY"
    assert check_map(name)[0] == dipsat.load_map(name)


def test_a_later_file_decides_what_other_names_mean_but_never_codes(tmp_path: Path) -> None:
    assert STANDARD.names.province("nor") == "NWY"
    board = dipsat.load_map(written(tmp_path, "provinces: {NTH: [NOR]}\n"))
    assert board.names.province("nor") == "NTH"
    text = "provinces: {TYS: [TYR], NTH: [Belgium]}\npowers: {ITALY: [Russia]}\n"
    name = written(tmp_path, text)
    assert problems(name) == [
        "mine.yaml:1:19: the name 'TYR' of TYS already means TYR",
        "mine.yaml:1:31: the name 'Belgium' of NTH already means BEL",
        "mine.yaml:2:18: the name 'Russia' of ITALY already means RUSSIA",
    ]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("provinces: {NHT: [x]}", "1:13: there is no province 'NHT'; did you mean NTH?"),
        ("powers: {AUSTIRA: [x]}", "1:10: there is no power 'AUSTIRA'; did you mean AUSTRIA?"),
        ("map: standrd\nwords: {}",
         "1:6: there is no shipped map 'standrd'; did you mean standard?"),
        ("words: {hold: [x]}", "1:9: there is no word 'hold'; did you mean holds?"),
        ("words: {holds: [s]}", "1:17: the name 's' of holds already means supports"),
        ("words: {holds: [nord]}\nprovinces: {NTH: [Nord Meer]}",
         "1:17: the name 'nord' of holds is part of the name 'nord meer'"),
        ("words: {holds: [a b c d e f]}",
         "1:17: the name 'a b c d e f' of holds has more than 5 words"),
        ("provinces: {NTH: [x], NWG: [X]}", "1:29: the name 'X' of NWG already means NTH"),
        ("provinces: {NTH: [supports]}", "1:19: the name 'supports' of NTH is a word of orders"),
        ("provinces: {NTH: ['...']}", "1:19: the name '...' of NTH has no word in it"),
        ("provinces: {NTH: [x], BER: Berlin}",
         "1:28: the names of BER should be a list, not 'Berlin'"),
        ("words: {}\ncoast: {}", "2:1: unknown key 'coast'; did you mean 'coasts'?"),
        ("name: x\npowers: {A: {home: []}}",
         "1:1: this is a map, not a file of names for a map; give it as the map, or check it with "
         "`dipsat maps check`"),
    ],
)  # fmt: skip
def test_faults_of_a_file_of_names_are_reported_with_their_places(
    tmp_path: Path, text: str, said: str
) -> None:
    assert problems(written(tmp_path, text)) == [f"mine.yaml:{said}"]


def test_names_are_laid_over_maps_that_have_all_their_provinces() -> None:
    board = dipsat.load_map("chaos+german")  # with other powers
    assert board.names.province("Wien") == "VIE"
    assert problems("canton+german") == [
        "german.yaml:3:1: these names are for standard, and canton lacks some of its provinces"
    ]


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("german", "unknown map 'german'; these are names for a map; write standard.german"),
        ("standard+germn", "unknown names for a map 'germn'; did you mean german"),
        ("standard" + "+german" * 5_000, "unknown map"),
    ],
)
def test_an_unknown_name_of_a_map_or_of_names_says_what_to_write(name: str, said: str) -> None:
    with pytest.raises(UnknownNameError, match=said):
        dipsat.load_map(name)


def test_a_file_of_names_is_neither_a_map_nor_rules(tmp_path: Path) -> None:
    path = written(tmp_path, "provinces: {NTH: [x]}\n").partition("+")[2]
    for load in (dipsat.load_map, dipsat.load_profile):
        with pytest.raises(DipsatError, match="this is a file of names for a map"):
            load(path)


def test_limits_on_files_hold_for_files_of_names(tmp_path: Path) -> None:
    name = written(tmp_path, "provinces: {NTH: [x]}\n")
    with pytest.raises(dipsat.errors.FileError, match="only shipped names are allowed"):
        dipsat.load_map(name, limits=dipsat.Limits(files=dipsat.Files.none()))
    closed = dipsat.Limits(files=dipsat.Files.none())
    assert dipsat.load_map("standard+german", limits=closed) is dipsat.load_map("standard+german")
