"""A new kind of question is one class and one entry in the list of questions: the public face, the
command line, requests, pictures and the page take it from there."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

import dipsat
from dipsat import Achieve, searches
from dipsat.app.site import page_files
from dipsat.cli import main
from dipsat.searches import QUESTIONS, Question
from dipsat.searches.cegar import Confirmed, Facts
from dipsat.searches.open_board import Placement
from dipsat.searches.open_orders import SearchProblem
from dipsat.searches.open_places import UnitsAnywhere
from tests.checkout import ROOT
from tools.site.tables import with_tables

DOCS = ROOT / "docs"
SHEET = "France:\n A Burgundy Hold\nGermany:\n A Munich - Burgundy\n A Ruhr Hold\n"
ORDERS = {"FRANCE": ["A BUR H"], "GERMANY": ["A RUH S A MUN - BUR", "A MUN - BUR"]}


@dataclass(frozen=True, slots=True)
class Withstands(Question):
    """Whether the unit in a province neither leaves nor is dislodged."""

    _command = "withstands"
    _in_short = "with which orders does a unit stay where it is?"
    _found = "Orders with which the unit in {province} stays"
    _impossible = "with none of {sets} the unit in {province} stays"
    _impossible_anywhere = "nowhere do {units} let a unit in {province} stay, {ordered}"

    province: str = field(
        metadata={"meaning": "the province.", "wanted": "a province, such as 'BUR'"}
    )
    shown: str | None = field(
        default=None, metadata={"meaning": "a remark.", "option": "--shown", "help": "A remark."}
    )

    @property
    def _goal(self) -> Achieve:
        return Achieve(f"occupied({self.province}) and stays({self.province})")

    def _find(self, asked: SearchProblem) -> Confirmed[Facts] | None:
        """Find orders with which a unit stays."""
        return self._goal._find(asked)

    def _find_anywhere(self, asked: UnitsAnywhere) -> tuple[Placement, Facts] | None:
        return self._goal._find_anywhere(asked)

    def _told(self, facts: Facts) -> Facts:
        return (*facts, *([self.shown] if self.shown else ()))


@pytest.fixture(autouse=True)
def listed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("dipsat.searches.QUESTIONS", (*QUESTIONS, Withstands))


def run(*arguments: str) -> Result:
    return CliRunner().invoke(main, ["search", *arguments])


@pytest.fixture
def sheet(tmp_path: Path) -> str:
    file = tmp_path / "board.txt"
    file.write_text(SHEET, encoding="utf-8")
    return str(file)


def test_a_new_question_is_asked_through_the_public_face() -> None:
    position = dipsat.Position.from_units({"FRANCE": ["A BUR"], "GERMANY": ["A MUN", "A RUH"]})
    found = dipsat.search(position, Withstands("BUR", "As hoped"), open=["GERMANY"])
    assert found.verdict == "found"
    assert "Orders with which the unit in BUR stays (rules datc):" in str(found)
    assert "As hoped." in str(found)
    # Two against one dislodge it, wherever the other unit is.
    beaten = dipsat.search(position, Withstands("BUR"), ORDERS, open=["A BUR"])
    assert beaten.verdict == "impossible"
    assert "of the open units the unit in BUR stays" in " ".join(str(beaten).split())
    assert searches.search_smallest(Withstands("BUR")).fewest == 1
    assert str(dipsat.draw.search(found)).startswith("<svg")


def test_the_command_line_asks_a_new_question(sheet: str) -> None:
    assert "withstands  Find orders with which a unit stays." in run("--help").stdout
    told = run("withstands", "--help").stdout
    assert "PROVINCE" in told
    assert "--shown SHOWN" in told
    found = run("withstands", sheet, "BUR", "--open", "A RUH", "--shown", "As hoped", "--json")
    assert (found.exit_code, json.loads(found.stdout)["verdict"]) == (0, "found")
    smallest = run("withstands", "BUR", "--smallest", "--most", "1")
    assert "Proven: fewer than 1 unit is not enough." in smallest.stdout
    assert "Did you mean 'withstands'?" in run("withstand").stderr


def test_requests_ask_a_new_question() -> None:
    request = {"request": "search", "question": "withstands", "orders": SHEET, "open": ["A RUH"]}
    assert dipsat.answer({**request, "province": "BUR"})["answer"]["verdict"] == "found"
    lacking = dipsat.answer(request)["error"]["message"]
    assert lacking == "search: province should be a province, such as 'BUR', not None"


def test_the_page_lists_a_new_question() -> None:
    page = page_files()["index.html"].decode()
    assert ">Withstands: with which orders does a unit stay where it is?</option>" in page
    assert 'data-members="province shown open"' in page
    assert '<input id="search-province" ' in page


def test_a_question_that_is_not_listed_is_unknown(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.undo()
    assert run("withstands", "--help").exit_code == 2
    refused = dipsat.answer({"request": "search", "question": "withstands", "orders": SHEET})
    assert "'guarantee'" in refused["error"]["message"]
    assert "Withstands" not in page_files()["index.html"].decode()


@pytest.mark.parametrize("kind", QUESTIONS)
@pytest.mark.parametrize("page", ["search.md", "web.md"])
def test_documents_name_every_question(kind: type[Question], page: str) -> None:
    assert kind._command in with_tables((DOCS / page).read_text(encoding="utf-8")).lower()
