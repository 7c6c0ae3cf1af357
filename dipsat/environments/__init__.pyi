from dipsat.environments.action_list import deepmind_actions as deepmind_actions
from dipsat.environments.deepmind_state import (
    DeepMindState as DeepMindState,
    Observation as Observation,
    Season as Season,
)
from dipsat.environments.game_batch import GameBatch as GameBatch
from dipsat.environments.legal_choices import Choices as Choices
from dipsat.environments.makers import (
    parallel_env as parallel_env,
    power_env as power_env,
    unit_env as unit_env,
)
from dipsat.environments.order_vocabulary import (
    cicero_orders as cicero_orders,
    mila_orders as mila_orders,
)

__all__: list[str]
