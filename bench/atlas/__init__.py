"""The atlas of stalemate lines in docs/atlas: `python -m bench.atlas [MAP ...]`."""
