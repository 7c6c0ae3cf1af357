"""The table of differences: the smallest boards on which rules, judges and rulebooks differ."""
