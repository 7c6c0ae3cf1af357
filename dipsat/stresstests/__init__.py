"""Rule profiles put to the test: boards on which they go wrong, and rules that do nothing."""
