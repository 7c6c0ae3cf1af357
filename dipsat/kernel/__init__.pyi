from dipsat.kernel.answers import build as build
from dipsat.kernel.batch import Batch as Batch
from dipsat.kernel.codes import BoardCodes as BoardCodes, PositionCodes as PositionCodes
from dipsat.kernel.game_arrays import (
    Advanced as Advanced,
    Games as Games,
    LegalOrders as LegalOrders,
    PlayedPhase as PlayedPhase,
)
from dipsat.kernel.numbers import MapNumbers as MapNumbers
from dipsat.kernel.result_arrays import BatchResult as BatchResult, ResultArrays as ResultArrays

__all__: list[str]

from dipsat.kernel.batch import kept_batch as kept_batch
from dipsat.kernel.coded_phases import (
    CodedMoves as CodedMoves,
    MovesAtOnce as MovesAtOnce,
    differing as differing,
)
from dipsat.kernel.codes import (
    BUILD as BUILD,
    DISBAND as DISBAND,
    PHASE_KINDS as PHASE_KINDS,
    RETREAT as RETREAT,
    WAIVE as WAIVE,
)
from dipsat.kernel.numbers import (
    CONVOY as CONVOY,
    MOVE as MOVE,
    SUPPORT_HOLD as SUPPORT_HOLD,
    SUPPORT_MOVE as SUPPORT_MOVE,
)
