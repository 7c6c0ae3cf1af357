"""Pictures of boards, orders and results as SVG texts."""

from typing import TYPE_CHECKING

from dipsat import lazy

if TYPE_CHECKING:  # what type checkers and editors see
    __all__: list[str]
    from dipsat.svg.animation import game_gif as game_gif
    from dipsat.svg.boards import board as board
    from dipsat.svg.cycles import cycle as cycle
    from dipsat.svg.markup import Svg as Svg
    from dipsat.svg.playback import game_page as game_page
else:
    __getattr__, __dir__, __all__ = lazy.public(
        __name__,
        {
            "svg.boards": "board",
            "svg.cycles": "cycle",
            "svg.animation": "game_gif",
            "svg.playback": "game_page",
            "svg.markup": "Svg",
        },
    )
