"""`dipsat play`: a game at the keyboard, and the same commands from standard input."""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from unittest.mock import Mock, call

import pytest
from click.testing import Result

from dipsat import DipsatError, Game
from dipsat.app.play_command import _at_terminal
from dipsat.board import words_of
from dipsat.formats import Reply, Session, carry_out
from dipsat.formats.session import COMMAND_OF, COMMANDS, OTHER_GAME
from tests.app.commands import run
from tests.exhaustive import few_of


def play(lines: str | bytes, *arguments: str) -> Result:
    return run("play", *arguments, stdin=lines)


def after(*lines: str, session: Session | None = None) -> Reply:
    """The reply to the last of these lines."""
    reply = Reply(session or Session.of(Game.standard()))
    for line in lines:
        reply = carry_out(reply.session, line)
    return reply


def test_orders_are_typed_with_the_notes_and_marks_of_sheets() -> None:
    reply = after(
        "(a) A Par - Bur (S by Mar); (b) A Mar S A Par - Bur", "England: (b) F Lon - Nor Sea"
    )
    assert reply.lines == ("England: F Lon - Nor Sea is legal ('Nor Sea' is read as North Sea)",)
    orders = reply.session.game.orders
    assert orders["FRANCE"] == ("A Par - Bur (S by Mar)", "A Mar S A Par - Bur")
    assert orders["ENGLAND"] == ("F Lon - Nor Sea",)


def test_orders_are_ruled_on_when_they_are_entered() -> None:
    reply = after("FRANCE: A PAR - BUR, A MAR S A PAR - BUR; F BRE - LON, A MRA H")
    assert reply.lines == (
        "France: A PAR - BUR is legal",
        "France: A MAR S A PAR - BUR is legal",
        "France: F BRE - LON is ILLEGAL: the fleet cannot reach LON from BRE",
    )
    (error,) = reply.errors
    assert error == ("France: not entered: unknown province 'MRA' in 'A MRA H'; did you mean MAR?")


@pytest.mark.parametrize(
    ("lines", "orders"),
    [
        (["France", "A PAR - BUR", "a mar-spa"], ("A PAR - BUR", "a mar-spa")),
        (["A PAR - BUR"], ("A PAR - BUR",)),  # the unit says whose order it is
        (["French: Paris to Burgundy"], ("Paris to Burgundy",)),
        (["FRANCE: A PAR - BUR", "A PAR - PIC  # no, rather"], ("A PAR - PIC",)),
        (["france", "( FRA AMY PAR ) MTO BUR"], ("( FRA AMY PAR ) MTO BUR",)),
        (["A PAR - BUR", "A MAR H", "clear par"], ("A MAR H",)),
        (["A PAR - BUR", "A MAR H", "clear france"], ()),
        (["A PAR - BUR", "clear", "undo"], ("A PAR - BUR",)),
        (["A PAR - BUR", "undo", "redo"], ("A PAR - BUR",)),
        (["A PAR - BUR", "advance", "undo"], ("A PAR - BUR",)),
    ],
)
def test_orders_in_many_forms(lines: list[str], orders: tuple[str, ...]) -> None:
    assert after(*lines).session.game.orders.get("FRANCE", ()) == orders


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("advnace", "'advnace' is not a command, a power or an order; did you mean 'advance'?"),
        ("exit", "'exit' is not a command, a power or an order; the command is `quit`"),
        ("status", "'status' is not a command, a power or an order; the command is `board`"),
        ("FRNCE: A PAR H", "unknown power 'FRNCE'; did you mean FRANCE?"),
        (": A PAR H", "write a power before the colon, such as 'AUSTRIA: ...'"),
        (", ;", "there is no order in this line"),
        ("why A PAR", "no phase has been adjudicated yet; type `advance` first"),
        ("undo", "there is nothing to undo before S1901M"),
        ("redo", "there is nothing to redo"),
        ("clear", "there is nothing to clear: no orders are entered"),
        ("clear italy", "there is nothing to clear: no orders of Italy are entered"),
        ("clear A MUN", "there is nothing to clear: no order for MUN is entered"),
        ("undo 2", "`undo` takes no words after it, so nothing was done"),
        ("advance twice", "`advance` takes no words after it, so nothing was done"),
        ("legal", "say which unit, such as `legal A PAR`"),
        ("legal France", "say which unit, such as `legal A PAR`"),
        ("clear A XYZ", "unknown province 'XYZ' in 'A XYZ'"),
        ("save", "say which file, such as `save game.json`"),
        ("read nope.txt", "nope.txt: cannot be read: No such file or directory"),
    ],
)
def test_line_that_cannot_be_carried_out(line: str, said: str) -> None:
    with pytest.raises(DipsatError) as caught:
        after(line)
    assert str(caught.value) == said
    done = play(f"board\n{line}\nadvance\n")
    assert done.exit_code == 2
    assert done.stderr == f"error: standard input:2: {said}\n"
    assert "Order " not in done.stdout


SPRING = "not an order of this phase; S1901M is a movement phase"


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("FRANCE: A BER H",
         "the unit in BER belongs to Germany, not France; type 'GERMANY: A BER H'"),
        ("FRANCE: A PAR B", f"'A PAR B': {SPRING}"),
        ("FRANCE: A BER B", f"'A BER B': {SPRING}"),
        ("FRANCE: B A PIC", f"'B A PIC': {SPRING}"),
        ("FRANCE: A GAS H", "no unit stands in GAS"),
        ("FRANCE: submit A MAR H", "unknown province 'submit A MAR' in 'submit A MAR H'; "
                                   "orders are typed alone, without 'submit'"),
        ("FRANCE: advnace 1",
         "unknown province 'advnace 1' in 'advnace 1'; did you mean 'advance'?"),
    ],
)  # fmt: skip
def test_order_that_is_not_entered(line: str, said: str) -> None:
    reply = after("A PAR H", line)
    assert reply.errors == (f"France: not entered: {said}",)
    assert reply.session.game.orders == {"FRANCE": ("A PAR H",)}
    assert play(line).exit_code == 2


@pytest.mark.parametrize("line", ["Build A PIC", "A PIC B"])
def test_a_build_in_spring_is_refused_for_the_phase_not_for_the_province(line: str) -> None:
    assert "not an order of this phase; " in play(line).stderr


def test_a_unit_is_explained_by_the_last_phase_that_was_about_it() -> None:
    played = after("A MAR - SPA", "advance", "A SPA - POR", "advance", "advance").session
    assert played.game.phase.year == 1902
    reply = after("why A SPA", session=played)
    assert reply.lines == ("In F1901M:",)
    with pytest.raises(DipsatError, match="no unit 'A GAS' had an order in S1901M, F1901M, W1901A"):
        carry_out(played, "why A GAS")


def test_an_order_that_came_early_and_does_not_fit_is_named() -> None:
    game = Game.standard().submit("FRANCE", ["A PAR - GAS"], phase="F1901M")
    moved = after("A PAR - BUR", "advance", session=Session.of(game))
    assert moved.lines == ("France: A PAR - GAS is left out of F1901M: no unit stands in PAR",)


def test_legal_orders_of_a_unit_are_listed() -> None:
    assert after("legal A PAR").lines == tuple(Game.standard().legal_orders("A PAR"))


def test_many_bad_orders_are_summed_up() -> None:
    reply = after("FRANCE: " + ";".join(f"A XQ{number} H" for number in range(300)))
    assert len(reply.errors) == 51
    assert reply.errors[-1] == "250 more orders are not entered"


def some_lines(seed: int) -> Iterator[str]:
    """Lines made of commands, powers, orders and rubbish."""
    chance = random.Random(seed)
    words = [*COMMANDS, "FRANCE", "France:", "GERMANY:", "A PAR", "- BUR", "A MUN", "H", "WAI",
             "F STP/SC", "S", ",", ";", ":", "\x1b[2J", "é", "''", "A PAR B", "#"]  # fmt: skip
    words = [word for word in words if not word.startswith(("save", "read"))]
    for _ in range(40):
        yield " ".join(chance.choices(words, k=chance.randint(1, 5)))


@pytest.mark.parametrize("seed", few_of(range(3), 1))
def test_lines_never_end_in_a_traceback_and_every_step_can_be_taken_back(seed: int) -> None:
    session = Session.of(Game.standard())
    first = session.game.to_dict()
    refused = 0
    for line in (*some_lines(seed), "A VIE - GAL", "advance"):
        before = session.game.to_dict()
        try:
            session = carry_out(session, line).session
        except DipsatError:
            assert session.game.to_dict() == before
            refused += 1
    last, steps = session.game.to_dict(), 0
    assert refused
    assert session.past
    while session.past:
        session = carry_out(session, "undo").session
        steps += 1
    assert session.game.to_dict() == first
    for _ in range(steps):
        session = carry_out(session, "redo").session
    assert session.game.to_dict() == last


def test_a_script_plays_and_saves(tmp_path: Path) -> None:
    file, sheet = str(tmp_path / "game.json"), tmp_path / "fall.txt"
    sheet.write_text("Fall 1901\nFrance:\n A Bur - Bel\n", encoding="utf-8")
    spring = "FRANCE: A PAR - BUR\nadvance\nsave\nquit\n"
    assert play(spring, file).exit_code == 0
    done = play(f"read {sheet}\nadvance\nwhy bur\nsave\n", file)
    assert (done.exit_code, done.stderr) == (0, "")
    assert f"{sheet}:3:2: France: A Bur - Bel is legal\n1 order entered" in done.stdout
    assert "A BUR - BEL succeeds" in done.stdout
    assert str(Game.load(file).phase) == "W1901A"
    done = play("undo\nundo\norders\n", file)  # beyond what this session has done
    assert "France:\n  A PAR - BUR\n" in done.stdout
    assert done.stderr == "remark: the game is not saved; end with the command `save FILE`\n"


def test_a_list_of_orders_adds_to_what_is_entered_and_says_so(tmp_path: Path) -> None:
    """`Game.submit` replaces all orders of its power instead."""
    sheet = tmp_path / "s.txt"
    sheet.write_text("France:\n A Par - Pic\nItaly:\n A Rom H\n", encoding="utf-8")
    entered = after("FRANCE: A PAR - BUR, F BRE H", "A MAR H")
    assert entered.lines == ("France: A MAR H is legal",)
    reply = after(f"read {sheet}", session=entered.session)
    assert reply.lines == (
        f"{sheet}:2:2: France: A Par - Pic is legal; it replaces A PAR - BUR",
        f"{sheet}:4:2: Italy: A Rom H is legal",
        f"2 orders entered from {sheet}.",
        "France still has F BRE H, A MAR H from before",
    )
    assert reply.session.game.orders["FRANCE"] == ("F BRE H", "A MAR H", "A Par - Pic")
    reply = after("FRANCE: A MAR - SPA", session=entered.session)
    assert reply.lines[-1] == "France still has A PAR - BUR, F BRE H from before"
    game = reply.session.game.copy().submit("FRANCE", ["A PAR - PIC"])
    assert game.orders["FRANCE"] == ("A PAR - PIC",)


@pytest.mark.parametrize(
    "line", ["explain A PAR", "search hold", "why A PRA", "advnace", "FRANCE: A PAR - XYZ", "legal",
             "read no.txt", "undo 3", "A" * 100_001, "save no/folder/game.json"],
)  # fmt: skip
def test_a_failed_line_of_a_script_loses_nothing(line: str, tmp_path: Path) -> None:
    file = tmp_path / "game.json"
    for is_new in (True, False):
        if not is_new:
            Game.standard().save(file)
        done = play(f"FRANCE: A PAR - BUR\nadvance\nA BUR - MUN\n{line}\nadvance\n", str(file))
        assert done.exit_code == 2
        assert "error: standard input:4: " in done.stderr
        assert done.stderr.startswith(f"remark: what was carried out is saved in {file}\n")
        game = Game.load(file)
        assert (str(game.phase), game.orders["FRANCE"]) == ("F1901M", ("A BUR - MUN",))


def test_a_script_that_fails_writes_only_files_that_it_may_write(tmp_path: Path) -> None:
    file = tmp_path / "game.json"
    assert play("board\nwhy A PAR\n", str(file)).exit_code == 2
    assert not file.exists()
    assert "remark: the game is not saved: no file is known" in play("A PAR H\nwhy A PAR\n").stderr
    Game.standard().save(other := tmp_path / "game.jsonl")
    text = other.read_text(encoding="utf-8")
    for line, said in (
        ("why A PAR", "remark: the game is not saved: "),
        ("save", "is not a game that dipsat saved; `save! "),
    ):
        done = play(f"A PAR H\n{line}\n", str(other))
        assert done.exit_code == 2
        assert said in done.stderr
    assert other.read_text(encoding="utf-8") == text


def test_places_of_bad_orders_in_a_file(tmp_path: Path) -> None:
    sheet = tmp_path / "s.txt"
    sheet.write_text("France:\n A Par - Bur\n A Mar - Xyz\n A Ber H\n", encoding="utf-8")
    reply = after(f"read {sheet}")
    assert reply.session.game.orders == {"FRANCE": ("A Par - Bur",)}
    assert [error.partition(": ")[0] for error in reply.errors] == [f"{sheet}:3:2", f"{sheet}:4:2"]
    sheet.write_text("Spring 1902\nFrance: A Par - Bur\n", encoding="utf-8")
    with pytest.raises(DipsatError, match="names S1902M, but the phase is S1901M"):
        after(f"read {sheet}")


def test_nothing_unsaved_is_left_and_no_other_file_is_replaced(tmp_path: Path) -> None:
    file, other = tmp_path / "game.json", tmp_path / "other.json"
    other.write_text("mine", encoding="utf-8")
    session = Session.of(Game.standard(), str(file))
    assert after("quit", session=session).ends
    session = after("A PAR H", session=session).session
    with pytest.raises(DipsatError, match="the game has changed; `save` keeps it, `quit!`"):
        carry_out(session, "quit")
    with pytest.raises(DipsatError, match=r"already exists; `save! .*other\.json` repl"):
        carry_out(session, f"save {other}")
    assert other.read_text(encoding="utf-8") == "mine"
    assert after("quit!", session=session).ends
    saved = after("save", session=session).session
    assert after("quit", session=saved).ends
    assert after("A PAR - BUR", "undo", "quit", session=saved).ends
    assert after(f"save! {other}", "quit", session=session).ends
    assert Game.load(other).orders == {"FRANCE": ("A PAR H",)}


def test_all_kinds_of_phases() -> None:
    reply = after("A MAR - BUR", "A MUN - RUH", "A PAR - GAS", "advance", "A BER - MUN", "advance",
                  "A RUH - BUR", "A MUN S A RUH - BUR", "A GAS - SPA", "advance",
                  "A BUR - MUN", "A BUR - PAR")  # fmt: skip
    assert reply.lines == ("France: A BUR - PAR is legal; it replaces A BUR - MUN",)
    reply = after("advance", "advance", "board", session=reply.session)
    assert reply.lines[0].startswith("Winter 1902 Adjustment (W1902A; ")
    assert reply.lines[-1] == "France may build 1 unit in MAR (4 centres, 3 units)."
    reply = after("A MAR B", "France", "waive", session=reply.session)
    assert reply.errors == ("France: not entered: France has no more than 1 build",)
    reply = after("A MAR B", "F MAR B", "orders", session=reply.session)
    assert reply.lines == ("France:", "  F MAR B")


@pytest.mark.parametrize(
    ("typed", "left"),
    [
        (["A PAR H", "quit", "quit!"], "error: the game has changed; `save FILE` keeps it"),
        (["A PAR H", EOFError, EOFError], "remark: left without saving"),
        ([KeyboardInterrupt, EOFError], ""),
        (["A PAR - XYZ", "nonsense", "quit"], "'nonsense' is not a command, a power or an order"),
    ],
)
def test_at_a_terminal(
    typed: list[Any], left: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    typist = Mock(side_effect=typed)
    monkeypatch.setattr("builtins.input", typist)
    _at_terminal(Session.of(Game.standard()))
    assert typist.call_args_list == [call("S1901M> ")] * len(typed)
    shown = "".join(capsys.readouterr())
    assert shown.startswith("Spring 1901 Movement (S1901M; map standard, rules datc)\nAustria  3")
    assert left in shown


def test_a_game_begins_from_an_order_file(tmp_path: Path) -> None:
    """What `--next` and `--json` write, too; the file stays as it is."""
    file, next_ = tmp_path / "a.yaml", str(tmp_path / "next.json")
    file.write_text(
        "phase: F1901M\nunits: {FRANCE: [A PAR, F MAO]}\ncenters: {FRANCE: [PAR, BRE, MAR]}\n"
        "orders: {FRANCE: [A PAR - BUR]}\n"
    )
    done = play("orders\nadvance\nboard\nsave\n", str(file))
    assert "France:\n  A PAR - BUR\nWithout an order: France F MAO.\n" in done.stdout
    assert "Winter 1901 Adjustment (W1901A; map standard, rules datc)" in done.stdout
    assert done.stderr.endswith("standard input:4: say which file, such as `save game.json`\n")
    written = run("adjudicate", str(file), "--next", next_, "--json").stdout
    (tmp_path / "all.json").write_text(written)
    for name in (next_, str(tmp_path / "all.json")):
        assert "Winter 1901 Adjustment (W1901A; map standard" in play("board\n", name).stdout
    for text, what in (("define: {}", "a rule file"), ("provinces: {}", "a map")):
        file.write_text(text)
        assert f"this is {what}, not a saved game" in play("board\n", str(file)).stderr


def test_new_games_and_bad_input(tmp_path: Path) -> None:
    variant, board = ("--variant", "colonial"), ("--map", "chaos")
    assert "map colonial" in play("board", *variant).stdout
    assert "map chaos" in play("board", *board).stdout
    for options in ((*variant, *board), (*board, *variant)):
        both = play("board", *options)
        assert (both.exit_code, both.stdout) == (2, "")
        assert "'colonial' has its own map; give one of --variant and --map" in both.stderr
    file = tmp_path / "game.json"
    Game.standard().save(file)
    assert "has a game already" in play("", str(file), *variant).stderr
    assert "more than 100,000 bytes in a line of commands" in play("A" * 100_001).stderr
    assert "standard input:1: the text is not UTF-8" in play(b"\xff\n").stderr


def test_other_words_for_commands_are_not_commands_but_lead_to_one() -> None:
    names = Game.standard().position.map.names
    for word, command in COMMAND_OF.items():
        assert command in COMMANDS
        assert word not in COMMANDS
        assert words_of(word) not in {*names.powers, *names.provinces}
        said = play(f"{word} A PAR").stderr
        assert f"the command is `{COMMANDS[command].usage}`" in said
        assert "unknown province" not in said


def test_asking_for_another_game_shows_how_to_open_it() -> None:
    assert {*OTHER_GAME}.isdisjoint({*COMMANDS, *COMMAND_OF})
    for word in OTHER_GAME:
        for line in (word, f"FRANCE\n{word.upper()} game.json"):
            said = play(line).stderr
            assert "`dipsat play FILE` continues a saved game" in said
            assert "unknown province" not in said
