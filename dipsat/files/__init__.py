"""The only room that opens files: which ones documents may name, reading them, and saving."""
