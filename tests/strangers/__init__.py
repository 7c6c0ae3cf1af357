"""Input of strangers: odd, damaged, endless or hostile."""
