from dipsat.draw.answer_sheets import line as line, search as search
from dipsat.draw.board_picture import board as board
from dipsat.draw.comparison_sheets import compare as compare, replay as replay
from dipsat.draw.cycle_graph import cycle as cycle
from dipsat.draw.explanation_sheet import explain as explain
from dipsat.draw.game_pages import game_gif as game_gif, game_page as game_page
from dipsat.draw.impact_pages import impact_page as impact_page
from dipsat.draw.markup import Svg as Svg

__all__: list[str]

from dipsat.draw.explanation_sheet import explained_board as explained_board
from dipsat.draw.map_picture import (
    Picture as Picture,
    read_picture as read_picture,
    write_picture as write_picture,
)
from dipsat.draw.picture_choice import (
    check_picture as check_picture,
    known_picture as known_picture,
    new_picture as new_picture,
    picture_for as picture_for,
)
from dipsat.draw.results_pages import (
    results_board as results_board,
    results_mail as results_mail,
    results_page as results_page,
)
from dipsat.draw.terminal import (
    HALF as HALF,
    Cell as Cell,
    cells_of as cells_of,
    columns_for as columns_for,
    inks_of as inks_of,
)
