"""Why, drawn: explanations, decision cycles, stalemate lines and comparisons."""
