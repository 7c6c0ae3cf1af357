"""Reading untrusted documents: whatever they hold, they are read, or refused with a place."""

from __future__ import annotations

import math
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from hypothesis import settings, strategies as st

from dipsat.base import MAX_BYTES, MAX_DEPTH, decode, parse_yaml, read_text
from dipsat.errors import DipsatError, DocumentError, FileError
from dipsat.formats import GameText, parse_games
from tests.exhaustive import few_examples
from tests.strangers.any_text import any_text


def refused(text: str) -> DocumentError:
    """The error with which a text is refused; it begins with its place."""
    with pytest.raises(DocumentError) as caught:
        parse_yaml(text, "some.yaml")
    error = caught.value
    assert str(error) == f"some.yaml:{error.line}:{error.column}: {error.problem}"
    return error


# --- what is read --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("a: 1", {"a": 1}),
        ('{"a": [1, 2.5, true, null, "x"]}', {"a": [1, 2.5, True, None, "x"]}),
        ("- no\n- 'no'\n- \"1\"\n- 1\n", [False, "no", "1", 1]),
        ("a: |\n  one\n  two\n", {"a": "one\ntwo\n"}),
        ("a: >\n  one\n  two\n", {"a": "one two\n"}),
        ("a: 2001-12-14", {"a": "2001-12-14"}),
        ("a: <<", {"a": "<<"}),
        ("<<: {b: 1}", {"<<": {"b": 1}}),
        ("1: x", {"1": "x"}),
        ("a: 0o9", {"a": "0o9"}),
        ("a: .inf", {"a": math.inf}),
        ("\ufeffa: 1", {"a": 1}),
        ("'word'", "word"),
        ("[]", []),
        ("{}", {}),
        ("# a comment\na: 1 # another\n", {"a": 1}),
    ],
)
def test_a_document_is_read_as_plain_values(text: str, value: Any) -> None:
    assert parse_yaml(text, "some.yaml").plain() == value


def test_every_value_and_key_knows_its_line_and_column() -> None:
    root = parse_yaml("a:\n  - x\n  -   y\nb: {c: 1}\n", "some.yaml")
    a, b = root.mapping()["a"], root.mapping()["b"]
    places = [(node.line, node.column) for node in (root, a, *a.sequence(), b, b.mapping()["c"])]
    assert places == [(1, 1), (2, 3), (2, 5), (3, 7), (4, 4), (4, 8)]
    assert root.keys == {"a": (1, 1), "b": (4, 1)}
    assert b.keys == {"c": (4, 5)}


@pytest.mark.parametrize(
    ("text", "ask", "problem"),
    [
        ("[1]", "mapping", "should be a mapping"),
        ("a: 1", "sequence", "should be a list"),
        ("[1]", "text", "should be a text"),
        ("[1]", "flag", "should be true or false"),
        ("yes it is", "flag", "should be true or false"),
        ("true", "integer", "should be a whole number"),
        ("1.5", "integer", "should be a whole number"),
        ("'1'", "integer", "should be a whole number"),
    ],
)
def test_a_value_of_the_wrong_kind_is_refused_at_its_place(
    text: str, ask: str, problem: str
) -> None:
    node = parse_yaml(f"x:\n  -  {text}\n", "some.yaml").mapping()["x"].sequence()[0]
    with pytest.raises(DocumentError, match=problem) as caught:
        getattr(node, ask)()
    assert (caught.value.path, caught.value.line, caught.value.column) == ("some.yaml", 2, 6)


def test_an_unknown_key_is_refused_at_its_place_with_the_nearest() -> None:
    root = parse_yaml("name: x\ntitel: y\n", "some.yaml")
    with pytest.raises(DocumentError, match=r"'titel'.*'title'") as caught:
        root.mapping(("name", "title"))
    assert (caught.value.line, caught.value.column) == (2, 1)


def test_a_text_is_given_as_written_whatever_yaml_makes_of_it() -> None:
    node = parse_yaml("[no, 1e3, 0x10, 007, ~x]", "some.yaml")
    assert node.texts() == ("no", "1e3", "0x10", "007", "~x")


# --- what is refused -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "place", "word"),
    [
        ("a: &x 1\nb: 2", (1, 4), "anchor"),
        ("&x [1]", (1, 1), "anchor"),
        ("a: 1\n&x b: 2", (2, 1), "anchor"),
        ("a: 1\nb: *x", (2, 4), "alias"),
        ("*x : 1", (1, 1), "alias"),
        ("a: 1\nb: !!python/object/apply:os.system [ls]", (2, 4), "tag"),
        ("a: !!str 1", (1, 4), "tag"),
        ("a: !mine 1", (1, 4), "tag"),
        ("- !!set {a}", (1, 3), "tag"),
        ("!!map {a: 1}", (1, 1), "tag"),
        ("a: 1\nb: 2\na: 3", (3, 1), "duplicate key 'a'"),
        ("{a: 1, 'a': 2}", (1, 8), "duplicate key 'a'"),
        ("x:\n  1: a\n  '1': b", (3, 3), "duplicate key '1'"),
        ("? [a]\n: b", (1, 3), "key"),
        ("{{a: 1}: 2}", (1, 2), "key"),
        ("a: 1\n---\nb: 2", (2, 1), "second document"),
        ("a: 1\nb: [1, 2\n", (2, 4), "malformed"),
        ("a: b: c", (1, 5), "malformed"),
        ("a:\n\t- b", (2, 1), "malformed"),
        ('a: "x', (1, 4), "malformed"),
        ('a: "\\ud800"', (1, 7), "malformed"),
        ('a: "\\x"', (1, 7), "malformed"),
        ("a0: &a0 [x, x]\na1: &a1 [*a0, *a0, *a0]\na2: [*a1, *a1, *a1]\n", (1, 5), "anchor"),
        ("a: 1\nb: \x07\n", (2, 4), "characters are not allowed"),
        ("a: 1\nb: \x00", (2, 4), "characters are not allowed"),
        ("a: 1\nb: x\x1by\nc: 2\n", (2, 5), "characters are not allowed"),
        ("#\n\x7f", (2, 1), "characters are not allowed"),
        ("a: größer\nb: \x07\nc: 1\nd: 2\n", (2, 4), "characters are not allowed"),
        ("äöü\u20ac\U0001f600\x00\n\n\n", (1, 6), "characters are not allowed"),
    ],
)
def test_what_yaml_could_be_abused_for_is_refused_at_its_place(
    text: str, place: tuple[int, int], word: str
) -> None:
    error = refused(text)
    assert (error.line, error.column) == place
    assert word in error.problem


@pytest.mark.parametrize(("opening", "closing"), [("[", "]"), ("{a: ", "}"), ("- ", "")])
def test_nesting_has_a_bound(opening: str, closing: str) -> None:
    node = parse_yaml(opening * MAX_DEPTH + "x" + closing * MAX_DEPTH, "some.yaml")
    for _ in range(MAX_DEPTH):
        (node,) = node.value.values() if isinstance(node.value, dict) else node.value
    assert node.value == "x"
    for depth in (MAX_DEPTH + 1, MAX_DEPTH + 2, 100_000):
        error = refused(opening * depth)
        assert (error.line, error.column) == (1, MAX_DEPTH * len(opening) + 1)
        assert str(MAX_DEPTH) in error.problem


@pytest.mark.parametrize("text", ["a: \ud800", "\udfff", "- x\n- '\udc80'", "# \ud8ff\na: 1"])
def test_a_lone_surrogate_is_refused_with_the_file(text: str) -> None:
    with pytest.raises(DipsatError) as caught:
        parse_yaml(text, "some.yaml")
    assert str(caught.value).startswith("some.yaml:")
    assert str(caught.value).encode("utf-8")


@pytest.mark.parametrize("text", ["", "  \n\n", "# only a comment\n", "---\n", "~", "null"])
def test_an_empty_document_is_refused_with_the_file(text: str) -> None:
    with pytest.raises(FileError, match=r"^some\.yaml: .*empty"):
        parse_yaml(text, "some.yaml")


@pytest.mark.parametrize(
    "number", ["1" + ":00" * 400 + ".0", "9" * 5_000, "1" + ":00" * 5_000, "0x" + "f" * 5_000]
)
def test_a_number_too_large_for_python_causes_no_other_exception(number: str) -> None:
    """YAML 1.1 reads `1:30:00.0` as a float in base sixty. Python refuses to write out a whole
    number of thousands of digits; a message or a `repr` would fail."""
    reads_or_refuses(f"a: {number}")


# --- files ---------------------------------------------------------------------------------------


def test_a_file_is_read_with_or_without_a_byte_order_mark(tmp_path: Path) -> None:
    path = tmp_path / "some.yaml"
    for start in (b"", b"\xef\xbb\xbf"):
        path.write_bytes(start + "a: größer\n".encode())
        assert read_text(path) == "a: größer\n"


@pytest.mark.parametrize(
    ("data", "problem"),
    [
        (b"#" * (MAX_BYTES + 1), "4 MB"),
        (b"a: \xff", "not UTF-8 (byte 3)"),
        ("a: größer".encode("latin-1"), "not UTF-8 (byte 5)"),
        ("a: 1".encode("utf-16"), "not UTF-8 (byte 0)"),
        (b"a: \xed\xa0\x80", "not UTF-8 (byte 3)"),
    ],
    ids=["too large", "no UTF-8", "Latin-1", "UTF-16", "surrogate"],
)
def test_a_file_too_large_or_not_utf_8_is_refused_with_its_path(
    tmp_path: Path, data: bytes, problem: str
) -> None:
    path = tmp_path / "some.yaml"
    path.write_bytes(data)
    with pytest.raises(FileError) as caught:
        read_text(path)
    assert caught.value.path == str(path)
    assert problem in caught.value.problem
    assert str(caught.value) == f"{path}: {caught.value.problem}"


def test_a_file_of_the_largest_size_is_read(tmp_path: Path) -> None:
    path = tmp_path / "some.yaml"
    path.write_bytes(b"#" * MAX_BYTES)
    assert len(read_text(path)) == MAX_BYTES


def test_what_is_not_a_file_is_refused_with_its_path(tmp_path: Path) -> None:
    for path in (tmp_path, tmp_path / "missing.yaml", tmp_path / "missing" / "some.yaml"):
        with pytest.raises(FileError) as caught:
            read_text(path)
        assert caught.value.path == str(path)


# --- properties ----------------------------------------------------------------------------------

_PIECES = st.sampled_from(
    ["a", "b: ", "- ", "\n", "\n  ", " ", "[", "]", "{", "}", ",", ":", ": ", "? ", "&x ", "*x",
     "!", "!!str ", "|\n", ">-\n", "'", '"', "#", "%YAML 1.1\n", "---\n", "...\n", "\t", "1", "0x",
     ".", "e", "-", "~", "<<", "=", "@", "`", "\\", "\\u", "\\ud800", "\x00", "\x85", "\u2028",
     "\ufeff", "\ud800"]
)  # fmt: skip


def reads_or_refuses(text: str) -> None:
    """Any exception but a `DipsatError` fails the test."""
    with suppress(DipsatError):
        assert repr(parse_yaml(text, "some.yaml"))


ANYTHING = {
    "texts": any_text(),
    "jumbles of YAML": st.lists(_PIECES, max_size=40).map("".join),
    "numbers": st.text(alphabet="0123456789:._-+eExXobabcdef", min_size=1).map("a: {}".format),
}


@pytest.mark.parametrize("kind", ANYTHING)
@few_examples(50, settings(deadline=None, max_examples=300), data=st.data())
def test_anything_is_read_or_refused(kind: str, data: st.DataObject) -> None:
    reads_or_refuses(data.draw(ANYTHING[kind]))


@few_examples(50, settings(deadline=None, max_examples=300), data=st.binary())
def test_any_bytes_are_decoded_or_refused(data: bytes) -> None:
    with suppress(DipsatError):
        reads_or_refuses(decode(data, "some.yaml"))


@pytest.mark.parametrize(
    ("kind", "text", "problem"),
    [
        ("text", "England: A LON H\nSpring 1901 Movement\n", r"x:1: text above the first phase"),
        (
            "json",
            '{"phases": [{"name": "S1901M", "state": {"units": {}, "centers": {"ENGLAND": [1]}}}]}',
            "this should be a list of texts, not of 1",
        ),
    ],
)
def test_what_is_not_a_game_is_refused(kind: Any, text: str, problem: str) -> None:
    with pytest.raises(FileError, match=problem):
        parse_games(GameText("x", 1, kind, text.encode()))
