"""The rule language: its types, its vocabulary, checked expressions, and what they say of facts."""
