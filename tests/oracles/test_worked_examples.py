"""The examples that chapter 5 of the DATC and Kruijswijk's article work out, with every value they
state.

Kruijswijk's rewrite of DATC chapter 5, "The Process of Adjudication", 5.A; DATC 3.0, 5.A; DATC 2.4,
5.D; Kruijswijk, The Math of Adjudication, figures 8 and 9.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import pytest

from dipsat.studies.partial_information import PartialInformation
from dipsat.studies.recursive_guess import RecursiveGuess
from tests.phases import adjudicate
from tests.studies.test_algorithms import agrees, decided
from tests.studies.test_simple_recursive import FIGURE_8, FIGURE_9
from tests.studies.test_trace import traced

Orders = Mapping[str, Sequence[str]]

COMPETING = {
    "GERMANY": ["A BER - SIL", "A MUN S A BER - SIL"],
    "RUSSIA": ["A WAR - SIL"],
    "AUSTRIA": ["A BOH - SIL"],
}

STATED: list[tuple[Orders, dict[str, int]]] = [
    # The rewrite, 5.A, also in DATC 2.4:
    # "the MOVE decision of Tyrolia is 'moves', the SUPPORT decision of Venice is 'given' and the
    # DISLODGE decision of the army in Trieste is 'dislodged'."
    ({
        "ITALY": ["A TYR - TRI", "A VEN S A TYR - TRI"],
        "AUSTRIA": ["F TRI H"],
    }, {
        "move(A TYR - TRI)": 1, "support(A VEN S A TYR - TRI)": 1, "dislodge(F TRI)": 1,
        "attack_strength(A TYR - TRI)": 2, "hold_strength(TRI)": 1,
    }),
    # "The ATTACK STRENGTH of the army in Vienna is zero ... However, the PREVENT STRENGTH of the
    # army in Vienna is two, which prevents that the move of the German army in Venice with an
    # ATTACK STRENGTH of two succeeds."
    ({
        "AUSTRIA": ["A VIE - TYR", "A TYR - MUN", "A TRI S A VIE - TYR"],
        "GERMANY": ["A MUN S A VEN - TYR", "A VEN - TYR"],
    }, {
        "attack_strength(A VIE - TYR)": 0, "prevent_strength(A VIE - TYR)": 2,
        "attack_strength(A VEN - TYR)": 2, "move(A VEN - TYR)": 0,
    }),
    # "The ATTACK STRENGTH is one ... The PREVENT STRENGTH is zero ... the DEFEND STRENGTH contains
    # all supports and is therefore two ... the French army in Burgundy has an ATTACK STRENGTH of
    # three."
    ({
        "FRANCE": [
            "A BEL S A BUR - RUH", "A HOL S A BUR - RUH", "A BUR - RUH", "A MUN S A RUH - BUR",
            "A MAR - BUR",
        ],
        "GERMANY": ["A RUH - BUR"],
    }, {
        "attack_strength(A RUH - BUR)": 1, "prevent_strength(A RUH - BUR)": 0,
        "defend_strength(A RUH - BUR)": 2, "attack_strength(A BUR - RUH)": 3,
        "dislodge(A RUH)": 1, "move(A MAR - BUR)": 1,
    }),
    # "the PATH decision of the Yorkshire order is 'no path'. ... In this case the PATH decisions of
    # the moving fleet in Denmark is 'path'."
    ({
        "ENGLAND": ["A YOR - BEL", "F NTH C A YOR - BEL"],
        "GERMANY": ["F HOL S F DEN - NTH", "F DEN - NTH"],
    }, {"dislodge(F NTH)": 1, "path(A YOR - BEL)": 0, "path(F DEN - NTH)": 1}),
    # DATC 3.0, 5.A:
    # "their ATTACK STRENGTH is one, while the PREVENT STRENGTH of Berlin is two. The MOVE order of
    # Berlin succeeds, because the ATTACK STRENGTH is two".
    (COMPETING, {
        "attack_strength(A WAR - SIL)": 1, "attack_strength(A BOH - SIL)": 1,
        "prevent_strength(A BER - SIL)": 2, "attack_strength(A BER - SIL)": 2,
        "move(A BER - SIL)": 1, "move(A WAR - SIL)": 0, "move(A BOH - SIL)": 0,
    }),
    # "the ATTACK STRENGTH is one, while the DEFEND STRENGTH of Kiel is two. The MOVE of Kiel will
    # also fail, because the ATTACK STRENGTH of one is insufficient".
    ({"GERMANY": ["A BER - KIE", "A MUN S F KIE - BER"], "ENGLAND": ["F KIE - BER"]}, {
        "attack_strength(A BER - KIE)": 1, "defend_strength(F KIE - BER)": 2,
        "attack_strength(F KIE - BER)": 1, "move(A BER - KIE)": 0, "move(F KIE - BER)": 0,
    }),
]  # fmt: skip


@pytest.mark.parametrize("presolve", [True, False], ids=["presolve", "z3-only"])
@pytest.mark.parametrize(("orders", "stated"), STATED)
def test_decisions_of_the_examples_have_the_stated_values(
    orders: Orders, stated: dict[str, int], presolve: bool
) -> None:
    outcome = adjudicate(orders, presolve=presolve)
    assert {name: outcome.decisions[name] for name in stated} == stated


def test_a_bounce_is_reported_with_the_unit_that_caused_it() -> None:
    """5.B.1: "if a move fails due to a move of another unit to the same area, this could be
    reported as 'bounce'. Also the exact bouncing unit might be listed in the report."""
    outcome = adjudicate(COMPETING)
    for unit in ("A WAR", "A BOH"):
        assert outcome.order(unit).verdict == "fails"
        assert outcome.order(unit).reason.code == "bounced"
        assert "A BER" in outcome.order(unit).reason.because


# DATC 2.4, 5.D: "If an endless recursion is detected, then it is not necessarily a paradox."

GASCONY = {
    "FRANCE": ["A GAS - BUR", "A RUH S A GAS - BUR"],
    "GERMANY": ["A BUR S A KIE - RUH", "A KIE - RUH"],
}


def test_supports_that_attack_each_other_are_decided_by_the_minimum_alone() -> None:
    """5.D: "The last ATTACK STRENGTH call for the army in Gascony will have a minimum result of 1
    and a maximum result of 2. This is enough to decide that the SUPPORT of the army in Burgundy
    fails. All the other decisions can then be made."""
    outcome = adjudicate(GASCONY)
    assert outcome.is_proven
    assert outcome.order("A BUR").verdict == "cut"
    for judge in (
        PartialInformation(),
        PartialInformation(multi_pass="orders"),
        PartialInformation(multi_pass="decisions"),
    ):
        assert decided(judge, GASCONY).backup == ()
        assert agrees(judge, GASCONY)


# Kruijswijk, The Math of Adjudication.

FIGURE_8_RECURSION = """\
resolve(par)
   adjudicate(par)
      resolve(bre)
         adjudicate(bre)
         return SUCCEEDS (for adjudicate(bre))
      return SUCCEEDS (for resolve(bre))
   return SUCCEEDS (for adjudicate(par))
return SUCCEEDS (for resolve(par))
"""


def test_the_recursion_of_figure_8_is_that_of_the_article() -> None:
    """Orders are resolved by province, so BRE before PAR. If the unit that follows comes first, the
    recursion is the printed one."""
    following = {"TURKEY": ["A ANK - CON", "F CON - BLA"]}
    printed = FIGURE_8_RECURSION.replace("par", "ANK").replace("bre", "CON")
    assert str(traced(following, "recursive_guess")).startswith(printed)
    assert decided(RecursiveGuess(), FIGURE_8).moves == (True, True)


def test_figure_9_has_one_consistent_guess_and_without_skagerrak_two() -> None:
    """Figure 9: "Of the two guesses, only one led to a consistent result. ... If the unit in
    Skagerrak is removed, then both guesses will lead to a consistent resolution, and the situation
    has to be passed to the backup rule."""
    judge = RecursiveGuess()
    assert decided(judge, FIGURE_9).backup == ()
    assert decided(judge, FIGURE_9).moves == (True, True, True)
    without = {**FIGURE_9, "GERMANY": ["F NTH - NWY"]}
    assert [rule.name for rule in decided(judge, without).backup] == ["circular movement"]
    (ring,) = [one for one in adjudicate(without).subgraphs if one.verdict != "unique"]
    assert ring.resolutions == 2


def test_an_order_that_the_backup_rule_leaves_open_is_resolved_again() -> None:
    """Lines 129 to 135: "The backup_rule may not have resolved all orders in the cycle. For
    instance, the Szykman rule, will not resolve the orders of the moves attacking the convoys. To
    deal with this, we start all over again." Here the support is resolved first."""
    orders = {
        "ENGLAND": ["A LON - BEL", "F NTH C A LON - BEL"],
        "GERMANY": ["F BEL S F DEN - NTH", "F DEN - NTH"],
    }
    before, _, after = str(traced(orders, "recursive_guess")).partition("The rule 'Szykman'")
    assert before.startswith("resolve(BEL)\n")
    assert before.count("adjudicate(BEL)\n") > 1
    _, settled, *again = after.splitlines()  # the line about a rule wraps before its decisions
    assert settled.strip() == "convoy(F NTH C A LON - BEL) FAILS"
    assert again[0].strip() == "adjudicate(BEL)"
    assert decided(RecursiveGuess(), orders).supports == (True,)
