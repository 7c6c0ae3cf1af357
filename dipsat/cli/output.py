"""What all commands print alike."""

from __future__ import annotations

import click


def print_json(value: object) -> None:
    """Print plain values as JSON that people can read too."""
    import json

    click.echo(json.dumps(value, indent=2, ensure_ascii=False))
