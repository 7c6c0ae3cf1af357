"""Pictures of boards, orders and results as SVG texts."""

from dipsat import lazy

__getattr__, __dir__, __all__ = lazy.public(__name__)
