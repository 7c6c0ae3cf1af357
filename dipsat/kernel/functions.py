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
_CALL = re.compile(r"\b(e\d+)\(f, ")


class Functions:
    """`texts` are the functions in the order in which they were written."""

    def __init__(self) -> None:
        self.texts: list[str] = []
        self._length = 0
        self._known: dict[tuple[object, ...], str] = {}
        self._weights: dict[str, int] = {}

    def write(self, text: str) -> None:
        """Add a text. Raises `DeclinedError` if the source becomes too long."""
        self._length += len(text)
        if self._length > _MAX_SOURCE:
            raise DeclinedError("the equations are too long")
        self.texts.append(text)

    def call(
        self,
        key: tuple[object, ...],
        names: Mapping[str, str],
        used: Sequence[str],
        write: Callable[[], str],
    ) -> str:
        """The call of the function with this key, which needs the variables `used`. The first time,
        `write` is asked for its body."""
        given = list[str]()
        for one in used:  # a retreat is a unit and where it goes
            given += [names[one], TARGET] if names[one] == RETREAT_NAME else [names[one]]
        known = (*key, *given)
        name = self._known.get(known)
        if name is None:
            body = write()
            name = self._known[known] = f"e{len(self.texts)}"
            self._weights[name] = len(body) + sum(self._weights[one] for one in _CALL.findall(body))
            if self._weights[name] > _MAX_WEIGHT:
                raise DeclinedError(TOO_DEEP)
            head = f"static long {name}({BOARD}{parameters(given)})"
            self.write(f"{head} {{\n(void)f, (void)b;\n{body}}}\n")
        return f"{name}({', '.join(('f', 'b', *given))})"
