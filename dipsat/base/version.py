"""The version of dipsat."""

__version__ = "1.0.0"
