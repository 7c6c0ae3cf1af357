"""What programs import from the package `diplomacy` 1.1.2, on dipsat: see docs/drop-in.md."""

import sys

from dipsat.compat.stand_in import fill

fill(sys.modules[__name__])
