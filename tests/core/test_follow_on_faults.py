"""One slip of the pen is one fault: its consequences are not reported, and messages are short."""

from __future__ import annotations

import re
from pathlib import Path
from random import Random

import pytest

from dipsat.errors import DipsatError
from dipsat.rules import load_profile, parse_profile, remarks
from tests.checkout import ROOT
from tests.exhaustive import parts_of

COOKBOOK = ROOT / "docs" / "examples" / "cookbook"
FILES = sorted(path for path in COOKBOOK.glob("*.yaml") if not re.search("-map|orders", path.name))
_WORD = re.compile(r"[A-Za-z_]{4,}")


def slip(text: str, random: Random) -> str:
    """The text with a letter left out of one of its words, or two letters swapped."""
    words = [
        word
        for word in _WORD.finditer(text)
        if not re.match(r"[^\n]*#|title", text[text.rfind("\n", 0, word.start()) + 1 :])
    ]
    word = random.choice(words)
    at = random.randrange(word.start() + 1, word.end() - 1)
    if random.random() < 0.5:
        return text[:at] + text[at + 1 :]
    return text[:at] + text[at + 1] + text[at] + text[at + 2 :]


def messages(text: str, path: Path) -> list[str]:
    """Every message about a rule file."""
    try:
        return list(remarks(parse_profile(text, str(path))))
    except DipsatError as error:
        return str(error).split("\n")


@pytest.mark.parametrize("files", parts_of(FILES, 2))
def test_a_slip_in_a_house_rule_gives_few_short_messages(files: list[Path]) -> None:
    for path in files:
        random = Random(path.name)
        for _ in range(4):
            text = slip(path.read_text(encoding="utf-8"), random)
            said = messages(text, path)
            assert len(said) <= 2, (text, said)
            assert all(len(one) - len(str(path)) < 300 for one in said), said


ONE = {
    "a section": (
        "vriables: {w: Power}\nlegal:\n  builds_in(w, p): true", "unknown key 'vriables'",
    ),
    "a term's section": (
        "defie:\n  k(p): true\ndecisions:\n  hold_strength(p): base + (1 if k(p) else 0)",
        "unknown key 'defie'",
    ),
    "a fact of a condition": (
        "decisions:\n  move(m):\n    base: kept\n    far: m.unit.kindd == 'army'\n"
        "reasons:\n  far: too far",
        "no fact 'kindd'",
    ),
    "an entry": (
        "decisions:\n  atack_strength(m): base + 1", "did you mean 'attack_strength'?",
    ),
    "a comparison": (
        "decisions:\n  hold_strength(p): base + (1 if p.code = 'LON' else 0)", "write ==",
    ),
    "a map": ("map: standrad2000", "there is no map"),
}  # fmt: skip


@pytest.mark.parametrize(("entries", "said"), ONE.values(), ids=ONE)
def test_one_slip_is_one_fault(entries: str, said: str) -> None:
    (only,) = messages(f"name: x\nextends: datc\n{entries}\n", Path("x.yaml"))
    assert said in only
    assert len(only) < 250


def test_a_reason_without_a_condition_is_still_reported_beside_other_faults() -> None:
    text = "extends: datc\nreasons: {to_weak: no}\ndecisions: {move(m): m.tagret == m.target}\n"
    assert len(messages(text, Path("x.yaml"))) == 2


HINTS = {
    "LNO": "did you mean 'LON'?", "LOND": "did you mean 'LON'?", "London": "did you mean 'LON'?",
    "Moskow": "did you mean 'MOS'?", "sea": "as in `.kind == 'sea'`",
    "army": "as in `.kind == 'army'`",
}  # fmt: skip


@pytest.mark.parametrize("code", [*HINTS, "SEX", "PAS", "XYZ", "WAL1X", "moon", "q" * 3000])
def test_hints_at_codes_are_not_far_fetched(code: str) -> None:
    entry = f"hold_strength(p): 'base + (1 if p.code == \"{code}\" else 0)'"
    text = f"extends: datc\ndecisions: {{{entry}}}\n"
    (said,) = messages(text, Path("x.yaml"))
    assert HINTS.get(code, "(for the provinces") in said
    assert ("did you mean" in said) == ("did you mean" in HINTS.get(code, ""))
    assert len(said) < 300


def test_the_shipped_rules_have_no_remarks() -> None:
    assert remarks(load_profile("datc")) == ()
