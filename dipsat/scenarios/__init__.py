"""Movement phases for tests: order sheets, random boards, shrinking."""
