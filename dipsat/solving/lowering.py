"""From ground terms to propositional logic, as SMT-LIB text.

Z3 spends its time on building terms, not on these small problems, and pure booleans in one text
are the quickest to build. A number decision with values from `low` to `high` becomes the literals
"is at least k" for each k in between; a sum becomes "at least k of these".
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field

from dipsat.equations.terms import (
    All,
    Any,
    Greater,
    IfElse,
    Key,
    Negation,
    Reach,
    Sum,
    Term,
    Unknown,
    interval,
)

Bounds = Callable[[Key], tuple[int, int]]
_CHARACTERS = 2  # written and read by Z3 in a step of about a microsecond


@dataclass
class Lowering:
    """Writes the equations of some decisions as SMT-LIB.

    `name` gives a decision's readable name, `bounds` its least and greatest value. `spend` is told
    of each piece of text what it took, in steps, and may raise an error to stop. Literals are
    numbered symbols; `symbols` maps each to the decision and, for a number, its k.
    """

    name: Callable[[Key], str]
    bounds: Bounds
    spend: Callable[[int], None] = lambda _: None
    symbols: dict[str, tuple[Key, int]] = field(default_factory=dict)
    _literals: dict[tuple[Key, int], str] = field(default_factory=dict)
    _auxiliary: list[str] = field(default_factory=list)
    _ranges: dict[int, tuple[Term, tuple[int, int]]] = field(default_factory=dict)

    def text(self, equations: Mapping[Key, tuple[Term, bool]], claims: Iterable[Term] = ()) -> str:
        """Declarations and assertions that say decision == equation for each of `equations`
        (decision -> (right-hand side, whether it is a truth value)), and that `claims` hold."""
        for key, (_, is_truth) in equations.items():
            for k in self._levels(key, is_truth):
                self._declare(key, k, is_truth)
        assertions: list[str] = []
        for key, (term, is_truth) in equations.items():
            for assertion in self._equation(key, term, is_truth):
                assertions.append(assertion)
                self.spend(len(assertion) // _CHARACTERS)
        assertions += [f"(assert {self._truth(claim)})" for claim in claims]
        declared = (f"(declare-const {symbol} Bool)" for symbol in self.symbols)
        return "\n".join((*declared, *self._auxiliary, *assertions))

    def differs(self, values: Mapping[Key, int]) -> str:
        """An assertion that some decision has not the value given."""
        literals = []
        for symbol, (key, k) in self.symbols.items():
            if key in values:
                literals.append(f"(not {symbol})" if values[key] >= k else symbol)
        return f"(assert {_join('or', literals)})"

    def _levels(self, key: Key, is_truth: bool) -> Iterable[int]:
        low, high = (0, 1) if is_truth else self.bounds(key)
        return range(low + 1, high + 1)

    def _declare(self, key: Key, k: int, is_truth: bool) -> None:
        name = symbol_text(self.name(key))
        symbol = f"|{name}|" if is_truth else f"|{name} >= {k}|"
        self._literals[key, k] = symbol
        self.symbols[symbol] = (key, k)

    def _equation(self, key: Key, term: Term, is_truth: bool) -> Iterable[str]:
        if is_truth:
            yield f"(assert (= {self._literals[key, 1]} {self._truth(term)}))"
            return
        low, high = self.bounds(key)
        for k in range(low + 1, high + 1):
            yield f"(assert (= {self._literals[key, k]} {self._at_least(term, k)}))"
            if k > low + 1:
                yield f"(assert (=> {self._literals[key, k]} {self._literals[key, k - 1]}))"
        least, most = self._range(term)
        if least < low or most > high:
            within = [self._at_least(term, low), _negate(self._at_least(term, high + 1))]
            yield f"(assert {_join('and', within)})"

    def _truth(self, term: Term) -> str:
        match term:
            case bool():
                return "true" if term else "false"
            case Unknown(key=key):
                return self._literals[key, 1]
            case Negation(part=part):
                return _negate(self._truth(part))
            case All(parts=parts):
                return _join("and", [self._truth(part) for part in parts])
            case Any(parts=parts):
                return _join("or", [self._truth(part) for part in parts])
            case Greater(left=left, right=right):
                return self._greater(left, right)
            case IfElse():
                return _choose(
                    self._truth(term.condition), self._truth(term.then), self._truth(term.otherwise)
                )
            case Reach():
                return self._reach(term)
        raise AssertionError(f"{term!r} is no truth value")

    def _greater(self, left: Term, right: Term) -> str:
        """Some k is reached by the left side and not by the right one."""
        left_least, left_most = self._range(left)
        right_least, right_most = self._range(right)
        if right_least == right_most:
            return self._at_least(left, right_least + 1)
        if left_least == left_most:
            return _negate(self._at_least(right, left_least))
        ways = [
            _join("and", [self._at_least(left, k), _negate(self._at_least(right, k))])
            for k in range(right_least + 1, left_most + 1)
        ]
        return _join("or", ways)

    def _at_least(self, term: Term, k: int) -> str:
        low, high = self._range(term)
        if k <= low:
            return "true"
        if k > high:
            return "false"
        match term:
            case Unknown(key=key, is_truth=False):
                return self._literals[key, k]
            case IfElse():
                return _choose(
                    self._truth(term.condition),
                    self._at_least(term.then, k),
                    self._at_least(term.otherwise, k),
                )
            case Sum():
                return self._sum_at_least(term, k)
        return self._truth(term)  # a truth value that counts as 0 or 1

    def _sum_at_least(self, term: Sum, k: int) -> str:
        """Taking the parts one by one: the first gives j, and the others at least k - j."""
        parts = [(part, 1) for part in term.added] + [(part, -1) for part in term.taken]
        ranges = []
        for part, sign in parts:
            low, high = self._range(part)
            ranges.append((low, high) if sign > 0 else (-high, -low))
        known: dict[tuple[int, int], str] = {}

        def part_at_least(at: int, j: int) -> str:
            part, sign = parts[at]
            return self._at_least(part, j) if sign > 0 else _negate(self._at_least(part, 1 - j))

        def rest_at_least(at: int, need: int) -> str:
            if sum(low for low, _ in ranges[at:]) >= need:
                return "true"
            if sum(high for _, high in ranges[at:]) < need:
                return "false"
            if (at, need) not in known:
                low, high = ranges[at]
                ways = [
                    _join("and", [part_at_least(at, j), rest_at_least(at + 1, need - j)])
                    for j in range(low, high + 1)
                ]
                known[at, need] = self._share(_join("or", ways))
            return known[at, need]

        return rest_at_least(0, k - term.constant)

    def _range(self, term: Term) -> tuple[int, int]:
        """The least and the greatest value of a term, worked out once. To hash a term takes as long
        as to look at all of it, so it is known by its identity, and kept so that this stays its."""
        known = self._ranges.get(id(term))
        if known is None:
            known = self._ranges[id(term)] = term, interval(term, self.bounds)
        return known[1]

    def _reach(self, term: Reach) -> str:
        """Reachability in steps, so that no node can hold itself up; polynomial in the nodes."""
        conditions = [self._truth(part) for part in term.conditions]
        nodes = range(len(conditions))
        reached = [conditions[n] if n in term.starts else "false" for n in nodes]
        for _ in nodes[1:]:
            reached = [
                self._share(
                    _join(
                        "or",
                        [
                            reached[n],
                            _join(
                                "and",
                                [conditions[n], _join("or", [reached[b] for b in term.borders[n]])],
                            ),
                        ],
                    )
                )
                for n in nodes
            ]
        return _join("or", [reached[n] for n in term.ends])

    def _share(self, text: str) -> str:
        """A name for a text that may be used several times."""
        if len(text) < 20 or not text.startswith("("):
            return text
        name = f"shared{len(self._auxiliary)}"
        self._auxiliary.append(f"(define-fun {name} () Bool {text})")
        self.spend(len(text) // _CHARACTERS)
        return name


_BARRED = frozenset("|\\#")


def symbol_text(name: str) -> str:
    """A decision's name as it may stand between the bars of an SMT-LIB symbol.

    Only the names of a map of one's own can hold a character that may not; it is written as # and
    its hexadecimal number.
    """
    if name.isascii() and name.isprintable() and _BARRED.isdisjoint(name):
        return name
    return "".join(c if c.isprintable() and c not in _BARRED else f"#{ord(c):X}" for c in name)


def _negate(text: str) -> str:
    if text in ("true", "false"):
        return "false" if text == "true" else "true"
    return f"(not {text})"


def _join(op: str, parts: Iterable[str]) -> str:
    """`and` or `or` of texts, with the constants folded."""
    ends, nothing = ("false", "true") if op == "and" else ("true", "false")
    left = [part for part in dict.fromkeys(parts) if part != nothing]
    if ends in left:
        return ends
    if not left:
        return nothing
    return left[0] if len(left) == 1 else f"({op} {' '.join(left)})"


def _choose(condition: str, then: str, otherwise: str) -> str:
    if then == otherwise or condition == "true":
        return then
    if condition == "false":
        return otherwise
    return f"(ite {condition} {then} {otherwise})"
