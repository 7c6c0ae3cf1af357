"""The files of the atlas: answers, certificates and lines to open."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from dipsat.searches.line_certificate import certificate_of
from tools.atlas.answers import Answer, lines_in
from tools.atlas.trials import line_of, line_text

FOLDER = Path(__file__).resolve().parent.parent.parent / "docs" / "atlas"
LINES = FOLDER / "lines"
PICTURES = FOLDER.parent / "pictures"
_WIDTH = 100

Record = dict[str, list[Answer]]
"""The answers about a map: section -> its answers."""


def read(name: str) -> Record:
    """The answers about a map so far."""
    path = FOLDER / f"{name}.json"
    if not path.exists():
        return {}
    found: Record = json.loads(path.read_text(encoding="utf-8"))
    return {key: answers for key, answers in found.items() if isinstance(answers, list)}


def write(name: str, record: Mapping[str, list[Answer]]) -> None:
    """Write all files about a map."""
    LINES.mkdir(parents=True, exist_ok=True)
    whole = written({"map": name, **record})
    (FOLDER / f"{name}.json").write_text(f"{whole}\n", encoding="utf-8")
    for answers in record.values():
        for one in answers:
            if one["forms"]:
                for file, text in files_of(name, one).items():
                    (LINES / file).write_text(text, encoding="utf-8")


def slug_of(name: str, answered: Answer) -> str:
    """The name of the files with the lines of an answer."""
    asked = answered["asked"]
    words = [name]
    if "split" in asked:
        words += ["split", *map(str, asked["split"])]
    if "not_all" in asked:
        words.append("not-all")
    if "power" in asked:
        words.append(asked["power"].lower())
    if isinstance(asked.get("centres"), int):
        words.append(str(asked["centres"]))
    elif "centres" in asked:
        words.append(answered.get("line", "alone"))
    words += ["self-sufficient"] if "self_sufficient" in asked else []
    return "-".join(words)


def certificates(name: str, answered: Answer) -> list[Any]:
    """The certificates of the lines that an answer lists."""
    power = answered["asked"].get("power")
    return [
        certificate_of(line_of(name, power, form, orders)) for form, orders in lines_in(answered)
    ]


def files_of(name: str, answered: Answer) -> dict[str, str]:
    """Name -> text of the files with the lines of an answer."""
    rows = [json.dumps(one) for one in certificates(name, answered)]
    certified = {f"{slug_of(name, answered)}.json": "[" + ",\n".join(rows) + "]\n"}
    return certified | lines_to_open(name, answered)


def lines_to_open(name: str, answered: Answer) -> dict[str, str]:
    """Name -> text of the files of lines: the first line, or both sides of a split."""
    slug, power = slug_of(name, answered), answered["asked"].get("power")
    shown = answered["forms"] if "split" in answered["asked"] else answered["forms"][:1]
    found = dict[str, str]()
    for form, ending in zip(shown, ("", "-other"), strict=False):
        head = f"# From the atlas (docs/atlas/README.md): {title_of(form)}.\n"
        found[f"{slug}{ending}.yaml"] = head + line_text(name, power, form, form["lines"][0])
    return found


def title_of(form: dict[str, Any]) -> str:
    """A short description of the lines of a form."""
    return f"{len(form['units'])} units hold {len(form['centres'])} centres"


def written(value: Any, indent: int = 0) -> str:
    """JSON in which every value that fits in one line is in one line."""
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
