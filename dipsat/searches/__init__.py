"""Questions about orders, units and places that are open: goals, lines, theorems, changes."""
