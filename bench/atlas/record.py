"""The files of the atlas: answers, certificates and lines to open."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from bench.atlas.answers import Answer, lines_in
from bench.atlas.trials import line_of, line_text
from dipsat.lines.certificate import certificate_of

FOLDER = Path(__file__).resolve().parent.parent.parent / "docs" / "atlas"
LINES = FOLDER / "lines"
_WIDTH = 100

Record = dict[str, list[Answer]]
"""The answers about a map: section -> its answers."""


def read(name: str) -> Record:
    """What the atlas knows of a map so far."""
    path = FOLDER / f"{name}.json"
    if not path.exists():
        return {}
    found: Record = json.loads(path.read_text(encoding="utf-8"))
    return {key: answers for key, answers in found.items() if isinstance(answers, list)}


def write(name: str, record: Mapping[str, list[Answer]]) -> None:
    """Write all files about a map."""
    LINES.mkdir(parents=True, exist_ok=True)
    text = written({"map": name, **record})
    (FOLDER / f"{name}.json").write_text(f"{text}\n", encoding="utf-8")
    for answers in record.values():
        for one in answers:
            if one["forms"]:
                _write_lines(name, one)


def slug_of(name: str, answered: Answer) -> str:
    """The name of the files about the lines of an answer."""
    asked = answered["asked"]
    words = [str(asked[key]) for key in ("power", "centres") if key in asked]
    words = [word.lower() if word.isalpha() else word for word in words]
    return "-".join([name, *words, *(["self-sufficient"] if "self_sufficient" in asked else [])])


def certificates(name: str, answered: Answer) -> list[Any]:
    """The certificates of the lines that an answer lists."""
    power = answered["asked"].get("power")
    return [
        certificate_of(line_of(name, power, form, orders)) for form, orders in lines_in(answered)
    ]


def _write_lines(name: str, answered: Answer) -> None:
    slug, power = slug_of(name, answered), answered["asked"].get("power")
    rows = [json.dumps(one) for one in certificates(name, answered)]
    (LINES / f"{slug}.json").write_text("[" + ",\n".join(rows) + "]\n", encoding="utf-8")
    form, orders = next(lines_in(answered))
    head = f"# From the atlas (docs/atlas/README.md): {title_of(answered)}.\n"
    text = head + line_text(name, power, form, orders)
    (LINES / f"{slug}.yaml").write_text(text, encoding="utf-8")


def title_of(answered: Answer) -> str:
    """What an answer with lines is about, in a few words."""
    form = answered["forms"][0]
    held, units = len(form["centres"]), len(form["units"])
    return f"{units} units hold {held} centres"


def written(value: Any, indent: int = 0) -> str:
    """JSON in which whatever fits in a line is in one."""
    short = json.dumps(value)
    if indent + len(short) <= _WIDTH or not isinstance(value, dict | list) or not value:
        return short
    within = " " * (indent + 1)
    if isinstance(value, dict):
        parts = [f"{json.dumps(key)}: {written(one, indent + 1)}" for key, one in value.items()]
        return "{\n" + ",\n".join(within + part for part in parts) + "\n" + " " * indent + "}"
    if all(isinstance(one, str) and len(one) < _WIDTH // 4 for one in value):
        return short  # a list of provinces
    parts = [written(one, indent + 1) for one in value]
    return "[\n" + ",\n".join(within + part for part in parts) + "\n" + " " * indent + "]"
