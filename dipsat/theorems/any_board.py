"""What holds on every board: the facts of a movement phase as a first-order theory in SMT-LIB 2.

The theory fixes no map, no number of units and no owners. What follows from it holds for every
phase that `dipsat.equations` can build; the tests check each definition and each axiom on
such phases. It is weaker than the facts (a unit may reach any province here), which is the safe
side: what it excludes is impossible.

The names are those of `dipsat.language.vocabulary`, as `Type.fact`; a set is a relation.
"""

from __future__ import annotations

from dipsat.language.vocabulary import FACTS, Word

SORTS = ("Province", "Unit", "Move", "Support", "Convoy", "Power", "Text")

_SORTS = {"truth": "Bool", "text": "Text"}


def definition_of(word: Word, kind: str) -> str:
    """What a word of a type is for x, or when y is in the set of x; "" if that is up to the
    axioms."""
    if not word.path:
        return word.theory
    name, then = word.path.split(".")
    return f"({FACTS[kind][name].type}.{then} ({kind}.{name} x))"


def declarations() -> list[str]:
    """All words about the sorts, those with a definition after those that it uses."""
    found = []
    for kind, name, word in ((k, n, w) for k in SORTS for n, w in FACTS.get(k, {}).items()):
        text, item = definition_of(word, kind), word.type.item
        sorts = [kind, *([] if item is None else [item.name])]
        value = "Bool" if item is not None else _SORTS.get(word.type.name, word.type.name)
        if text:
            bound = " ".join(f"({x} {sort})" for x, sort in zip("xy", sorts, strict=False))
            line = f"(define-fun {kind}.{name} ({bound}) {value} {text})"
        else:
            line = f"(declare-fun {kind}.{name} ({' '.join(sorts)}) {value})"
        found.append((bool(text), item is not None, line))
    return [line for *_, line in sorted(found)]


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
