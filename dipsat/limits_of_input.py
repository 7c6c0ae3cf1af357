"""How large the input of a stranger may be: every limit with its reason, in one place.

Each is about ten times what the biggest shipped map or the longest known game needs. That map is
`known_world_901`: 269 provinces, 109 supply centres, 17 powers, 4,995 values in its file. The most
powers are the 34 of `chaos`. The longest known game has 150 phases: 200 KB and 19,400 values in
YAML, 320 KB and 46,000 values as the `diplomacy` package saves it, 2 MB with all messages. The DATC
has about 160 cases.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from dipsat.errors import InputLimitError


@dataclass(frozen=True, slots=True)
class InputLimit:
    """The most that dipsat reads of something: `what` names it in messages, `reason` says how
    `most` was chosen."""

    what: str
    most: int
    reason: str

    def of(self, whole: str) -> InputLimit:
        """The same limit for what is in one thing, which messages name."""
        return replace(self, what=f"{self.what} in {whole}")

    def check(self, found: int, place: str = "") -> None:
        """Raise `InputLimitError` if there are more; `place` says where in the input."""
        if found > self.most:
            raise InputLimitError(place, self.what, found, self.most)


class Tally:
    """Counts something that several readers find, against one limit."""

    def __init__(self, limit: InputLimit) -> None:
        self.limit = limit
        self.found = 0

    def add(self, count: int = 1) -> None:
        """Count some more. Raises `InputLimitError`."""
        self.found += count
        self.limit.check(self.found)


TEXT_BYTES = InputLimit(
    "bytes in a text file",
    4 * 1024 * 1024,
    "the biggest map has 28 KB, the DATC in jDip's format 200 KB, the longest game in YAML 200 KB",
)
GAME_BYTES = InputLimit(
    "bytes in a game", 20 * 1024 * 1024, "a long game with all messages has about 2 MB of JSON"
)
VALUES = InputLimit(
    "values in a file", 50_000, "the biggest map has 4,995 keys, texts, lists and mappings"
)
KEY_LENGTH = InputLimit("characters in a key", 300, "the longest shipped key has 30")
GAME_VALUES = InputLimit(
    "values in a game in YAML", 200_000, "the longest known game has 19,400 in YAML"
)
JSON_VALUES = InputLimit(
    "values in a game",
    500_000,
    "the longest known game has 46,000 without messages; commas in messages count too",
)
BLANK_BYTES = InputLimit(
    "blank bytes in a row", 1024 * 1024, "between two games, a program leaves a line or two"
)
UNPACKED_RATIO = InputLimit(
    "bytes for each byte of packed data",
    200,
    "gzip makes files of games 15 times smaller, Zstandard up to 25 times",
)
ROWS_RATIO = InputLimit(
    "bytes for each byte of packed rows",
    2_000,
    "Zstandard makes files of rows up to 65 times smaller",
)
PACKED_SURPLUS = InputLimit(
    "packed bytes of which too little comes",
    256 * 1024,
    "packed data are smaller than what they unpack to, which may be known after 128 KB of them",
)
LINE_BYTES = InputLimit(
    "bytes in a line of commands", 100_000, "all orders of the biggest map in one line have 4,000"
)
PHASES = InputLimit("phases in a game", 1_500, "the longest known game has 150")
CASES = InputLimit("cases in a file", 2_000, "the DATC has about 160")
PROVINCES = InputLimit("provinces on a map", 2_690, "the biggest map has 269")
NAMES = InputLimit("names", 2_690, "the biggest map has 269 provinces")
POWERS = InputLimit("powers on a map", 340, "the map with the most powers has 34")
UNITS = InputLimit("units on a board", 1_090, "the biggest map has 109 supply centres")
ORDERS = InputLimit(
    "orders in a phase", 2_690, "the biggest map has 269 provinces, each with one unit at most"
)
SHEET_LENGTH = InputLimit(
    "characters in an order sheet",
    128 * 1024,
    "the orders of the biggest map have 7,000, and e-mails quote others",
)
READINGS = InputLimit(
    "ways to read the unclear orders of a phase",
    10_000,
    "the biggest map has 109 supply centres, and most unclear orders have fewer than 10 readings",
)
COMPARED_ORDERS = InputLimit(
    "orders in the ways to read unclear orders together",
    1_000_000,
    "7 powers with 14 orders each and 1,000 ways to read them have 98,000",
)
COMPARED_RULES = InputLimit(
    "rules in a comparison",
    100,
    "the edition of the rules with the most readings has fewer than 10",
)
FORM_PARTS = InputLimit(
    "words and fields in a form", 100, "the longest form of a shipped variant has 5"
)
OPTIONS = InputLimit("options", 50, "the variant with the most options has 4")
VALUES_OF_OPTION = InputLimit("values of an option", 40, "no shipped option has more than 4")
MEMBERS = InputLimit("members of a domain", 50, "the biggest domain of a shipped variant has 3")
KINDS_OF_ORDERS = InputLimit("kinds of orders", 50, "the variant with the most kinds has 2")
PICTURE_BYTES = InputLimit(
    "bytes in the picture of a map",
    8 * 1024 * 1024,
    "the standard board has 80 KB as a picture, and drawings of boards have 1 MB",
)
PICTURE_POINTS = InputLimit(
    "points in the outlines of a picture",
    100_000,
    "the standard board has 18,800, those on borders counted twice",
)
PICTURE_OUTLINES = InputLimit(
    "outlines of a province or of blank land",
    300,
    "no province of the standard board has more than 18",
)

HINTED = 109
"""The unclear orders of a power for which dipsat looks for names that may be meant: as many as the
biggest map has supply centres."""
