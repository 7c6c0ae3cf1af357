"""The interfaces of other packages, so that programs written for them run on dipsat."""

from dipsat.base import extensions

__getattr__, __dir__, __all__ = extensions.public(__name__)
