"""The command `dipsat kernel`: compile rules to machine code."""

from __future__ import annotations

import click

from dipsat.app.parameters import ended_in_order, map_option, rules_option
from dipsat.app.printing import echo
from dipsat.errors import KernelError
from dipsat.rules import DEFAULT_RULES


@click.group()
def kernel() -> None:
    """Compile rules to machine code, which adjudicates phases much faster."""


@kernel.command()
@rules_option
@map_option
def build(rules: str | None, map_name: str | None) -> None:
    """Compile the equations of rules once, for all programs that this user runs later.

    Verdicts and positions then come from the compiled equations wherever propagation alone decides
    a phase. Results, reasons and proofs stay the same. Needs a C compiler, or `pip install
    ziglang`.
    """
    from dipsat.kernel import build as compiled

    click.get_current_context().with_resource(ended_in_order())
    batch = compiled(rules or DEFAULT_RULES, map_name)
    echo(f"{batch.rules.name} on {batch.map.name}: {batch.origin}")
    if batch.why_not_kept:
        raise KernelError(f"the compiled code is not kept: {batch.why_not_kept}")
