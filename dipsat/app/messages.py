"""The one interface of the rule lab: `answer`, from a request to its answer, both plain JSON."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from dipsat.app import answers, requests
from dipsat.app.answers import fault
from dipsat.base import UNLIMITED, Files, Limits, __version__, running
from dipsat.errors import ArgumentError, DipsatError, UnknownNameError

SCHEMA = 1
"""The version of requests and answers. It grows when a program that reads them would break."""


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of requests: the class of its requests, and the function that answers one."""

    request: type[requests.Limited]
    answer: Callable[[Any], dict[str, Any]]


KINDS: Mapping[str, Kind] = {
    "adjudicate": Kind(requests.Adjudicate, answers.adjudicated),
    "explain": Kind(requests.Explain, answers.explained),
    "prove": Kind(requests.Prove, answers.proven),
    "compare": Kind(requests.Compare, answers.compared),
    "search": Kind(requests.Search, answers.searched),
    "legal-orders": Kind(requests.LegalOrders, answers.may_order),
    "replay": Kind(requests.Replay, answers.replayed),
    "svg": Kind(requests.Draw, answers.drawn),
    "rules": Kind(requests.AskRules, answers.about_rules),
    "maps": Kind(requests.AskMaps, answers.about_maps),
    "cases": Kind(requests.AskCases, answers.about_cases),
}
"""Value of `request` in a request -> its kind."""


def answer(
    request: Mapping[str, Any] | Sequence[Any] | str | bool | None, *, limits: Limits = UNLIMITED
) -> dict[str, Any]:
    """Return the answer to a request, both as the plain values of JSON (docs/web.md).

    `request` names its kind under `request`, such as `adjudicate`; docs/web.md lists the kinds with
    their members. The answer has the versions of dipsat and of the `schema`, the `request`, and
    either `answer` or, for any fault, `error` with its place. No request reads a file that is not
    shipped, writes a file, or affects later requests.

    `limits` bound every request; a request may ask for less `seconds` and `work`, not for more.
    Raises `LimitError` for limits that only `run_limited` can enforce.
    """
    name = request.get("request") if isinstance(request, Mapping) else None
    with running(limits):
        try:
            return {**_head(name), "answer": _answered(request)}
        except DipsatError as error:
            return refusal(name, error)


def refusal(name: object, error: DipsatError) -> dict[str, Any]:
    """The answer to a request that ended in an error; `name` is the kind that it names."""
    return {**_head(name), "error": fault(error)}


def _head(name: object) -> dict[str, Any]:
    kind = name if isinstance(name, str) and name in KINDS else None
    return {"dipsat": __version__, "schema": SCHEMA, "request": kind}


def _answered(request: object) -> dict[str, Any]:
    if not isinstance(request, Mapping):
        raise ArgumentError("answer", "request", request, "an object with the member `request`")
    name = request.get("request")
    if not isinstance(name, str):
        wanted = f"a kind of requests: {', '.join(KINDS)}"
        is_missing = "request" not in request
        raise ArgumentError("answer", "request['request']", name, wanted, is_missing)
    if name not in KINDS:
        raise UnknownNameError("kind of requests", name, KINDS, list_known=True)
    kind = KINDS[name]
    members = {key: value for key, value in request.items() if key != "request"}
    asked = requests.read_request(kind.request.whole(), name, members)
    with running(Limits(asked.seconds, asked.work, files=Files.none())):
        return kind.answer(asked)
