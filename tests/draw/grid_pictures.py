"""Pictures of any map as squares in rows, for tests that are not about geography."""

from __future__ import annotations

from dipsat.board import Map
from dipsat.draw import Picture
from dipsat.draw.map_picture import Place, Shape

SIDE = 60.0


def grid_picture(board: Map) -> Picture:
    """A picture in which every province is a square of its own."""
    columns = max(int(len(board.provinces) ** 0.5), 1)
    arcs, shapes = [], {}
    for at, (code, province) in enumerate(board.provinces.items()):
        x, y = SIDE * (at % columns), SIDE * (at // columns)
        corners = ((x, y), (x + SIDE, y), (x + SIDE, y + SIDE), (x, y + SIDE), (x, y))
        arcs.append(corners)
        middle = (x + SIDE / 2, y + SIDE / 2)
        shapes[code] = Shape(
            rings=((at,),),
            place=Place(middle, (middle[0] + 9, middle[1] + 9), (middle[0], y + 52)),
            centre=(x + 8, y + 8),
            coasts={
                coast: Place((x + 12 + 18 * number, y + 12), (x + 15 + 18 * number, y + 20))
                for number, coast in enumerate(province.coasts)
            },
        )
    rows = -(-len(shapes) // columns)
    return Picture(board.name, SIDE * columns, SIDE * rows, 1.0, tuple(arcs), shapes)
