"""A game as an HTML page and as an animated GIF: what is in them, and what cannot get in."""

from __future__ import annotations

import gzip
import io
import json
import random
import re
from base64 import b64encode
from functools import cache
from hashlib import sha256
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

import dipsat
from dipsat import Game
from dipsat.cli import main
from dipsat.draw import game_gif, game_page, game_pages as games
from dipsat.draw.png import png
from dipsat.errors import ArgumentError, PictureError, UnknownNameError
from tests.checkout import ROOT
from tests.exhaustive import exhaustive
from tests.packages import needs_font

SHEET = str(ROOT / "docs" / "examples" / "bounce.txt")
HOSTILE = "</script><script>alert(1)</script><img src=x onerror=alert(1)>&amp;"


class Tags(HTMLParser):
    """The elements of a page, and the texts of its scripts."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.found: list[tuple[str, dict[str, str | None]]] = []
        self.scripts: list[str] = []
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found.append((tag, dict(attrs)))
        if tag == "script":
            self.scripts.append("")

    def handle_data(self, data: str) -> None:
        if self.lasttag == "script" and self.scripts and not self.scripts[-1]:
            self.scripts[-1] = data


def played(phases: int, seed: int = 1) -> Game:
    """A game of this many phases, played at random."""
    chance = random.Random(seed)
    game = Game.standard()
    while len(game.history) < phases:
        for unit in game.position.units if game.phase.kind == "M" else ():
            texts = game.legal_orders(str(unit))
            text = chance.choice([text for text in texts if " - " in text] or texts)
            game.submit(unit.power, [*game.orders.get(unit.power, ()), text])
        game.advance()
    return game


@cache
def first_year() -> Game:
    return played(4)


@cache
def page_of_it() -> str:
    return game_page(first_year())


def data_of(page: str) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = json.loads(Tags(page).scripts[0])
    return found


def test_every_phase_and_the_current_position_are_there() -> None:
    game = first_year()
    phases = data_of(page_of_it())
    assert [phase["name"] for phase in phases] == [
        *(str(turn.position.phase) for turn in game.history), str(game.phase),
    ]  # fmt: skip
    powers = list(game.position.map.powers)
    for phase, position in zip(
        phases, [*(turn.position for turn in game.history), game.position], strict=True
    ):
        owned = {code: power for power, codes in position.centers.items() for code in codes}
        assert {code: powers[at] for code, at in phase["centers"].items()} == owned
        units = re.findall(r'class="unit[^"]*"[^>]* data-unit="([^"]*)"', phase["layers"]["units"])
        lost = [one.unit for one in position.dislodged]
        assert {*map(str, (*position.units, *lost))} <= {*units}


def test_every_order_is_a_row_with_its_result_and_reason() -> None:
    game = first_year()
    for phase, turn in zip(data_of(page_of_it()), game.history, strict=False):
        rows = [given for tag, given in Tags(phase["list"]).found if given.get("class") == "result"]
        assert [(row["data-power"], row["data-order"]) for row in rows] == sorted(
            ((one.power, one.order) for one in turn.outcome.orders),
            key=lambda pair: list(game.position.map.powers).index(pair[0]),
        )
        for one in turn.outcome.orders:
            assert f">{one.verdict}" in phase["list"]


def test_the_map_is_there_once() -> None:
    page = page_of_it()
    assert page.count('data-province="PAR"') == 1
    assert "data-province" not in Tags(page).scripts[0]


def test_nothing_is_loaded_and_only_the_pages_own_script_may_run() -> None:
    page = page_of_it()
    tags = Tags(page).found
    for tag, given in tags:
        assert tag not in ("link", "img", "iframe", "object", "embed", "use", "image", "a")
        assert not {"src", "href", "xlink:href", "srcset"} & given.keys()
        assert not any(name.startswith("on") for name in given)
    assert re.findall(r"https?://[^\"' ]*", page.replace("http://www.w3.org/2000/svg", "")) == []
    assert "@import" not in page
    assert re.findall(r"url\((?!#)", page) == []
    (policy,) = (
        given["content"] for _, given in tags
        if given.get("http-equiv") == "Content-Security-Policy"
    )  # fmt: skip
    assert policy is not None
    assert "default-src 'none'" in policy
    digest = b64encode(sha256(Tags(page).scripts[1].encode()).digest()).decode()
    assert f"script-src 'sha256-{digest}'" in policy


def test_controls_have_names_for_people_who_cannot_see_them() -> None:
    named = {"button", "input", "form", "section"}
    for tag, given in Tags(page_of_it()).found:
        if tag in named:
            assert given.get("aria-label") or given.get("title"), given
    assert ("html", {"lang": "en"}) in Tags(page_of_it()).found


def hostile_game(folder: Path) -> Game:
    """A game on a map with markup in its names."""
    file = folder / "hostile.yaml"
    evil = json.dumps(HOSTILE)
    file.write_text(
        f"extends: pure\nname: hostile\ntitle: {evil}\nprovinces: {{PAR: {{name: {evil}}}}}\n",
        encoding="utf-8",
    )
    game = Game.new(str(file))
    game.submit("FRANCE", ["A PAR - BER"]).advance()
    return game


def test_hostile_names_stay_text(tmp_path: Path) -> None:
    game = hostile_game(tmp_path)
    page = game_page(game, title=f"{HOSTILE}\x1b\u2028")
    tags = Tags(page)
    assert sum(tag == "script" for tag, _ in tags.found) == 2
    assert not any(tag == "img" for tag, _ in tags.found)
    assert "alert" in page  # as text
    assert not {"\x1b", "\u2028"} & {*page}
    for phase in data_of(page):
        inner = Tags(phase["list"] + "".join(phase["layers"].values()))
        assert not any(tag in ("script", "img") for tag, _ in inner.found)
        assert inner.scripts == []


@exhaustive
def test_a_long_game_is_less_than_a_megabyte() -> None:
    """Sixty phases take fifteen times as much as these four, the map aside."""
    whole = len(gzip.compress(page_of_it().encode()))
    start = len(gzip.compress(game_page(Game.standard()).encode()))
    assert start + (whole - start) * 15 < 500_000


def test_the_reader_or_the_caller_chooses_between_light_and_dark() -> None:
    assert "prefers-color-scheme" in page_of_it()
    for dark, scheme in ((True, "dark"), (False, "light")):
        page = game_page(Game.standard(), dark=dark)
        assert "prefers-color-scheme" not in page
        assert f'<meta name="color-scheme" content="{scheme}">' in page


def test_colours_and_title_of_the_callers_own() -> None:
    page = game_page(Game.standard(), colors={"france": "#123456"}, title="A & B")
    assert "#123456" in page
    assert "<title>A &amp; B</title>" in page
    with pytest.raises(UnknownNameError):
        game_page(Game.standard(), colors={"BURGUNDY": "#123456"})


def test_the_name_of_a_game_is_in_the_heading() -> None:
    data = Game.standard().to_dict()
    named = Game.from_dict({**data, "name": "Thursdays <4>"})
    assert "<title>Thursdays &lt;4&gt;: Diplomacy, S1901M</title>" in game_page(named)
    assert "<title>Diplomacy, S1901M</title>" in game_page(Game.from_dict(data))


def test_submitted_orders_are_shown_without_results() -> None:
    game = Game.standard().submit("FRANCE", ["A PAR - BUR"])
    (phase,) = data_of(game_page(game))
    assert 'data-order="A PAR - BUR"' in phase["layers"]["orders"]
    assert "<td></td>" in phase["list"]
    (empty,) = data_of(game_page(Game.standard()))
    assert "No orders are submitted." in empty["list"]


@needs_font
def test_a_game_as_a_gif_has_a_frame_for_every_phase(images: Any) -> None:
    game = Game.new("pure")
    game.submit("FRANCE", ["A PAR - BER"]).advance()
    data = game_gif(game, width=200, delay=1)
    with images.open(io.BytesIO(data)) as found:
        assert found.size[0] == 200
        assert found.n_frames == 2
        times = []
        for frame in range(2):
            found.seek(frame)
            times.append(found.info["duration"])
        assert times == [1000, 3000]
        assert found.info["loop"] == 0
    with images.open(io.BytesIO(png(dipsat.draw.board(game, caption=True), 200))) as alone:
        assert alone.size == found.size


@pytest.mark.parametrize("delay", [0, -1, 61, float("nan")])
def test_a_delay_that_no_frame_can_have(delay: float) -> None:
    with pytest.raises(ArgumentError, match=r"delay should be .*number"):
        game_gif(Game.standard(), delay=delay)


# --- dipsat draw ----------------------------------------------------------------------------


@pytest.fixture
def saved(tmp_path: Path) -> str:
    file = tmp_path / "game.json"
    Game.new("pure").submit("FRANCE", ["A PAR - BER"]).save(file)
    return str(file)


@pytest.fixture
def images() -> Any:
    """The module that reads GIFs."""
    pytest.importorskip("resvg_py", reason="the extra png is not installed")
    return pytest.importorskip("PIL.Image", reason="the extra png is not installed")


def draw(*arguments: str) -> Result:
    return CliRunner().invoke(main, ["draw", *arguments])


def test_the_command_writes_pages(saved: str, tmp_path: Path) -> None:
    page = tmp_path / "game.html"
    done = draw(saved, "-o", str(page), "--no-labels", "--dark")
    assert (done.exit_code, done.output) == (0, "")
    expected = game_page(Game.load(saved), labels=False, dark=True)
    assert page.read_text(encoding="utf-8") == expected


@exhaustive
def test_the_command_writes_gifs(images: Any, saved: str, tmp_path: Path) -> None:
    for options, width in (((), 800), (("--size", "90"), 90)):
        assert draw(saved, "-o", str(tmp_path / "game.GIF"), *options).exit_code == 0
        with images.open(tmp_path / "game.GIF") as found:
            assert found.size[0] == width


@pytest.mark.usefixtures("images")
@needs_font
def test_a_gif_that_would_fill_the_memory_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(games, "MOST_PIXELS", 90 * 90)
    game = Game.new("pure")
    assert game_gif(game, width=90).startswith(b"GIF89a")
    for _ in range(2):
        game.advance()
    with pytest.raises(PictureError, match=r"3 frames of 90 by \d+ pixels is too large; choose a"):
        game_gif(game, width=90)


@pytest.mark.parametrize(
    ("file", "arguments", "problem"),
    [
        ("standard", ["x.html"], "'standard' is not a game; only whole games are drawn as .html"),
        (SHEET, ["x.gif"], "is not a game; only whole games are drawn as .gif"),
        ("", ["x.html", "--phase", "S1901M"], "is one phase with --phase; only whole games"),
        ("", ["x.html", "--caption"], " and --size do not apply to .html"),
        ("", ["x.html", "--size", "9"], " and --size do not apply to .html"),
        ("", ["x.gif", "--power", "FRANCE"], " do not apply to .gif"),
        ("", ["x.pdf"], "its name should end in .svg, .png, .html or .gif"),
    ],
)
def test_what_is_not_a_page(
    saved: str, tmp_path: Path, file: str, arguments: list[str], problem: str
) -> None:
    output = tmp_path / arguments[0]
    done = draw(file or saved, "-o", str(output), *arguments[1:])
    assert done.exit_code == 2
    assert problem in " ".join(done.stderr.split())
    assert not output.exists()
