"""The picture of a map: the shipped one, that of a map with the same geography, one in a file that
the map names, or a new one laid out from the borders."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import replace
from functools import lru_cache

from dipsat.base import (
    PICTURE_BYTES,
    data_folder,
    decode,
    is_foreign,
    kept_on_first,
    read_named,
    read_text,
    without_foreign,
)
from dipsat.board import Map, OwnPicture, is_shipped, load_map
from dipsat.draw.map_picture import (
    Picture,
    drawn_like_picture,
    picture_of,
    read_picture,
    with_places_at,
    without_others,
)
from dipsat.draw.planar import borders_of, by_worth
from dipsat.errors import (
    DipsatError,
    DocumentError,
    FileError,
    MapError,
    PictureError,
    UnknownNameError,
)

_USUAL = "standard"
"""The picture that most users' own maps can use, since most change only powers and centres."""
_KEPT = 8  # pictures laid out for users' own maps


@kept_on_first()
def picture_for(board: Map) -> Picture:
    """The picture of a map, with the places that its file states.

    A shipped map has its shipped picture. A user's own map has the picture in the file that it
    names, or the picture of the map that it names under `like`. Without either, it has the shipped
    picture of a map with the same provinces, coasts and borders, or else a picture laid out from
    its borders, once for equal maps. Raises `UnknownNameError` or `PictureError` if the map cannot
    be drawn as it says, and `FileError` or `DocumentError` for the file.
    """
    found = known_picture(board)
    return with_places_at(_laid_out(board), board.picture.places) if found is None else found


def known_picture(board: Map) -> Picture | None:
    """The picture of a map unless it must be laid out. Raises the errors of `picture_for`."""
    stated = stated_picture(board)
    if stated is not None:
        return stated
    found = _shipped_for(board)
    return None if found is None else with_places_at(found, board.picture.places)


def new_picture(board: Map) -> Picture:
    """The picture of a map as if it named no file that dipsat wrote: from its SVG, the map under
    `like` or a shipped picture, or else from its borders. Raises the errors of `picture_for`.
    """
    return picture_for(replace(board, picture=replace(board.picture, file="")))


def check_picture(board: Map) -> str:
    """A remark on the picture that a map states, or "". Raises `MapError`, `FileError` or
    `DocumentError` if the map cannot be drawn as it says."""
    own = board.picture
    if not (own.like or own.file or own.svg or own.places):
        return ""
    try:  # a map that states only places need not be laid out for this
        picture = picture_for(board) if own.like or own.file or own.svg else known_picture(board)
    except (UnknownNameError, PictureError) as error:
        raise MapError(*own.place, str(error)) from None
    text = borders_not_shown(board, picture) if picture is not None and own.file else ""
    return f"{own.place[0]}:{own.place[1]}:{own.place[2]}: {text}" if text else ""


def _shipped_for(board: Map) -> Picture | None:
    """The shipped picture of a map, or of a map with the same geography; None if there is none."""
    named = shipped_pictures()
    if board.picture.like:
        like = board.picture.like
        if like not in named:
            raise UnknownNameError("map with a picture", like, named)
        return drawn_like_picture(board, shipped_picture(named[like]))
    if is_shipped(board) and board.name in named:
        return shipped_picture(named[board.name])
    for name in sorted({*named.values()}, key=lambda name: (name != _USUAL, name)):
        found = shipped_picture(name)
        if found.shapes.keys() == board.provinces.keys() and _is_same(board, load_map(name)):
            return found
    return None


@lru_cache(maxsize=1)
def shipped_pictures() -> Mapping[str, str]:
    """Name of a shipped map -> name of its picture."""
    path = data_folder("rules") / "pictures" / "index.json"
    found: dict[str, str] = json.loads(read_text(path)) if path.is_file() else {}
    return found


@lru_cache(maxsize=64)
def shipped_picture(name: str) -> Picture:
    """The shipped picture of this name."""
    path = data_folder("rules") / "pictures" / f"{name}.json"
    return picture_of(json.loads(read_text(path)))


def _is_same(one: Map, other: Map) -> bool:
    """Whether two maps with the same provinces have the same geography."""
    pairs = ((province, other.provinces[code]) for code, province in one.provinces.items())
    are_same = all((one.kind, one.coasts) == (other.kind, other.coasts) for one, other in pairs)
    return are_same and one.army == other.army and one.fleet == other.fleet


@lru_cache(maxsize=_KEPT)
def _laid_out(board: Map) -> Picture:
    """The picture computed from the borders of a map."""
    from dipsat.draw.made_map import layout  # large, and only needed here

    return layout(board)


# --- stated pictures ------------------------------------------------------------------------------

# The picture in a file that a map names: a picture that dipsat wrote, or somebody's own SVG.


_SHOWN = 5  # borders in a remark


def stated_picture(board: Map) -> Picture | None:
    """The picture in the file that a map names, with the places that the map states; None if it
    names no file.

    Raises `FileError`, `DocumentError` or `InputLimitError` for a file that cannot be read, is not
    allowed, or has no shape for a province.
    """
    own = board.picture
    path = own.svg or own.file
    if not path:
        return None
    if not is_foreign(own.files, own.place[0]):
        return _read(board, own, path)
    try:
        return _read(board, own, path)
    except DipsatError:  # names from foreign files are not quoted
        problem = "names a picture that cannot be used; it is in another folder, so it is not shown"
        raise FileError(own.place[0], problem) from None


def borders_not_shown(board: Map, picture: Picture) -> str:
    """A remark on the borders of a map that are missing from a picture made for another version of
    it, or "". A drawing whose provinces share no lines cannot be checked."""
    if not picture.touching:
        return ""
    shown = picture.touching | {frozenset(link[:2]) for link in picture.links}
    pairs = sorted(by_worth(borders_of(board)))
    lost = ["-".join(pair) for pair in pairs if frozenset(pair) not in shown]
    if not lost:
        return ""
    more = f" and {len(lost) - _SHOWN} others" if len(lost) > _SHOWN else ""
    return f"the picture does not show the borders {', '.join(lost[:_SHOWN])}{more}"


def _read(board: Map, own: OwnPicture, path: str) -> Picture:
    data = read_named(own.files, path, PICTURE_BYTES.most)
    PICTURE_BYTES.check(len(data), path)
    if own.svg:
        from dipsat.draw.foreign_svg import picture_in_svg  # few maps need it

        return picture_in_svg(board, data, path)
    try:
        found = read_picture(decode(data, path, PICTURE_BYTES.most), path)
    except DocumentError as error:
        foreign = {path: path} if is_foreign(own.files, path) else {}
        raise without_foreign(error, foreign, "a picture") from None
    missing = []
    for code, province in board.provinces.items():
        shape = found.shapes.get(code)
        if shape is None:
            missing.append(code)
        else:
            missing += [f"{code}/{coast}" for coast in province.coasts if coast not in shape.coasts]
    if missing:
        advice = "`dipsat maps draw MAP -o FILE` draws the map anew"
        raise FileError(path, f"the picture has no {', '.join(missing)}; {advice}")
    return with_places_at(without_others(board, found), board.picture.places)
