"""Errors about names: those that are not known here, and those with several meanings."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cached_property
from typing import Any

from dipsat.errors.base import DipsatError, nearest_names, shortened


class UnknownNameError(DipsatError):
    """A name that is not known here.

    Attributes: `kind` ("province", "power", "map", ...), `name` (as typed), `nearest` (the known
    names most like it, best first, possibly none).

    The message ends with a hint: `hint` if given; else the known names, if they are all members of
    a `family`; else the nearest names; else all known names if `list_known` is set; else the
    command `listed_by` that lists them. `problem` is the message for a name that is known, but not
    here. To find the nearest names takes long, and most of these
    errors are caught and never shown, so `known` is read when the message is first needed.
    """

    def __init__(
        self,
        kind: str,
        name: str,
        known: Iterable[str],
        where: str = "",
        *,
        list_known: bool = False,
        family: str = "",
        hint: str = "",
        listed_by: str = "",
        problem: str = "",
    ) -> None:
        super().__init__()
        self._problem = problem
        self.kind = kind
        self.name = name
        self._known = known
        self._where = where
        self._hint = hint
        self._list_known = list_known
        self._family = family
        self._listed_by = listed_by

    def __str__(self) -> str:
        self._complete()
        return super().__str__()

    def __reduce__(self) -> Any:
        self._complete()
        return super().__reduce__()

    def _complete(self) -> None:
        """Make the message, which Python keeps in `args`."""
        self._known = self._all_known
        self.args = (self._message,)

    def without_nearest(self) -> None:
        """Look for no name that may be meant: the message is one of many that nobody reads."""
        self._known = ()

    @cached_property
    def nearest(self) -> tuple[str, ...]:
        """The known names most like the name, best first."""
        return nearest_names(self.name, self._all_known)

    @cached_property
    def _all_known(self) -> tuple[str, ...]:
        return tuple(self._known)

    @cached_property
    def _message(self) -> str:
        if self._problem:
            return self._problem
        hint = ""
        if self._hint:
            hint = f"; {self._hint}"
        elif self._family:
            hint = f"; {self._family} has {', '.join(self._all_known)}"
        elif self.nearest:
            hint = f"; did you mean {' or '.join(self.nearest)}?"
        elif self._list_known:
            hint = f"; known: {', '.join(self._all_known)}"
        elif self._listed_by:
            hint = f"; `{self._listed_by}` lists them"
        place = f" in {self._where!r}" if self._where else ""
        return f"unknown {self.kind} {shortened(self.name)!r}{place}{hint}"


class AmbiguousNameError(DipsatError):
    """A name with several possible meanings.

    Attributes: `kind`, `name` (as typed), `choices` (the possible names). If `choices` is given as
    a mapping, its values are remarks for the message, "" for none.
    """

    def __init__(
        self, kind: str, name: str, choices: Iterable[str] | Mapping[str, str], where: str = ""
    ) -> None:
        self.kind = kind
        self.name = name
        self.choices = tuple(choices)
        remarks = choices if isinstance(choices, Mapping) else {}
        shown = (f"{one} ({remarks[one]})" if remarks.get(one) else one for one in self.choices)
        place = f" in {where!r}" if where else ""
        super().__init__(f"ambiguous {kind} {name!r}{place}: it could be {', '.join(shown)}")
