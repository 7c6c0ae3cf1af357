"""A smallest board on which there is something to be seen."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from dipsat.game.phase_name import PhaseKind, PhaseName
from dipsat.profiles.profile import Profile
from dipsat.scenarios.minimise import careful, shrunk
from dipsat.scenarios.sheet import Sheet
from dipsat.stresstests.observations import Sight, has_sight


def smallest(profile: Profile, sheet: Sheet, sight: Sight) -> Sheet:
    """A smallest part of a sheet with this sight: no unit and no order can be spared; without
    centres, in the first phase, if that is enough. The sheet itself if the sight is not there."""
    shows = careful(lambda other: has_sight(profile, other, sight))
    if not shows(sheet):
        return sheet
    sheet = shrunk(sheet, shows)
    for simpler in _plainer(sheet):
        if shows(simpler):
            sheet = simpler
    return sheet


def _plainer(sheet: Sheet) -> Iterator[Sheet]:
    plain = replace(sheet, owned=())
    yield plain
    if PhaseName.parse(sheet.board.first_phase).kind is PhaseKind.MOVEMENT:
        yield replace(plain, phase="")
