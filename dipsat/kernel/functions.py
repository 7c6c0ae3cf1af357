"""The functions of a C source, each written once."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from dipsat.kernel.declined import DeclinedError

BOARD = "const struct facts *f, struct bounds *b"
"""The first parameters of every function."""
RETREAT_NAME, TARGET = "retreat", "retreat_target"
"""How the index of a condition on retreats is called in C, and where it goes."""

_MAX_SOURCE = 2_000_000  # characters; the longest shipped profile takes a tenth


class Functions:
    """`texts` are the functions in the order in which they were written."""

    def __init__(self) -> None:
        self.texts: list[str] = []
        self._length = 0
        self._known: dict[tuple[object, ...], str] = {}

    def write(self, text: str) -> None:
        """Add a text. Raises `DeclinedError` if the source becomes too long."""
        self._length += len(text)
        if self._length > _MAX_SOURCE:
            raise DeclinedError("the equations are too long")
        self.texts.append(text)

    def known(
        self, key: tuple[object, ...], names: Mapping[str, str], used: Sequence[str]
    ) -> str | None:
        """The call of the function with this key, None if it is not written yet."""
        parameters = _parameters(used, names)
        name = self._known.get((*key, *parameters))
        return name and _called(name, parameters)

    def call(
        self, key: tuple[object, ...], names: Mapping[str, str], used: Sequence[str], body: str
    ) -> str:
        """The call of a function with this body, which needs the variables `used`."""
        parameters = _parameters(used, names)
        name = self._known.get((*key, *parameters))
        if name is None:
            name = self._known[(*key, *parameters)] = f"e{len(self.texts)}"
            listed = "".join(f", int {one}" for one in parameters)
            self.write(f"static long {name}({BOARD}{listed}) {{\n(void)f, (void)b;\n{body}}}\n")
        return _called(name, parameters)


def _called(name: str, parameters: Sequence[str]) -> str:
    return f"{name}(f, b{''.join(f', {one}' for one in parameters)})"


def _parameters(used: Sequence[str], names: Mapping[str, str]) -> list[str]:
    """The variables in C; a retreat is a unit and where it goes."""
    found = []
    for one in used:
        found += [names[one], TARGET] if names[one] == RETREAT_NAME else [names[one]]
    return found
