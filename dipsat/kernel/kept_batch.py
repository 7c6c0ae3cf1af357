"""A batch for whoever judges many boards on the way: made once for a profile and a map."""

from __future__ import annotations

from dipsat.board.map import Map
from dipsat.kernel.batch import Batch
from dipsat.profiles.profile import Profile
from dipsat.values import kept_on_first


@kept_on_first(4)
def kept_batch(profile: Profile, board: Map) -> Batch:
    """The batch, which the profile keeps. Raises the errors of `Batch`."""
    return Batch(profile, board)
