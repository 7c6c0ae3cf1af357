"""What `dipsat.draw` was called before; it goes with the next version."""

import warnings
from typing import Any

from dipsat import draw


def __getattr__(name: str) -> Any:
    found = getattr(draw, name)
    warnings.warn(f"dipsat.svg.{name} is now dipsat.draw.{name}", DeprecationWarning, stacklevel=2)
    return found
