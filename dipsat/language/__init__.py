"""The rule language: types, vocabulary, checked expressions, and their values for known facts."""
