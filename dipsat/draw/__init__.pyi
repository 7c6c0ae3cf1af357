__all__: list[str]
from dipsat.draw.answer_sheets import line as line, search as search
from dipsat.draw.board_picture import board as board
from dipsat.draw.comparison_sheets import compare as compare, replay as replay
from dipsat.draw.cycle_graph import cycle as cycle
from dipsat.draw.explanation_sheet import explain as explain
from dipsat.draw.game_pages import game_gif as game_gif, game_page as game_page
from dipsat.draw.impact_pages import impact_page as impact_page
from dipsat.draw.markup import Svg as Svg
