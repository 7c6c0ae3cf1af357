"""Write ground terms as propositional logic in SMT-LIB text.

On these small problems Z3 spends its time building terms, not solving, and pure booleans in one
text are the quickest to build. A numeric decision with values from `low` to `high` becomes the
literals "is at least k" for each k in between; a sum becomes "at least k of these".
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping

from dipsat.equations.folding import fold
from dipsat.equations.levels import Levels, Number
from dipsat.equations.term import Equations, Key, Ranges

_LONG = 20  # from this number of characters, a text gets a name
_COPIES = 4000  # characters that all copies of a text may take


class SmtWriter:
    """Writes the equations of some decisions as SMT-LIB.

    `name` gives a decision's readable name, `bounds` its least and greatest value. `symbols` maps
    the symbol of each literal to the decision and, for a number, its k.

    Names must differ, and end with a parenthesis or a bracket (`move(A LON - BEL)`). Then symbols
    differ too: a number's k follows the last `>= `, a truth value has no k at its end, and the
    names of shared terms (`shared0`) have no parenthesis.
    """

    def __init__(self, name: Callable[[Key], str], bounds: Ranges) -> None:
        self.name, self.bounds = name, bounds
        self.symbols: dict[str, tuple[Key, int]] = {}
        self._numbers: dict[Key, Number[str]] = {}
        self._logic = _Text()
        self._levels = Levels(self._logic, self._numbers.__getitem__)

    def text(self, equations: Equations) -> str:
        """Declarations and assertions that say decision == equation for each of `equations`
        (decision -> (right-hand side, whether it is a truth value))."""
        for key, (_, is_truth) in equations.items():
            self._declare(key, is_truth)
        assertions: list[str] = []
        for key, (term, _) in equations.items():
            for assertion in self._equation(self._numbers[key], fold(term, self._levels)):
                assertions.append(f"(assert {assertion})")
        declared = (f"(declare-const {symbol} Bool)" for symbol in self.symbols)
        return "\n".join((*declared, *self._logic.definitions(), *assertions))

    def differs(self, values: Mapping[Key, int]) -> str:
        """An assertion that some decision does not have the given value."""
        literals = []
        for symbol, (key, k) in self.symbols.items():
            if key in values:
                literals.append(f"(not {symbol})" if values[key] >= k else symbol)
        return f"(assert {_join('or', literals)})"

    def _declare(self, key: Key, is_truth: bool) -> None:
        name = symbol_text(self.name(key))
        if is_truth:
            symbol = f"|{name}|"
            self.symbols[symbol] = (key, 1)
            self._numbers[key] = Number(0, (symbol,))
            return
        low, high = self.bounds(key)
        levels = []
        for k in range(low + 1, high + 1):
            symbol = f"|{name} >= {k}|"
            self.symbols[symbol] = (key, k)
            levels.append(symbol)
        self._numbers[key] = Number(low, tuple(levels))

    def _equation(self, decision: Number[str], term: Number[str]) -> Iterator[str]:
        """Assertions that a decision equals a term, and that its levels are those of a number."""
        at_least = self._levels.at_least
        if decision.low == term.low == 0 and len(decision.levels) == len(term.levels) == 1:
            yield f"(= {decision.levels[0]} {term.levels[0]})"  # the usual case: a truth value
            return
        for k, level in enumerate(decision.levels, decision.low + 1):
            yield f"(= {level} {at_least(term, k)})"
            if k > decision.low + 1:
                yield f"(=> {level} {at_least(decision, k - 1)})"
        if term.low < decision.low or term.high > decision.high:
            within = (
                at_least(term, decision.low),
                self._logic.negation(at_least(term, decision.high + 1)),
            )
            yield _join("and", within)


class _Text:
    """Propositional logic as text; long texts that may be used again get a name."""

    true, false = "true", "false"

    def __init__(self) -> None:
        self._shared: list[str] = []

    def definitions(self) -> Iterator[str]:
        """The named texts, as booleans: Z3 would write every macro, expanded, into each model of
        its context."""
        for number, text in enumerate(self._shared):
            yield f"(declare-const shared{number} Bool)"
            yield f"(assert (= shared{number} {text}))"

    def negation(self, part: str) -> str:
        """Not the part."""
        return {"true": "false", "false": "true"}.get(part, f"(not {part})")

    def all_of(self, parts: Iterable[str]) -> str:
        """Every part holds."""
        return _join("and", parts)

    def any_of(self, parts: Iterable[str]) -> str:
        """Some part holds."""
        return _join("or", parts)

    def choose(self, condition: str, then: str, otherwise: str) -> str:
        """`then` if the condition holds, else `otherwise`."""
        if then == otherwise or condition == "true":
            return then
        return otherwise if condition == "false" else f"(ite {condition} {then} {otherwise})"

    def share(self, truth: str) -> str:
        """A name for a text that may be used several times."""
        if len(truth) < _LONG or not truth.startswith("("):
            return truth
        return self._named(truth)

    def reuse(self, truth: str, times: int) -> str:
        """The text itself, or a name for it if its copies would be long."""
        is_short = len(truth) * times <= _COPIES or not truth.startswith("(")
        return truth if is_short else self._named(truth)

    def _named(self, truth: str) -> str:
        self._shared.append(truth)
        return f"shared{len(self._shared) - 1}"


_BARRED = frozenset("|\\#")


def symbol_text(name: str) -> str:
    """A name in characters that are allowed between the bars of an SMT-LIB symbol.

    Only a user's own map or rules can have names with other characters, each written as #, its
    hexadecimal number and a semicolon. Different names stay different, because a name can be read
    back: every # in the result begins such a number, which ends at the next semicolon.
    """
    if name.isascii() and name.isprintable() and _BARRED.isdisjoint(name):
        return name
    return "".join(c if c.isprintable() and c not in _BARRED else f"#{ord(c):X};" for c in name)


def _join(op: str, parts: Iterable[str]) -> str:
    """`and` or `or` of texts, with the constants folded."""
    ends, nothing = ("false", "true") if op == "and" else ("true", "false")
    left = [part for part in dict.fromkeys(parts) if part != nothing]
    if ends in left:
        return ends
    if not left:
        return nothing
    return left[0] if len(left) == 1 else f"({op} {' '.join(left)})"
