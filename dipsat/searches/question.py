"""The definition of a question about open orders: all that searches, commands, requests and
pictures know about it."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any, ClassVar, TypeAlias, get_type_hints

from dipsat.base import brief, titled
from dipsat.rules import Profile, load_profile
from dipsat.searches.cegar import Confirmed, Facts
from dipsat.searches.open_board import Placement
from dipsat.searches.open_orders import SearchProblem
from dipsat.searches.open_places import UnitsAnywhere

Rules: TypeAlias = str | Path | Profile


@dataclass(frozen=True, slots=True)
class Argument:
    """How a command and a request take a field of a question."""

    name: str
    """The name of the field."""
    type: Any
    """The annotation of the field."""
    meaning: str
    """The meaning of the member in a request."""
    wanted: str = ""
    """The thing that a request must have there; "" if it may leave the member out."""
    option: str = ""
    """The command's option, such as `--kind`; "" if the command takes it without one."""
    help: str = ""
    """The help text of the option."""

    @property
    def is_rules(self) -> bool:
        """Whether it names rules. A command takes these with `--rules`, along with its own."""
        return bool(self.type == Rules)


@brief()
class Question(ABC):
    """A question about all orders that open units can be given."""

    __slots__ = ()
    _command: ClassVar[str]
    """Its name in the command line and in requests."""
    _in_short: ClassVar[str]
    """The question as pages list it."""
    _opens_for_power: ClassVar[bool] = False
    """Whether the units of one power may be the only open ones."""
    _confirmed: ClassVar[str] = "Confirmed by adjudicating these orders."
    """The sentence that says how sure the orders found are."""
    _has_cycle: ClassVar[bool] = False
    """Whether the orders found have a decision cycle, which pictures show."""

    @property
    def _other_rules(self) -> tuple[Rules, ...]:
        """The rules that it is about in addition to those of the search."""
        return ()

    @property
    def _own_power(self) -> str | None:
        """The power whose orders alone are the answer; None if all orders are."""
        return None

    @abstractmethod
    def _find(self, asked: SearchProblem) -> Confirmed[Facts] | None:
        """Orders that answer it, and their special features; None if it is proven that there are
        none. For a kind of question, this docstring is the help of its command."""

    @abstractmethod
    def _find_anywhere(self, asked: UnitsAnywhere) -> tuple[Placement, Facts] | None:
        """The same if the places of units are open."""

    @property
    @abstractmethod
    def _found(self) -> str:
        """The heading of the orders found. In this and the next texts, names in braces stand for
        the fields of the question, and `{whose}` for the title of its own power."""

    @property
    @abstractmethod
    def _impossible(self) -> str:
        """The sentence that none of the order sets `{sets}` is an answer."""

    @property
    @abstractmethod
    def _impossible_anywhere(self) -> str:
        """The same about `{units}` that may stand anywhere, `{ordered}`: with any orders."""

    def _in_words(self, text: str, **named: str) -> str:
        """One of these texts, with its names filled in."""
        own = {one.name: getattr(self, one.name) for one in fields(self)}  # type: ignore[arg-type]  # a question is a dataclass
        return text.format(**own, **named, whose=titled(self._own_power or ""))

    def _told(self, facts: Facts) -> Facts:
        """The special features of the orders found, in words."""
        return facts


def profiles_of(question: Question, rules: Rules) -> tuple[Profile, ...]:
    """The profiles that a question is about. Raises the errors of `load_profile`."""
    return tuple(load_profile(one) for one in (rules, *question._other_rules))


def arguments_of(kind: type[Question]) -> Iterator[Argument]:
    """How commands and requests take the fields of a kind of question, from their metadata."""
    hints = get_type_hints(kind)
    for one in fields(kind):  # type: ignore[arg-type]  # a kind of questions is a dataclass
        yield Argument(one.name, hints[one.name], **one.metadata)
