"""Other engines, by the `diplomacy` package as the common yardstick.

They were measured beside that package's `process()` once, on full boards of about 27 units, warm,
on one core. Scaled by what `process()` takes now, their figures can stand beside this run's.
"""

from __future__ import annotations

from collections.abc import Iterator

Figure = tuple[str, str, str]

PROCESS_US = 1350  # what `process()` took in the run that measured the others
# From the orders of a movement phase to its results, least and most, in microseconds.
OTHERS = (
    ("dipcc (C++)", 25, 25),
    ("dipcc, with the legal orders that it needs first", 105, 105),
    ("jDip (Java)", 40, 60),
    ("the crate `diplomacy` (Rust)", 92, 126),
    ("godip (Go)", 650, 650),
)


def other_figures(process_us: float | None) -> Iterator[Figure]:
    """What another engine would take in this run, and how many times as long `process()` takes."""
    if process_us is None:
        return
    for name, *figures in OTHERS:
        scaled = [figure * process_us / PROCESS_US for figure in figures]
        ratios = [PROCESS_US / figure for figure in reversed(figures)]
        yield (
            f"{name}, scaled",
            f"{_span(scaled)} us",
            f"`process()` takes {_span(ratios)} times as long",
        )


def _span(figures: list[float]) -> str:
    """A span of figures, in digits that mean something."""
    texts = dict.fromkeys(
        f"{figure:.0f}" if figure >= 10 else f"{figure:.1f}" for figure in figures
    )
    return " to ".join(texts)
