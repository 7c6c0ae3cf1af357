"""Map files made from the variants of other programs."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from dipsat.base import UNLIMITED, Limits, brief, read_text, running
from dipsat.board import Map, parse_map
from dipsat.errors import DipsatError, FileError, LimitError, ProblemsError
from dipsat.formats.diplicity_variant import is_diplicity_variant, read_diplicity_variant
from dipsat.formats.foreign_map import map_text
from dipsat.formats.json_text import FilePlace
from dipsat.formats.judge_map import is_judge_map, read_judge_map
from dipsat.formats.webdip_variant import is_webdip_variant, read_webdip_variant

_KINDS = (
    (is_webdip_variant, read_webdip_variant),
    (is_diplicity_variant, read_diplicity_variant),
    (is_judge_map, read_judge_map),
)
"""For each kind of variant, a function that recognises its path and one that reads it."""


@brief()
@dataclass(frozen=True, slots=True)
class ImportedMap:
    """A map made from a variant of another program."""

    source: str
    """The file or the folder of the variant."""
    text: str
    """The map file: YAML that `parse_map` reads."""
    map: Map
    """The map. Its `notes` say what could not be imported."""


def import_maps(
    path: str | Path, *, limits: Limits = UNLIMITED
) -> Iterator[ImportedMap | DipsatError]:
    """Yield a map for each variant in a file or a folder, in the order of their names. For one that
    cannot be read, yield an error, and go on with those after it.

    A folder is a variant, or contains the files and folders of variants; anything else in it is
    ignored. `limits` apply to each variant: `limits.files` says which other files it may use.
    Raises `FileError` if there is no variant, and `LimitError`.
    """
    top = Path(path)
    is_one = not top.is_dir() or is_webdip_variant(top)
    found = False
    for one in [top] if is_one else sorted(top.iterdir()):
        made: ImportedMap | DipsatError | None
        try:
            with running(limits):
                made = _imported(one)
        except LimitError:
            raise
        except DipsatError as error:
            made = error
        if made is not None:
            found = True
            yield made
    if not found:
        if not top.is_dir():
            read_text(top)  # raises what is wrong with an unreadable file
        raise FileError(str(path), "has no variant of another program (docs/maps.md lists them)")


def _imported(path: Path) -> ImportedMap | None:
    read = next((read for is_one, read in _KINDS if is_one(path)), None)
    if read is None:
        return None
    with FilePlace(str(path)):
        found = read(path)
        text = map_text(found, str(path))
    try:
        return ImportedMap(str(path), text, parse_map(text, f"{found.name}.yaml"))
    except ProblemsError as error:  # it names lines of a file that does not exist
        problems = (getattr(one, "problem", str(one)) for one in error.problems)
        raise ProblemsError(FileError(str(path), one) for one in problems) from None
