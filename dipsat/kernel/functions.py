"""The functions of a C source, each written once."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence

from dipsat.kernel.layout import parameters
from dipsat.kernel.numbers import DeclinedError

BOARD = "const struct facts *f, struct bounds *b"
"""The first parameters of every function."""
RETREAT_NAME, TARGET = "retreat", "retreat_target"
"""How the index of a condition on retreats is called in C, and where it goes."""

TOO_DEEP = "conditions or equalities are nested too deep in an equation"
"""Either reading of such a part needs both readings of parts of it, and so on: each level doubles
what is written, or evaluated."""
_MAX_SOURCE = 2_000_000  # characters; the longest shipped profile takes a tenth


_MAX_WEIGHT = 50_000  # characters that a call evaluates at most; shipped rules have 3,000
_CALL = re.compile(r"\b(?:([qe]\d+)|least\d+|most\d+|\w+_chain|on_route|is_ring)\(f, ")
_SLOW, _QUICK = 200, 3000  # characters that take as long as a slow call, that are quickly evaluated


class Functions:
    """`texts` are the functions in the order in which they were written. Those whose names begin
    with q take no loops, and no branches that cannot be foreseen."""

    def __init__(self) -> None:
        self.texts: list[str] = []
        self._length = 0
        self._known: dict[tuple[object, ...], str] = {}
        self._costs: dict[str, int] = {}
        self._weights: dict[str, int] = {}

    def write(self, text: str) -> None:
        """Add a text. Raises `DeclinedError` if the source becomes too long."""
        self._length += len(text)
        if self._length > _MAX_SOURCE:
            raise DeclinedError("the equations are too long")
        self.texts.append(text)

    def cost(self, text: str) -> int:
        """How long it takes to evaluate C, roughly, in characters."""
        return len(text) + sum(self._costs.get(name, _SLOW) for name in _CALL.findall(text))

    def is_quick(self, *texts: str) -> bool:
        """Whether all these are evaluated so quickly that it is not worth a branch."""
        return sum(map(self.cost, texts)) < _QUICK and all(
            name in self._costs for text in texts for name in _CALL.findall(text)
        )

    def in_order(self, op: str, parts: Sequence[str]) -> str:
        """Truth values joined by `and` or `or`, those first that are quickly evaluated. These are
        all evaluated, because a branch that cannot be foreseen takes longer."""
        ordered = sorted(parts, key=self.cost)
        quick = [part for part in ordered if self.is_quick(part)]
        slow = [part for part in ordered if not self.is_quick(part)]
        bits, words = (" & ", " && ") if op == "and" else (" | ", " || ")
        return f"({words.join([*([bits.join(quick)] if quick else []), *slow])})"

    def call(
        self,
        key: tuple[object, ...],
        names: Mapping[str, str],
        used: Sequence[str],
        write: Callable[[], tuple[str, bool]],
    ) -> str:
        """The call of the function with this key, which needs the variables `used`. The first time,
        `write` is asked for its body, and whether that is quick."""
        given = list[str]()
        for one in used:  # a retreat is a unit and where it goes
            given += [names[one], TARGET] if names[one] == RETREAT_NAME else [names[one]]
        known = (*key, *given)
        name = self._known.get(known)
        if name is None:
            body, is_quick = write()
            name = f"{'q' if is_quick else 'e'}{len(self.texts)}"
            self._known[known] = name
            if is_quick:
                self._costs[name] = self.cost(body)
            inner = _CALL.findall(body)
            self._weights[name] = len(body) + sum(self._weights.get(one, 0) for one in inner)
            if self._weights[name] > _MAX_WEIGHT:
                raise DeclinedError(TOO_DEEP)
            head = f"static{' inline' if is_quick else ''} long {name}({BOARD}{parameters(given)})"
            self.write(f"{head} {{\n(void)f, (void)b;\n{body}}}\n")
        return f"{name}({', '.join(('f', 'b', *given))})"
