"""What compiled code leaves open, adjudicated by dipsat's Python and put into the same arrays."""

from __future__ import annotations

from typing import Any

from dipsat.kernel.coded_parts import retreat_bits
from dipsat.kernel.numbers import BY_RULE, NOWHERE, UNIQUE, VERDICTS
from dipsat.kernel.results import BatchResult
from dipsat.limits import unlimited
from dipsat.proof.adjudicate import adjudicate
from dipsat.proof.movement import MovementOutcome


def answer(result: BatchResult, board: int) -> None:
    """Adjudicate a board, and write down what was found. Raises the errors of `adjudicate` and of
    `MovementOutcome.units_after`."""
    codes, coder = result.codes, result._coder
    arrays: Any = result.arrays
    uncoded = codes.uncoded.get(board)
    position, orders = coder.decode(codes, board) if uncoded is None else uncoded
    with unlimited():
        outcome = adjudicate(position, orders, coder.profile, lenient=codes.lenient)
    assert isinstance(outcome, MovementOutcome)
    result.outcomes[board] = outcome
    arrays.settled[board] = UNIQUE if outcome.is_proven else BY_RULE
    applied = {
        name
        for record in outcome.solution.records
        if record.applied is not None
        for name in record.applied.rules
    }
    names = [rule.name for rule in coder.profile.cycles]
    arrays.rules[board] = sum(1 << at for at, name in enumerate(names) if name in applied)
    if uncoded is None:
        _write(result, board, outcome)


def _write(result: BatchResult, board: int, outcome: MovementOutcome) -> None:
    """Write the results of a board with codes into the arrays."""
    numbers = result._coder.numbers
    arrays: Any = result.arrays
    first = result.codes.starts[board]
    units = result.units(board)
    at = {str(unit): place for place, unit in enumerate(units)}
    verdicts = {order.unit: order.verdict for order in outcome.orders}
    after = outcome.resolved
    outcome.units_after  # noqa: B018  # raises the error of rules that let units share a province
    for unit in after.facts.units:
        place = at[str(unit)]
        number = first + place
        arrays.verdicts[number] = VERDICTS.index(verdicts[str(unit)])
        end = after.ends.get(unit.index)
        arrays.ends[number] = NOWHERE if end is None else numbers.number_of[end]
        arrays.attackers[number] = NOWHERE
        arrays.retreats[number] = 0
        width = len(numbers.attributes)
        values = dict(after.unit_after(unit, unit.unit.location).attributes)
        for column, (name, known) in enumerate(numbers.attributes.items()):
            arrays.attributes[width * number + column] = known.index(values[name])
    for one in outcome.dislodged:
        place = at[one.unit]
        arrays.attackers[first + place] = NOWHERE if one.by is None else at[one.by]
        arrays.retreats[first + place] = retreat_bits(numbers, units[place], one.retreats)
    words = numbers.place_words
    mask = sum(1 << numbers.number_of[code] for code in outcome.contested)
    for word in range(words):
        arrays.contested[words * board + word] = mask >> 64 * word & (2**64 - 1)
