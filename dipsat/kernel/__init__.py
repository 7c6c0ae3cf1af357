"""The equations of a profile, compiled to machine code that adjudicates many boards."""
