"""Pictures of boards, orders and results as SVG texts."""

from typing import TYPE_CHECKING

from dipsat import lazy

if TYPE_CHECKING:  # what type checkers and editors see
    __all__: list[str]
    from dipsat.svg.animation import game_gif as game_gif
    from dipsat.svg.boards import board as board
    from dipsat.svg.compared import compare as compare, search as search
    from dipsat.svg.cycles import cycle as cycle
    from dipsat.svg.explained import explain as explain
    from dipsat.svg.markup import Svg as Svg
    from dipsat.svg.playback import game_page as game_page
    from dipsat.svg.replayed import replay as replay
    from dipsat.svg.stalemate import line as line
else:
    __getattr__, __dir__, __all__ = lazy.public(
        __name__,
        {
            "svg.animation": "game_gif",
            "svg.boards": "board",
            "svg.compared": "compare search",
            "svg.cycles": "cycle",
            "svg.explained": "explain",
            "svg.markup": "Svg",
            "svg.playback": "game_page",
            "svg.replayed": "replay",
            "svg.stalemate": "line",
        },
    )
