"""The answers about rules, maps and cases."""

from __future__ import annotations

from collections import Counter
from functools import lru_cache
from typing import Any

from dipsat.documents import read_text
from dipsat.errors import ArgumentError, DipsatError, ProblemsError
from dipsat.limits import allowed_files, check_time, unlimited
from dipsat.profiles.profile import Profile
from dipsat.web.faults import fault, list_faults, remark
from dipsat.web.given import given_map, given_rules
from dipsat.web.requests import AskCases, AskMaps, AskRules, Document, Rules


def about_rules(request: AskRules) -> dict[str, Any]:
    """The shipped rules, or something about given ones."""
    match request.what:
        case "list":
            return {"rules": _rules_listed()}
        case "text":
            return {"text": _shipped_text(request.rules)}
        case "whole":
            from dipsat.profiles.document import whole_profile

            return {"text": whole_profile(given_rules(request.rules))}
        case "check":
            return _checked(request.rules)
        case "difference":
            from dipsat.profiles.difference import difference

            first = given_rules(request.base)
            return difference(first, given_rules(request.rules)).to_dict()
        case "entries":
            from dipsat.profiles.document import ProfileDocument

            return ProfileDocument(given_rules(request.rules)).to_dict()
        case "words":
            return _words()


def about_maps(request: AskMaps) -> dict[str, Any]:
    """The shipped maps, or everything about one map."""
    from dipsat.game.listed_maps import map_to_dict

    if request.map is None:
        return {"maps": _maps_listed()}
    return map_to_dict(given_map(request.map))


@lru_cache(maxsize=1)
def _rules_listed() -> list[dict[str, Any]]:
    from dipsat.profiles.load import listed

    return [row.to_dict() for row in listed()]


@lru_cache(maxsize=1)
def _maps_listed() -> list[dict[str, Any]]:
    from dipsat.game.listed_maps import listed

    return [row.to_dict() for row in listed()]


def _words() -> dict[str, Any]:
    """The words of the rule language that all rules share, each with its meaning or its values."""
    from dipsat.language.vocabulary import CYCLE_FACTS, FACTS, PREDICATES, QUANTIFIERS
    from dipsat.profiles.layers import TOP_KEYS
    from dipsat.profiles.load import GOALS
    from dipsat.profiles.settings import setting_values

    facts = {**FACTS, "cycle": CYCLE_FACTS}
    return {
        "keys": list(TOP_KEYS),
        "settings": {name: list(values) for name, values in setting_values().items()},
        "facts": {
            owner: {
                name: {"type": str(word.type), "text": word.meaning} for name, word in own.items()
            }
            for owner, own in facts.items()
        },
        "quantifiers": dict(QUANTIFIERS),
        "predicates": dict(PREDICATES),
        "goals": dict(GOALS),
    }


def _shipped_text(rules: Rules) -> str:
    from dipsat.profiles.names import find_name, shipped_file

    if isinstance(rules, Document):
        raise ArgumentError("rules", "rules", rules.name, "the name of shipped rules")
    return read_text(shipped_file(find_name(rules, files=allowed_files())))


def _checked(rules: Rules) -> dict[str, Any]:
    """Whether rules load, and what is wrong or odd about them."""
    from dipsat.profiles.remarks import remarks

    try:
        profile = given_rules(rules)
    except DipsatError as error:
        several = error.problems if isinstance(error, ProblemsError) else (error,)
        figures = dict.fromkeys(("name", "title", "map", "decisions", "cycle_rules"))
        return {"valid": False, **figures, "faults": list_faults(several), "remarks": []}
    return {
        "valid": True,
        "name": profile.name,
        "title": profile.title,
        "map": profile.map or None,
        "decisions": len(profile.decisions),
        "cycle_rules": len(profile.cycles),
        "faults": [],
        "remarks": [remark(text) for text in remarks(profile)],
    }


def about_cases(request: AskCases) -> dict[str, Any]:
    """The DATC's cases under rules, and which results change."""
    from dipsat.formats.datc import load_cases

    rules, base = given_rules(request.rules), given_rules(request.base)
    cases = load_cases(request.names)
    rows = [_case_row(case, rules, base) for case in cases]
    counts = Counter(row["status"] for row in rows)
    return {"rules": rules.name, "base": base.name, "counts": dict(counts), "cases": rows}


def _case_row(case: Any, rules: Profile, base: Profile) -> dict[str, Any]:
    """A case under rules: its status, and the orders with another result than under the base."""
    from dipsat.datc import rules_for, run_case
    from dipsat.proof.comparison import compare

    board = {
        "map": case.position.map.name,
        "position": case.position.to_dict(),
        "orders": {power: list(orders) for power, orders in case.orders.items()},
        "variant": case.rules or None,
    }
    try:
        check_time()
        with unlimited():
            row = run_case(case, rules).to_dict()
        both = [rules_for(case, base), rules_for(case, rules)]
        found = compare(case.position, case.orders, both)
        changed = [one.to_dict() for one in found.orders if one.differs]
        differs = found.differs
    except DipsatError as error:
        row = {"case": case.name, "title": case.title, "status": "no answer", "passed": False}
        row |= {"source": None, "differences": [], "error": fault(error)}
        changed, differs = [], True
    row.pop("outcome", None)
    return {**row, "differs": differs, "changed": changed, "board": board}
