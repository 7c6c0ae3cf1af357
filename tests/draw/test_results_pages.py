"""Results for mails: what the page and the message hold, and what cannot get into them."""

from __future__ import annotations

import email
from email.policy import default
from pathlib import Path

import pytest

import dipsat
from dipsat.draw import results_mail, results_page
from tests.draw.test_game_page import HOSTILE, Tags, hostile_game

SAFE = {"src", "alt", "style", "colspan", "align", "charset", "name", "content", "lang"}


def hostile(folder: Path) -> dipsat.Results:
    """Results of a game in which every text of a stranger tries to be something else."""
    game = hostile_game(folder)
    game.name = f"{HOSTILE}\r\nBcc: all@example.org"
    game.players = {
        "ENGLAND": f'{HOSTILE}", other@example.org, "x <a@example.org>',
        "FRANCE": "Anna, Bcc: Bob <b@example.org>; <c@example.org>",
        "GERMANY": "=?utf-8?q?Bob?= <d@example.org\\>",
        "ITALY": "Zoë Ångström " * 12 + "<zoe@example.org>",
    }
    game.advance()
    game.deadline = HOSTILE
    return game.results()


def test_a_page_for_mails_has_no_script_no_style_sheet_and_nothing_from_elsewhere(
    tmp_path: Path,
) -> None:
    page = results_page(hostile(tmp_path))
    tags = Tags(page).found
    assert {name for name, _ in tags} == {
        "html", "head", "meta", "title", "body", "div", "h1", "img", "table", "tr", "th", "td",
        "p", "h2", "b",
    }  # fmt: skip
    assert {key for _, keys in tags for key in keys} <= SAFE
    (image,) = [keys for name, keys in tags if name == "img"]
    assert (image["src"] or "").startswith("data:image/svg+xml;base64,")
    assert "url(" not in page
    assert "&lt;script&gt;alert(1)" in page


def test_no_name_gets_into_the_head_of_a_message(tmp_path: Path) -> None:
    data, _ = results_mail(hostile(tmp_path))
    mail = email.message_from_bytes(data, policy=default)
    assert set(mail.keys()) == {"Subject", "Bcc", "X-Unsent", "MIME-Version", "Content-Type"}
    assert [one.addr_spec for one in mail["Bcc"].addresses] == [
        "other@example.org", "a@example.org", "b@example.org", "c@example.org", "d@example.org",
        "zoe@example.org",
    ]  # fmt: skip
    assert "\\r\\nBcc: all@example.org" in mail["Subject"]
    body = mail.get_body(("plain",))
    assert body is not None
    assert HOSTILE in body.get_content()


def test_a_message_to_nobody_is_addressed_to_nobody() -> None:
    game = dipsat.Game.standard()
    game.players = {"FRANCE": "Anna"}
    game.advance()
    mail = email.message_from_bytes(results_mail(game.results())[0], policy=default)
    assert (mail["To"], mail["Bcc"]) == (None, None)


@pytest.mark.parametrize("phase", ["S1901M", "F1901M"])
def test_old_results_are_written_again_byte_for_byte(phase: str) -> None:
    game = dipsat.Game.standard()
    game.submit("FRANCE", ["A PAR - BUR"]).advance()
    first = results_mail(game.results("S1901M")), results_page(game.results("S1901M"))
    game.advance()
    again = results_mail(game.results(phase)), results_page(game.results(phase))
    assert (again == first) == (phase == "S1901M")
