"""The tests; modules without `test_` hold what several of them share."""
