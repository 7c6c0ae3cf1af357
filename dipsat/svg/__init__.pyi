__all__: list[str]
from dipsat.svg.boards.board import board as board
from dipsat.svg.games import game_gif as game_gif, game_page as game_page
from dipsat.svg.impacts import impact_page as impact_page
from dipsat.svg.markup import Svg as Svg
from dipsat.svg.reasons.answers import line as line, search as search
from dipsat.svg.reasons.compared import compare as compare, replay as replay
from dipsat.svg.reasons.cycles import cycle as cycle
from dipsat.svg.reasons.explained import explain as explain
