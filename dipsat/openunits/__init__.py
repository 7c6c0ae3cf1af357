"""A movement phase in which it is open where units stand: so many units, anywhere."""
