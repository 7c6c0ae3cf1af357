"""What people see of results: the table of `str`, HTML in notebooks, checks of orders, slips."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

import dipsat
from dipsat import searches, studies
from dipsat.base import (
    WIDTH,
    Column,
    Part,
    Styled,
    Table,
    Tree,
    html_of,
    indented,
    lines_of,
    plain_text,
)
from dipsat.base.pages import text_of
from dipsat.cli import main
from dipsat.errors import ArgumentError, DipsatError, GameError, UnknownNameError
from dipsat.studies import stress_tests as open_orders
from tests.checkout import ROOT

SHEETS = ("bounce.txt", "convoy-paradox.txt", "late-support.txt", "suez.yaml")


@pytest.mark.parametrize("name", SHEETS)
def test_an_outcome_is_printed_as_by_the_command_line(name: str) -> None:
    file = str(ROOT / "docs" / "examples" / name)
    done = CliRunner().invoke(main, ["adjudicate", file])
    phase = dipsat.load_phase(file)
    outcome = dipsat.adjudicate(phase.position, phase.orders, phase.rules or "datc")
    assert done.exit_code == 0
    assert f"{outcome}\n" == done.stdout


@pytest.mark.parametrize("engine", ["dpjudge", "recursive_guess"])
def test_an_engines_outcome_is_printed_as_by_the_command_line(engine: str) -> None:
    file = str(ROOT / "docs" / "examples" / "convoy-paradox.txt")
    done = CliRunner().invoke(main, ["adjudicate", file, "--engine", engine])
    phase = dipsat.load_phase(file)
    assert f"{dipsat.adjudicate(phase.position, phase.orders, engine=engine)}\n" == done.stdout


PHASE = str(ROOT / "docs" / "examples" / "convoy-paradox.txt")
LINE = str(ROOT / "docs" / "examples" / "line-south-short.yaml")
OTHERS = ("datc", "rulebooks/1971", "judges/dpjudge")


def _views() -> Iterator[tuple[Callable[[dipsat.PhaseFile], object], list[str]]]:
    """How Python gets each result, and the command that prints it."""
    small = str(ROOT / "docs" / "examples" / "bounce.txt")

    def explained(**more: Any) -> Callable[[dipsat.PhaseFile], dipsat.Explanation]:
        phase = dipsat.load_phase(small)
        outcome = dipsat.adjudicate(phase.position, phase.orders)
        return lambda _: dipsat.explain(outcome, "A MUN", **more)

    def answered(question: dipsat.Question) -> Callable[[dipsat.PhaseFile], dipsat.SearchResult]:
        return lambda phase: dipsat.search(
            phase.position, question, phase.orders, open=["F LON", "A BRE"]
        )

    opened = ["--open", "F LON", "--open", "A BRE"]
    yield explained(core=True, change=True), ["explain", small, "A MUN", "--core", "--change"]
    yield explained(), ["explain", small, "A MUN"]
    yield lambda one: dipsat.prove(one.position, one.orders), ["prove", PHASE]
    named = [word for rule in OTHERS for word in ("--rules", rule)]
    yield lambda one: dipsat.compare(one.position, one.orders, OTHERS), ["compare", PHASE, *named]
    yield answered(dipsat.Paradox()), ["search", "paradox", PHASE, *opened]
    asked = answered(dipsat.Achieve("dislodged(LON)"))
    yield asked, ["search", "achieve", PHASE, "dislodged(LON)", *opened]
    yield lambda _: searches.hold_line(LINE), ["search", "hold", LINE]
    tried = ["--random", "2", "--units", "4", "--timeout", "0.001", "-j", "1"]
    stressed = ["rules", "stress", "datc", *tried]
    yield lambda _: studies.stress(boards=2, units=4, timeout=0.001), stressed
    judges = [studies.Judge("solver", "rulebooks/1982"), studies.Judge("dip_eval")]
    told = ["crosscheck", "--datc", "6.F.14", "-e", "solver:rulebooks/1982", "-e", "dip_eval"]
    yield lambda _: studies.crosscheck(judges, [studies.DatcCases(("6.F.14",))]), [*told, "-j", "1"]


@pytest.mark.parametrize(
    ("made", "command"), [pytest.param(*view, id=" ".join(view[1][:2])) for view in _views()]
)
def test_every_result_is_printed_as_by_the_command_line(
    made: Callable[[dipsat.PhaseFile], object], command: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(open_orders, "POSITIONS", 1)
    shown = str(made(dipsat.load_phase(PHASE)))
    done = CliRunner().invoke(main, command)
    assert done.exit_code in (0, 1), done.output
    assert f"{shown}\n" == done.stdout
    assert max(map(len, shown.split("\n"))) <= WIDTH
    assert not any(line.endswith(" ") for line in shown.split("\n"))


def test_a_game_and_a_position_are_printed_as_in_play() -> None:
    game = dipsat.Game.standard()
    shown = CliRunner().invoke(main, ["play"], input="board\n").stdout
    assert str(game) in shown
    first, *board = str(game).split("\n")
    assert str(game.position).split("\n")[1:] == board
    assert first == "Spring 1901 Movement (S1901M; map standard, rules datc)"
    assert "France: A MAR may retreat to " in str(LATER["F1901R"])
    winter = dipsat.Game(LATER["W1901A"])
    assert "France may build 2 units in BRE, MAR or PAR (3 centres, 1 unit)." in str(winter)


LATER = {
    "F1901R": dipsat.Position.from_units(
        {"GERMANY": ["A BUR"]}, phase="F1901R", dislodged={"FRANCE": ["A MAR"]}
    ),
    "W1901A": dipsat.Position.from_units(
        {"FRANCE": ["A GAS"]}, phase="W1901A", centers={"FRANCE": ["PAR", "BRE", "MAR"]}
    ),
}


@pytest.mark.parametrize("name", LATER)
def test_later_phases_have_a_table_too(name: str) -> None:
    text = str(dipsat.adjudicate(LATER[name], {"FRANCE": ["A MAR - GAS", "Build A Par"]}))
    assert text.startswith("Order")
    assert "France" in text
    assert "Next phase: " in text


WORDS = "words " * 40
CELL = "an entry of some length, then more"


@pytest.mark.parametrize(
    "part",
    [
        WORDS,
        Styled(WORDS, "red"),
        indented(WORDS, 7),
        Table((("a long name", WORDS), ("b",)), edge=2),
        Table((("1", WORDS, WORDS),), (Column(is_right=True), Column("One", wraps=True))),
        Table(((WORDS, WORDS, "c"),), (Column("One", 20), Column("Two", 14), Column("Three"))),
        Tree(WORDS, (Tree(WORDS, (Tree(WORDS), Tree("last"))), Tree(WORDS))),
    ],
)
def test_every_line_fits_the_width(part: Part) -> None:
    for width in (72, WIDTH, 120):
        lines = ["".join(map(plain_text, line)) for line in lines_of([part], width)]
        assert width * 0.7 < max(map(len, lines)) <= width or isinstance(part, Table)
        assert not any(line.endswith(" ") for line in lines)
        said = " ".join(lines).split().count("words")
        assert said == text_of([part]).split().count("words") >= 40


def test_entries_of_a_column_are_aligned() -> None:
    rows = (("Name", "Count", "Why"), ("x", "10", CELL * 3), ("longer", Styled("7", "red")))
    table = Table(rows, (Column(), Column(is_right=True), Column()), indent=3)
    lines = text_of([table]).split("\n")
    assert lines[0] == "   Name    Count  Why"
    assert lines[1].startswith("   x          10  an entry")
    assert lines[2].startswith(" " * 18 + "some") or lines[2][17] == " "
    assert lines[-1] == "   longer      7"
    assert "\x1b" not in text_of(["\x1b[31m", Table((("\x1b[31m", "\x1b"),)), Tree("\x1b")])


class _Tags(HTMLParser):
    """Checks that tags nest, and collects the tags and the texts."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.tags: set[str] = set()
        self.texts: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        assert not attrs
        self.open.append(tag)
        self.tags.add(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.texts.append(data)


ALLOWED = {"table", "caption", "thead", "tbody", "tr", "th", "td", "p", "ul", "li"}
EVIL = "A Par - <script>alert('&')</script>"


def _things() -> dict[str, object]:
    position = dipsat.Position.start()
    orders = {"FRANCE": [EVIL, "A MAR - BUR"], "GERMANY": ["A MUN - BUR"]}
    outcome = dipsat.adjudicate(position, orders, lenient=True)
    game = dipsat.Game.standard()
    game.submit("FRANCE", ["A MAR - BUR"])
    return {
        "outcome": outcome,
        "position": position,
        "proof": dipsat.prove(position, orders, lenient=True),
        "explanation": dipsat.explain(outcome, "A MUN"),
        "game": game,
        "retreats": LATER["F1901R"],
    }


THINGS = _things()


@pytest.mark.parametrize("name", THINGS)
def test_notebooks_show_small_tables_with_everything_escaped(name: str) -> None:
    html = THINGS[name]._repr_html_()  # type: ignore[attr-defined]  # all of them have it
    parser = _Tags()
    parser.feed(html)
    assert parser.open == []
    assert parser.tags <= ALLOWED
    assert len(html) < 20_000
    words = {"outcome": EVIL, "proof": "A MUN - BUR", "explanation": "A MUN - BUR fails"}
    assert any(words.get(name, "A M") in text for text in parser.texts)


def test_cells_are_escaped() -> None:
    assert "<b>" not in html_of(["<b>"], [["<b>", "&", "\x00"]], "<b>")


# --- checks before orders are submitted -----------------------------------------------------------


def test_orders_are_checked_without_being_submitted() -> None:
    game = dipsat.Game.standard()
    texts = ["A PAR - BUR", "A MUN H", "F BRE - MOO", "A MAR - LON", "Build A PAR"]
    found = game.check("french", texts)
    assert game.orders == {}
    assert [one.submission.text for one in found] == texts
    assert [str(one.status) for one in found] == ["legal", *["illegal"] * 4]
    codes = [one.code for one in found]
    assert codes == ["", "foreign_unit", "unreadable", "no_convoy_possible", "wrong_phase"]
    assert "did you mean" in found[2].reason
    assert game.check("FRANCE", []) == ()
    with pytest.raises(UnknownNameError):
        game.check("Narnia", texts)


@pytest.mark.parametrize(
    ("phase", "texts", "legal"),
    [
        ("F1901R", ["A MAR - GAS", "x", "A BUR H"], ["A MAR - GAS"]),
        ("F1901R", ["A MAR R BUR", "A MAR D"], ["A MAR D"]),
        ("W1901A", ["A MAR B", "F BRE B", "A PAR B", "A BER B"], ["A MAR B", "F BRE B"]),
    ],
)
def test_later_phases_are_checked_too(phase: str, texts: list[str], legal: list[str]) -> None:
    found = dipsat.Game(LATER[phase]).check("FRANCE", texts)
    assert [one.submission.text for one in found] == texts
    assert [one.submission.text for one in found if one.status == "legal"] == legal
    assert all(one.reason for one in found if one.status == "illegal")


def test_checks_call_every_listed_order_legal() -> None:
    game = dipsat.Game.standard()
    for power in game.position.map.powers:
        for text in game.legal_orders_of_power(power):
            assert all(one.status == "legal" for one in game.check(power, [text]))


# --- names, files and slips -----------------------------------------------------------------------


def test_a_game_can_be_named_and_keeps_its_name(tmp_path: Path) -> None:
    game = dipsat.Game.standard()
    game.name = "Liège"
    for name in ("game.json", "game.yaml", "game.jsonl"):
        game.save(tmp_path / name)
        assert dipsat.Game.load(tmp_path / name).name == "Liège"
    assert game.copy().name == "Liège"


def test_a_unit_of_another_kind_or_power_has_no_outcome() -> None:
    outcome = dipsat.adjudicate(dipsat.Position.start(), {})
    for typed in ("F PAR", "German A PAR"):
        with pytest.raises(UnknownNameError, match="the unit there is A PAR of France"):
            dipsat.explain(outcome, typed)
    assert dipsat.explain(outcome, "French A Paris").unit == "A PAR"


SLIPS: dict[str, tuple[Callable[[], object], str]] = {
    "orders in no mapping": (
        lambda: dipsat.adjudicate(dipsat.Position.start(), ["A PAR - BUR"]),  # type: ignore[arg-type]  # the slip
        r"orders should be a mapping such as {'FRANCE': \['A PAR - BUR'\]}",
    ),
    "a game for a position": (
        lambda: dipsat.adjudicate(dipsat.Game.standard(), {}),  # type: ignore[arg-type]  # the slip
        "should be a Position, such as the position of this Game, not Game",
    ),
    "one text": (
        lambda: dipsat.Game.standard().submit("A PAR - BUR"),
        r"submit\('FRANCE', \['A PAR - BUR'\]\), not 'A PAR - BUR' alone",
    ),
    "a text for a power's orders": (
        lambda: dipsat.Game.standard().submit("FRANCE", "A PAR - BUR"),
        r"orders should be a list such as \['A PAR - BUR'\] or None, not",
    ),
    "a number": (
        lambda: dipsat.Game.standard().check("FRANCE", [7]),  # type: ignore[list-item]  # the slip
        r"orders\[0\] should be a text or an order, not 7",
    ),
}


@pytest.mark.parametrize("name", SLIPS)
def test_a_slip_gets_a_plain_error(name: str) -> None:
    call, message = SLIPS[name]
    with pytest.raises((ArgumentError, GameError), match=message):
        call()


def test_errors_of_the_api_do_not_speak_of_the_command_line(tmp_path: Path) -> None:
    board = dipsat.load_map("standard")
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "a").write_text("", encoding="utf-8")
    proof = dipsat.prove(dipsat.Position.start(), {})
    calls: tuple[Callable[[], object], ...] = (
        lambda: dipsat.reader_for(board).read("Red A VEN - TRI"),
        lambda: dipsat.parse_phase("Winter 1901\nFrance:\nA Par B", "a.txt"),
        lambda: dipsat.parse_phase("name: x\nextends: datc\n", "a.yaml"),
        lambda: proof.write_smt2(tmp_path / "full"),
        lambda: dipsat.prove(LATER["W1901A"], {}),
    )
    for call in calls:
        with pytest.raises(DipsatError) as caught:
            call()
        assert " --" not in str(caught.value)


@pytest.mark.parametrize(
    ("name", "text", "place"),
    [
        ("a.txt", "Rules: mine.yaml\nFrance:\nA Par H", "a.txt:1"),
        ("a.yaml", "map: mine.yaml\norders: {France: [A Par H]}\n", "a.yaml:1:6"),
    ],
)
def test_a_file_that_is_not_allowed_is_named_with_its_place(
    name: str, text: str, place: str
) -> None:
    limits = dipsat.Limits(files=dipsat.Files.none())
    with pytest.raises(DipsatError, match=f"^{place}: mine.yaml: cannot be read: only shipped"):
        dipsat.parse_phase(text, name, limits=limits)
