"""Playing a game through: history, submitted orders, going on and going back."""
