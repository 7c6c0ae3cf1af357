"""Hostile rules: within every limit on their size, and yet meant to take for ever."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from itertools import pairwise

import dipsat
from dipsat import studies
from dipsat.engines import ENGINES
from dipsat.rules import Profile
from tests.strangers.random_rules import LOOPS, MANY, TRUTHS, nested

Act = Callable[[], object]

START = dipsat.Position.start("standard")
ORDERS = {
    "FRANCE": ["A PAR - BUR", "A MAR S A PAR - BUR", "F BRE - MAO"],
    "GERMANY": ["A MUN - BUR", "A BER S A MUN - BUR", "F KIE - DEN"],
    "ITALY": ["A VEN - PIE", "F NAP - ION", "A ROM S A VEN - PIE"],
}
_LETTERS = "qwyztkjv"


def profile_of(body: str) -> Profile:
    """A profile of a stranger: the standard rules and more."""
    return dipsat.parse_profile(f"name: strange\nextends: datc\n{body}", "strange.yaml")


def judged(body: str, engine: str = "solver") -> object:
    """Adjudicate an opening under a profile."""
    return dipsat.adjudicate(START, ORDERS, profile_of(body), engine=engine).to_dict()


def _proven(body: str) -> object:
    return dipsat.prove(START, ORDERS, profile_of(body)).to_dict()


def _nested(words: str, over: str, depth: int) -> str:
    """Nested quantifiers whose bodies compare everything that they go through."""
    names = _LETTERS[:depth]
    body = " or ".join(f"{one} != {other}" for one, other in pairwise(names))
    for number, name in enumerate(reversed(names)):
        word = words.split()[number % len(words.split())]
        inner = f"(1 if {body} else 0)" if word == "sum" and number == 0 else body
        body = f"{word}({inner} for {name} in {over})"
    return body


def _loops() -> Iterator[tuple[str, Act]]:
    """Nested quantifiers over all provinces, wherever an expression is allowed."""
    places: dict[str, tuple[Callable[[str], object], str]] = {
        "all": (judged, "decisions:\n  x(p): "),
        "any all": (judged, "decisions:\n  x(p): "),
        "any in a condition": (judged, "legal:\n  odd(m): "),
        "any in a result": (judged, "results:\n  contested(p): "),
        "any in prove": (_proven, "decisions:\n  x(p): "),
        "any in an order's condition": (_wished, ""),
    }
    for depth in (3, 4, 5):
        names = ", ".join(f"{name}: Province" for name in _LETTERS[:depth])
        for place, (act, head) in places.items():
            nest = _nested(place.partition(" in ")[0], "Province", depth)
            yield f"{depth} {place}", partial(act, f"variables: {{{names}}}\n{head}{nest}\n")


def _wished(text: str) -> object:
    """A condition on an order of a kind of one's own, from the line after the variables."""
    head, nest = text.rstrip("\n").split("\n")
    rules = profile_of(
        f"{head[:-1]}, x: Wish}}\norders:\n  Wish(x):\n"
        "    form: '{unit} WISH {aim: Province}'\n"
        f"    legal:\n      odd: {nest}\n"
    )
    return dipsat.adjudicate(START, {"FRANCE": ["A PAR WISH BUR"]}, rules).to_dict()


def _hole(pigeons: int) -> str:
    """Pigeons in fewer holes: each sits somewhere, or the rules contradict themselves."""
    birds = ", ".join(f"p{at}" for at in range(pigeons))
    holes = ", ".join(f"h{at}" for at in range(pigeons - 1))
    return (
        f"domains: {{Bird: [{birds}], Hole: [{holes}]}}\n"
        "variables: {b: Bird, d: Bird, h: Hole}\ndecisions:\n"
        "  sits(b, h): sits(b, h) and true\n"
        "  home(b): any(sits(b, h) for h in Hole)\n"
        "  alone(h): all(all(b == d or not (sits(b, h) and sits(d, h)) for d in Bird) "
        "for b in Bird)\n"
        "  odd(p): not odd(p) if not (all(home(b) for b in Bird) and all(alone(h) for h in Hole)) "
        "else odd(p)\n"
    )


def _searched(act: str) -> object:
    """A question about open orders under five sums over the attackers of a province."""
    over = "m.target.attackers"
    body = " + ".join(f"attack_strength({name})" for name in "abwd")
    nest = f"1 if {body} > attack_strength(e) else 0"
    for name in "edwba":
        nest = f"sum({nest} for {name} in {over})"
    head = "variables: {a: Move, b: Move, w: Move, d: Move, e: Move}\n"
    rules = profile_of(f"{head}decisions:\n  move(m): {nest} > 0\n")
    board = studies.random_board(1, units=60)
    position = dipsat.Position.from_units(board.units, rules=rules)
    if act == "search":
        return dipsat.search(
            position, dipsat.Paradox(), rules=rules, limits=dipsat.Limits(seconds=2)
        ).to_dict()
    outcome = dipsat.adjudicate(position, board.orders, rules)
    unit = next(one.unit for one in outcome.orders if one.verdict in ("succeeds", "fails"))
    found = dipsat.explain(outcome, unit, core=act == "core", change=act == "change")
    return found.to_dict()


_CHAINS = {
    "sums": "{0}(p) + {0}(p) - {0}(p)",
    "choices": "{0}(p) if {0}(p) > 0 else 1 - {0}(p)",
    "comparisons": "{0}(p) if {0}(p) == {0}(p) else 0",
}


def _chain(link: str, length: int) -> str:
    """A chain of numbers, each naming the next twice."""
    rows = (f"  n{at}(p): {_CHAINS[link].format(f'n{at + 1}')}\n" for at in range(length - 1))
    return (
        f"decisions:\n{''.join(rows)}  n{length - 1}(p): sum(1 for a in p.attackers if move(a))\n"
        "  support(s): n0(s.unit.province) == 0\n"
    )


def doubling_rules() -> Iterator[tuple[str, Act]]:
    """Rules from which more code than text could be made."""
    texts = dict(MANY)
    for name, shape in TRUTHS.items():
        for depth in (4,) if name in LOOPS else (4, 12, 36):
            texts[f"{depth} {name}"] = nested(shape, depth)
    for name, text in texts.items():
        yield name, partial(judged, f"decisions:\n  probe(m): {text}\n")
    names = ", ".join(f"{name}: Move" for name in _LETTERS[:5])
    for word, result in (("any", "true"), ("sum", "1")):
        text = "move(a)"
        for name in _LETTERS[:4]:
            text = f"{word}({result} for {name} in p.attackers if {text})"
            text = f"{text} > 0" if word == "sum" else text
        body = f"variables: {{{names}}}\ndecisions:\n  x(p): any({text} for a in p.attackers)\n"
        yield f"filters of {word}", partial(judged, body)
    long = " and ".join(["any(move(a) for a in p.attackers)"] * 95)
    yield "a long conjunction", partial(judged, f"decisions:\n  x(p): {long}\n")
    named = "".join(f"    c{at}: entered(u.province)\n" for at in range(700))
    yield "700 named conditions", partial(judged, f"decisions:\n  dislodge(u):\n{named}")
    defined = "".join(f"  d{at}(p): d{at + 1}(p) and d{at + 1}(p)\n" for at in range(30))
    end = "  d30(p): any(move(a) for a in p.attackers)\ndecisions:\n  x(p): d0(p)\n"
    yield "30 terms that name each other twice", partial(judged, f"define:\n{defined}{end}")


_ENDLESS = {
    "6 pigeons": _hole(6),
    "12 pigeons": _hole(12),
    "sum of many numbers": (
        "variables: {q: Province}\ndecisions:\n  f(p): f(p) and true\n"
        "  n(p): 13 if f(p) else 0\n  g(p): sum(n(q) for q in Province) > 900\n"
    ),
    "numbers that raise each other": (
        "decisions:\n  up(p): 1 + down(p)\n  down(p): up(p) - 1 + 1\n"
    ),
    "numbers without end": (
        "decisions:\n  up(p): 1 + down(p) if hold_strength(p) < 900 else 0\n  down(p): up(p)\n"
    ),
    "a family over three provinces": (
        "variables: {q: Province, w: Province, y: Province}\ndecisions:\n  x(q, w, y): true\n"
    ),
    "a cycle rule that never ends": (
        "decisions:\n  x(p): not x(p)\ncycles:\n  - {name: again, when: true, set: {x: true}}\n"
    ),
}


def endless_rules() -> Iterator[tuple[str, Act]]:
    """(name, act) of each hostile rule file."""
    yield from _loops()
    for name, body in _ENDLESS.items():
        yield name, partial(judged, body)
    for act in ("core", "change", "search"):
        yield f"five sums: {act}", partial(_searched, act)


def chained_rules() -> Iterator[tuple[str, Act]]:
    """Chains of numbers, for every engine: one kind for each, and every kind for one of them."""
    for at, engine in enumerate(ENGINES):
        links = _CHAINS if engine == "partial_information" else [[*_CHAINS][at % len(_CHAINS)]]
        for link in links:
            yield f"40 {link}: {engine}", partial(judged, _chain(link, 40), engine)
    for number in ("", "(multi_pass=orders)", "(multi_pass=decisions)"):
        engine = f"partial_information{number}"
        yield f"300 sums: {engine}", partial(judged, _chain("sums", 300), engine)
