"""Sheets, mails, transcripts and saved games in other languages: `Map: standard+german`."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

import dipsat
from dipsat.cli import main

ENGLISH = """\
Spring 1901 Movement

AUSTRIA:
  A VIE H
  A BUD - SER
  F TRI - ALB
ENGLAND:
  F LON - NTH
  F EDI - NWG
  A LVP - YOR
FRANCE:
  A MAR S A PAR - BUR
  A PAR - BUR
  F BRE - ENG
GERMANY:
  A MUN S A BER - SIL
  A BER - SIL
  F KIE - DEN
RUSSIA:
  F STP/SC - BOT
TURKEY:
  A CON - BUL
"""
GERMAN = """\
Map: standard+german

Frühjahr 1901

Österreich:
  A Wien hält
  A Budapest - Serbien
  F Triest zieht nach Albanien
Großbritannien:
  F London - Nordsee
  F Edinburgh nach Norwegische See
  A Liverpool - Yorkshire
Frankreich:
  A Marseille unterstützt A Paris - Burgund
  A Paris - Burgund
  F Brest - Kanal
Deutsches Reich:
  A Mün u A Ber - Schlesien
  Armee Berlin - Schlesien
  Flotte Kiel - Dänemark
Rußland: F St. Petersburg (SK) - Bottnischer Meerbusen
OR: A Konstantinopel - Bulgarien
"""
FRENCH = """\
Map: standard+french

Printemps 1901

Autriche :
  A Vienne tient
  A Budapest - Serbie
  F Trieste vers Albanie
Angleterre :
  F Londres - Mer du Nord
  F Édimbourg - Mer de Norvège
  A Liverpool - Yorkshire
France :
  A Marseille soutient A Paris - Bourgogne
  A Paris - Bourgogne
  F Brest - Manche
Allemagne :
  A Munich soutient A Berlin - Silésie
  Armée Berlin - Silésie
  Flotte Kiel - Danemark
Russie : F Saint-Pétersbourg (côte sud) - Golfe de Botnie
Turquie : A Constantinople - Bulgarie
"""


def run(*arguments: str, lines: str | None = None) -> str:
    result = CliRunner().invoke(main, arguments, input=lines)
    assert result.exit_code == 0, result.output
    return result.stdout


def judged(path: Path, text: str, *options: str) -> dict[str, Any]:
    """What `adjudicate` prints for a sheet."""
    path.write_text(text, encoding="utf-8")
    found: dict[str, Any] = json.loads(run("adjudicate", str(path), "--json", *options))
    return found


def results(found: dict[str, Any]) -> list[tuple[str, ...]]:
    return [
        tuple(str(one[key]) for key in ("power", "order", "verdict")) for one in found["orders"]
    ]


@pytest.mark.parametrize("text", [GERMAN, FRENCH], ids=["german", "french"])
def test_a_sheet_in_another_language_has_the_results_of_the_english_one(
    tmp_path: Path, text: str
) -> None:
    path = tmp_path / "orders.txt"
    expected = judged(path, ENGLISH)
    found = judged(path, text)
    assert results(found) == results(expected)
    assert len(results(found)) == 14
    first, _, others = text.partition("\n")
    assert results(judged(path, others, "--map", first.removeprefix("Map: "))) == results(found)


MAILS = {
    "german": "Betreff: Züge Herbst 1901\n\nHallo Bob,\n\nhier meine Züge für Österreich:\n\n"
    "A Wien - Galizien\nF Triest hält\n\nViele Grüße\nAnna\n",
    "french": "Objet: Automne 1901\n\nBonjour,\n\nvoici mes ordres pour Autriche :\n\n"
    "A Vienne - Galicie\nF Trieste tient\n\nCordialement,\nAnne\n",
}


@pytest.mark.parametrize("language", MAILS)
def test_what_stands_around_orders_in_a_mail_is_skipped(language: str) -> None:
    read = dipsat.parse_phase(MAILS[language], "mail.txt", f"standard+{language}")
    assert str(read.position.phase) == "F1901M"
    assert [str(unit) for unit in read.position.units] == ["F TRI", "A VIE"]
    assert set(read.orders) == {"AUSTRIA"}
    assert len(read.skipped) == 4  # head and greeting, signature, power, phase


@pytest.mark.parametrize(
    ("phase", "means"),
    [("Frühjahr 1901", "S1901M"), ("Herbst 1901 Züge", "F1901M"), ("F1901M", "F1901M"),
     ("Herbst 1902 Rückzüge", "F1902R"), ("Winter 1901 Aufbau", "W1901A")],
)  # fmt: skip
def test_a_document_names_its_phase_in_the_language_of_its_map(phase: str, means: str) -> None:
    text = f"map: standard+german\nphase: {phase}\nunits: {{Österreich: [A Wien]}}\ncenters: {{}}\n"
    read = dipsat.parse_phase(text, "position.yaml")
    assert str(read.position.phase) == means


def test_a_game_is_played_and_goes_on_in_the_language_of_its_map(tmp_path: Path) -> None:
    game = dipsat.Game.new("standard+german")
    game.submit("Österreich", ["A Wien - Tirol", "Flotte Triest hält"])
    assert game.advance().order("A VIE").verdict == "succeeds"
    path = tmp_path / "game.json"
    game.save(path)
    assert json.loads(path.read_text(encoding="utf-8"))["map"] == "standard+german"
    run("play", str(path), lines="Österreich: A Tirol - Venedig\nadvance\nsave\n")
    played = dipsat.Game.load(path)
    assert played.history[1].outcome.order("A TYR").submitted == "A Tirol - Venedig"
    played.save(tmp_path / "game.jsonl")  # for other programs, whose maps have other names
    saved = (tmp_path / "game.jsonl").read_text(encoding="utf-8")
    assert "german" not in saved
    assert "A TYR - VEN" in saved


def test_a_variant_is_played_with_names_in_another_language() -> None:
    game = dipsat.Game.new("chaos+german")
    assert (game.rules, game.map_name) == ("chaos", "chaos+german")
    game.submit("BERLIN", ["Aufbau A Berlin"])


TRANSCRIPT = """\
Map: standard+german

Frühjahr 1901

Österreich:
  A Wien - Tirol
  A Budapest - Serbien

Herbst 1901

Österreich:
  A Serbien u F Triest - Albanien
  F Triest - Albanien

Winter 1901 Aufbau

Österreich:
  Aufbau A Wien
"""


def test_a_transcript_in_another_language_is_a_game(tmp_path: Path) -> None:
    path = tmp_path / "game.txt"
    path.write_text(TRANSCRIPT, encoding="utf-8")
    game = dipsat.Game.load(path)
    assert [str(turn.position.phase) for turn in game.history] == ["S1901M", "F1901M"]
    own = [str(unit) for unit in game.advance().next.units if unit.power == "AUSTRIA"]
    assert own == ["F ALB", "A SER", "A TYR", "A VIE"]
    without_map = TRANSCRIPT.partition("\n")[2]
    path.write_text(without_map, encoding="utf-8")
    assert str(dipsat.Game.load(path, "standard+german").phase) == "W1901A"


def test_a_file_of_names_is_found_beside_the_file_that_uses_it(tmp_path: Path) -> None:
    (tmp_path / "mine.yaml").write_text("provinces: {VIE: [Bécs]}\n", encoding="utf-8")
    sheet = tmp_path / "orders.txt"
    sheet.write_text("Map: standard+mine.yaml\nAUSTRIA: A Bécs - BOH\n", encoding="utf-8")
    assert "A VIE - BOH" in run("adjudicate", str(sheet))
    game = {**dipsat.Game.standard().to_dict(), "map": "standard+mine.yaml"}
    path = tmp_path / "game.json"
    path.write_text(json.dumps(game), encoding="utf-8")
    loaded = dipsat.Game.load(path)
    loaded.submit("AUSTRIA", ["A Becs - GAL"])
    loaded.save(tmp_path / "other.json")
    assert dipsat.Game.load(tmp_path / "other.json").orders == {"AUSTRIA": ("A Becs - GAL",)}


def test_the_next_phase_is_read_in_the_same_language(tmp_path: Path) -> None:
    """`--next` writes the position with the name of its map."""
    sheet, after = tmp_path / "orders.txt", tmp_path / "after.json"
    position = "standard+german"
    for text, order in (
        ("Frühjahr 1901\nDeutschland: F Kiel - Dänemark", "F KIE - DEN"),
        ("Herbst 1901\nDeutschland: F Dänemark hält", "F DEN H"),
        ("Winter 1901\nDeutschland: Aufbau F Kiel", "F KIE B"),
    ):
        sheet.write_text(text, encoding="utf-8")
        found = run("adjudicate", str(sheet), "--position", position, "--next", str(after))
        assert order in found
        position = str(after)
