"""Good inputs of every reader, which are then damaged."""

from __future__ import annotations

import gzip
import io
import json
import random
import tempfile
from collections.abc import Callable, Mapping
from contextlib import suppress
from functools import cache, partial
from pathlib import Path

import dipsat
from dipsat import studies
from dipsat.base import data_folder
from dipsat.engines import ENGINES, to_text
from dipsat.errors import FileError
from dipsat.formats import pyarrow, zstd
from dipsat.outcomes import MovementOutcome
from dipsat.studies.dip_eval import order_set_of
from dipsat.studies.random_boards import trial_board
from dipsat.studies.row_files import SUFFIXES
from tests.checkout import ROOT
from tests.formats.test_diplicity_variants import SMALL as DIPLICITY
from tests.formats.test_imported_maps import TRIANGLE
from tests.formats.test_judge_maps import SMALL
from tests.formats.test_webdip_variants import INSTALL, UNITS, VARIANT
from tests.made_games import made_game
from tests.strangers.fuzzing.documents import parsed, part
from tests.strangers.fuzzing.equations import Writer
from tests.strangers.fuzzing.readers import BOARDS, COMMANDS, board
from tests.strangers.fuzzing.words import damaged_words
from tests.strangers.odd_input import SHEET


def _texts(*patterns: str) -> list[str]:
    """The texts of the files with these patterns."""
    paths = (path for pattern in patterns for path in sorted(ROOT.glob(pattern)))
    return [path.read_text(encoding="utf-8") for path in paths]


def _honest(target: str) -> list[str]:
    return _texts(f"tests/strangers/honest/{target}*")


def phases() -> list[str]:
    """Order sheets and files."""
    return [SHEET, *_honest("phases"), *_texts("docs/examples/*.txt", "docs/examples/*.yaml")]


def lines() -> list[str]:
    """Stalemate lines."""
    return [*_honest("lines"), *_texts("docs/examples/line*")]


def orders() -> list[str]:
    """Orders for boards under several rules."""
    return [
        _orders(number, seed) for number in range(len(BOARDS)) for seed in (1, 3)[: 2 - number % 2]
    ]


def made_orders(rng: random.Random) -> str:
    """Orders for one of these boards, or another one."""
    return _orders(rng.randrange(len(BOARDS)), rng.randrange(12))


@cache
def _orders(number: int, seed: int) -> str:
    position, given, _ = board(number, seed)
    lines = [f"{power}: {text}" for power in given for text in given[power]]
    if not lines:
        lost = position.dislodged
        lines += [f"{unit.power}: D {unit}" for unit in position.units[:3]]
        lines += [f"{one.unit.power}: {one.unit} R {to}" for one in lost for to in one.retreats]
        owned = position.centers.items()
        lines += [f"{power}: B A {place}" for power, places in owned for place in places[:1]]
    return "\n".join([f"{number} {seed}", *lines])


def daide() -> list[str]:
    """Every kind of order in the notation of DAIDE."""
    return _honest("daide")[0].splitlines()


def games() -> list[str]:
    """Games in all formats, and in those of other programs."""
    found = []
    with tempfile.TemporaryDirectory() as folder:
        for seed in range(2):
            found += _saved(made_game(seed, 2 + 3 * seed), Path(folder))
        for name in ("colonial", "variants/arpiesse"):
            game = dipsat.Game.new(
                None if name[0] == "v" else name, None if name[0] != "v" else name
            )
            game.advance()
            game.players, game.deadline = {"RUSSIA": "Anna <anna@example.org>"}, "Sunday, 20:00"
            one, other = (str(unit) for unit in game.position.units[:2])
            game.submit(game.position.units[0].power, [f"{one} H"], phase=game.phase.next_year())
            game.submit(game.position.units[1].power, [f"{other} D"], phase=game.phase.retreats())
            game.advance()
            found += _saved(game, Path(folder))[:3]
    return [*found, *_honest("games")]


def _saved(game: dipsat.Game, folder: Path) -> list[str]:
    found = []
    for name in ("game.json", "game.yaml", "game.jsonl", "game.txt"):
        game.save(folder / name)
        found.append((folder / name).read_text(encoding="utf-8"))
    return found


def _in_zstd(data: bytes) -> bytes:
    found: bytes = zstd("").compress(data)
    return found


def _in_parquet(data: bytes) -> bytes:
    """A column of one game."""
    arrow, stream = pyarrow(""), io.BytesIO()
    arrow.parquet.write_table(arrow.table({"game": [data]}), stream)
    return stream.getvalue()


def _works(pack: Callable[[bytes], bytes]) -> bool:
    try:
        pack(b"")
    except FileError:  # of a missing package
        return False
    return True


_PACKERS = [one for one in (partial(gzip.compress, mtime=0), _in_zstd, _in_parquet) if _works(one)]


def packed() -> list[str]:
    """Packed games, a character for each byte."""
    with tempfile.TemporaryDirectory() as folder:
        data = [text.encode() for text in _saved(made_game(7, 3), Path(folder))]
    found = [pack(one).decode("latin-1") for pack in _PACKERS for one in data]
    return [*found, *(one.decode("latin-1")[:3000] for one in data), "\xef\xbb\xbf{}", "\xff\xfe"]


@cache
def rows() -> list[str]:
    """Files of rows, a character for each byte."""
    found = []
    with tempfile.TemporaryDirectory() as folder:
        made_game(7, 3).save(Path(folder) / "game.jsonl")
        made = list(studies.replay_rows(studies.replay_files([Path(folder) / "game.jsonl"])))
        for suffix in SUFFIXES:
            path = Path(folder) / f"rows{suffix}"
            with suppress(FileError):  # of a missing package
                studies.write_rows(made, path)
                found.append(path.read_bytes().decode("latin-1"))
    return found


def cases() -> list[str]:
    """Cases as jDip writes them."""
    return _honest("jdip")


def variants() -> list[str]:
    """Variants of other programs."""
    php = (text.removesuffix("?>") for text in (VARIANT, INSTALL, UNITS))
    whole = "<?php" + "".join(text.removeprefix("<?php") for text in php)
    return [whole, SMALL, TRIANGLE, json.dumps(DIPLICITY, indent=1)]


def maps() -> list[str]:
    """The smallest shipped maps, and those that change another one."""
    paths = sorted((data_folder("rules") / "maps").glob("*.yaml"), key=lambda p: p.stat().st_size)
    return [*_honest("maps"), *(path.read_text(encoding="utf-8") for path in paths[:12])]


def rules() -> list[str]:
    """All shipped profiles, those that declare words of their own several times."""
    paths = sorted(data_folder("rules").glob("**/*.yaml"))
    found = _honest("rules")
    found += [p.read_text(encoding="utf-8") for p in paths if "maps" not in p.parts]
    variants = [text for text in found if "orders:" in text or "domains:" in text]
    return [*found, *variants * 5]


def expressions() -> list[str]:
    """The equations of some profiles, and goals."""
    found: list[str] = ["any(move(m) for m in PAR.attackers)", "not dislodge(u) == true"]
    for name in ("datc.yaml", "variants/arpiesse.yaml", "variants/colonial.yaml"):
        text = (data_folder("rules") / name).read_text(encoding="utf-8")
        for section in ("define", "decisions", "results"):
            for entry in part(text, section).values() if section in parsed(text) else ():
                found += entry.values() if isinstance(entry, dict) else [entry]
    return [text for text in found if "(" in text]


def made_expression(rng: random.Random) -> str:
    """A random equation about a move, or a goal."""
    scope: Mapping[str, str] = {"m": "Move"}
    if rng.random() < 0.5:
        scope = {"PAR": "Province", "MUN": "Province", "FRANCE": "Power"}
    return Writer(rng).truth(scope, rng.randint(0, 4))


def sets() -> list[str]:
    """Order sets of Jacobi's algorithm."""
    found = [*_honest("sets"), "FRANCE:\nA PAR - BUR\nF BRE H\nConvoy borders:\nF BRE: PIC"]
    for seed in range(12):
        made = studies.random_board(seed, 8 + seed)
        position = dipsat.Position.from_units(made.units)
        outcome = dipsat.adjudicate(position, made.orders)
        assert isinstance(outcome, MovementOutcome)
        found.append(to_text(order_set_of(outcome.facts)))
    return found


def names() -> list[str]:
    """Names of everything that has one."""
    return [
        *("\n".join(dipsat.profile_names()[at : at + 3]) for at in range(0, 12, 3)),
        *("\n".join(dipsat.map_names()[at : at + 3]) for at in range(0, 12, 3)),
        *(f"{name}\n{name}(paths=orders_first)" for name in sorted(ENGINES)),
        "datc+4.A.2-1982+waive=illegal\ncolonial+suez_canal=off", "S1901M\nSpring 1901 Movement",
        "Winter 1901\nFall of 1902 (Retreats)", "A PAR\nFleet Spain (south coast)\nf stp/nc",
        "6.F.14\n6.F\n9", "A PAR - BUR\nFra: army paris s a mar-bur", "dpjudge(safe_convoys)",
    ]  # fmt: skip


def commands() -> list[str]:
    """Files for commands; the first line chooses one."""
    sheets = _texts("docs/examples/[!l]*.txt", "docs/examples/[!l]*.yaml")
    fitting = {"rules": rules()[::3], "maps": maps(), "hold": lines()}
    fitting |= {"replay": games(), "convert": games()}
    return [
        f"{number}\n{text}"
        for number, words in enumerate(COMMANDS)
        for text in next((fitting[word] for word in words if word in fitting), sheets)
    ]


def made_phase(rng: random.Random) -> str:
    """An order file with a random board of some rules."""
    name = rng.choice(BOARDS)
    rules = dipsat.load_profile(name)
    on = dipsat.load_map(rules.map or "standard")
    return trial_board(rules, on, rng.randrange(10**6), rng.choice((4, 12, 27))).to_file((name,))


def made_saved(rng: random.Random) -> str:
    """A short game in some format."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / rng.choice(("game.json", "game.yaml", "game.jsonl", "game.txt"))
        made_game(rng.randrange(10**6), rng.choice((1, 2, 3, 5))).save(path)
        return path.read_text(encoding="utf-8")


def made_packed(rng: random.Random) -> str:
    """A short game; some of its words are damaged before it is packed."""
    text = made_saved(rng)
    data = damaged_words(text, [text], rng).encode(errors="surrogatepass")
    return rng.choice(_PACKERS)(data).decode("latin-1")
