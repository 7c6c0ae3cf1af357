"""The decisions of a family in C: one after the other, and what each is about."""

from __future__ import annotations

from dipsat.kernel.layout import Family


def indices_of(family: Family) -> tuple[dict[str, str], str]:
    """The indices of a family in C, and how they follow from the number `i` of a decision."""
    names: dict[str, str] = {}
    text, after = "", 1
    for at in reversed(range(len(family.sizes))):
        name, size = f"x{at}", family.sizes[at]
        whole = "i" if after == 1 else f"i / {after}"
        text += f"int {name} = {whole}{'' if at == 0 else f' % {size}'};\n(void){name};\n"
        after *= size
    for at, index in enumerate(family.decision.indices):
        names[index.name] = f"x{at}"
    return names, text


def for_each(words: str, family: Family) -> str:
    """The head of a loop over the decisions of a family that are in a set."""
    return (
        f"for (int w = {family.word}; w < {family.word + family.words}; w++)\n"
        f"for (u64 left = {words}; left; left &= left - 1) {{\nu64 bit = left & -left;\n"
        f"int i = 64 * (w - {family.word}) + LOWEST(left);\n(void)i; (void)bit;\n"
    )
