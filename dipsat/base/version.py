"""The version of dipsat."""

__version__ = "0.1.0"
