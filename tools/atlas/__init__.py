"""The atlas of stalemate lines in docs/atlas: `python -m tools.atlas [MAP ...]`."""
