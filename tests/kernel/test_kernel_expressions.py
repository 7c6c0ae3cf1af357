"""Compiled expressions of every shape, all of them in one profile: each is a decision about units
that becomes an attribute of the unit, so every value is visible."""

from __future__ import annotations

import json

import pytest

import dipsat
from dipsat.kernel import Batch, library
from tests.kernel.kernel_agreement import agreed, needs_compiler, random_boards

EXPRESSIONS = {
    "equal": "any(attack_strength(m) == prevent_strength(m) for m in u.moves)",
    "unequal": "any(attack_strength(m) != hold_strength(m.target) for m in u.moves)",
    "less": "any(3 - attack_strength(m) < 2 - prevent_strength(m) + 1 for m in u.moves)",
    "minus": "any(defend_strength(m) - attack_strength(m) >= 0 for m in u.moves)",
    "choice": "any((attack_strength(m) if move(m) else 0 - 1) > 0 for m in u.moves)",
    "closed choice": "(1 if u.kind == 'fleet' else 2) > sum(1 for v in Unit if v.power == u.power)",
    "filter": "sum(2 - hold_strength(u.province) for a in u.province.attackers if move(a)) > 0",
    "filters": "sum(0 - 1 for m in u.moves if not move(m) or path(m)) < 0",
    "closed filter": "sum(attack_strength(m) for m in u.moves if m.convoyed) > 1",
    "counted": "sum(1 for s in Support if support(s) and s.unit.power == u.power) > 1",
    "provinces": "any(hold_strength(p) == 2 and p != u.province for p in Province if p.supply)",
    "all": "all(not move(a) or path(a) for a in u.province.attackers if prevent_strength(a) > 1)",
    "all of others": "all(dislodge(v) for v in Unit if v.power != u.power and dislodge(v))",
    "chain": "any(chain(m.origin, m.target, (convoy(c) for c in m.convoys if not move(m)))"
             " for m in Move)",
    "water": "any(chain(m.origin, m.target, (not dislodge(v) for v in Unit if v.kind == 'fleet'))"
             " for m in u.moves)",
    "related": "any(beats(u.color, v.color) and dislodge(v) for v in Unit)",
    "not related": "all(not beats(v.color, u.color) or v.kind == u.kind for v in Unit)",
    "constant": "u.color == 'Azure' or any(move(m) for m in u.moves)",
    "indexed": "any(lucky(m, u.color) for m in u.moves)",
    "code": "any(m.target.code == 'RED' or m.target.code != 'SUD' and move(m) for m in u.moves)",
    "places": "(treaty_port(u.province) or suez_control(u.province)) == (u.kind == 'army')",
    "borders": "any(suez(v.province, u.province) or suez(u.province, v.province) for v in Unit)",
    "powers": "shut_out_of_treaty_ports(u.power) == any(move(m) for m in u.moves)",
    "power": "u.power == 'JAPAN' or any(v.power == 'CHINA' and dislodge(v) for v in Unit)",
    "supports": "all(support(s) for s in u.supports) and some(u.supports)",
}  # fmt: skip


def profile() -> dipsat.Profile:
    """The standard rules with all expressions."""
    names = {name: f"e{at}" for at, name in enumerate(EXPRESSIONS)}
    lines = [
        "extends: datc",
        "map: colonial",
        "features: {treaty_port: province, suez_control: province, suez: border,",
        "  shut_out_of_treaty_ports: power}",
        "domains: {Color: [Ruby, Azure, Slate], Bit: [No, Yes]}",
        "variables: {m: Move, k: Color, l: Color, b: Bit, v: Unit}",
        "relations:",
        "  beats(k, l): {rows: [[Ruby, Azure], [Azure, Slate], [Slate, Ruby]]}",
        "attributes:",
        "  color: {domain: Color, default: Ruby}",
        *(f"  {e}: {{domain: Bit, default: No, becomes: t{e}}}" for e in names.values()),
        "decisions:",
        "  lucky(m, k): path(m) and (k == 'Ruby' or move(m) and k != 'Slate')",
        *(f"  d{names[name]}(u): {json.dumps(EXPRESSIONS[name])}" for name in names),
        "results:",
        *(f"  t{e}(u, b): (b == 'Yes') == d{e}(u)" for e in names.values()),
    ]
    return dipsat.parse_profile("\n".join((*lines, "")), "expressions.yaml")


@needs_compiler
def test_expressions_of_all_shapes_come_out_as_in_python(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(library, "_OPTIMISED", ("-O0",))
    batch = Batch(profile(), native=True)
    boards = random_boards(batch, range(14), 20)
    found = agreed(batch, boards)
    assert found.by_python == 0
    assert len(found.settled) > 1
