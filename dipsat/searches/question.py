"""What a question about open orders is: all that searches, commands, requests and pictures know of
one."""

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
    """What the member of a request says."""
    wanted: str = ""
    """What a request needs there; "" if it may leave the member out."""
    option: str = ""
    """The option of the command, such as `--kind`; "" if the command takes it without one."""
    help: str = ""
    """What the option says."""

    @property
    def is_rules(self) -> bool:
        """Whether it names rules. A command takes these with `--rules`, beside its own."""
        return bool(self.type == Rules)


@brief()
class Question(ABC):
    """A question about all orders that open units can be given."""

    __slots__ = ()
    _command: ClassVar[str]
    """How the command line and requests name it."""
    _in_short: ClassVar[str]
    """What is asked, as pages list it."""
    _opens_for_power: ClassVar[bool] = False
    """Whether the units of one power may be the only open ones."""
    _confirmed: ClassVar[str] = "Confirmed by adjudicating these orders."
    """How sure the orders found are."""
    _has_cycle: ClassVar[bool] = False
    """Whether the orders found have a decision cycle, which pictures show."""

    @property
    def _other_rules(self) -> tuple[Rules, ...]:
        """The rules that it is about besides those of the search."""
        return ()

    @property
    def _own_power(self) -> str | None:
        """The power whose orders alone are the answer; None if those of all are."""
        return None

    @abstractmethod
    def _find(self, asked: SearchProblem) -> Confirmed[Facts] | None:
        """Orders that answer it, and what is special about them; None if it is proven that there
        are none. Of a kind of questions, this text is what its command says."""

    @abstractmethod
    def _find_anywhere(self, asked: UnitsAnywhere) -> tuple[Placement, Facts] | None:
        """The same where the places of units are open."""

    @property
    @abstractmethod
    def _found(self) -> str:
        """What the orders found are. In this text and the following, names in braces stand for
        the fields of the question, and `{whose}` for the title of its own power."""

    @property
    @abstractmethod
    def _impossible(self) -> str:
        """That none of the order sets `{sets}` is an answer."""

    @property
    @abstractmethod
    def _impossible_anywhere(self) -> str:
        """The same about `{units}` that may stand anywhere and are `{ordered}` whatever."""

    def _in_words(self, text: str, **named: str) -> str:
        """One of these texts, with what its names stand for."""
        own = {one.name: getattr(self, one.name) for one in fields(self)}  # type: ignore[arg-type]  # a question is a dataclass
        return text.format(**own, **named, whose=titled(self._own_power or ""))

    def _told(self, facts: Facts) -> Facts:
        """What is special about the orders found, in words."""
        return facts


def profiles_of(question: Question, rules: Rules) -> tuple[Profile, ...]:
    """The profiles that a question is about. Raises the errors of `load_profile`."""
    return tuple(load_profile(one) for one in (rules, *question._other_rules))


def arguments_of(kind: type[Question]) -> Iterator[Argument]:
    """How commands and requests take the fields of a kind of questions: their metadata."""
    hints = get_type_hints(kind)
    for one in fields(kind):  # type: ignore[arg-type]  # a kind of questions is a dataclass
        yield Argument(one.name, hints[one.name], **one.metadata)
