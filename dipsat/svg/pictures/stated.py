"""The picture in a file that a map names: a picture that dipsat wrote, or somebody's own SVG."""

from __future__ import annotations

from dipsat.board.map import Map, OwnPicture
from dipsat.documents import decode
from dipsat.errors import DipsatError, DocumentError, FileError
from dipsat.files.reading import is_foreign, read_named, without_foreign
from dipsat.limits import PICTURE_BYTES
from dipsat.svg.layout.borders import borders_of, by_worth
from dipsat.svg.pictures.own_places import with_places_of, without_others
from dipsat.svg.pictures.picture import Picture
from dipsat.svg.pictures.picture_file import read_picture

_SHOWN = 5  # borders in a remark


def stated_picture(board: Map) -> Picture | None:
    """The picture in the file that a map names, with the places that the map states; None if it
    names none.

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
    except DipsatError:  # what a foreign file names is not quoted
        problem = "names a picture that cannot be used; it is in another folder, so it is not shown"
        raise FileError(own.place[0], problem) from None


def borders_not_shown(board: Map, picture: Picture) -> str:
    """A remark on the borders of a map that a picture for another state of it does not show; ""
    without any. Drawings whose provinces share no lines cannot tell."""
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
        from dipsat.svg.own.drawing import picture_in_svg  # for few maps

        return picture_in_svg(board, data, path)
    try:
        found = read_picture(decode(data, path, PICTURE_BYTES.most), path)
    except DocumentError as error:
        foreign = {path: path} if is_foreign(own.files, path) else {}
        raise without_foreign(error, foreign, "a picture") from None
    _check_all(board, found, path)
    return with_places_of(board, without_others(board, found))


def _check_all(board: Map, picture: Picture, path: str) -> None:
    """Refuse a picture without a place for each unit of a map."""
    missing = []
    for code, province in board.provinces.items():
        shape = picture.shapes.get(code)
        if shape is None:
            missing.append(code)
        else:
            missing += [f"{code}/{coast}" for coast in province.coasts if coast not in shape.coasts]
    if missing:
        advice = "`dipsat maps draw MAP -o FILE` draws the map anew"
        raise FileError(path, f"the picture has no {', '.join(missing)}; {advice}")
