"""The functions of a C source, each written once, and what is computed before they are called."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager

from dipsat.kernel.layout import BY_UNIT, parameters, walk
from dipsat.kernel.numbers import DeclinedError
from dipsat.kernel.set_text import ALL_BY_UNIT, Names
from dipsat.rules import CYCLE, Expression, Variable, parts_of_all

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
            self._costs[name] = self.cost(body)
            head = f"static{' inline' if is_quick else ''} long {name}({BOARD}{parameters(given)})"
            self.write(f"{head} {{\n(void)f, (void)b;\n{body}}}\n")
        return f"{name}({', '.join(('f', 'b', *given))})"

    def filter(self, body: str) -> str:
        """The name of a function with this body from units by both readings, `among`, to such."""
        name = f"e{len(self.texts)}"
        self.write(
            f"static struct readings {name}({BOARD}, struct readings among) {{\n"
            f"(void)f, (void)b;\n{body}}}\n"
        )
        return name


_MOST = 64  # of either sort: the standard rules have half a dozen of each
_NAME = re.compile(r"\b[a-z]\w*\b")
_SIMPLE = re.compile(
    r"f->\w+(\[\w+\])?|has_unit\(f->\w+, \w+\)|\(the_unit\(\w+\) & f->\w+\)"
)  # what takes no longer than a kept one
_OF_ONE = "x"


class PreparedText:
    """What depends on the facts of one order alone: an equation asks again and again for the rivals
    of a move, or whether its target is empty. Such sets and truth values are computed once for all
    orders of a board, and kept; truth values as sets of orders. While it `is_off`, none is read or
    added: orders are checked before anything is computed."""

    def __init__(self, functions: Functions) -> None:
        self._functions = functions
        self.is_off = False
        self._sets: dict[tuple[str, str], int] = {}
        self._truths: dict[tuple[str, str], int] = {}
        self._asked = set[int]()  # the sets whose members somebody asks for

    @contextmanager
    def switched_off(self) -> Iterator[None]:
        """What is written meanwhile neither reads nor adds anything that is kept."""
        before, self.is_off = self.is_off, True
        try:
            yield
        finally:
            self.is_off = before

    def set_of(self, text: str, names: Names, *nodes: Expression | None) -> str:
        """A set in C that the nodes mean, from the kept ones if it depends on one order only."""
        at, name = self._number(self._sets, text, names, nodes)
        return text if at is None else f"f->kept[{at}][{name}]"

    def some_of(self, text: str) -> str | None:
        """The orders for which a kept set, as `set_of` writes it, has members."""
        found = re.fullmatch(r"f->kept\[(\d+)\]\[\w+\]", text)
        if not found:
            return None
        self._asked.add(int(found[1]))
        return f"f->has_kept[{found[1]}]"

    def truth(self, text: str, names: Names, node: Expression) -> tuple[str, str] | None:
        """A truth value in C as the set of orders for which it holds, and the order that it is
        about here; None if it is not kept."""
        at, name = self._number(self._truths, text, names, (node,))
        return None if at is None else (f"f->holds[{at}]", name)

    def _number(
        self,
        kept: dict[tuple[str, str], int],
        text: str,
        names: Names,
        nodes: tuple[Expression | None, ...],
    ) -> tuple[int | None, str]:
        if self.is_off or _SIMPLE.fullmatch(text) or not self._functions.is_quick(text):
            return None, ""
        used = {name for name in _NAME.findall(text) if name in names.values()}
        if len(used) != 1:
            return None, ""
        name = used.pop()
        kind = _kind_of(name, names, nodes)
        if kind is None:
            return None, ""
        key = kind, re.sub(rf"\b{name}\b", _OF_ONE, text)
        if key not in kept and len(kept) == _MOST:
            return None, ""
        return kept.setdefault(key, len(kept)), name

    @property
    def sizes(self) -> Mapping[str, int]:
        """How many are kept."""
        return {"KEPT_SETS": len(self._sets), "KEPT_TRUTHS": len(self._truths)}

    def function(self) -> Iterator[str]:
        """The function that computes them."""
        lines = []
        for kind, members in ALL_BY_UNIT.items():
            sets = {at: text for (about, text), at in self._sets.items() if about == kind}
            truths = {at: text for (about, text), at in self._truths.items() if about == kind}
            if not sets and not truths:
                continue
            asked = [at for at in sets if at in self._asked]
            masks = [*(f"has{at}" for at in asked), *(f"holds{at}" for at in truths)]
            lines.append("{\n")
            lines += [f"units {mask} = no_units();\n" for mask in masks]
            lines.append(f"{walk('unit', members, 'x', 'walk')}{{\n")
            lines += [f"units set{at} = {text};\n" for at, text in sets.items()]
            lines += [
                *(f"has{at} |= unit_if(x, any_unit(set{at}));\n" for at in asked),
                *(f"holds{at} |= unit_if(x, {text});\n" for at, text in truths.items()),
                *(f"f->kept[{at}][x] = set{at};\n" for at in sets),
                "}\n",
                *(f"f->has_kept[{at}] = has{at};\n" for at in asked),
                *(f"f->holds[{at}] = holds{at};\n" for at in truths),
                "}\n",
            ]
        yield (
            "static void prepare(struct facts *f) {\nstruct bounds *b = 0;\n(void)f, (void)b;\n"
            f"{''.join(lines)}}}\n"
        )


def _kind_of(name: str, names: Names, nodes: tuple[Expression | None, ...]) -> str | None:
    """The type of the orders or units that a variable in C stands for, None for others, and for
    what depends on a decision cycle, which comes later."""
    parts = list(parts_of_all(node for node in nodes if node is not None))
    if any(part.type == CYCLE for part in parts):
        return None
    kinds = {
        part.type for part in parts if isinstance(part, Variable) and names.get(part.name) == name
    }
    kind = kinds.pop() if len(kinds) == 1 else None
    return str(kind) if kind in BY_UNIT else None
