from dipsat.environments.action_list import deepmind_actions as deepmind_actions
from dipsat.environments.game_batch import GameBatch as GameBatch
from dipsat.environments.legal_choices import Choices as Choices
from dipsat.environments.order_vocabulary import (
    cicero_orders as cicero_orders,
    mila_orders as mila_orders,
)

__all__: list[str]
