"""Games and phases as files of this and of other programs, and playing a game."""
