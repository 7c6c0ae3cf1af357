"""Playing a game: history, submitted orders, going forward and back."""
