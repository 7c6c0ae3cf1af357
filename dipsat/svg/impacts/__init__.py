"""How often rules matter, as one page."""
