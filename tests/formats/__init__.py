"""Files of games and positions, of this and of other programs."""
