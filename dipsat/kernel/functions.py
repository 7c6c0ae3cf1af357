"""The functions of a C source, each written once."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from dipsat.kernel.declined import DeclinedError

BOARD = "const struct facts *f, struct bounds *b"
"""The first parameters of every function."""
RETREAT_NAME, TARGET = "retreat", "retreat_target"
"""How the index of a condition on retreats is called in C, and where it goes."""

_MAX_SOURCE = 2_000_000  # characters; the longest shipped profile takes a tenth


_CALL = re.compile(r"\b(?:(q\d+)|[el]\d+|least\d+|most\d+|\w+_chain|on_route|is_ring)\(f, ")
_SLOW, _QUICK = 200, 3000  # characters that take as long as a slow call, that are quickly evaluated


class Functions:
    """`texts` are the functions in the order in which they were written. Those whose names begin
    with q take no loops, and no branches that cannot be foreseen."""

    def __init__(self) -> None:
        self.texts: list[str] = []
        self._length = 0
        self._known: dict[tuple[object, ...], str] = {}
        self._costs: dict[str, int] = {}
        self.computed: frozenset[str] = frozenset()
        """The lazy decisions that were computed before the function that is written now, as
        `lazy_key` writes them."""

    @staticmethod
    def lazy_key(family: int, arguments: Sequence[str]) -> str:
        """A lazy decision in C, by its family and the objects that it is about."""
        return f"{family}: {', '.join(arguments)}"

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
            name for text in texts for name in _CALL.findall(text)
        )

    def in_order(self, op: str, parts: Sequence[str]) -> str:
        """Truth values joined by `and` or `or`, those first that are quickly evaluated. These are
        all evaluated, because a branch that cannot be foreseen takes longer."""
        ordered = sorted(parts, key=self.cost)
        quick = [part for part in ordered if self.is_quick(part)]
        slow = [part for part in ordered if not self.is_quick(part)]
        bits, words = (" & ", " && ") if op == "and" else (" | ", " || ")
        return f"({words.join([*([bits.join(quick)] if quick else []), *slow])})"

    def known(
        self, key: tuple[object, ...], names: Mapping[str, str], used: Sequence[str]
    ) -> str | None:
        """The call of the function with this key, None if it is not written yet."""
        parameters = _parameters(used, names)
        name = self._known.get((*key, self.computed, *parameters))
        return name and _called(name, parameters)

    def call(
        self,
        key: tuple[object, ...],
        names: Mapping[str, str],
        used: Sequence[str],
        body: str,
        is_quick: bool = False,
    ) -> str:
        """The call of a function with this body, which needs the variables `used`."""
        parameters = _parameters(used, names)
        name = self._known.get((*key, self.computed, *parameters))
        if name is None:
            name = f"{'q' if is_quick else 'e'}{len(self.texts)}"
            self._known[(*key, self.computed, *parameters)] = name
            self._costs[name] = self.cost(body)
            listed = "".join(f", int {one}" for one in parameters)
            start = "static inline" if is_quick else "static"
            self.write(f"{start} long {name}({BOARD}{listed}) {{\n(void)f, (void)b;\n{body}}}\n")
        return _called(name, parameters)

    def filter(self, body: str) -> str:
        """The name of a function with this body from units by both readings, `among`, to such."""
        name = f"e{len(self.texts)}"
        self.write(
            f"static struct readings {name}({BOARD}, struct readings among) {{\n"
            f"(void)f, (void)b;\n{body}}}\n"
        )
        return name


def _called(name: str, parameters: Sequence[str]) -> str:
    return f"{name}(f, b{''.join(f', {one}' for one in parameters)})"


def _parameters(used: Sequence[str], names: Mapping[str, str]) -> list[str]:
    """The variables in C; a retreat is a unit and where it goes."""
    found = []
    for one in used:
        found += [names[one], TARGET] if names[one] == RETREAT_NAME else [names[one]]
    return found
