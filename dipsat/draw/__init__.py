"""Pictures of boards, orders and results as SVG texts."""

from dipsat.base import extensions

__getattr__, __dir__, __all__ = extensions.public(__name__)
