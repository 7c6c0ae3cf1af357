"""`dipsat game`: what a game master does from a new game to its results and their correction."""

from __future__ import annotations

import email
import json
import re
import subprocess
import sys
from email.message import EmailMessage
from email.policy import default
from pathlib import Path

import pytest

from dipsat import Game, Position
from tests.app.commands import printed, refused, run, write
from tests.exhaustive import exhaustive
from tests.packages import needs_font

pytestmark = pytest.mark.usefixtures("in_an_empty_folder")

SPRING = "France:\n A Par - Bur\n A Mar S A Par - Bur\n F Bre - Mao\n"
OTHERS = """\
Austria: A Vie H
England: F Lon - Nth
Germany: A Mun - Bur
Italy: A Ven H
Russia: A Mos H
Turkey: A Con H
"""


def begun() -> None:
    """A new game."""
    printed("game", "new", "game.json", "--player", "FRANCE=Anna <anna@example.org>")


def load(file: str = "game.json") -> Game:
    return Game.load(file)


def standing(position: Position) -> None:
    """A game that begins from a position."""
    Game(position).save("game.json")


# Germany's army in Munich is dislodged if Italy's does not interfere.
FALL = Position.from_units(
    {"FRANCE": ["A BUR", "A RUH"], "GERMANY": ["A MUN", "F KIE"], "ITALY": ["A TYR"]},
    phase="F1901M",
    centers={"FRANCE": ["PAR", "MAR"], "GERMANY": ["MUN", "KIE"], "ITALY": ["VEN"]},
)
ATTACK = (
    "France:\n A Bur - Mun\n A Ruh S A Bur - Mun\nGermany:\n A Mun H\n F Kie H\nItaly:\n A Tyr H\n"
)


# --- new and players ------------------------------------------------------------------------------


def test_a_new_game_knows_its_players_and_they_can_be_changed() -> None:
    begun()
    shown = printed("game", "players", "game.json", "fra=Bob Miller", "Italy=carl@example.org")
    assert "France   Bob Miller\n" in shown
    assert "Italy    carl@example.org\n" in shown
    assert load().players == {"FRANCE": "Bob Miller", "ITALY": "carl@example.org"}
    printed("game", "players", "game.json", "FRANCE=")
    assert load().players == {"ITALY": "carl@example.org"}
    assert load().name == "game"


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("new", "game.json"), "already exists; a new game needs its own file"),
        (("new", "game.jsonl"), "cannot hold players; the name should end in .json or .yaml"),
        (("new", "x.json", "--variant", "pure", "--map", "standard"), "has its own map"),
        (("new", "x.json", "--player", "Anna"), "'Anna' should be POWER=PLAYER"),
        (("new", "x.json", "--player", "FRNCE=Anna"), "did you mean FRANCE"),
        (
            ("new", "x.json", "--player", "France=Anna", "--player", "FRA=Bob"),
            "'FRA=Bob' names a second player of France; keep one",
        ),
        (("players", "game.json", "FRANCE=A\nBcc: b@example.org"), "should be one line"),
        (
            ("new", "x.json", "--variant", "foo"),
            "unknown variant 'foo'; `dipsat rules list` lists them",
        ),
        (("new", "x.json", "--variant", "chaoss"), "unknown variant 'chaoss'; did you mean chaos?"),
        (("read", "game.json", "no.txt"), "no.txt: cannot be read"),
        (("status", "no.json"), "no.json: cannot be read"),
        (("status", "other.jsonl"), "`dipsat convert other.jsonl other.json`"),
        (("results", "game.json"), "there are no results yet"),
        (("results", "game.json", "-o", "x.pdf"), "should end in .txt, .html, .eml, .png or .svg"),
        (("correct", "game.json", "--phase", "S1901M", "no.txt"), "S1901M is not played yet"),
        (("correct", "game.json", "--phase", "F1900M", "no.txt"), "F1900M was not played"),
        (("results", "game.json", "--phase", "Fall 1900"), "there are no results yet"),
    ],
)
def test_what_cannot_be_done_changes_nothing(arguments: tuple[str, ...], said: str) -> None:
    begun()
    load().save("other.jsonl")
    before = load().to_dict()
    assert said in refused("game", *arguments)
    assert load().to_dict() == before
    assert sorted(path.name for path in Path().iterdir()) == ["game.json", "other.jsonl"]


# --- read and status ------------------------------------------------------------------------------


def test_orders_are_entered_and_illegal_or_missing_ones_are_reported() -> None:
    begun()
    write("france.txt", "France:\n A Par - Bur\n F Bre - Lon\n")
    assert printed("game", "read", "game.json", "france.txt") == (
        "france.txt: orders for S1901M of France (2)\n"
        "france.txt:3:2: France: F Bre - Lon is ILLEGAL: the fleet cannot reach LON from BRE\n"
        "Without an order: France A MAR.\n"
        "Waiting for Austria, England, Germany, Italy, Russia, Turkey.\n"
    )
    assert load().orders == {"FRANCE": ("A Par - Bur", "F Bre - Lon")}
    shown = printed("game", "status", "game.json")
    assert "France   Anna    2 of 3  A MAR\n" in shown
    assert "ILLEGAL: France: F Bre - Lon: the fleet cannot reach LON from BRE.\n" in shown
    told = json.loads(printed("game", "status", "game.json", "--json"))
    assert told["missing"] == ["AUSTRIA", "ENGLAND", "GERMANY", "ITALY", "RUSSIA", "TURKEY"]


def test_an_order_without_the_kind_of_its_unit_needs_no_attention() -> None:
    begun()
    shown = printed(
        "game", "read", "game.json", "-", stdin="France: Par - Bur; A Bre - Mao; A Mar S Par - Bur"
    )
    assert "Par - Bur is" not in shown  # nor one that leaves out the kind of the supported unit
    assert "standard input:1:20: France: A Bre - Mao is legal (read as F BRE)\n" in shown


def test_orders_in_yaml_are_entered_too() -> None:
    begun()
    file = write("orders.yaml", "orders:\n  France: [A Par - Bur, F Bre - Lon]\n")
    shown = printed("game", "read", "game.json", file)
    assert "orders.yaml:2:" in shown
    assert load().orders == {"FRANCE": ("A Par - Bur", "F Bre - Lon")}
    assert "has a whole game" in refused("game", "read", "game.json", "game.json")


def test_what_a_power_still_owes_in_winter_is_counted() -> None:
    standing(
        Position.from_units(
            {"FRANCE": ["A GAS", "A PAR", "A BUR"], "ITALY": ["A ROM"]},
            phase="W1901A",
            centers={"FRANCE": ["PAR"], "ITALY": ["ROM", "VEN", "NAP"]},
        )
    )
    orders = "France: A Gas D\nItaly:\n Build F Nap\n Build A Rom\n"
    shown = printed("game", "read", "game.json", "-", stdin=orders)
    assert "\nWithout an order: France 1 disband; Italy 1 build.\n" in shown
    status = printed("game", "status", "game.json")
    assert "\nFrance          1 of 2  1 disband\n" in status
    assert "\nItaly           1 of 2  1 build\n" in status


def test_a_later_mail_replaces_orders_of_the_units_that_it_names() -> None:
    begun()
    printed("game", "read", "game.json", write("france.txt", SPRING))
    shown = printed("game", "read", "game.json", "-", stdin="France: A Par - Pic")
    assert "A Par - Pic is legal; it replaces A Par - Bur\n" in shown
    assert set(load().orders["FRANCE"]) == {"A Mar S A Par - Bur", "F Bre - Mao", "A Par - Pic"}


def test_new_builds_replace_all_that_the_power_had() -> None:
    """How many are built depends on how many are due, so builds are one list."""
    winter = Position.from_units(
        {"FRANCE": ["A GAS"]}, phase="W1901A", centers={"FRANCE": ["BRE", "PAR"]}
    )
    standing(winter)
    printed("game", "read", "game.json", "-", stdin="France: Build A Par")
    shown = printed("game", "read", "game.json", "-", stdin="France: Build F Bre")
    assert "France no longer has Build A Par\n" in shown
    assert load().orders == {"FRANCE": ("Build F Bre",)}


def test_a_mail_with_a_fault_changes_nothing_and_others_are_entered() -> None:
    begun()
    good = write("good.txt", SPRING)
    bad = write("bad.txt", "England:\n F Lon - Nth\n F Edi - Nrwegian\n")
    done = run("game", "read", "game.json", bad, good)
    assert done.exit_code == 2
    assert "error: bad.txt:3:2: unknown province 'Nrwegian'" in done.stderr
    assert load().orders.keys() == {"FRANCE"}
    foreign = run("game", "read", "game.json", "-", stdin="England:\n F Lon H\n A Par H\n")
    assert foreign.exit_code == 2
    assert "standard input:3:2: the unit in PAR belongs to France, not England" in foreign.stderr
    assert load().orders.keys() == {"FRANCE"}
    lenient = run("game", "read", "game.json", bad, "--lenient")
    assert lenient.exit_code == 0
    assert "remark: bad.txt:3:2: unknown province 'Nrwegian'" in lenient.stderr
    assert load().orders["ENGLAND"] == ("F Lon - Nth",)


def test_a_line_for_a_unit_of_another_player_is_refused_and_names_its_owner() -> None:
    """Nothing else is wrong with the mail: without the line, all of it counts."""
    begun()
    sheet = "From: Anna <anna@example.org>\n\nA Par - Bur\nA Mar S A Par - Bur\nF Lon - Eng\n"
    done = run("game", "read", "game.json", "-", stdin=sheet)
    assert done.exit_code == 2
    assert (
        done.stderr == "error: standard input:5:1: the unit in LON belongs to England, not France\n"
    )
    assert not load().orders
    lenient = run("game", "read", "game.json", "-", "--lenient", stdin=sheet)
    assert lenient.exit_code == 0
    assert (
        "remark: standard input:5:1: the unit in LON belongs to England, not France\n"
        in lenient.stderr
    )
    assert load().orders == {"FRANCE": ("A Par - Bur", "A Mar S A Par - Bur")}


def test_a_mail_without_orders_is_not_a_fault_and_is_reported() -> None:
    begun()
    mail = "From: Anna <anna@example.org>\n\nI am away till Monday. Can you extend?\n"
    done = run("game", "read", "game.json", "-", stdin=mail)
    assert done.exit_code == 0
    assert "standard input: there are no orders in it\n" in done.stdout
    assert done.stderr == (
        "remark: standard input:3: skipped 'I am away till Monday. Can you extend?'\n"
    )


def test_a_power_whose_mail_says_nmr_has_sent_nothing() -> None:
    begun()
    shown = printed("game", "read", "game.json", "-", stdin="Turkey: NMR (all units hold)")
    assert "standard input: nothing has come from Turkey for S1901M\n" in shown
    assert "TURKEY" in load().missing
    printed("game", "read", "game.json", "-", stdin="Turkey: A Con - Bul")
    shown = printed("game", "read", "game.json", "-", stdin="Turkey: NMR")
    assert "nothing has come from Turkey for S1901M; earlier orders of Turkey are kept\n" in shown
    assert load().orders == {"TURKEY": ("A Con - Bul",)}


def test_what_is_not_a_dipsat_game_is_refused_with_the_command_that_makes_one() -> None:
    """The command is tried as it is printed, except for its pipe."""
    Game(FALL).save("other.jsonl")
    write("phase.yaml", "phase: F1901M\nunits: {FRANCE: [A PAR]}\n")
    write("year.txt", "Spring 1901\nFrance: A Par - Bur\nFall 1901\nFrance: A Bur - Mun\n")
    for file in ("other.jsonl", "phase.yaml", "year.txt"):
        said = refused("game", "status", file)
        command = said.partition("make one of it: `")[2].rstrip("`\n")
        saving, _, last = command.rpartition(" | ")
        assert run(*last.split()[1:], stdin=saving.replace("echo ", "", 1) + "\n").exit_code == 0
        made = (saving or last).split()[-1]
        assert str(load(made).phase) == "F1901M"
        printed("game", "status", made)


# --- phases ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "typed",
    ["F1901M", "f1901m", "Fall 1901", "F1901", "fall '01", "F 1901", "1901 Fall", "Autumn of 1901",
     "Herbst 1901", "automne 1901", "Fall 1901 moves", "fall"],
)  # fmt: skip
def test_a_phase_is_named_as_people_do(typed: str) -> None:
    year()
    assert printed("game", "results", "game.json", "--phase", typed).startswith("Fall 1901 M")


def test_an_ambiguous_name_of_a_phase_is_refused_with_what_it_could_be() -> None:
    year()
    for _ in range(2):
        run("game", "advance", "game.json", "--allow-missing")
    assert refused("game", "results", "game.json", "--phase", "Fall") == (
        "error: ambiguous phase 'Fall': it could be F1901M, F1902M\n"
    )
    retreats = printed("game", "results", "game.json", "--phase", "fall retreats")
    assert retreats.startswith("Fall 1901 Retreat")
    assert "did you mean" in refused("game", "results", "game.json", "--phase", "Fal 1901")
    assert "A MUN" in printed("explain", "game.json", "A MUN", "--phase", "Herbst 1901")
    sheet = write("sheet.txt", "France: A Par - Bur\n")
    assert '"phase": "F1901M"' in printed("adjudicate", sheet, "--phase", "F1901", "--json")


def test_retreats_and_builds_sent_with_moves_are_kept_for_their_phases() -> None:
    standing(FALL)
    mail = "Germany:\n A Mun R Boh\n A Kie R Hol\n"
    shown = printed("game", "read", "game.json", write("a.txt", ATTACK), "-", stdin=mail)
    assert "standard input: orders for F1901R of Germany (2), kept until then\n" in shown
    assert "Kept for F1901R: Germany 2 orders.\n" in printed("game", "status", "game.json")
    again = printed("game", "read", "game.json", "-", stdin="Germany: A Mun R Sil")
    assert "Germany no longer has A Mun R Boh\n" in again
    done = run("game", "advance", "game.json")
    assert done.exit_code == 0
    assert done.stderr == (
        "remark: Germany: A Kie R Hol is left out of F1901R: no dislodged unit is in KIE\n"
    )
    assert load().orders == {"GERMANY": ("A Mun R Sil",)}


def test_an_early_retreat_that_is_impossible_is_asked_for_again() -> None:
    """The attacker came from Burgundy; Berlin, Bohemia and Silesia are free."""
    standing(FALL)
    printed("game", "read", "game.json", "-", stdin=f"{ATTACK}Germany:\n If dislodged, A Mun R Bur")
    done = run("game", "advance", "game.json")
    assert "remark: ILLEGAL: Germany: If dislodged, A Mun R Bur: " in done.stderr
    assert "Waiting for Germany" in refused("game", "advance", "game.json")
    assert "\nGermany          0 of 1  A MUN\n" in printed("game", "status", "game.json")


WINTER = Position.from_units(
    {"ENGLAND": ["F NTH"]}, phase="W1901A", centers={"ENGLAND": ["EDI", "LON", "LVP"]}
)


@pytest.mark.parametrize(
    ("line", "fault"),
    [("Build A Lnodon", "unknown province 'Lnodon'"), ("Remove F Bre", "no unit stands in BRE")],
)
def test_faulty_builds_leave_those_that_were_sent_before(line: str, fault: str) -> None:
    standing(WINTER)
    printed("game", "read", "game.json", "-", stdin="England: Build A Lvp")
    faulty = f"England:\n Build F Edi\n {line}\n"
    done = run("game", "read", "game.json", "-", "--lenient", stdin=faulty)
    assert "standard input: orders for W1901A of England (1)\n" in done.stdout
    assert "not entered" not in done.stdout
    assert done.stderr.count(fault) == 1
    assert load().orders == {"ENGLAND": ("Build A Lvp", "Build F Edi")}


MAIL = b"From: J\xf6rg <joerg@example.org>\nSubject: Z\xfcge\n"
LATIN = MAIL + b"Content-Type: text/plain; charset=iso-8859-1\n\nA Mun - Ruh\n\nGr\xfc\xdfe\n"


def test_a_mail_in_another_encoding_is_read() -> None:
    begun()
    printed("game", "players", "game.json", "GERMANY=Jörg <joerg@example.org>")
    done = run("game", "read", "game.json", write("latin.eml", LATIN))
    assert (done.exit_code, load().orders) == (0, {"GERMANY": ("A Mun - Ruh",)})
    for name, text in (("a.txt", b"Germany: A Mun - Ruh \xfc"), ("a.yaml", MAIL + b"\na: \xfc")):
        assert f"{name}: " in refused("game", "read", "game.json", write(name, text))


def command(*arguments: str) -> subprocess.Popen[bytes]:
    return subprocess.Popen(
        [sys.executable, "-m", "dipsat", "game", *arguments],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
    )


@exhaustive
def test_commands_at_the_same_time_lose_no_mail() -> None:
    begun()
    readers = [command("read", "game.json", "-") for _ in OTHERS.splitlines()]
    for reader, line in zip(readers, OTHERS.splitlines(), strict=True):
        reader.communicate(line.encode())
    assert len(load().orders) == len(readers)


@exhaustive
def test_orders_are_saved_even_if_nobody_reads_the_output() -> None:
    begun()
    reader = command("read", "game.json", "-")
    assert reader.stdout is not None
    reader.stdout.close()
    reader.stdout = None
    reader.communicate(SPRING.encode())
    assert set(load().orders) == {"FRANCE"}


# --- advance and results --------------------------------------------------------------------------


def test_no_season_is_played_while_orders_are_missing_unless_allowed() -> None:
    begun()
    printed("game", "read", "game.json", write("france.txt", SPRING))
    before = load().to_dict()
    assert refused("game", "advance", "game.json") == (
        "error: S1901M: Waiting for Austria, England, Germany, Italy, Russia, Turkey. Advance "
        "without them: --allow-missing\n"
    )
    assert load().to_dict() == before
    printed("game", "read", "game.json", write("others.txt", OTHERS))
    shown = printed("game", "advance", "game.json", "--deadline", "Friday, 20:00")
    assert shown.startswith("game: Spring 1901 Movement\n")
    assert "\nNext: Fall 1901 Movement. Deadline: Friday, 20:00.\n" in shown
    assert "Deadline: Friday, 20:00." in printed("game", "status", "game.json")
    nobody = printed("game", "advance", "game.json", "--allow-missing")
    assert "\nFrance (Anna): no orders\n" in nobody


def test_results_say_who_retreats_and_who_gained_what() -> None:
    standing(FALL)
    printed("game", "read", "game.json", write("a.txt", ATTACK))
    fall = printed("game", "advance", "game.json")
    assert "  A MUN H              dislodged  dislodged by A BUR\n" in fall
    assert "Dislodged: A MUN (Germany) by A BUR; may retreat to BER, BOH, SIL.\n" in fall
    assert "\nGermany: A MUN may retreat to BER, BOH, SIL, or disband.\n" in fall
    printed("game", "read", "game.json", "-", stdin="Germany: A Mun D")
    retreats = printed("game", "advance", "game.json")
    assert "\nFrance takes MUN from Germany.\n" in retreats
    assert "\nFrance may build 1 unit in MAR or PAR (3 centres, 2 units).\n" in retreats
    assert "\nNext: Winter 1901 Adjustment.\n" in retreats
    assert printed("game", "results", "game.json", "--phase", "F1901M") == fall
    assert printed("game", "results", "game.json") == retreats


def test_a_game_that_is_won_says_so_and_goes_no_further() -> None:
    centers = sorted(FALL.map.centers)
    standing(
        Position.from_units(
            {"FRANCE": ["A MUN"]},
            phase="F1901M",
            centers={"FRANCE": [code for code in centers[:18] if code != "MUN"]},
        )
    )
    done = run("game", "advance", "game.json", "--allow-missing")
    assert "\nFrance has won.\n" in done.stdout
    assert "France has won." in printed("game", "status", "game.json")
    assert "the game is over" in refused("game", "advance", "game.json", "--allow-missing")


def message(file: str) -> EmailMessage:
    return email.message_from_bytes(Path(file).read_bytes(), policy=default)


@needs_font
def test_a_message_has_the_text_the_page_and_the_picture_within_it() -> None:
    pytest.importorskip("resvg_py", reason="the extra png is not installed")
    begun()
    printed("game", "players", "game.json", "ITALY=Carl, Junior <carl@example.org>", "TURKEY=Dora")
    text = printed("game", "advance", "game.json", "--allow-missing")
    printed("game", "results", "game.json", "-o", "x.eml")
    mail = message("x.eml")
    assert mail["Subject"] == "game: Spring 1901 Movement: results"
    assert mail["To"] is None  # players may not know each other
    assert [one.addr_spec for one in mail["Bcc"].addresses] == [
        "anna@example.org",
        "carl@example.org",
    ]
    plain = mail.get_body(("plain",))
    page = mail.get_body(("html",))
    assert plain is not None
    assert page is not None
    assert plain.get_content().splitlines() == text.splitlines()
    (picture,) = [part for part in mail.walk() if part.get_content_type() == "image/png"]
    assert f'src="cid:{picture["Content-ID"][1:-1]}"' in page.get_content()
    assert picture.get_content().startswith(b"\x89PNG")
    first = Path("x.eml").read_bytes()
    printed("game", "results", "game.json", "-o", "x.eml")
    assert Path("x.eml").read_bytes() == first


@needs_font
def test_without_the_extra_the_picture_is_attached_in_svg(monkeypatch: pytest.MonkeyPatch) -> None:
    begun()
    printed("game", "advance", "game.json", "--allow-missing")
    monkeypatch.setitem(sys.modules, "resvg_py", None)
    done = run("game", "results", "game.json", "-o", "x.eml")
    assert done.exit_code == 0
    assert "pip install 'dipsat[png]'" in done.stderr
    (picture,) = message("x.eml").iter_attachments()
    assert picture.get_filename() == "S1901M.svg"
    assert picture.get_content().startswith(b"<svg")


@pytest.mark.parametrize("suffix", ["txt", "html", "eml"])
def test_results_replace_results_but_not_a_mail(suffix: str) -> None:
    begun()
    run("game", "advance", "game.json", "--allow-missing")
    for _ in "ab":
        run("game", "results", "game.json", "-o", f"results.{suffix}")
    mail = write(f"mail.{suffix}", SPRING)
    assert "has no results of this game" in refused("game", "results", "game.json", "-o", mail)
    assert Path(mail).read_text() == SPRING


def test_results_do_not_say_how_an_order_was_written() -> None:
    begun()
    run("game", "read", "game.json", "-", stdin="France: A Mar - Burgu")
    done = run("game", "advance", "game.json", "--allow-missing")
    assert "A MAR - BUR  succeeds\n" in done.stdout


# --- correct --------------------------------------------------------------------------------------


def year() -> None:
    """A game in which Germany was dislodged in fall, and retreated; in winter France built."""
    standing(FALL)
    orders = (ATTACK, "Germany: A Mun R Boh", "France: Build A Par")
    for text in orders:
        printed("game", "read", "game.json", "-", stdin=text)
        run("game", "advance", "game.json", "--allow-missing")
    assert str(load().phase) == "S1902M"


def test_a_correction_plays_again_and_names_the_orders_that_no_longer_fit() -> None:
    """Italy's army cuts the support, so that nobody is dislodged."""
    year()
    before = load().to_dict()
    shown = printed(
        "game", "correct", "game.json", "--phase", "F1901M", "-", stdin="Italy: A Tyr - Mun"
    )
    assert "Germany  A MUN H: dislodged       A MUN H: stands\n" not in shown
    printed("game", "correct", "game.json", "--phase", "F1901M", "-", stdin="Italy: A Tyr H")
    kept = sorted(path.name for path in Path().iterdir())
    assert kept == ["game.before-F1901M-2.json", "game.before-F1901M.json", "game.json"]
    assert Game.load("game.before-F1901M.json").to_dict() == before
    found = load().to_dict()
    assert found["phases"][0].pop("corrected")
    for phase in found["phases"]:
        phase.pop("corrected", None)
    assert found == before


@needs_font
def test_corrected_results_say_so_and_what_has_changed() -> None:
    year()
    first = printed("game", "results", "game.json", "--phase", "F1901M")
    assert "corrected" not in first.casefold()
    printed("game", "correct", "game.json", "--phase", "F1901M", "-", stdin="France: A Ruh H")
    shown = printed("game", "results", "game.json", "--phase", "F1901M")
    title, _, corrected, *_ = shown.splitlines()
    assert title.endswith("Fall 1901 Movement (corrected)")
    assert corrected == "Corrected:"
    assert "  Germany: A MUN H: stands (was: A MUN H: dislodged)\n" in shown
    printed("game", "results", "game.json", "--phase", "F1901M", "-o", "x.eml")
    assert message("x.eml")["Subject"].endswith("Fall 1901 Movement (corrected): results")
    printed("game", "results", "game.json", "--phase", "F1901M", "-o", "x.html")
    assert "A MUN H: stands (was: A MUN H: dislodged)" in Path("x.html").read_text("utf-8")


def test_a_player_may_be_named_beside_a_shortened_power() -> None:
    printed("game", "new", "short.json", "--player", "ger=Hans")
    assert "Germany  Hans" in printed("game", "players", "short.json", "Fra=Zoe")
    assert Game.load("short.json").players == {"FRANCE": "Zoe", "GERMANY": "Hans"}
    assert "unknown power 'xyz'" in refused("game", "players", "short.json", "xyz=Zoe")


def test_a_correction_that_dislodges_nobody_leaves_out_the_retreat() -> None:
    year()
    shown = printed(
        "game", "correct", "game.json", "--phase", "F1901M", "-", "-o", "other.json",
        stdin="France: A Ruh H",
    )  # fmt: skip
    assert re.search("\n  Germany  A MUN H: dislodged +A MUN H: stands\n", shown)
    assert "Next is S1902M, not F1901R.\n" in shown
    assert "Germany: A Mun R Boh is left out of F1901R: no unit was dislodged\n" in shown
    assert str(load("other.json").phase) == "S1902M"
    assert sorted(path.name for path in Path().iterdir()) == ["game.json", "other.json"]


def test_a_correction_stops_where_a_unit_that_was_safe_must_retreat() -> None:
    """Nobody knows where it goes; without an order it would be disbanded."""
    standing(FALL)
    printed(
        "game", "read", "game.json", "-", stdin=ATTACK.replace("A Ruh S A Bur - Mun", "A Ruh H")
    )
    run("game", "advance", "game.json")
    printed("game", "read", "game.json", "-", stdin="France: A Ruh - Bel")
    run("game", "advance", "game.json", "--allow-missing")
    assert str(load().phase) == "F1902M"
    shown = printed(
        "game",
        "correct",
        "game.json",
        "--phase",
        "F1901M",
        "-",
        stdin="France: A Ruh S A Bur - Mun",
    )
    assert "The game is in F1901R, but was in F1902M before.\n" in shown
    assert "Orders of Germany are missing there; those for later phases are kept.\n" in shown
    assert load().later == {"S1902M": {"FRANCE": ("A Ruh - Bel",)}}
    printed("game", "read", "game.json", "-", stdin="Germany: A Mun R Boh")
    printed("game", "advance", "game.json")
    assert str(load().phase) == "W1901A"


def test_a_corrected_game_does_not_replace_a_file_named_for_it() -> None:
    year()
    before = Path("game.json").read_bytes()
    said = refused(
        "game", "correct", "game.json", "--phase", "F1901M", "-", "-o", "game.json",
        stdin="Italy: A Tyr H",
    )  # fmt: skip
    assert "game.json: already exists" in said
    assert Path("game.json").read_bytes() == before


def test_a_faulty_mail_corrects_nothing() -> None:
    year()
    before = load().to_dict()
    said = refused("game", "correct", "game.json", "--phase", "F1901M", "-", stdin="Italy: A Rom H")
    assert "standard input:1:8: no unit stands in ROM" in said
    assert load().to_dict() == before
    assert [path.name for path in Path().iterdir()] == ["game.json"]
