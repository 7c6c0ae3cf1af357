"""The lists that published programs share with dipsat: their hashes, and entries that they cite."""

from __future__ import annotations

from hashlib import sha256

from dipsat.environments import cicero_orders, deepmind_actions, mila_orders
from tests.environments.published_actions import AREAS, PROVINCES


def test_the_actions_are_those_of_deepmind() -> None:
    """The hash is that of the numbers in `environment/action_list.py` of google-deepmind/diplomacy,
    eight bytes each."""
    actions = deepmind_actions()
    assert len(actions) == 18_584
    found = sha256(b"".join(one.to_bytes(8, "little") for one in actions)).hexdigest()
    assert found == "7119905c9e9e5ada690028961d5ba3d7aa2842458eaa05fd7f391d26ba122551"


def test_an_action_has_its_index_its_kind_and_its_places() -> None:
    actions = deepmind_actions()
    assert [one >> 48 for one in actions] == list(range(len(actions)))
    fleet_to_south = 4 | PROVINCES.index("BOT") << 9 | 1 << 16 | PROVINCES.index("STP") << 17
    assert fleet_to_south in [one & 0xFFFFFFFF for one in actions]
    assert fleet_to_south - (1 << 16) not in [one & 0xFFFFFFFF for one in actions]
    assert (len(PROVINCES), len(AREAS)) == (75, 81)


def digest(orders: tuple[str, ...]) -> str:
    return sha256("\n".join(orders).encode()).hexdigest()


def test_the_vocabulary_is_that_of_mila() -> None:
    """The hash is that of the lines that `get_order_vocabulary` of diplomacy/research returns."""
    orders = mila_orders()
    assert len(orders) == 13_042
    assert digest(orders) == "1f4765ee2d3147c6f9567feffaf80f2c1620efe87bd1fcf4a3852e5a51cce0af"
    assert orders[4] == "<AUSTRIA>"
    assert orders[11:13] == ("WAIVE", "F ADR H")


def test_the_vocabulary_is_that_of_cicero() -> None:
    """The hash is that of the contents of `order_vocab_by_unit.json` of
    facebookresearch/diplomacy_cicero: the orders of each unit, with units sorted."""
    orders = cicero_orders()
    assert len(orders) == 13_426
    assert digest(orders) == "2a0f82e118c960a868acec665a007475e79ca8331bc4765c38cde695c69afe05"
    index = {order: at for at, order in enumerate(orders)}
    assert index["A MOS B;A SEV B;A WAR B;F STP/NC B"] == 13_201  # from its own tests


def test_networks_of_mila_know_no_convoys_of_five_fleets() -> None:
    listed, all_actions = set(mila_orders()), [one & 0xFFFFFFFF for one in deepmind_actions()]
    far = 1 | PROVINCES.index("STP") << 9 | PROVINCES.index("SYR") << 17
    assert "A STP - SYR VIA" not in listed
    assert far in all_actions
