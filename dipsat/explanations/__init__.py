"""Questions about one order: the reasons for its outcome, who is responsible, what would help."""
