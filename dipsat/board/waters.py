"""Provinces that share water, as bits of whole numbers: sets of many seas are joined at once."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping


class Waters:
    """The provinces with water, in the order of their codes; the first has the lowest bit."""

    def __init__(self, water: Mapping[str, frozenset[str]]) -> None:
        self.codes = tuple(sorted(water))
        self.bits = {code: 1 << at for at, code in enumerate(self.codes)}
        self.near = tuple(self.mask(water[code]) for code in self.codes)

    def mask(self, codes: Iterable[str]) -> int:
        """The bits of the provinces; those without water have none."""
        bits, found = self.bits, 0
        for code in codes:
            found |= bits.get(code, 0)
        return found

    def names(self, mask: int) -> tuple[str, ...]:
        """The codes of the bits, sorted."""
        return tuple(self.codes[bit.bit_length() - 1] for bit in bits_of(mask))

    def near_of(self, code: str) -> int:
        """The provinces that share water with one."""
        bit = self.bits.get(code, 0)
        return self.near[bit.bit_length() - 1] if bit else 0

    def beside(self, mask: int) -> int:
        """The provinces that share water with any of those in `mask`."""
        found = 0
        while mask:
            low = mask & -mask
            mask ^= low
            found |= self.near[low.bit_length() - 1]
        return found

    def way(self, start: int, goals: int, allowed: int) -> int:
        """A shortest chain of provinces from one in `start` to one in `goals`, both included, whose
        others are all in `allowed`; 0 if there is none."""
        layers = [start]
        seen = start
        while not layers[-1] & goals:
            fresh = self.beside(layers[-1]) & allowed & ~seen
            if not fresh:
                return 0
            seen |= fresh
            layers.append(fresh)
        reached = layers.pop() & goals
        found = step = reached & -reached
        for layer in reversed(layers):
            before = self.near[step.bit_length() - 1] & layer
            step = before & -before
            found |= step
        return found


def bits_of(mask: int) -> Iterator[int]:
    """The bits of a whole number, the lowest first."""
    while mask:
        low = mask & -mask
        mask ^= low
        yield low
