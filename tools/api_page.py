"""The page about every public name, made from docstrings; the site has it as `api.md`.

`python -m tools.api_page FILE` writes it into a file. Without a file, the table of fact words that
docs/rule-language.md links to is written from their declarations.
"""

from __future__ import annotations

import ast
import inspect
import re
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import MISSING, dataclass, fields, is_dataclass
from enum import Enum
from functools import cache
from pathlib import Path
from textwrap import indent
from types import ModuleType, NoneType, UnionType
from typing import Any, ClassVar, Literal, Union, get_args, get_origin, get_type_hints

import dipsat
from dipsat.rules import FACTS
from tools import tables

WORDS = tables.FOLDER / "fact-words.csv"
INTRODUCTION = """\
# The Python interface

This page lists every public function, class and error of the package, by task;
[first-steps.md](first-steps.md#from-python) shows the most important ones at work. Most programs
need only names from `dipsat` itself; the rest are in its modules `compat`, `draw`, `engines`,
`environments`, `errors`, `kernel`, `searches` and `studies`. Anything that is not on this page,
including other attributes of public classes, may change with any release. Each name is loaded when
a program first uses it.

Strengths count units. Truth values among numbers are 0 and 1. Times are in seconds
(`Limits.seconds`, `timeout`). A unit is a text such as `A LON` or `F STP/SC`. A province is its
code (`STP`), and a location is the code with a coast if the province has several (`STP/SC`). An
arrow describes a mapping: power -> its units. Only a `Game` changes after it is made.

Two values are equal if they have the same class and the same attributes. A copy equals its
original, even in another process. Errors and the objects that engines receive, such as `UnitFacts`,
are equal only if they are the same object. So are games, outcomes, proofs and readers of orders;
to compare the contents of these, compare the results of their `to_dict`, if they have one.

A function called with a value of the wrong type raises `ArgumentError`, which says what it expects.

This page is made from docstrings. `python -m tools.api_page FILE` writes it.
"""


@dataclass(frozen=True)
class Group:
    """A task, and the public names for it."""

    title: str
    text: str
    names: str
    face: ModuleType = dipsat


GROUPS = (
    Group(
        "Read a position",
        "Maps, powers and provinces, units and positions, and which files documents may name.",
        "Position DislodgedUnit Unit UnitKind PhaseName PhaseKind load_map map_names check_map "
        "parse_map import_maps ImportedMap Map Province PowerSetup MapLine Files",
    ),
    Group(
        "Read and write orders",
        "Functions take orders as texts in any common notation, or as these objects.",
        "PowerOrders Order Hold Move SupportHold SupportMove Convoy Retreat Disband Build Waive "
        "DeclaredOrder Unreadable UnitName load_phase parse_phase PhaseFile "
        "OrderReader reader_for write_order NOTATIONS Words",
    ),
    Group(
        "Adjudicate",
        "The results of the orders of a phase.",
        "adjudicate Outcome MovementOutcome EngineOutcome RetreatOutcome AdjustmentOutcome "
        "OrderOutcome MovementOrderOutcome Reason Dislodgement Subgraph Ruling RulingStatus "
        "Submission",
    ),
    Group(
        "Adjudicate many boards",
        "`dipsat.kernel`: by equations compiled to machine code ([native.md](native.md)).",
        "build Batch BoardCodes MapNumbers BatchResult ResultArrays LegalOrders PositionCodes "
        "Advanced Games PlayedPhase",
        dipsat.kernel,
    ),
    Group(
        "Run a program written for another package",
        "`dipsat.compat`: on dipsat ([drop-in.md](drop-in.md)).",
        "install",
        dipsat.compat,
    ),
    Group(
        "Learn to play",
        "`dipsat.environments`: games for programs ([environments.md](environments.md)).",
        "GameBatch Choices parallel_env unit_env power_env DeepMindState Observation Season "
        "deepmind_actions mila_orders cicero_orders",
        dipsat.environments,
    ),
    Group(
        "Limit a call",
        "Limits on the cost of a call, for untrusted input ([security.md](security.md)).",
        "Limits run_limited",
    ),
    Group(
        "Where long work runs",
        "`dipsat.studies`: in processes of this computer, or on many computers "
        "([cluster.md](cluster.md)).",
        "run_many Done Workers",
        dipsat.studies,
    ),
    Group(
        "Answer requests",
        "Questions and answers in JSON, for pages and other programs ([web.md](web.md)).",
        "answer",
    ),
    Group(
        "Prove",
        "Whether orders have exactly one resolution ([proofs.md](proofs.md)).",
        "prove Proof SubgraphProof Evidence SolvedSubgraph",
    ),
    Group(
        "Explain",
        "Why an order had its result ([explain.md](explain.md)).",
        "explain Explanation ExplanationNode Citation",
    ),
    Group(
        "Compare and explore rules",
        "Profiles are the files of [rule-language.md](rule-language.md).",
        "load_profile check_profile parse_profile profile_names variant_names Profile Settings "
        "compare Comparison ComparedOrder OrderResult ComparedRetreats",
    ),
    Group(
        "Stress tests of rules",
        "`dipsat.studies` tries rules on random boards ([variants.md](variants.md)).",
        "stress StressReport StressFinding",
        dipsat.studies,
    ),
    Group(
        "Theorems of rules",
        "`dipsat.searches`: what rules say of all boards ([theorems.md](theorems.md)).",
        "structure_of Structure Lemma LemmaQuestion",
        dipsat.searches,
    ),
    Group(
        "Search",
        "Questions about all orders at once ([search.md](search.md), "
        "[holding-lines.md](holding-lines.md)).",
        "search Question Paradox Differ Achieve Guarantee SearchResult",
    ),
    Group(
        "Search further",
        "`dipsat.searches`: boards with the fewest units, stalemate lines, and which orders are "
        "responsible for a result.",
        "search_smallest OpenPosition AnyUnits SOLVERS hold_line write_line Lines LinesResult "
        "confirm_fewest Confirmation HoldResult HoldWitness StalemateLine LineEnemy PlanState "
        "Responsible SmallestChange",
        dipsat.searches,
    ),
    Group(
        "Play games",
        "Games with their history ([files.md](files.md)).",
        "Game Turn Results load_games",
    ),
    Group(
        "Crosscheck",
        "`dipsat.studies`: comparing engines and rulebooks ([crosscheck.md](crosscheck.md)).",
        "crosscheck Judge Source RandomBoards DatcCases OrdersApart CrosscheckReport "
        "CrosscheckPair CrosscheckGroup Disagreement SmallestDisagreement Divergence Sheet "
        "SheetRow write_phase random_board RandomBoard",
        dipsat.studies,
    ),
    Group(
        "Replay recorded games",
        "`dipsat.studies`: how other programs decided, and why ([judges.md](judges.md)).",
        "replay_files GameReport DifferingPhase ReplaySkipped ReplayFailure deviations Deviation "
        "profile_with explaining_deviations",
        dipsat.studies,
    ),
    Group(
        "Impact of rules",
        "`dipsat.studies`: how often rules matter in recorded games ([impact.md](impact.md)).",
        "impact ImpactReport RulesImpact ImpactCause ImpactShare ImpactExample NotJudged",
        dipsat.studies,
    ),
    Group(
        "Results as data",
        "`dipsat.studies`: rows for programs that analyse data ([data.md](data.md)).",
        "replay_rows crosscheck_rows write_rows read_rows",
        dipsat.studies,
    ),
    Group(
        "Run the DATC cases",
        "`dipsat.studies`: its cases, under any rules ([datc-rulebooks.md](datc-rulebooks.md)).",
        "load_cases run_case run_cases Case CaseExpectation CaseAlternative ChoiceCondition "
        "CaseResult CaseMismatch Statement Unanswered NotMade",
        dipsat.studies,
    ),
    Group(
        "Pictures",
        "`dipsat.draw`: boards, orders, reasons, games ([pictures.md](pictures.md)).",
        "Svg board explain cycle line compare search replay impact_page game_page game_gif",
        dipsat.draw,
    ),
    Group(
        "Engines",
        "`dipsat.engines`: published algorithms as judges ([algorithms.md](algorithms.md)). An "
        "engine of your own needs a `name` and a method `decide`.",
        "ENGINES SOLVER TRACED find_engine Engine Verdicts ReasonedVerdicts EngineReason "
        "EquationVerdicts BackupRule",
        dipsat.engines,
    ),
    Group(
        "What engines decide about",
        "`dipsat.engines`: a phase as facts. Facts have the attributes that the table in "
        "[rule-language.md](rule-language.md) lists, and `index`, their number within their type.",
        "Phase ProvinceFacts UnitFacts MoveFacts SupportFacts ConvoyFacts DeclaredFacts Mismatch",
        dipsat.engines,
    ),
    Group(
        "Traces",
        "`dipsat.engines`: the steps of an engine ([trace.md](trace.md)).",
        "TracedEngine Trace Step Call Return Table Rule",
        dipsat.engines,
    ),
    Group(
        "Order sets",
        "`dipsat.engines`: the order sets of DIP_EVAL ([algorithms.md](algorithms.md)).",
        "OrderSet Order OrderedUnit Hold Move Support Convoy read_order_set to_text order_text "
        "transform carry_out CarriedOut Dislodged",
        dipsat.engines,
    ),
    Group(
        "Errors",
        "`dipsat.errors`: `str(error)` tells people what is wrong, where, and what would be "
        "right; the attributes are for programs.",
        "",
        dipsat.errors,
    ),
)


def errors() -> list[str]:
    """The names of all errors, in the order of their definition, the base first."""
    found = vars(dipsat.errors).items()
    return [
        name for name, it in found if isinstance(it, type) and issubclass(it, dipsat.DipsatError)
    ]


def names_of(group: Group) -> list[str]:
    """The names of a group; the names of errors are read from the module."""
    return group.names.split() or sorted(errors(), key=lambda name: name != "DipsatError")


# --- Types in words -------------------------------------------------------------------------


@cache
def public_names() -> dict[int, str]:
    """The `id` of every public class -> its name, with its module below `dipsat`."""
    found: dict[int, str] = {}
    for group in reversed(GROUPS):
        prefix = group.face.__name__.removeprefix("dipsat").removeprefix(".")
        for name in names_of(group):
            found[id(getattr(group.face, name))] = f"{prefix}.{name}".removeprefix(".")
    return found


ALIASES = {
    **{name: getattr(dipsat, name) for name in ("PowerOrders", "Order")},
    "studies.Source": dipsat.studies.Source,
    **{f"engines.{name}": getattr(dipsat.engines, name) for name in ("Order", "Step")},
}
"""Public names of unions, each with its members."""
_PLAIN = {"WithWords": "Profile | Words", "NoneType": "None"}


def is_inner(hint: object) -> bool:
    """Whether an annotation names a class of dipsat that is not public."""
    if isinstance(hint, type) and hint.__module__.startswith("dipsat."):
        return id(hint) not in public_names() and hint.__name__ not in _PLAIN
    return any(is_inner(part) for part in get_args(hint) if not isinstance(part, list))


def type_text(hint: object, but: str = "") -> str:
    """An annotation as the page shows it; the alias `but` is written out."""
    parts, origin = get_args(hint), get_origin(hint)
    if origin is ClassVar:
        return type_text(parts[0])
    if origin in (Union, UnionType):
        for name, alias in ALIASES.items():
            inside = get_args(alias)
            if name != but and set(inside) <= set(parts):
                others = [type_text(part) for part in parts if part not in inside]
                return " | ".join([*others, name])
        return " | ".join(dict.fromkeys(map(type_text, parts)))
    if origin is Literal:
        return " | ".join(f'"{part}"' for part in parts)
    if hint is Ellipsis or isinstance(hint, str):
        return "..." if hint is Ellipsis else str(hint)
    if isinstance(hint, list):
        return f"[{', '.join(map(type_text, hint))}]"
    name = getattr(origin or hint, "__name__", str(hint))
    name = public_names().get(id(origin or hint), _PLAIN.get(name, name))
    return f"{name}[{', '.join(map(type_text, parts))}]" if parts else name


def hints_of(thing: Any) -> dict[str, Any]:
    """The annotations of a class or a function, including those only for type checkers."""
    try:
        return get_type_hints(thing)
    except NameError:
        faces = {name: getattr(dipsat, name) for name in dipsat.__all__} | vars(dipsat.engines)
        return get_type_hints(thing, localns=faces)


def default_text(value: object) -> str:
    """A default as a signature shows it."""
    if isinstance(value, str):
        return f'"{value}"'
    return repr(value) if isinstance(value, int | float | NoneType | tuple) else "..."


def signature_text(name: str, function: Callable[..., Any], width: int = 10_000) -> str:
    """A signature, on several lines if it is wider than `width`."""
    hints = hints_of(function)
    parts: list[str] = []
    for one in inspect.signature(function).parameters.values():
        if one.name == "self":
            continue
        if one.kind is one.KEYWORD_ONLY and not any(part.startswith("*") for part in parts):
            parts.append("*")
        text = f"{one.name}: {type_text(hints[one.name])}"
        star = "*" if one.kind is one.VAR_POSITIONAL else ""
        star = "**" if one.kind is one.VAR_KEYWORD else star
        default = "" if one.default is one.empty else f" = {default_text(one.default)}"
        parts.append(f"{star}{text}{default}")
    result = type_text(hints["return"])
    whole = f"{name}({', '.join(parts)}) -> {result}"
    if len(whole) <= width:
        return whole
    lines = [f"{name}(", *(f"    {part}," for part in parts), f") -> {result}"]
    return "\n".join(lines)


# --- Docstrings -----------------------------------------------------------------------------


def text_of(thing: object) -> str:
    """The docstring of an object, with examples as code."""
    text = inspect.getdoc(thing) or ""
    return re.sub(r"(?m)^(>>>[^\n]*(?:\n.+)*)", r"```pycon\n\1\n```", text)


@cache
def _tree(path: str) -> ast.Module:
    return ast.parse(Path(path).read_text(encoding="utf-8"))


@cache
def _class_tree(owner: type) -> ast.ClassDef:
    """The syntax tree of a class. `inspect.getsource` parses the whole file for each class."""
    body = _tree(inspect.getfile(owner)).body
    for name in owner.__qualname__.split("."):
        (found,) = (one for one in body if isinstance(one, ast.ClassDef) and one.name == name)
        body = found.body
    return found


@cache
def attribute_texts(owner: type) -> dict[str, str]:
    """Attribute -> the docstring below it, in a class or in its `__init__`."""
    tree = _class_tree(owner)
    bodies = [tree.body]
    bodies += [
        part.body
        for part in tree.body
        if isinstance(part, ast.FunctionDef) and part.name == "__init__"
    ]
    return {name: text for body in bodies for name, text in _documented(body)}


def settings_texts() -> Iterator[tuple[str, str]]:
    """Setting -> the comment above it, or else the comment of the previous setting."""
    comment: list[str] = []
    is_done = True
    for line in map(str.strip, inspect.getsource(dipsat.Settings).splitlines()):
        if line.startswith("# "):
            comment = [line] if is_done else [*comment, line]
            is_done = False
        elif found := re.match(r"(\w+): ", line):
            is_done = True
            yield found[1], "\n".join(part.removeprefix("# ") for part in comment)


def _documented(body: Sequence[ast.stmt]) -> Iterator[tuple[str, str]]:
    for part, below in zip(body, [*body[1:], ast.Pass()], strict=True):
        targets = part.targets if isinstance(part, ast.Assign) else []
        targets = [part.target] if isinstance(part, ast.AnnAssign) else targets
        if targets and isinstance(below, ast.Expr) and isinstance(below.value, ast.Constant):
            name = ast.unparse(targets[0]).removeprefix("self.")
            yield name, inspect.cleandoc(str(below.value.value)).strip()


@cache
def own_types(owner: type) -> dict[str, str]:
    """Attribute -> its annotation in `__init__`."""
    parts = (part for part in ast.walk(_class_tree(owner)) if isinstance(part, ast.AnnAssign))
    return {
        part.target.attr: ast.unparse(part.annotation)
        for part in parts
        if isinstance(part.target, ast.Attribute)
    }


def constant_text(face: ModuleType, name: str) -> str:
    """The docstring below a constant, in the module that defines it."""
    path = next(part for part in dipsat_modules(face) if part.endswith(f" {name}")).split()[0]
    module = inspect.getmodule(__import__(path, fromlist=["x"]))
    assert module is not None
    if Path(str(module.__file__)).with_suffix(".pyi").exists():  # the face of a room
        return constant_text(module, name)
    return dict(_documented(ast.parse(inspect.getsource(module)).body)).get(name, "")


def dipsat_modules(face: ModuleType) -> Iterator[str]:
    """Module and name of each import of a public module for type checkers."""
    stub = Path(str(face.__file__)).with_suffix(".pyi")
    for part in ast.parse(stub.read_text(encoding="utf-8")).body:
        if isinstance(part, ast.ImportFrom):
            yield from (f"{part.module} {alias.name}" for alias in part.names)


# --- Entries --------------------------------------------------------------------------------


def item(head: str, text: str) -> str:
    """An item of a list. All Markdown readers treat text indented by four as part of it."""
    return f"- `{head}`: {indent(text, '    ').lstrip()}" if text else f"- `{head}`"


def listed(items: Sequence[str]) -> str:
    """A list. An empty line follows an item of several paragraphs; without it, some Markdown
    readers treat the next item as part of it."""
    return "".join(f"{one}\n\n" if "\n\n" in one else f"{one}\n" for one in items).rstrip()


def own_classes(owner: type) -> list[type]:
    """A class and its non-public bases, whose members are shown with it."""
    found = []
    for one in owner.__mro__:
        if one is not owner and (
            id(one) in public_names() or not one.__module__.startswith("dipsat")
        ):
            break
        found.append(one)
    return found


def public_base(owner: type) -> str:
    """The public base from which a class inherits something documented, or "" if there is none."""
    bases = (
        one
        for one in owner.__mro__[1:]
        if id(one) in public_names()
        and (issubclass(one, Exception) or [*attributes(one), *members(one)])
    )
    return next((public_names()[id(one)] for one in bases), "")


def attributes(owner: type) -> Iterator[tuple[str, str]]:
    """The attributes of a class, as (name with type, docstring)."""
    hints = hints_of(owner)
    defaults = {}
    if is_dataclass(owner):
        defaults = {one.name: one.default for one in fields(owner) if one.init}
    for one in own_classes(owner):
        arguments = {} if is_dataclass(one) else hints_of(vars(one).get("__init__", one))
        texts = dict(settings_texts()) if one is dipsat.Settings else attribute_texts(one)
        for name, text in texts.items():
            hint = hints.get(name, own_types(one).get(name, arguments.get(name)))
            if name.startswith("_") or is_inner(hint):
                continue
            default = defaults.get(name, MISSING)
            shown = "" if default is MISSING else f" = {default_text(default)}"
            yield f"{name}: {type_text(hint)}{shown}" if hint else name, text


def members(owner: type) -> Iterator[tuple[str, str]]:
    """The properties and methods of a class, as (signature, docstring), without those that a public
    base also has."""
    base = next((one for one in owner.__mro__[1:] if id(one) in public_names()), object)
    told = set(members(base)) if base is not object else set()
    yield from (one for one in all_members(owner) if one not in told)


def all_members(owner: type) -> Iterator[tuple[str, str]]:
    """The properties and methods of a class and of its non-public bases."""
    for one in own_classes(owner):
        for name, member in vars(one).items():
            if name.startswith("_"):
                continue
            getter = getattr(member, "fget", None) or getattr(member, "func", None)
            function = getattr(member, "__func__", member)
            if getter is not None:
                if isinstance(member, property) and member.__doc__ != getter.__doc__:
                    continue  # a word of the vocabulary, which has its own table
                hint = hints_of(getter)["return"]
                if not is_inner(hint):
                    yield f"{name}: {type_text(hint)}", text_of(getter)
            elif inspect.isroutine(function) and not any(
                map(is_inner, hints_of(function).values())
            ):
                owned = f"{owner.__name__}.{name}" if isinstance(member, staticmethod) else name
                yield signature_text(owned, function), text_of(function)


def class_entry(name: str, owner: type) -> Iterator[str]:
    """The paragraphs about a class."""
    yield f"### class `{name}`"
    yield text_of(owner)
    base = public_base(owner)
    if issubclass(owner, Enum):
        texts = attribute_texts(owner)
        yield listed([item(f"{one.name} = {one.value!r}", texts[one.name]) for one in owner])
        return
    entries = [item(*one) for one in (*attributes(owner), *members(owner))]
    if base and not issubclass(owner, Exception):
        yield f"It has everything that `{base}` has" + (", and:" if entries else ".")
    elif base:
        yield f"A kind of `{base.rpartition('.')[2]}`."
    if entries:
        yield listed(entries)


def entry(face: ModuleType, name: str) -> Iterator[str]:
    """The paragraphs about a public object."""
    thing = getattr(face, name)
    title = f"{face.__name__}.{name}".removeprefix("dipsat.").removeprefix("errors.")
    if isinstance(thing, type):
        yield from class_entry(title, thing)
    elif inspect.isroutine(thing):
        yield f"### `{title}`"
        yield f"```text\n{signature_text(name, thing, 100)}\n```"
        yield text_of(thing)
    else:
        yield f"### `{title}`"
        shown = type_text(thing, title) if get_args(thing) else default_text(thing)
        yield f"```text\n{name} = {shown}\n```"
        yield constant_text(face, name)


def anchor_of(face: ModuleType, name: str) -> str:
    """The anchor of a public object: its title in lower case, without dots."""
    title = f"{face.__name__}.{name}".removeprefix("dipsat.").removeprefix("errors.")
    prefix = "class-" if isinstance(getattr(face, name), type) else ""
    return prefix + title.lower().replace(".", "")


def page() -> str:
    """The text of the page."""
    parts = [INTRODUCTION.rstrip()]
    contents = []
    for group in GROUPS:
        anchor = group.title.lower().replace(" ", "-")
        names = ", ".join(f"[`{name}`](#{anchor_of(group.face, name)})" for name in names_of(group))
        contents.append(f"- [{group.title}](#{anchor}): {names}")
    parts.append(listed(contents))
    for group in GROUPS:
        parts += [f"## {group.title}", group.text]
        for name in names_of(group):
            parts += entry(group.face, name)
    return "\n\n".join(part for part in parts if part) + "\n"


def words() -> str:
    """The table of the fact words of rules."""
    rows = (
        (kind, f"`{name}`", str(word.type), word.meaning)
        for kind, facts in FACTS.items()
        for name, word in facts.items()
    )
    return tables.to_csv(("of a", "fact", "type", "meaning"), rows)


if __name__ == "__main__":
    for file in sys.argv[1:2]:
        Path(file).write_text(page(), encoding="utf-8")
        sys.exit()
    WORDS.write_text(words(), encoding="utf-8")
