"""Questions about one order: why it came out so, who is responsible, what would help."""
