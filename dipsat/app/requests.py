"""The requests that `dipsat.app.messages.answer` takes, one class for each kind, and the rules,
maps and boards that they contain. Only shipped files are read."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import MISSING, dataclass, field, fields, make_dataclass
from functools import cache
from typing import (
    TYPE_CHECKING,
    Any,
    Literal,
    TypeAlias,
    TypeVar,
    get_args,
    get_origin,
    get_type_hints,
)

from dipsat.base import NAMES, TEXT_BYTES, classes_of, fault_in, in_words, own_fields
from dipsat.board import DEFAULT_MAP, Map, load_map, parse_map
from dipsat.errors import ArgumentError, QuestionError, UnknownNameError
from dipsat.formats import PhaseFile, parse_apart
from dipsat.game import Position
from dipsat.rules import (
    DEFAULT_RULES,
    Profile,
    check_features,
    load_profile,
    parse_profile,
    with_variant,
)

if TYPE_CHECKING:
    from dipsat.searches import Question

_Request = TypeVar("_Request")


@dataclass(frozen=True, slots=True, kw_only=True)
class Document:
    """The user's own document: the text of a rule file or of a map."""

    text: str
    """The text, in YAML. It may extend shipped documents, but no others."""
    name: str = ""
    """How errors name it."""


Rules: TypeAlias = str | Document
"""The name of shipped rules, as after `--rules` (`datc`, `datc+4.A.2-1982`), or a rule file."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Limited:
    """The limits that every request may state."""

    seconds: float | None = None
    """The time that the answer may take; None for no limit of its own."""
    work: int | None = None
    """The steps of the solver; None for dipsat's own bound."""

    @classmethod
    def whole(cls) -> type[Limited]:
        """The class with all members of its requests."""
        return cls


@dataclass(frozen=True, slots=True, kw_only=True)
class OnBoard(Limited):
    """A board and orders: an order sheet that names all units, or a position and orders."""

    orders: str | Mapping[str, Sequence[str]] = ""
    """An order sheet, as `dipsat adjudicate` reads it, or, with a `position`, power -> orders."""
    position: Mapping[str, Any] | None = None
    """The position as `Position.to_dict` gives it, such as `next` of an outcome: `units`, and
    perhaps `phase`, `centers`, `unknown_centers`, `dislodged` and `retreats`. None for the units
    that the sheet names."""
    phase: str | None = None
    """The phase, such as `F1901M`; None for the phase of the position or the sheet."""
    map: str | Document | None = None
    """The name of a shipped map, or a map file; None for that of the sheet, else of the rules."""
    lenient: bool = False
    """Whether orders that cannot be read are left out and listed under `faults`."""
    variant: str | None = None
    """The name of shipped rules to lay over the `rules`, such as the variant of a DATC case; None
    for no variant."""


@dataclass(frozen=True, slots=True, kw_only=True)
class UnderRules(OnBoard):
    """A board, orders, and the rules by which they are judged."""

    rules: Rules | None = None
    """The rules; None for those that the sheet names, else `datc`."""
    settings: Mapping[str, str] = field(default_factory=dict)
    """Setting or option of the rules -> its value, which replaces the choice of the rules."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Adjudicate(UnderRules):
    """`adjudicate`: what happens. The answer is `Outcome.to_dict`, and under `titles` the names of
    the map's powers as people write them."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Explain(UnderRules):
    """`explain`: why a unit's order has its result. The answer is `Explanation.to_dict`."""

    unit: str
    """The unit, such as `A LON`."""
    core: bool = False
    """Whether to find the fewest orders that force the result."""
    change: bool = False
    """Whether to find the fewest orders of the unit's power that must change for another result."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Prove(UnderRules):
    """`prove`: how many resolutions the orders have. The answer is `Proof.to_dict`, and under
    `cycles` each decision cycle: its decisions, what depends on what, its resolutions, and which
    values a rule set."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Compare(OnBoard):
    """`compare`: the same orders under several rules. The answer is `Comparison.to_dict`."""

    rules: Sequence[Rules]
    """Two or more rules."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Search(UnderRules):
    """`search`: a question about all orders of open units, or about lines. The answer is
    `SearchResult.to_dict`, for `hold` `HoldResult.to_dict`, for `lines` `LinesResult.to_dict`, with
    the `text` of the answer in sentences, and perhaps a picture under `svg`."""

    question: str
    """The kind of question, as `dipsat search` names it."""
    power: str | None = None
    open: Sequence[str] | None = None
    """The open units or powers, or `all`; None for every unit without an order. Units that may be
    anywhere, as in `units: any 2` in `orders`, are always open."""
    most: int | None = None
    """Find the fewest units, at most this many, that must join those of the board, anywhere; None
    if none may join."""
    line: str | None = None
    """For `hold`: the line, in YAML, on the `map` of the request unless it names one; `orders` and
    `position` are ignored."""
    lines: Mapping[str, Any] | None = None
    """For `lines`: what they hold and against whom, with the names of `dipsat.searches.Lines`, such
    as `{"centres": 15, "every": true}`; `orders` and `position` are ignored."""
    solver: Literal["auto", "z3", "sat"] = "auto"
    """The solver."""
    picture: bool = False
    """Whether the answer has a picture."""
    dark: bool = False
    """Whether the picture is for a dark page."""

    @classmethod
    def whole(cls) -> type[Limited]:
        """The class with the arguments of every kind of questions as members."""
        from dipsat.searches import QUESTIONS

        return _search_with(QUESTIONS)


_ONLY_OPEN = (
    "among the units with a known place, only this power's are open; with `most`, added units "
    "belong to it."
)


@cache
def _search_with(questions: tuple[type[Question], ...]) -> type[Limited]:
    from dipsat.searches import arguments_of

    types: dict[str, Any] = {}
    said: dict[tuple[str, str], list[str]] = {}
    for kind in questions:
        for one in arguments_of(kind):
            hint: Any = Rules if one.is_rules else one.type
            types[one.name] = types.get(one.name, hint) | hint | None
            said.setdefault((one.name, one.meaning), []).append(f"`{kind._command}`")
    of_power = [f"`{kind._command}`" for kind in questions if kind._opens_for_power]
    texts: dict[str, str] = {}
    for (name, meaning), kinds in (*said.items(), (("power", _ONLY_OPEN), of_power)):
        texts[name] = f"{texts.get(name, '')} For {' and '.join(kinds)}: {meaning}".strip()
    members = [
        (name, hint, field(default=None, metadata={"meaning": texts[name]}))
        for name, hint in types.items()
    ]
    named = Literal[(*(kind._command for kind in questions), "hold", "lines")]  # type: ignore[valid-type]  # known when it runs
    return make_dataclass(
        "Search", [("question", named), *members], bases=(Search,), frozen=True, slots=True,
        kw_only=True, namespace={"__doc__": Search.__doc__},
    )  # fmt: skip


@dataclass(frozen=True, slots=True, kw_only=True)
class LegalOrders(UnderRules):
    """`legal-orders`: the legal orders. The answer has `phase`, `units` (unit -> its orders; in an
    adjustment phase also province -> its builds) and `powers` (power -> its other orders)."""

    unit: str | None = None
    """The only unit asked for; None for all."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Replay(Limited):
    """`replay`: a saved game, phase by phase, and where the rules and its record differ.

    The answer has the names of the game, its `map` and the `rules`, and of the rules that it
    `named`; the number of `games` in the text, the number of phases of this one (`count`), and the
    requested `phases`: each with its `number`, `phase` and `title`, the `position` and `orders` as
    other requests take them, the recorded result `after` it, a `status` (`agrees`, `differs`,
    `skipped`), the differing parts of both results under `theirs` and `ours` and as `text`, their
    `cause`, the `reason` for skipping a phase, and perhaps a picture under `svg`. `played` is true
    if the game states only orders; its boards and results then follow from the rules that it names.
    """

    game: str
    """The text of a saved game in any format that `dipsat replay` reads, or of several games."""
    name: str = ""
    """How errors name the text."""
    number: int = 1
    """The number of the requested game in the text, from 1."""
    rules: Rules | None = None
    """The rules; None for those that the game names, else `datc`."""
    settings: Mapping[str, str] = field(default_factory=dict)
    """Setting or option of the rules -> its value, which replaces the choice of the rules."""
    map: str | Document | None = None
    """The name of a shipped map, or a map file; None for the map that the game names."""
    offset: int = 0
    """The number of phases to skip."""
    limit: int = 20
    """The most phases to adjudicate, up to 200."""
    causes: bool = False
    """Whether to look for the known deviations of other judges that explain a difference."""
    picture: bool = False
    """Whether a phase that differs has a picture of both results."""
    dark: bool = False
    """Whether pictures are for a dark page."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Draw(UnderRules):
    """`svg`: a picture. The answer has the text of the picture under `svg`."""

    what: Literal["position", "outcome", "explanation", "cycle", "resolution", "comparison"] = (
        "outcome"
    )
    """The position with the orders as given, the outcome with every result, why a unit's order has
    its result, the decision cycles, the board in one resolution of a cycle, or the orders under
    `rules` and `other`."""
    unit: str | None = None
    """For an explanation: the unit."""
    words: bool = True
    """For an explanation: whether its sentences are below the part of the board that it is about.
    Without them the picture shows the whole board."""
    cycle: int = 1
    """For a resolution: the number of the decision cycle among the `cycles` of `prove`, from 1."""
    resolution: int = 1
    """For a resolution: its number in the cycle, from 1."""
    other: Rules | None = None
    """For a comparison: the other rules."""
    dark: bool = False
    """Whether the picture is for a dark page."""
    labels: bool = True
    """Whether a board has the codes of its provinces."""
    legend: bool = False
    """Whether a board has a legend of the powers' colours."""
    holders: bool = True
    """Whether land without a supply centre has the colour of the power that held it last."""
    size: float | None = None
    """The width of a board, in pixels."""
    colors: Mapping[str, str] | None = None
    """Power -> its colour on a board, such as `#2f86c9`."""
    highlight: Sequence[str] = ()
    """Provinces and units that are highlighted on a board."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AskRules(Limited):
    """`rules`: the shipped rules, or information about given ones.

    `list` answers with `rules`, the shipped ones; `text` with the `text` of a shipped rule file;
    `whole` with the `text` of rules with all that they extend; `check` with `valid`, the `faults`,
    the `remarks` and some figures; `difference` with how `rules` differ from `base`; `entries` with
    all that rules say, each entry with its file; `words` with the words of the rule language.
    """

    what: Literal["list", "text", "whole", "check", "difference", "entries", "words"] = "list"
    """The information requested."""
    rules: Rules = DEFAULT_RULES
    """The rules that the request is about."""
    base: Rules = DEFAULT_RULES
    """For `difference`: the rules to compare them with."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AskMaps(Limited):
    """`maps`: the shipped maps (under `maps`), or everything about one map."""

    map: str | Document | None = None
    """The map that the request is about; None for the list."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AskCases(Limited):
    """`cases`: the DATC's cases under rules, and which results change.

    The answer has the names of both rules, how many cases have each status under `counts`, and a
    row for each of the `cases`: `CaseResult.to_dict` without the outcome, the `board` as requests
    take it, and under `changed` the orders whose result differs from that under the `base`.
    """

    rules: Rules = DEFAULT_RULES
    """The rules."""
    base: Rules = DEFAULT_RULES
    """The rules to compare them with."""
    names: Sequence[str] = ()
    """The cases or sections (`6.F`); none for all cases of the standard rules."""


hints_of: Callable[[Any], dict[str, Any]] = cache(get_type_hints)
"""Member of a class of requests -> its annotation."""


def read_request(
    kind: type[_Request], name: str, given: Mapping[str, Any], without: str = ""
) -> _Request:
    """Read the plain values of a request of a kind, or of a part of it. Errors call the kind
    `name`. The member `without` is not allowed.

    Raises `UnknownNameError` for an unknown member, and `ArgumentError` for one that is missing or
    of a wrong type.
    """
    hints = {key: hint for key, hint in hints_of(kind).items() if key != without}
    for key in given:
        if key not in hints:
            raise UnknownNameError("member", str(key), hints, name, list_known=True)
    values = {key: _with_documents(value, hints[key], name, key) for key, value in given.items()}
    for one in fields(kind):  # type: ignore[arg-type]  # a class of requests is a dataclass
        if one.name not in values and one.default is one.default_factory is MISSING:
            text = in_words(hints[one.name])
            raise ArgumentError(name, one.name, None, text, is_missing=True)
    for key, value in values.items():
        fault = fault_in(value, hints[key], key)
        if isinstance(value, bool) and bool not in classes_of(hints[key]):
            fault = key, value, hints[key]  # Python treats them as 0 and 1, JSON does not
        if fault is not None:
            place, found, wanted = fault
            words = in_words(wanted).replace("a Document", "an object with `text`")
            raise ArgumentError(name, place, found, words)
    return kind(**values)


def _with_documents(value: Any, hint: Any, name: str, place: str) -> Any:
    """A value in which objects become documents where its annotation allows them."""
    parts = get_args(hint)
    if isinstance(value, Mapping):
        return read_request(Document, f"{name}: {place}", value) if Document in parts else value
    if isinstance(value, list) and Sequence in classes_of(hint):
        NAMES.of(f"`{place}`").check(len(value))
    if isinstance(value, list) and get_origin(hint) is Sequence:
        return [
            _with_documents(one, parts[0], name, f"{place}[{at}]") for at, one in enumerate(value)
        ]
    if isinstance(value, list) and tuple in classes_of(hint):
        return tuple(value)
    return value


# --- given ----------------------------------------------------------------------------------------

RULES_NAME, MAP_NAME, ORDERS_NAME, LINE_NAME = "rules.yaml", "map.yaml", "orders", "line.yaml"
"""How errors name documents without a name."""


@dataclass(frozen=True, slots=True)
class Given(PhaseFile):
    """A board with orders, and the rules by which they are judged."""

    rules: Profile


def given_rules(
    rules: Rules, settings: Mapping[str, str] | None = None, variant: str | None = None
) -> Profile:
    """The rules of a request, with its variant laid over them and its settings. Raises the errors
    of `load_profile`."""
    if isinstance(rules, Document):
        TEXT_BYTES.check(len(rules.text), rules.name or RULES_NAME)
        profile = parse_profile(rules.text, rules.name or RULES_NAME)
    else:
        profile = load_profile(rules)
    played = with_variant(profile, variant or "")
    return load_profile(played, settings=settings)


def given_map(board: str | Document) -> Map:
    """The map of a request. Raises the errors of `load_map`."""
    if isinstance(board, Document):
        TEXT_BYTES.check(len(board.text), board.name or MAP_NAME)
        return parse_map(board.text, board.name or MAP_NAME)
    return load_map(board)


def given_board(
    request: OnBoard,
    rules: Profile | None = None,
    settings: Mapping[str, str] | None = None,
    searching: bool = False,
) -> Given:
    """The board and the orders of a request. The default for `rules` is the rules that the order
    sheet names, else the usual ones, with the `settings` applied. Only in a search may units be
    anywhere.

    Raises the errors of `dipsat.load_phase`, and `ArgumentError` if orders by power come without a
    position.
    """
    board = None if request.map is None else given_map(request.map)
    orders = request.orders
    if request.position is None and not isinstance(orders, str):
        wanted = "an order sheet, a text, as there is no `position`"
        raise ArgumentError("request", "orders", orders, wanted)
    position = None
    if request.position is not None:
        chosen = rules or load_profile(DEFAULT_RULES, settings=settings)
        position = _position(request, board or load_map(chosen.map or DEFAULT_MAP), chosen)
        if not isinstance(orders, str) or not orders.strip():
            return Given(position, orders if isinstance(orders, Mapping) else {}, chosen)
        rules = chosen
    assert isinstance(orders, str)
    TEXT_BYTES.check(len(orders), ORDERS_NAME)
    phase = parse_apart(
        (orders, ORDERS_NAME), position, None if position is not None else request.phase, board,
        rules, True, settings, request.lenient,
    )  # fmt: skip
    if phase.anywhere is not None and not searching:
        raise QuestionError(
            "only a search accepts units that may stand anywhere; state where they stand"
        )
    played = rules or phase.rules or load_profile(DEFAULT_RULES)
    return Given(**{**own_fields(phase), "rules": played})


def _position(request: OnBoard, board: Map, rules: Profile) -> Position:
    stated: dict[str, Any] = {"phase": request.phase or board.first_phase}
    stated |= request.position or {}
    if request.phase is not None and stated["phase"] != request.phase:
        wanted = f"that of the position, {stated['phase']!r}, or left out"
        raise ArgumentError("request", "phase", request.phase, wanted)
    check_features(rules, board)
    return Position.from_dict(stated, board, rules)
