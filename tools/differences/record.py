"""docs/atlas/differences.json: the answers found so far, in the order of the questions."""

from __future__ import annotations

import json
from dataclasses import dataclass, replace
from pathlib import Path

from tools.differences.answers import Answer
from tools.differences.questions import Kind, Pair, kinds, pairs

FILE = Path(__file__).resolve().parent.parent.parent / "docs" / "atlas" / "differences.json"


@dataclass(frozen=True)
class Record:
    """The answers about pairs of rules, kinds of decision cycles, and algorithms."""

    pairs: tuple[Answer, ...] = ()
    kinds: tuple[Answer, ...] = ()
    algorithms: tuple[Answer, ...] = ()

    def pair(self, asked: Pair) -> Answer | None:
        """The answer about a pair, or None if there is none yet."""
        return next((one for one in self.pairs if _pair(one) == asked), None)

    def kind(self, asked: Kind) -> Answer | None:
        """The answer about a kind, or None if there is none yet."""
        return next((one for one in self.kinds if _kind(one) == asked), None)

    def without_proofs(self) -> Record:
        """The record with only the boards, without proofs."""
        return Record(
            tuple({**one, "bound": None} for one in self.pairs),
            tuple({**one, "bound": 1} for one in self.kinds),
        )

    def with_pair(self, answer: Answer) -> Record:
        """With the answer in place of an older one."""
        rest = (one for one in self.pairs if _pair(one) != _pair(answer))
        order = {asked: at for at, asked in enumerate(pairs())}
        known = [one for one in (*rest, answer) if _pair(one) in order]
        return replace(self, pairs=tuple(sorted(known, key=lambda one: order[_pair(one)])))

    def with_kind(self, answer: Answer) -> Record:
        """With the answer in place of an older one."""
        rest = (one for one in self.kinds if _kind(one) != _kind(answer))
        order = {asked: at for at, asked in enumerate(kinds())}
        known = [one for one in (*rest, answer) if _kind(one) in order]
        return replace(self, kinds=tuple(sorted(known, key=lambda one: order[_kind(one)])))


def _pair(answer: Answer) -> Pair:
    return Pair(answer["section"], answer["one"], answer["other"])


def _kind(answer: Answer) -> Kind:
    return Kind(answer["rules"], answer["kind"])


def read() -> Record:
    """The record so far."""
    if not FILE.exists():
        return Record()
    found = json.loads(FILE.read_text(encoding="utf-8"))
    return Record(*(tuple(found.get(key, ())) for key in ("pairs", "paradoxes", "algorithms")))


def write(known: Record) -> None:
    """Write the file with one answer per line."""
    parts = {"pairs": known.pairs, "paradoxes": known.kinds, "algorithms": known.algorithms}
    rows = {key: ",\n  ".join(json.dumps(one) for one in part) for key, part in parts.items()}
    sections = ",\n".join(f' "{key}": [\n  {text}\n ]' for key, text in rows.items())
    FILE.write_text(f'{{\n "map": "standard",\n{sections}\n}}\n', encoding="utf-8")
