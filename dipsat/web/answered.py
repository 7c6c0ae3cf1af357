"""What OpenAPI says about answers: their members as JSON Schema, with meanings."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

Schema = dict[str, Any]

TEXT: Schema = {"type": "string"}
_NUMBER: Schema = {"type": "integer"}
_TRUTH: Schema = {"type": "boolean"}
_ANY: Schema = {"type": "object"}


def _maybe(schema: Schema) -> Schema:
    """The same, or null."""
    if "$ref" in schema:
        return {"anyOf": [schema, {"type": "null"}]}
    return {**schema, "type": [schema["type"], "null"]}


def _list(items: Schema) -> Schema:
    return {"type": "array", "items": items}


def _by(values: Schema) -> Schema:
    """An object with one member for each thing."""
    return {"type": "object", "additionalProperties": values}


def _words(*words: str) -> Schema:
    return {**TEXT, "enum": list(words)}


def _ref(name: str) -> Schema:
    return {"$ref": f"#/components/schemas/{name}"}


def _object(
    meaning: str, perhaps: tuple[str, ...] = (), /, **members: tuple[Schema, str]
) -> Schema:
    """An object that always has these members, except those in `perhaps`. Later versions may add
    others."""
    properties = {
        name: {**schema, "description": text} if text else schema
        for name, (schema, text) in members.items()
    }
    required = [name for name in members if name not in perhaps]
    return {
        "type": "object",
        "description": meaning,
        "required": required,
        "properties": properties,
    }


_TEXTS = _list(TEXT)
_OF_POWERS = _by(_TEXTS)
_FAULTS = (_list(_ref("Fault")), "If `lenient` was asked: the faults in the orders.")
_PLACE = {
    "message": (TEXT, "What is wrong or odd, and what would be right."),
    "document": (_maybe(TEXT), "The document with the fault."),
    "line": (_maybe(_NUMBER), "The line, from 1."),
    "column": (_maybe(_NUMBER), "The column, from 1."),
}
_RULES = (TEXT, "The name of the rules.")
_MAP = (TEXT, "The name of the map.")
_PHASE = (TEXT, "The phase, such as `S1901M`.")
_POWER = (TEXT, "The power.")
_UNIT = (TEXT, "The unit, such as `A LON`.")
_ORDER = (TEXT, "The order as it was judged.")
_VERDICT = (TEXT, "What came of the order: `succeeds`, `fails`, `given`, `cut`, `stands`, ...")
_EVIDENCE = (_maybe(_ref("Evidence")), "What proves it; null where nothing is proven.")
_FATE = (TEXT, "`dislodged`, `disbanded` or empty.")

SHAPES: Mapping[str, Schema] = {
    "Fault": _object(
        "Something that is wrong.",
        kind=(TEXT, "The class of the error in `dipsat.errors`."),
        **_PLACE,
        hint=(_maybe(TEXT), "did you mean ...?"),
        problems=(_list(_ANY), "Several faults at once, each like this one."),
    ),
    "Remark": _object("Something that is odd.", **_PLACE),
    "Reason": _object(
        "Why an order had its result.",
        code=(TEXT, "For programs: `ok`, or the name of the condition that failed."),
        text=(TEXT, "For people."),
        because=(_TEXTS, "The units whose orders caused it."),
    ),
    "OrderOutcome": _object(
        "What came of an order.",
        power=_POWER,
        unit=_UNIT,
        order=_ORDER,
        submitted=(_maybe(TEXT), "The order as it was written, null without one."),
        amended=(TEXT, "How the order was changed to be legal, or empty."),
        verdict=_VERDICT,
        fate=_FATE,
        reason=(_ref("Reason"), ""),
    ),
    "Position": _object(
        "A position, as requests take it.",
        ("dislodged", "centers", "unknown_centers", "retreats"),
        phase=_PHASE,
        units=(_OF_POWERS, "Power -> units."),
        dislodged=(_OF_POWERS, "Power -> dislodged units."),
        centers=(_OF_POWERS, "Power -> its supply centres."),
        unknown_centers=(_TEXTS, "The supply centres whose owner is unknown."),
        retreats=(_by(_OF_POWERS), "Power -> dislodged unit -> where it may retreat."),
    ),
    "Dislodged": _object(
        "A dislodged unit.",
        power=_POWER,
        unit=_UNIT,
        by=(TEXT, "The unit that has dislodged it."),
        retreats=(_TEXTS, "Where it may retreat."),
    ),
    "Subgraph": _object(
        "Decisions that depend on each other.",
        ("rule", "applications", "orders", "complete"),
        decisions=(_TEXTS, "The decisions."),
        orders=(_list(_ref("PowerOrder")), "The orders that they are about (of a proof)."),
        resolutions=(_NUMBER, "In how many ways they can be decided."),
        complete=(_TRUTH, "Whether those are all (of a proof)."),
        verdict=(TEXT, "`unique`, `several`, `none` or `unknown`."),
        cycle=(_TEXTS, "The decisions of its cycle."),
        core=(_TEXTS, "The units whose orders make the cycle."),
        rule=(_maybe(TEXT), "The rule that settles it (of an outcome)."),
        applications=(_list(_ANY), "Each cycle that a rule has settled: `rule` and `cycle`."),
    ),
    "PowerOrder": _object("An order of a power.", power=_POWER, order=_ORDER),
    "SolvedSubgraph": _object(
        "A connected subgraph of the decisions that were given to a solver, and its answer.",
        decisions=(_TEXTS, "The decisions."),
        solver=(_words("z3", "case analysis"), "What counted its resolutions."),
        instead_of=(_maybe(TEXT), "The solver that is not installed, for which it stood in."),
        verdict=(_words("unique", "none", "several"), ""),
        resolutions=(_NUMBER, "How many resolutions it found."),
    ),
    "Evidence": _object(
        "What proves how many resolutions there are. Every decision is counted once.",
        propagation=(_NUMBER, "How many decisions propagation decided."),
        constants=(_NUMBER, "Without propagation: how many strengths can have one value only."),
        subgraphs=(_list(_ref("SolvedSubgraph")), "What solvers were asked about."),
        undecided=(_NUMBER, "How many decisions the limits left open."),
        stopped=(_TRUTH, "Whether the limits kept a cycle rule from deciding a subgraph."),
        text=(TEXT, "The same for people."),
    ),
    "Outcome": _object(
        "What happens in a phase.",
        ("contested", "disbanded", "dislodged", "subgraphs", "units", "faults"),
        rules=_RULES,
        map=_MAP,
        phase=_PHASE,
        orders=(_list(_ref("OrderOutcome")), "What came of each order."),
        units=(_OF_POWERS, "Power -> units after the phase."),
        dislodged=(_list(_ref("Dislodged")), "The dislodged units."),
        disbanded=(_OF_POWERS, "Power -> disbanded units."),
        contested=(_TEXTS, "The provinces of a standoff."),
        subgraphs=(_list(_ref("Subgraph")), "The proof of the outcome."),
        evidence=_EVIDENCE,
        next=(_maybe(_ref("Position")), "The next position, null if not everything is decided."),
        winner=(_maybe(TEXT), "The power that has won."),
        titles=(_by(TEXT), "Power -> its name as people write it."),
        faults=_FAULTS,
    ),
    "Node": _object(
        "A decision, and the decisions that explain it.",
        decision=(TEXT, "The decision."),
        value=({"type": ["integer", "boolean", "null"]}, "Its value; truth is 1 or 0."),
        text=(TEXT, "The decision in words."),
        orders=(_TEXTS, "The orders that it is about."),
        refers=(_TRUTH, "Whether it is explained elsewhere in the tree."),
        children=(_list(_ref("Node")), "What it follows from."),
    ),
    "Core": _object(
        "The fewest orders that force the result.",
        verdict=(TEXT, "Whether they do."),
        orders=(_TEXTS, "The orders."),
        smallest=(_TRUTH, "Whether it is proven that there are no fewer."),
        why=(TEXT, "Why it is unknown."),
    ),
    "Change": _object(
        "The fewest own orders that must change for another result.",
        verdict=(TEXT, "Whether there are any."),
        aim=(TEXT, "The other result."),
        orders=(_TEXTS, "The new orders."),
        instead_of=(_TEXTS, "The orders in whose place they stand."),
        smallest=(_TRUTH, "Whether it is proven that there are no fewer."),
        why=(TEXT, "Why it is unknown."),
    ),
    "Explanation": _object(
        "Why an order had its result.",
        ("faults",),
        power=_POWER,
        unit=_UNIT,
        order=_ORDER,
        verdict=_VERDICT,
        fate=_FATE,
        tree=(_ref("Node"), ""),
        core=(_maybe(_ref("Core")), "If `core` was asked."),
        change=(_maybe(_ref("Change")), "If `change` was asked."),
        evidence=_EVIDENCE,
        faults=_FAULTS,
    ),
    "Cycle": _object(
        "A decision cycle.",
        decisions=(_list(_ANY), "Its decisions: `name`, `family`, `about` and `truth`."),
        dependences=(_list(_ANY), "What depends on what: `source`, `target` and `sign`."),
        resolutions=(_list(_list({"type": ["integer", "boolean", "null"]})), "The values of all."),
        complete=(_TRUTH, "Whether those are all resolutions."),
        attempts=(_list(_ANY), "Without a resolution: attempts that contradict themselves."),
        rule=(_maybe(TEXT), "The rule that settles it."),
        outcome=(_list({"type": ["integer", "boolean", "null"]}), "The values in the outcome."),
        settled=(_list(_NUMBER), "The places of the decisions that the rule has settled."),
        solver=(TEXT, "What found these resolutions: `z3` or `case analysis`."),
    ),
    "Proof": _object(
        "How many resolutions the orders have.",
        ("faults",),
        rules=_RULES,
        map=_MAP,
        phase=_PHASE,
        seconds=(_maybe({"type": "number"}), "The limit of time."),
        work=(_maybe(_NUMBER), "The limit of work."),
        verdict=(TEXT, "`unique`, `not unique` or `unknown`."),
        subgraphs=(_list(_ref("Subgraph")), ""),
        evidence=(_ref("Evidence"), "What proves the verdict."),
        cycles=(_list(_ref("Cycle")), ""),
        faults=_FAULTS,
    ),
    "ComparedOrder": _object(
        "An order under several rules.",
        power=_POWER,
        unit=_UNIT,
        order=_ORDER,
        results=(_list(_ANY), "For each: `rules`, `order`, `verdict`, `fate` and `reason`."),
        differs=(_TRUTH, "Whether they differ."),
    ),
    "Comparison": _object(
        "The same orders under several rules.",
        ("faults",),
        profiles=(_TEXTS, "The names of the rules."),
        orders=(_list(_ref("ComparedOrder")), ""),
        dislodged=(_list(_ANY), "Each dislodged unit: `power`, `unit`, `results`, `differs`."),
        next=(_list(_ANY), "Each next position, with its `rules`."),
        evidence=(_list(_ANY), "What proves each outcome: `rules` and `evidence`."),
        differs=(_TRUTH, "Whether anything differs."),
        faults=_FAULTS,
    ),
    "SearchResult": _object(
        "The answer to a question about open orders.",
        (
            "svg",
            "faults",
            "open",
            "order_sets",
            "open_besides",
            "anywhere",
            "units",
            "given",
            "bound",
            "fewest",
        ),
        verdict=(TEXT, "`found`, `impossible`, `guaranteed`, `unknown`, ..."),
        rules=(_TEXTS, "The names of the rules."),
        orders=(_OF_POWERS, "Power -> orders that answer the question."),
        open=(_TEXTS, "The open units."),
        facts=(_list({}), "What else is known about the board."),
        reason=(TEXT, "Why it is unknown."),
        order_sets=({"type": ["integer", "null"]}, "How many sets of orders there are."),
        adjudicated=(_NUMBER, "How many of them were adjudicated."),
        open_besides=(_TEXTS, "Open units about which the answer says nothing."),
        anywhere=(TEXT, "Which units were open, if it was open where they stand."),
        units=(_OF_POWERS, "Power -> units, if it was open where they stand."),
        given=(_TEXTS, "Where units stand that kept their orders, beside units anywhere."),
        bound=(_maybe(_NUMBER), "Proven: no fewer units are enough."),
        fewest=(_maybe(_NUMBER), "The fewest units, if they were asked for and are known."),
        text=(_TEXTS, "The answer in sentences."),
        svg=(TEXT, "A picture, if the request asks for one."),
        faults=_FAULTS,
    ),
    "HoldResult": _object(
        "What is proven about a line.",
        ("svg",),
        verdict=(_words("holds", "breaks", "unknown"), ""),
        rules=_RULES,
        map=_MAP,
        region=(_TEXTS, "The provinces behind the line."),
        derived=(TEXT, "How the region was found."),
        orders=(_TEXTS, "The orders of the line."),
        reason=(TEXT, "Why it is unknown."),
        any_orders=(_TRUTH, "Whether the line breaks under any orders."),
        witness=(_maybe(_ANY), "A position with orders that breaks it."),
        states=(_list({}), "The states of a line that moves: units, orders and retreats."),
        outposts=(_TEXTS, "Provinces that its units enter, but need not hold."),
        builds=(_TEXTS, "Centres in which an own unit that is built may hold."),
        enemy=(_ANY, "What the line supposes about the enemy: units, and where it has none."),
        text=(_TEXTS, "The answer in sentences."),
        svg=(TEXT, "A picture, if the request asks for one."),
    ),
    "LinesResult": _object(
        "The lines with the fewest units: the first, and all that were asked for.",
        ("svg",),
        verdict=(_words("found", "impossible", "unknown"), ""),
        map=(_maybe(TEXT), "The name of the map, if a line was found."),
        power=(_maybe(TEXT), "Whose the line is; the map's first power if none was asked for."),
        units=(_TEXTS, "Its units."),
        orders=(_TEXTS, "Their orders."),
        region=(_TEXTS, "The provinces behind the line."),
        centres=(_TEXTS, "The centres that it holds."),
        fleets_not_in=(_TEXTS, "Where it supposes that the enemy has no fleet."),
        armies_not_in=(_TEXTS, "Where it supposes that the enemy has no army."),
        states=(_list({}), "The states of a line that moves: units, orders and retreats."),
        outposts=(_TEXTS, "Provinces that its units enter, but need not hold."),
        fewest=(_maybe(_NUMBER), "The units of the lines found, of two lines together."),
        bound=(_NUMBER, "Proven: no line has fewer units."),
        reason=(TEXT, "Why it is unknown."),
        lines=(_list({}), "Each line, with the members above from `units` to `outposts`."),
        text=(_TEXTS, "The answer in sentences."),
        svg=(TEXT, "A picture, if the request asks for one."),
    ),
    "LegalOrders": _object(
        "What may be ordered.",
        phase=_PHASE,
        units=(_OF_POWERS, "Unit -> its orders; in adjustments also province -> its builds."),
        powers=(_OF_POWERS, "Power -> its other orders."),
    ),
    "ReplayedPhase": _object(
        "A phase of a saved game.",
        ("svg",),
        number=(_NUMBER, "Its number, from 1."),
        phase=(TEXT, "Its name."),
        title=(TEXT, "Its name in words."),
        position=(_maybe(_ref("Position")), "The position."),
        orders=(_OF_POWERS, "Power -> orders."),
        after=(_maybe(_ANY), "The board after it, as the game has it."),
        status=(_words("agrees", "differs", "skipped"), ""),
        theirs=(_ANY, "What the record has, where it differs."),
        ours=(_ANY, "What the rules give there."),
        text=(_maybe(_by(TEXT)), "Both in words."),
        cause=(_maybe(TEXT), "What the difference comes from."),
        reason=(_maybe(TEXT), "Why it was skipped."),
        svg=(TEXT, "A picture, if it was asked and the phase differs."),
    ),
    "Replay": _object(
        "The phases of a saved game, judged again.",
        name=(TEXT, "The name of the game."),
        map=_MAP,
        rules=_RULES,
        named=(_maybe(TEXT), "The rules that the game names."),
        games=(_NUMBER, "How many games the text has."),
        played=(_TRUTH, "Whether the boards are dipsat's, since the text has only orders."),
        count=(_NUMBER, "How many phases the game has."),
        phases=(_list(_ref("ReplayedPhase")), ""),
    ),
    "Picture": _object("A picture.", ("faults",), svg=(TEXT, "The text of it."), faults=_FAULTS),
    "ListedRules": _object(
        "The shipped rules.",
        rules=(
            _list(
                _object(
                    "Shipped rules.",
                    name=(TEXT, "The name."),
                    short=(TEXT, "The shortest name."),
                    title=(TEXT, "The title."),
                    group=(TEXT, "The folder."),
                    issue=(TEXT, "The issue of the DATC that it decides."),
                    letters=(_by(TEXT), "Letter of a choice -> its title."),
                )
            ),
            "",
        ),
    ),
    "RuleText": _object("The text of rules.", text=(TEXT, "The text, in YAML.")),
    "CheckedRules": _object(
        "Whether rules load, and what is odd about them.",
        valid=(_TRUTH, "Whether they load."),
        name=(_maybe(TEXT), "The name."),
        title=(_maybe(TEXT), "The title."),
        map=(_maybe(TEXT), "The map that they are for."),
        decisions=(_maybe(_NUMBER), "How many decisions they have."),
        cycle_rules=(_maybe(_NUMBER), "How many rules for cycles they have."),
        faults=(_list(_ref("Fault")), "All that is wrong."),
        remarks=(_list(_ref("Remark")), "What is odd."),
    ),
    "RuleDifference": _object(
        "How rules differ from others.",
        profiles=(_TEXTS, "The names of both."),
        differs=(_TRUTH, "Whether they differ."),
        changes=(_list(_ANY), "Each: `section`, `name`, `before`, `after` and `through`."),
    ),
    "RuleEntries": _object(
        "All that rules say: also each section of a rule file, with each entry and its file.",
        name=(TEXT, "The name."),
        title=(TEXT, "The title."),
        files=(_TEXTS, "The files."),
        layers=(_list(_ANY), "Each file with what it adds."),
    )
    | {"additionalProperties": True},
    "RuleWords": _object(
        "The words of the rule language.",
        keys=(_TEXTS, "The keys of a rule file."),
        settings=(_by(_TEXTS), "Setting -> its values."),
        facts=(_by(_by(_ANY)), "Kind of things -> fact -> its `type` and `text`."),
        quantifiers=(_by(TEXT), "Quantifier -> its meaning."),
        predicates=(_by(TEXT), "Predicate -> its meaning."),
        goals=(_by(TEXT), "Goal of a search -> its meaning."),
    ),
    "ListedMaps": _object(
        "The shipped maps.",
        maps=(
            _list(
                _object(
                    "A shipped map.",
                    name=(TEXT, "The name."),
                    title=(TEXT, "The title."),
                    provinces=(_NUMBER, "How many provinces it has."),
                    centers=(_NUMBER, "How many supply centres it has."),
                    powers=(_NUMBER, "How many powers it has."),
                    victory=(_maybe(_NUMBER), "How many centres win."),
                )
            ),
            "",
        ),
    ),
    "MapFacts": _object(
        "A map.",
        name=(TEXT, "The name."),
        title=(TEXT, "The title."),
        provinces=(_by(_ANY), "Code -> province: `name`, `kind`, `coasts`, `supply`, `army`, ..."),
        centers=(_NUMBER, "How many supply centres it has."),
        powers=(_by(_ANY), "Name -> power: `title`, `home`, `start`, `centers`, ..."),
        victory=(_maybe(_NUMBER), "How many centres win."),
        first_phase=_PHASE,
        build=(TEXT, "Where powers build."),
        sources=(_TEXTS, "The sources of its facts."),
        notes=(_TEXTS, "Remarks."),
        coasts=(_OF_POWERS, "Coast -> its names."),
        impassable=(_by(TEXT), "Code -> name of each land that no unit can enter."),
        lines=(_ANY, "Lines between places."),
        border_features=(_ANY, "Feature -> the borders with it."),
    ),
    "CaseRow": _object(
        "A case of the DATC under rules.",
        ("error",),
        case=(TEXT, "Its number, such as `6.F.14`."),
        title=(TEXT, "Its title."),
        status=(_words("passed", "differs", "not stated", "no answer"), ""),
        passed=(_TRUTH, "Whether it has the result that the document states."),
        source=(_maybe(TEXT), "The document."),
        differences=(_list(_ANY), "Each: `about`, `expected` and `found`."),
        differs=(_TRUTH, "Whether any result is not that of `base`."),
        changed=(_list(_ref("ComparedOrder")), "The orders with another result than under `base`."),
        board=(_ANY, "The board, as requests take it."),
        error=(_ref("Fault"), ""),
    ),
    "Cases": _object(
        "The DATC's cases under rules.",
        rules=_RULES,
        base=(TEXT, "The name of the rules that they are compared with."),
        counts=(_by(_NUMBER), "Status -> how many cases have it."),
        cases=(_list(_ref("CaseRow")), ""),
    ),
}
"""Name -> the schema of a part of answers."""
