"""Random well-typed equations of the rule language, and profiles of them."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any

import dipsat
from dipsat.base import data_folder
from dipsat.rules import FACTS, Type
from dipsat.rules.vocabulary import KNOWN_EARLY
from tests.strangers.fuzzing.documents import part, written

Scope = Mapping[str, str]
"""Variable -> the name of its type."""

_INDICES = {
    "m": "Move", "a": "Move", "o": "Move", "s": "Support", "c": "Convoy", "u": "Unit",
    "p": "Province", "r": "Retreat", "b": "Build", "w": "Power",
}  # fmt: skip
_TERMS: Mapping[str, tuple[str, ...]] = {
    "vacated": ("Move",), "entered": ("Province",), "left": ("Unit",), "standoff": ("Province",),
    "head_on": ("Move",), "cuts": ("Move", "Support"), "carries": ("Convoy", "Move"),
    "may_retreat": ("Unit", "Province"),
}  # fmt: skip
_BASES = (
    "datc", "datc", "datc", "rulebooks/1982", "datc-3", "choices/4.A.2-2000", "choices/4.A.2-dptg",
    "choices/4.A.3-2023", "choices/5.B.9-plain", "judges/vain-via-over-land",
)  # fmt: skip
_KINDS = ("Move", "Support", "Convoy", "Unit", "Province")
_WHEN = (
    "ring(cycle.move)", "some(cycle.path)", "cycle.resolutions == 0", "cycle.resolutions > 1",
    "not ring(cycle.move)", "some(cycle.convoy) and some(cycle.support)", "true",
    "any(m.convoyed for m in cycle.move)", "sum(1 for m in cycle.move) > 2",
)  # fmt: skip
_SETS: tuple[Mapping[str, Any], ...] = (
    {"move": True}, {"path": False}, {"convoy": False}, {"support": False}, {"move": False},
    {"dislodge": False}, {"attack_strength": 0}, {"attack_strength": 1, "path": True}, {},
)  # fmt: skip
_WORDS = {
    **{(kind, name): one.texts for kind, words in FACTS.items() for name, one in words.items()},
    ("Unit", "kind"): ("army", "fleet"), ("Build", "kind"): ("army", "fleet"),
    ("Province", "code"): ("PAR", "BUL", "NTH"),
}  # fmt: skip
_DEEPEST = 4


class Writer:
    """Writes random expressions. With `early`, they use only what is known of a single order."""

    def __init__(self, rng: random.Random, early: bool = False) -> None:
        self.rng = rng
        self.early = early
        self.count = 0

    def truth(self, scope: Scope, depth: int) -> str:
        """A truth value."""
        if depth <= 0:
            return self._simple(scope)
        shape = self.rng.randrange(10)
        one = self.truth(scope, depth - self.rng.randint(1, 2))
        other = self.truth(scope, depth - self.rng.randint(1, 3))
        if shape < 3:
            return (f"not ({one})", f"({one} and {other})", f"({one} or {other})")[shape]
        if shape == 3:
            return f"({one} if {self._simple(scope)} else {other})"
        if shape == 4:
            return f"({one} {self.rng.choice(('==', '!='))} {other})"
        if shape == 5:
            first, second = self.number(scope, depth - 1), self.number(scope, depth - 2)
            return f"({first} {self.rng.choice(('==', '!=', '<', '<=', '>', '>='))} {second})"
        if shape == 6 and not self.early:
            ends = self._paths(scope, "Province")
            links = f"({self._body(scope, self.rng.choice(('Convoy', 'Unit')), depth, self.truth)})"
            return (
                f"chain({self.rng.choice(ends)}, {self.rng.choice(ends)}, {links})" if ends else one
            )
        return f"{self.rng.choice(('all', 'any'))}({self._body(scope, '', depth, self.truth)})"

    def number(self, scope: Scope, depth: int) -> str:
        """A number."""
        families = self._calls(scope, "number")
        if depth <= 0 or self.rng.random() < 0.3:
            return self.rng.choice([*families, *families, "0", "1", "2", "7"])
        shape = self.rng.randrange(4)
        if shape == 0:
            return (
                f"sum({self._body(scope, '', depth, self.rng.choice((self.truth, self.number)))})"
            )
        if shape == 1:
            condition = self.truth(scope, depth - 1)
            return f"({self.number(scope, depth - 1)} if {condition} else {self.number(scope, 0)})"
        sign = self.rng.choice("+-")
        return f"({self.number(scope, depth - 1)} {sign} {self.number(scope, depth - 2)})"

    def _body(self, scope: Scope, item: str, depth: int, inner: Any) -> str:
        """`e for x in D if c` over a set of some type, or of the one given."""
        self.count += 1
        name = f"x{self.count}"
        sets = [
            (path, type.item.name)
            for path, type in _paths(scope, self.early)
            if type.item and (not item or type.item.name == item)
        ]
        kinds = ["Unit"] if self.early else [*_KINDS]
        sets += [(kind, kind) for kind in kinds if not item or kind == item]
        over, kind = self.rng.choice(sets)
        within = {**scope, name: kind}
        tail = f" if {self.truth(within, depth - 2)}" if self.rng.random() < 0.5 else ""
        return f"{inner(within, depth - 1)} for {name} in {over}{tail}"

    def _simple(self, scope: Scope) -> str:
        found = [path for path, type in _paths(scope, self.early) if type.name == "truth"]
        found += self._calls(scope, "truth") * 2
        found += [f"some({path})" for path, type in _paths(scope, self.early) if type.item]
        for kind in ("Province", "Power", "Unit"):
            same = self._paths(scope, kind)
            if len(same) > 1:
                found.append(f"({self.rng.choice(same)} == {self.rng.choice(same)})")
        found += [f'({path} == "{word}")' for path, word in self._texts(scope)]
        return self.rng.choice(found or ["true", "false"])

    def _texts(self, scope: Scope) -> list[tuple[str, str]]:
        """Texts of the scope, each with a word that it could be."""
        found = [("phase.season", self.rng.choice(_WORDS["Phase", "season"]))]
        for name, kind in scope.items():
            for path, type in _reached(kind, self.early):
                owner, _, fact = path.rpartition(".")
                if type.name == "text":
                    words = _WORDS[dict(_reached(kind, self.early))[owner].name, fact]
                    found.append((f"{name}{path}", self.rng.choice(words)))
        return found

    def _calls(self, scope: Scope, result: str) -> list[str]:
        if self.early:
            return []
        found = []
        for name, (indices, type) in _families().items():
            choices = [self._paths(scope, index) for index in indices]
            if type == result and all(choices):
                found.append(f"{name}({', '.join(self.rng.choice(one) for one in choices)})")
        return found

    def _paths(self, scope: Scope, kind: str) -> list[str]:
        return [path for path, type in _paths(scope, self.early) if str(type) == kind]


def _paths(scope: Scope, early: bool) -> Sequence[tuple[str, Type]]:
    return [
        (f"{name}{path}", type)
        for name, kind in scope.items()
        for path, type in _reached(kind, early)
    ]


@cache
def _reached(kind: str, early: bool) -> Sequence[tuple[str, Type]]:
    """What leads from an object of a type to others, in at most two steps."""
    found: list[tuple[str, Type]] = [("", Type(kind))]
    last = found
    for _ in range(2):
        last = [
            (f"{path}.{fact}", word.type)
            for path, type in last
            for fact, word in FACTS.get(type.name, {}).items()
            if not early or fact in KNOWN_EARLY[type.name]
        ]
        found = found + last
    return found


@cache
def _families() -> Mapping[str, tuple[tuple[str, ...], str]]:
    """Decision or term -> the types of its indices, and its own."""
    found = {name: (indices, "truth") for name, indices in _TERMS.items()}
    for name, decision in dipsat.load_profile("datc").decisions.items():
        found[name] = (tuple(str(one.type) for one in decision.indices), str(decision.type))
    return found


def scope_of(name: str) -> Scope:
    """The indices of an entry such as `move(m)`."""
    letters = name.partition("(")[2].rstrip(")").split(",")
    return {one.strip(): _INDICES[one.strip()] for one in letters if one.strip() in _INDICES}


def equation(name: str, old: str, rng: random.Random) -> str:
    """Another equation for an entry: a new one, or the old one with an addition."""
    writer = Writer(rng)
    scope, depth = scope_of(name), rng.randint(0, _DEEPEST)
    is_number = _families().get(name.partition("(")[0], ("", "truth"))[1] == "number"
    new = writer.number(scope, depth) if is_number else writer.truth(scope, depth)
    if not old or rng.random() < 0.3:
        return new
    if is_number:
        return rng.choice((f"({old}) + ({new})", f"({old}) - ({new})"))
    more = writer.truth(scope, 1)
    return rng.choice(
        (f"({old}) and ({new})", f"({old}) or ({new})", f"({old}) if {more} else {new}")
    )


def made_profile(rng: random.Random) -> str:
    """A profile with random equations, most of them over those of the standard rules."""
    found: dict[str, Any] = {"name": "made", "extends": rng.choice(_BASES)}
    found["variables"] = {"b": "Build", "w": "Power"}
    decisions = found["decisions"] = dict[str, Any]()
    for name in rng.sample(sorted(_own()), rng.choice((0, 1, 1, 2))):
        decisions[name] = _changed(name, _own()[name], rng)
    for name in rng.sample(
        ("probe(m)", "probe2(u, p)", "probe3(p)", "probe4(s)"), rng.choice((0, 1))
    ):
        decisions[name] = equation(name, "", rng)
    if rng.random() < 0.3:
        terms = part(_text(), "define")
        name = rng.choice(sorted(terms))
        found["define"] = {name: equation(name, terms[name], rng)}
    if rng.random() < 0.3:
        name = rng.choice(("far(m)", "near(s)", "deep(c)", "back(r)", "new(b)", "counts_for(w, p)"))
        found["legal"] = {name: Writer(rng, early=True).truth(scope_of(name), rng.randint(0, 2))}
    if rng.random() < 0.3:
        name = rng.choice(("contested(p)", "retreat(u, p)", "retreat_succeeds(r)"))
        found["results"] = {name: equation(name, "", rng)}
    if rng.random() < 0.4:
        rule = {"name": "made", "when": rng.choice(_WHEN), "set": dict(rng.choice(_SETS))}
        found[rng.choice(("cycles", "cycles_before"))] = [rule]
    return written(found, rng.random() < 0.3)


def _changed(name: str, old: Any, rng: random.Random) -> Any:
    if isinstance(old, str):
        return equation(name, old, rng)
    return {**old, rng.choice([*sorted(old), "made"]): equation(name, "", rng)}


@cache
def _text() -> str:
    return (data_folder("rules") / "datc.yaml").read_text(encoding="utf-8")


@cache
def _own() -> Mapping[str, Any]:
    return part(_text(), "decisions")
