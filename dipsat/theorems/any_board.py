"""What holds on every board: the facts of a movement phase as a first-order theory in SMT-LIB 2.

The theory fixes no map, no number of units and no owners. What follows from it holds for every
phase that `dipsat.equations` can build; the tests check each definition and each axiom on
such phases. It is weaker than the facts (a unit may reach any province here), which is the safe
side: what it excludes is impossible.

The names are those of `dipsat.language.vocabulary`, as `Type.fact`; a set is a relation.
"""

from __future__ import annotations

SORTS = ("Province", "Unit", "Move", "Support", "Convoy", "Power", "Text")

FUNCTIONS = {
    "Province.code": ("Province", "Text"),
    "Province.kind": ("Province", "Text"),
    "Province.supply": ("Province", "Bool"),
    "Province.owner": ("Province", "Power"),
    "Unit.power": ("Unit", "Power"),
    "Unit.kind": ("Unit", "Text"),
    "Unit.province": ("Unit", "Province"),
    "Move.unit": ("Move", "Unit"),
    "Move.target": ("Move", "Province"),
    "Move.convoyed": ("Move", "Bool"),
    "Move.via": ("Move", "Bool"),
    "Move.by_land": ("Move", "Bool"),
    "Support.unit": ("Support", "Unit"),
    "Support.supported": ("Support", "Unit"),
    "Support.target": ("Support", "Province"),
    "Convoy.unit": ("Convoy", "Unit"),
    "Convoy.army": ("Convoy", "Unit"),
    "Convoy.target": ("Convoy", "Province"),
    "Convoy.on_route": ("Convoy", "Bool"),
}
"""Facts that only the axioms restrict: name -> (whose fact, type)."""

DERIVED = {
    "Move.power": ("Move", "Power", "(Unit.power (Move.unit x))"),
    "Move.origin": ("Move", "Province", "(Unit.province (Move.unit x))"),
    "Support.power": ("Support", "Power", "(Unit.power (Support.unit x))"),
    "Support.province": ("Support", "Province", "(Unit.province (Support.unit x))"),
    "Support.origin": ("Support", "Province", "(Unit.province (Support.supported x))"),
    "Convoy.power": ("Convoy", "Power", "(Unit.power (Convoy.unit x))"),
    "Convoy.province": ("Convoy", "Province", "(Unit.province (Convoy.unit x))"),
    "Convoy.origin": ("Convoy", "Province", "(Unit.province (Convoy.army x))"),
}
"""Facts of x that follow from others: name -> (whose fact, type, definition)."""

_AGAINST = "(= (Move.origin y) (Move.target x)) (= (Move.target y) (Move.origin x))"
SETS = {
    "Province.units": ("Province", "Unit", "(= (Unit.province y) x)"),
    "Province.attackers": ("Province", "Move", "(= (Move.target y) x)"),
    "Province.departures": ("Province", "Move", "(= (Move.origin y) x)"),
    "Unit.moves": ("Unit", "Move", "(= (Move.unit y) x)"),
    "Unit.supports": (
        "Unit",
        "Support",
        "(and (= (Support.supported y) x) (= (Support.target y) (Unit.province x)))",
    ),
    "Unit.convoys": ("Unit", "Convoy", "(= (Convoy.unit y) x)"),
    "Move.rivals": ("Move", "Move", "(and (= (Move.target y) (Move.target x)) (not (= y x)))"),
    "Move.facing": ("Move", "Move", f"(and {_AGAINST})"),
    "Move.opponents": (
        "Move",
        "Move",
        f"(and {_AGAINST} (not (Move.convoyed x)) (not (Move.convoyed y)))",
    ),
    "Move.meeting": (
        "Move",
        "Move",
        "(or (= (Move.origin y) (Move.target x)) (= (Move.target y) (Move.origin x)))",
    ),
    "Move.supports": (
        "Move",
        "Support",
        "(and (= (Support.supported y) (Move.unit x)) (= (Support.target y) (Move.target x)))",
    ),
}
"""Sets that other facts define: name -> (type of x, type of its members y, when y is a member)."""

RELATIONS = {
    "Move.convoys": ("Move", "Convoy"),
    "Province.homes": ("Province", "Power"),
    "Unit.near": ("Unit", "Province"),
}
"""Sets that the axioms only bound: an order's path may leave out fleets that convoy it. Homes, and
the provinces that a unit can reach, may be any."""

AXIOMS = {
    "one unit in a province": (
        "(forall ((x Unit) (y Unit)) (=> (= (Unit.province x) (Unit.province y)) (= x y)))"
    ),
    "one move of a unit": (
        "(forall ((x Move) (y Move)) (=> (= (Move.unit x) (Move.unit y)) (= x y)))"
    ),
    "one support of a unit": (
        "(forall ((x Support) (y Support)) (=> (= (Support.unit x) (Support.unit y)) (= x y)))"
    ),
    "one convoy of a unit": (
        "(forall ((x Convoy) (y Convoy)) (=> (= (Convoy.unit x) (Convoy.unit y)) (= x y)))"
    ),
    "no move and support": (
        "(forall ((x Move) (y Support)) (not (= (Move.unit x) (Support.unit y))))"
    ),
    "no move and convoy": (
        "(forall ((x Move) (y Convoy)) (not (= (Move.unit x) (Convoy.unit y))))"
    ),
    "no support and convoy": (
        "(forall ((x Support) (y Convoy)) (not (= (Support.unit x) (Convoy.unit y))))"
    ),
    "a move goes elsewhere": "(forall ((x Move)) (not (= (Move.target x) (Move.origin x))))",
    "a support goes elsewhere": (
        "(forall ((x Support)) (not (= (Support.target x) (Support.province x))))"
    ),
    "a supported unit that moves is not held": (
        "(forall ((x Support) (y Move)) (=> (= (Support.supported x) (Move.unit y))"
        " (= (Support.target x) (Move.target y))))"
    ),
    "a support of a move has one": (
        "(forall ((x Support)) (or (= (Support.target x) (Support.origin x)) (exists ((y Move))"
        " (and (= (Move.unit y) (Support.supported x)) (= (Move.target y) (Support.target x))))))"
    ),
    "a convoy has its army's move": (
        "(forall ((x Convoy)) (exists ((y Move)) (and (= (Move.unit y) (Convoy.army x))"
        " (= (Move.target y) (Convoy.target x)))))"
    ),
    "what may carry a move": (
        "(forall ((x Move) (y Convoy)) (=> (Move.convoys x y)"
        " (and (= (Convoy.army y) (Move.unit x)) (= (Convoy.target y) (Move.target x)))))"
    ),
    "fleets convoy at sea": ('(forall ((x Convoy)) (= (Province.kind (Convoy.province x)) "sea"))'),
    "armies go ashore": (
        "(forall ((x Move)) (=> (or (Move.convoyed x) (exists ((y Convoy)) (Move.convoys x y)))"
        ' (not (= (Province.kind (Move.target x)) "sea"))))'
    ),
}
"""Name -> a sentence that holds in every phase. Texts are written as in SMT-LIB."""
