"""The command `dipsat lab`: the rule lab as a static site."""

from __future__ import annotations

import click

from dipsat.app.printing import echo


@click.command()
@click.argument("folder", metavar="DIR")
@click.option(
    "--pyodide", metavar="FOLDER",
    help="Put an engine into the page: Python for browsers and its wheels, from FOLDER.  [default: "
    "the page asks a server under api/]",
)  # fmt: skip
@click.option("--force", is_flag=True, help="Overwrite an older site in DIR.")
def lab(folder: str, pyodide: str | None, force: bool) -> None:
    """Write the rule lab, a page for trying rules, into the folder DIR.

    With --pyodide the engine runs in the page, and any web server can offer it. FOLDER has the npm
    package pyodide in `node_modules`, and wheels of PyYAML, python-sat and Z3 in `wheels`
    (docs/lab.md). If Node is installed, Python is started once and its memory is saved for the
    page, which then opens faster.

    \b
    Examples:
      dipsat lab site --pyodide ~/pyodide
      dipsat lab site --pyodide ~/pyodide --force
    """
    from dipsat.app.site import MEMORY, keep_memory, ours, page_files, site_files
    from dipsat.base import write_folder

    files = page_files() if pyodide is None else site_files(pyodide)
    write_folder(folder, files, ours(), force)
    size = sum(map(len, files.values())) / 1e6
    echo(f"Wrote {len(files)} files ({size:.1f} MB) into {folder}.")
    if pyodide is not None:
        lacking = keep_memory(folder)
        if lacking:
            echo(f"The page will start slowly, without {MEMORY}: {lacking}.", err=True)
        else:
            echo(f"Kept the memory of a Python that has started, as {MEMORY}.")
