"""The recipes of docs/cookbook.md for the gallery of the lab: `python -m tools.recipes`."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path
from typing import Any

from tools.site.lab_links import rules_beside, state_of
from tools.site.tables import RULES

_ROOT = Path(__file__).resolve().parent.parent
_PAGE = _ROOT / "docs" / "cookbook.md"
GALLERY = _ROOT / "dipsat" / "app" / "page" / "recipes.json"
_RECIPE = re.compile(r"^### (.+)\n\n((?s:.*?))(?=^##|\Z)", re.MULTILINE)
_IDEA = re.compile(r"^title: (.+)$", re.MULTILINE)
_SECTION = re.compile(r"^## (.+)$", re.MULTILINE)
_ORDERS = re.compile(r"\[Orders\]\(\s*(examples/cookbook/[\w.-]+)\)\.\s*")
_LINK = re.compile(r"\[([^\]]+)\]\([^)]*\)")


def text() -> str:
    """The file of the gallery."""
    return json.dumps({"recipes": list(_recipes())}, ensure_ascii=False, indent=1) + "\n"


def _recipes() -> Iterator[dict[str, Any]]:
    """Each recipe with its section, its text, and the state in which the lab shows it."""
    page = _PAGE.read_text(encoding="utf-8")
    sections = list(_SECTION.finditer(page))
    for recipe in _RECIPE.finditer(page):
        title, rest = recipe.groups()
        linked = _ORDERS.search(rest)
        assert linked, f"{title} has no orders"
        orders = _PAGE.parent / linked[1]
        rules = rules_beside(orders)
        assert rules, f"{title} has no rules"
        idea = _IDEA.search(rules.read_text(encoding="utf-8"))
        assert idea, f"{rules} has no title"
        state = asdict(state_of(orders, rules))
        words = _LINK.sub(r"\1", _ORDERS.sub("", RULES.sub("", rest)))
        yield {
            "name": orders.name.partition(".")[0],
            "section": [one[1] for one in sections if one.start() < recipe.start()][-1],
            "title": title,
            "idea": f"{idea[1]}.",
            "text": [" ".join(part.split()) for part in words.split("\n\n") if part.strip()],
            "state": {name: value for name, value in state.items() if value},
        }


if __name__ == "__main__":
    GALLERY.write_text(text(), encoding="utf-8")
