"""Movement phases to put to the test: order sheets, random boards, shrinking."""
