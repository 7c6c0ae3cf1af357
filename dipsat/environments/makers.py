"""The functions that make the environments."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from dipsat.environments.numpy_extra import need
from dipsat.environments.published_places import published_places
from dipsat.rules import DEFAULT_RULES, Profile

_PACKAGES = "numpy", "gymnasium", "pettingzoo"


def parallel_env(until: int = 1910, rules: str | Path | Profile = DEFAULT_RULES) -> Any:
    """Return a game of seven powers as PettingZoo's `ParallelEnv`: all orders at once.

    The game ends when a power has won, or after the year `until`. Raises `ExtraError` without the
    packages of the extra `environments`, and the errors of `dipsat.kernel.Batch`.
    """
    need(*_PACKAGES)
    from dipsat.environments.pettingzoo_games import PowersEnv

    return PowersEnv(until, rules)


def unit_env(until: int = 1910, rules: str | Path | Profile = DEFAULT_RULES) -> Any:
    """Return a game of seven powers as PettingZoo's `AECEnv`: one order after another. See
    `parallel_env`."""
    need(*_PACKAGES)
    from dipsat.environments.pettingzoo_games import UnitsEnv

    return UnitsEnv(until, rules)


def power_env(
    power: str,
    policy: Callable[[dict[str, Any]], Any] | None = None,
    until: int = 1910,
    rules: str | Path | Profile = DEFAULT_RULES,
) -> Any:
    """Return a game as Gymnasium's `Env` for one power. See `parallel_env`.

    `policy` takes the observation of another power and returns its actions. Without it, the other
    powers give random legal orders. Also raises `UnknownNameError`.
    """
    need(*_PACKAGES)
    power = published_places().board.names.power(power)
    from dipsat.environments.gymnasium_game import PowerEnv

    return PowerEnv(power, policy, until, rules)
