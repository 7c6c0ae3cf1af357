"""What is fuzzed: every reader of dipsat, with good inputs to begin with."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

import dipsat
from bench.replay import made_game
from dipsat.formats.jdip import read_jdip
from dipsat.formats.phase_file import parse_phase
from dipsat.orders.daide import read_daide
from dipsat.resources import data_folder
from dipsat.searches.line_file import parse_line

ROOT = Path(__file__).resolve().parent.parent
START = dipsat.Position.start("standard")
_PROVINCES = sorted(START.map.provinces)


@dataclass(frozen=True, slots=True)
class Target:
    """A reader: what it does with a text, and texts that it reads."""

    name: str
    run: Callable[[str], object]
    seeds: Callable[[], list[str]]


def _files(*patterns: str) -> Callable[[], list[str]]:
    def texts() -> list[str]:
        paths = (path for pattern in patterns for path in sorted(ROOT.glob(pattern)))
        return [path.read_text(encoding="utf-8") for path in paths]

    return texts


def _orders() -> list[str]:
    boards = [dipsat.random_board(seed) for seed in range(20)]
    return [text for board in boards for texts in board.orders.values() for text in texts]


def _daide() -> list[str]:
    army, fleet = "(FRA AMY PAR)", "(ENG FLT NTH)"
    return [
        f"({army} HLD)", f"({army} MTO BUR)", f"({army} SUP {fleet} MTO BEL)",
        f"({fleet} CVY {army} CTO BEL)", f"({army} CTO BEL VIA (NTH ECH))",
        f"({fleet} RTO BEL)", f"({army} DSB)", f"({army} BLD)", f"({army} REM)", "(FRA WVE)",
        "((RUS FLT (STP NCS)) MTO BAR)",
    ]  # fmt: skip


def _games() -> list[str]:
    """Saved games in all formats."""
    found = []
    with tempfile.TemporaryDirectory() as folder:
        for seed in range(4):
            game = made_game(seed, 2 + 2 * seed)
            for name in ("game.json", "game.yaml", "game.jsonl", "game.txt"):
                game.save(Path(folder) / name)
                found.append((Path(folder) / name).read_text(encoding="utf-8"))
    return found


def _jdip() -> list[str]:
    return [
        "VARIANT_ALL Standard\nCASE 6.A.11\nPRESTATE_SETPHASE Fall 1901, Movement\nPRESTATE\n"
        "  Austria: A vie\n  Italy: A ven\nORDERS\n  Austria: A vie-tyr\n  Italy: A ven-tyr\n"
        "POSTSTATE_SAME\nEND\n",
        "VARIANT_ALL Standard\nCASE 6.H.6\nPRESTATE_SETPHASE Spring 1902, Retreat\nPRESTATE\n"
        "  France: A gas\n  Italy: F mar\nPRESTATE_DISLODGED\n  France: A mar\n"
        "PRESTATE_RESULTS\n  SUCCESS: Italy: F lyo-mar\nORDERS\n  France: A mar-bur\n"
        "POSTSTATE\n  France: A bur\nEND\n",
    ]


def _rules() -> list[str]:
    paths = sorted(data_folder("rules").glob("**/*.yaml"))
    return [p.read_text(encoding="utf-8") for p in paths if "maps" not in p.parts]


def _maps() -> list[str]:
    paths = sorted((data_folder("rules") / "maps").glob("*.yaml"), key=lambda p: p.stat().st_size)
    return [path.read_text(encoding="utf-8") for path in paths[:8]]


def _expressions() -> list[str]:
    profile = dipsat.load_profile("arpiesse")
    from dipsat.documents import parse_yaml

    found: list[str] = []
    for name in ("datc.yaml", "variants/arpiesse.yaml", "variants/colonial.yaml"):
        text = (data_folder("rules") / name).read_text(encoding="utf-8")
        waiting = [parse_yaml(text, profile.path)]
        while waiting:
            node = waiting.pop()
            if isinstance(node.value, dict):
                waiting += node.value.values()
            elif isinstance(node.value, tuple):
                waiting += node.value
            else:
                found.append(node.raw)
    return [text for text in found if "(" in text]


def _read_order(text: str) -> None:
    dipsat.adjudicate(START, {"FRANCE": [text]}).to_dict()


def _read_phase(text: str) -> None:
    found = parse_phase(text, "fuzzed.txt")
    dipsat.adjudicate(found.position, found.orders).to_dict()


def _read_game(text: str) -> None:
    ends = ".json" if text.lstrip()[:1] in ("{", "[") else ".yaml"
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / f"game{ends}"
        path.write_text(text, encoding="utf-8", errors="surrogatepass")
        for game in dipsat.load_games(path):
            game.to_dict()


def _read_map(text: str) -> None:
    board = dipsat.parse_map(text, "fuzzed")
    dipsat.adjudicate(dipsat.Position.start(board), {}).to_dict()


def _read_rules(text: str) -> None:
    profile = dipsat.parse_profile(text, "fuzzed.yaml")
    board = dipsat.random_board(len(text) % 7)
    position = dipsat.Position.from_units(board.units, profile.map or "standard", rules=profile)
    dipsat.adjudicate(position, board.orders, profile).to_dict()
    dipsat.prove(position, board.orders, profile).to_dict()


def _read_line(text: str) -> None:
    parse_line(text, "fuzzed.yaml")


def _read_expression(text: str) -> None:
    lines = "\n".join(f"    {line}" for line in text.splitlines())
    _read_rules(f"extends: datc\ndecisions:\n  move(m): |\n{lines}\n")


TARGETS: Mapping[str, Target] = {
    one.name: one
    for one in (
        Target("orders", _read_order, _orders),
        Target("daide", lambda text: read_daide(text, START.map), _daide),
        Target("phases", _read_phase, _files("docs/examples/*.txt", "docs/examples/*.yaml")),
        Target("games", _read_game, _games),
        Target("jdip", lambda text: read_jdip(text, "fuzzed.txt"), _jdip),
        Target("maps", _read_map, _maps),
        Target("rules", _read_rules, _rules),
        Target("expressions", _read_expression, _expressions),
        Target(
            "lines", lambda text: parse_line(text, "fuzzed.yaml"), _files("docs/examples/line*")
        ),
    )
}
"""Name -> the target."""
