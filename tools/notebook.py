"""`python -m tools.notebook FILE...` runs the cells of notebooks and stores what they print.

It replaces Jupyter, so tests need no kernel: cells are Python without magic commands, and their
output is text.
"""

from __future__ import annotations

import contextlib
import io
import json
import os
import sys
import tempfile
from collections.abc import Iterable
from pathlib import Path
from typing import Any


def ran(notebook: dict[str, Any]) -> dict[str, Any]:
    """A notebook with the outputs of its cells, run from top to bottom in an empty folder."""
    space: dict[str, Any] = {"__name__": "__main__"}
    cells, count, before = [], 0, Path.cwd()
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        try:
            for cell in notebook["cells"]:
                if cell["cell_type"] == "code":
                    count += 1
                    outputs = _outputs("".join(cell["source"]), f"cell {count}", space)
                    cell = {**cell, "execution_count": count, "outputs": outputs}
                cells.append(cell)
        finally:
            os.chdir(before)
    return {**notebook, "cells": cells}


def _outputs(source: str, name: str, space: dict[str, Any]) -> list[dict[str, Any]]:
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        exec(compile(source, name, "exec"), space)  # noqa: S102  # our own notebooks
    text = printed.getvalue().splitlines(keepends=True)
    return [{"name": "stdout", "output_type": "stream", "text": text}] if text else []


def text_of(notebook: dict[str, Any]) -> str:
    """The text of a notebook as Jupyter saves it."""
    return json.dumps(notebook, ensure_ascii=False, indent=1) + "\n"


def main(files: Iterable[str]) -> None:
    """Run notebooks, and save them with their outputs."""
    for file in files:
        path = Path(file)
        path.write_text(text_of(ran(json.loads(path.read_text("utf-8")))), encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1:])
