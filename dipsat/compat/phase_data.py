"""Messages, and the data of a phase, as in the package `diplomacy`."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import count
from typing import Any

from dipsat.compat.missing_names import missing
from dipsat.compat.order_results import Marks, named
from dipsat.compat.played_phase import PlayedPhase, now

GLOBAL, SYSTEM, OBSERVER, OMNISCIENT = "GLOBAL", "SYSTEM", "OBSERVER", "OMNISCIENT"
"""Senders and recipients of messages other than powers."""


EVERYBODY = (GLOBAL, SYSTEM, OBSERVER, OMNISCIENT)


class Message:
    """A message from a power to another, or to all of them (GLOBAL)."""

    def __init__(
        self,
        *,
        sender: str,
        recipient: str,
        message: str,
        phase: str,
        time_sent: int | None = None,
        **others: Any,
    ) -> None:
        self.sender = sender
        self.recipient = recipient
        self.message = message
        self.phase = phase
        self.time_sent = time_sent
        vars(self).update(others)

    def __repr__(self) -> str:
        return f"Message({self})"

    def __str__(self) -> str:
        head = f"{self.time_sent}/{self.phase}/{self.sender}->{self.recipient}"
        return f"[{head}]({self.message})"

    def is_global(self) -> bool:
        """Return whether it is for all."""
        return self.recipient == GLOBAL

    def to_dict(self) -> dict[str, Any]:
        """Return plain values."""
        return dict(vars(self))

    @classmethod
    def from_dict(cls, value: Mapping[str, Any]) -> Message:
        """Return the message in the plain values of `to_dict`."""
        return cls(**value)


class History(dict[Any, Any]):
    """A dictionary in chronological order."""

    def first_key(self) -> Any:
        """Return the first key."""
        return next(iter(self))

    def first_value(self) -> Any:
        """Return the first value."""
        return self[self.first_key()]

    def last_key(self) -> Any:
        """Return the last key."""
        return next(reversed(self))

    def last_value(self) -> Any:
        """Return the last value."""
        return self[self.last_key()]

    def put(self, key: Any, value: Any) -> None:
        """Set a value."""
        self[key] = value

    def remove(self, key: Any) -> Any:
        """Remove a value and return it, or None."""
        return self.pop(key, None)


_READ = {"state": "state", "results": "marks"}
"""Attribute computed when it is first read -> its name in a `PlayedPhase`."""
_KNOWN = ("name", "orders", "messages", "_played", *_READ)


class GamePhaseData:
    """A phase: its state, orders, results and messages."""

    state: Any
    results: Marks

    def __init__(
        self, name: str, state: Any, orders: Any, results: Any, messages: Any, **others: Any
    ) -> None:
        self.name = name
        self.state = state
        self.orders = orders
        self.results = results
        self.messages = messages
        vars(self).update(others)

    @classmethod
    def of(cls, name: str, played: PlayedPhase, orders: Any, messages: Any) -> GamePhaseData:
        """Return the data of a phase. Its state and results are computed when first read."""
        found = cls.__new__(cls)
        vars(found).update(name=name, _played=played, orders=orders, messages=messages)
        return found

    def __getattr__(self, name: str) -> Any:
        own = vars(self)
        played = own.get("_played")
        if name in _READ and played is not None:
            own.setdefault(name, getattr(played, _READ[name]))
            if _READ.keys() <= own.keys():
                own.pop("_played", None)  # frees much that is not needed here
        if name not in own:  # another thread may have read it
            raise missing("GamePhaseData", name)
        return own[name]

    def __dir__(self) -> list[str]:
        return [*super().__dir__(), *_READ]

    def __repr__(self) -> str:
        return f"GamePhaseData({self.name!r})"

    @property
    def extras(self) -> dict[str, Any]:
        """The keys that the package does not know."""
        return {key: value for key, value in vars(self).items() if key not in _KNOWN}

    def to_dict(self) -> dict[str, Any]:
        """Return plain values."""
        messages = [one.to_dict() for one in _listed(self.messages)]
        results = {unit: [str(one) for one in own] for unit, own in self.results.items()}
        return {
            "name": self.name, "state": self.state, "orders": self.orders, "results": results,
            "messages": messages, **self.extras,
        }  # fmt: skip

    @classmethod
    def from_dict(cls, value: Mapping[str, Any]) -> GamePhaseData:
        """Return the phase in plain values of `to_dict`. Keys unknown to the package are kept."""
        given = {"results": {}, "messages": [], **value}
        given["results"] = named(given["results"])
        given["messages"] = by_time(Message.from_dict(one) for one in given["messages"])
        return cls(**given)


def _listed(messages: Any) -> Any:
    return messages.values() if isinstance(messages, Mapping) else messages


def by_time(messages: Any) -> History:
    """Messages by the time when they were sent."""
    found, later = History(), count(now())
    for one in messages:
        if one.time_sent is None:
            one.time_sent = next(later)
        found[one.time_sent] = one
    return found
