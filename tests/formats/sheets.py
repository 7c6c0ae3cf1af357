"""Order sheets that several tests share."""

from __future__ import annotations

# DATC 6.F.14: the orders have no resolution, and the rule of Szykman decides.
PARADOX = """\
England:
 F London Supports F Wales - English Channel
 F Wales - English Channel
France:
 A Brest - London
 F English Channel Convoys A Brest - London
"""
