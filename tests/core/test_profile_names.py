"""Names of profiles: shipped ones, files, several joined by `+`; caching, and contradictions."""

from __future__ import annotations

import os
import re
import time
from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path
from typing import Any

import pytest

import dipsat
from dipsat.base import data_folder
from dipsat.errors import (
    AmbiguousNameError,
    CompositionError,
    DipsatError,
    FileError,
    ProfileError,
    UnknownNameError,
)
from dipsat.formats import parse_phase_text
from dipsat.rules import (
    Profile,
    layers,
    load_profile,
    profile_files as load,
    profile_title,
    shipped_names,
    shipped_rules as names,
)
from dipsat.rules.layers import settled_times, times_of
from dipsat.rules.profile_files import combined_profile
from tests.exhaustive import exhaustive
from tests.shipped import shipped_profiles


@pytest.fixture(autouse=True)
def _in_an_empty_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def write(path: str, text: str) -> str:
    """Write a rule file."""
    Path(path).parent.mkdir(parents=True, exist_ok=True)
    Path(path).write_text(text, encoding="utf-8")
    return path


def strength(path: str, value: int, extends: str = "datc") -> str:
    """Write a rule file that states the strength of defence as a number."""
    return write(path, f"extends: {extends}\ndecisions:\n  defend_strength(m): {value}\n")


def defence(profile: Profile) -> Any:
    """The number that a file of `strength` states."""
    return getattr(profile.decisions["defend_strength"].equation, "value", None)


@pytest.fixture
def shipped(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A folder of the test's own that replaces the shipped rules."""
    rules = tmp_path / "shipped"
    datc = data_folder("rules") / "datc.yaml"
    write(str(rules / "datc.yaml"), datc.read_text(encoding="utf-8"))
    for issue, letters in (("4.A.4", "ab"), ("4.A.7", "ab"), ("4.B.1", "a")):
        for at, letter in enumerate(letters):
            strength(str(rules / "choices" / f"{issue}-{letter}.yaml"), at + 2)
    strength(str(rules / "books" / "Old.yaml"), 7, "[datc, choices/4.A.4-a]")
    strength(str(rules / "books" / "new.yaml"), 8, "[datc, choices/4.A.4-b]")
    strength(str(rules / "other" / "new.yaml"), 9)
    write(str(rules / "maps" / "board.yaml"), "no: profile\n")
    monkeypatch.setattr(names, "data_folder", lambda name: rules)
    load._kept.clear()  # the files that are really shipped have the same names
    yield rules
    load._kept.clear()


# Shipped names.


def test_a_shipped_profile_is_found_by_its_path_or_its_last_part(shipped: Path) -> None:
    whole = load_profile("choices/4.A.4-b")
    assert whole is load_profile("4.A.4-b")
    assert (whole.name, whole.path) == ("4.A.4-b", "rules/choices/4.A.4-b.yaml")
    assert load_profile("books/Old") is load_profile("Old") is load_profile("old")
    assert load_profile("OTHER/New") is load_profile("other/new")


REFUSED: dict[str, tuple[type[DipsatError], str]] = {
    # several have it
    "new": (AmbiguousNameError, "it could be books/new, other/new"),
    "4.A.4": (AmbiguousNameError, "it could be 4.A.4-a, 4.A.4-b"),
    "datc+4.A.4": (AmbiguousNameError, "'4.A.4' in 'datc+4.A.4'"),
    # nothing has it
    "dact": (UnknownNameError, "unknown profile 'dact'; did you mean datc"),
    "4.A.7a": (UnknownNameError, "unknown profile '4.A.7a'; did you mean 4.A.7-a"),
    "4.B.1": (UnknownNameError, "unknown profile '4.B.1'; did you mean 4.B.1-a"),
    "choices/4.A.7a": (UnknownNameError, "'choices/4.A.7a'; did you mean choices/4.A.7-a"),
    "others/new": (UnknownNameError, "unknown profile 'others/new'; did you mean other/new"),
    "dact + datc": (UnknownNameError, "unknown profile 'dact' in 'dact + datc'"),
    "datc+dact+waive=illegal": (UnknownNameError, "'dact' in 'datc+dact+waive=illegal'"),
    # it says nothing
    "datc+4.A.4-a+4.A.4-a": (CompositionError, "4.A.4-a is named twice"),
    "datc+4.A.4-a+choices/4.A.4-a": (CompositionError, "choices/4.A.4-a is named twice"),
    "4.A.4-a+datc": (
        CompositionError, "datc is part of what is named before it, so it would change nothing",
    ),
    "+".join(["datc", *["x"] * 20]): (CompositionError, "more than 20 profiles"),
}  # fmt: skip


@pytest.mark.parametrize("name", REFUSED)
def test_a_name_of_several_profiles_or_of_none_is_refused(name: str, shipped: Path) -> None:
    error, said = REFUSED[name]
    with pytest.raises(error) as caught:
        load_profile(name)
    assert said in str(caught.value)
    assert not isinstance(caught.value, CompositionError) or caught.value.name == name


@pytest.mark.parametrize(
    "name",
    ["", " ", ".", "..", "maps/board", "../shipped/datc", "/etc/passwd", "datc/", "a\0b", "a" * 300,
     "x+y", "datc+\0", "a.yaml+b.yaml", "+" * 50, "datc+" + "y" * 5000],
)  # fmt: skip
def test_text_that_is_not_a_name_is_an_error_of_dipsat(name: str, shipped: Path) -> None:
    with pytest.raises(DipsatError) as caught:
        load_profile(name)
    assert "+" in name or isinstance(caught.value, UnknownNameError)


def test_a_name_without_its_suffix_gets_a_hint_at_the_file() -> None:
    strength("siege.yaml", 3)
    with pytest.raises(UnknownNameError, match=r"did you mean siege\.yaml"):
        load_profile("siege")


def test_choices_and_judges_can_be_named_but_are_not_offered_to_play_by(shipped: Path) -> None:
    assert names.profile_names() == ("books/Old", "books/new", "datc", "other/new")
    assert "choices/4.A.4-a" in names.shipped_names()
    assert "maps/board" not in names.shipped_names()


@exhaustive
def test_every_shipped_name_loads_by_its_short_name() -> None:
    for name, profile in shipped_profiles().items():
        assert profile.path == f"rules/{name}.yaml"
        assert profile.title == profile_title(name)


# Several at once.


def test_a_composition_is_what_a_file_that_extends_its_parts_says(shipped: Path) -> None:
    write("first.yaml", "extends: datc\nsettings: {coast_of_two_omitted: first}\n")
    write("all.yaml", "extends: [datc, 4.A.4-b, first.yaml, choices/4.A.7-a]\n")
    found = load_profile("datc + 4.A.4-b+first.yaml +4.A.7-a")
    written = load_profile("all.yaml")
    for part in ("settings", "decisions", "results", "cycles", "reasons"):
        assert getattr(found, part) == getattr(written, part)
    assert found.files[:-1] == written.files[:-1]
    assert found.name == found.path == "datc+4.A.4-b+first.yaml+4.A.7-a"
    assert asdict(found.settings)["coast_of_two_omitted"] == "first"
    assert defence(found) == 2


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("datc+4.A.4-a+4.A.4-b", 3), ("datc+4.A.4-b+4.A.4-a", 2), ("old+books/new", 8),
        ("books/new+old", 7), ("old+books/new+4.A.4-a", 2),
    ],
)  # fmt: skip
def test_later_names_override_earlier_ones(name: str, expected: int, shipped: Path) -> None:
    assert defence(load_profile(name)) == expected


def test_a_choice_that_is_named_again_is_laid_on_top_again(shipped: Path) -> None:
    """Otherwise `old`, which contains it, would keep it below `books/new`."""
    write("all.yaml", "extends: [old, books/new, 4.A.4-a]\n")
    found = load_profile("all.yaml")
    assert defence(found) == 2
    assert found.files.count("rules/choices/4.A.4-a.yaml") == 1
    both = combined_profile([load_profile(n) for n in ("old", "books/new", "4.A.4-a")], "both")
    assert defence(both) == 2


@pytest.mark.parametrize(
    ("name", "place"),
    [
        ("1982 + ", "after the +"), ("datc+waive=illegal+", "after the +"),
        ("+", "before the +"), ("+1982", "before the +"), ("datc++4.A.4-a", "between two +"),
    ],
)  # fmt: skip
def test_an_error_says_which_part_of_a_composition_is_missing(name: str, place: str) -> None:
    with pytest.raises(CompositionError) as caught:
        load_profile(name)
    assert caught.value.name == name
    assert caught.value.problem == (
        f"a name is missing {place}; it could be a choice (4.A.1-a), a variant (1898), a judge "
        "(base), a file (mine.yaml), or a setting (adjacent_convoy=always)"
    )
    assert load_profile("1982+4.A.1-a+base+adjacent_convoy=always")  # all that it proposes exist


# The letters of the documents.


@pytest.mark.parametrize(
    ("name", "found"),
    [
        ("4.A.2-a", "4.A.2-1971"), ("4.A.2-b", "4.A.2-1982"), ("choices/4.A.2-c", "4.A.2-2000"),
        ("4.a.2-C", "4.A.2-2000"),
    ],
)  # fmt: skip
def test_a_letter_finds_the_choice_that_all_documents_call_so(name: str, found: str) -> None:
    """DATC 2.4 and 3.0 both list, under 4.A.2, a: "The 1971 rule", b: "The 1982 rule", c: "The 2000
    rule" (3.0: "The 2000/2023 rule").
    """
    assert load_profile(name).path == f"rules/choices/{found}.yaml"
    assert load_profile(f"1982+{name}").files[-2] == f"rules/choices/{found}.yaml"


@pytest.mark.parametrize(
    ("letter", "told"),
    [
        ("d", "4.A.2-szykman (DATC 2.4: d"), ("d", "4.A.2-all-hold (DATC 3.0: d"),
        ("e", "4.A.2-all-hold (DATC 2.4: e"), ("f", "4.A.2-dptg (DATC 2.4: f"),
        ("f", "4.A.2-szykman (DATC 3.0: f"),
    ],
)  # fmt: skip
def test_a_letter_that_documents_use_differently_names_both(letter: str, told: str) -> None:
    """DATC 2.4, 4.A.2, lists d "Simon Szykman alternative", e "The 'All Hold' alternative", f "The
    DPTG resolution"; 3.0 lists d "The 'All Hold' backup rule", e ideas about what an army "causes",
    f "Simon Szykman alternative".
    """
    with pytest.raises(AmbiguousNameError) as caught:
        load_profile(f"1982+4.A.2-{letter}")
    name, _, document = told.partition(" (")
    assert name in caught.value.choices
    (remark,) = re.findall(rf"{name} \((.*?)\)", str(caught.value))
    assert document in remark.split(", ")


@pytest.mark.parametrize("name", ["4.A.2-g", "choices/4.A.2-1972", "4.a.2-x"])
def test_an_unknown_choice_names_those_of_its_issue(name: str) -> None:
    known = [n.rpartition("/")[2] for n in shipped_names() if n.startswith("choices/4.A.2-")]
    with pytest.raises(UnknownNameError) as caught:
        load_profile(name)
    assert str(caught.value) == f"unknown profile '{name}'; 4.A.2 has {', '.join(known)}"


def test_an_issue_by_itself_lists_the_letters_of_its_choices() -> None:
    with pytest.raises(AmbiguousNameError, match=r"-szykman \(DATC 2\.4: d, DATC 3\.0: f\)"):
        load_profile("4.A.2")


def test_a_file_whose_name_has_a_plus_is_a_file() -> None:
    strength("a+b.yaml", 4)
    assert defence(load_profile("a+b.yaml")) == 4
    assert defence(load_profile(Path("a+b.yaml"))) == 4
    with pytest.raises(FileError, match=r"datc\+c.yaml: cannot be read"):
        load_profile(Path("datc+c.yaml"))
    with pytest.raises(FileError, match=r"^c\.yaml: cannot be read"):
        load_profile("datc+c.yaml")


def test_a_composition_names_the_file_of_a_fault() -> None:
    write("bad.yaml", "extends: datc\ndecisions:\n  path(m): mov(m)\n")
    with pytest.raises(ProfileError, match=r"^bad\.yaml:3:12: unknown name 'mov'"):
        load_profile("datc+bad.yaml")


def test_compositions_are_accepted_wherever_a_profile_is_named() -> None:
    strength("rules/mine.yaml", 5)
    text = "rules: datc + mine.yaml\norders: {FRANCE: [A PAR H]}\n"
    phase = parse_phase_text(text, str(Path("rules") / "orders.yaml"))
    assert phase.rules is not None
    assert defence(phase.rules) == 5
    outcome = dipsat.adjudicate(phase.position, phase.orders, "datc+rules/mine.yaml")
    assert outcome.rules == "datc+rules/mine.yaml"
    game = dipsat.Game.standard(rules="datc+rules/mine.yaml")
    game.advance()
    game.save("game.json")
    assert dipsat.Game.load("game.json").rules == "datc+rules/mine.yaml"


# Contradictions within a file.


FAULTY = {
    "two choices of an issue": (
        "extends:\n  - datc\n  - 4.A.4-a\n  - 4.A.7-a\n  - 4.A.4-b\n",
        "5:5: rules/choices/4.A.4-b.yaml contradicts rules/choices/4.A.4-a.yaml: both are choices "
        "of 4.A.4; keep one of them",
    ),
    "a name twice": ("extends: [datc, 4.A.4-a, 4.A.4-a]\n", "4.A.4-a is named twice under extends"),
    "one under two names": (
        "extends: [datc, 4.A.4-a, choices/4.A.4-a]\n",
        "choices/4.A.4-a is named twice under extends",
    ),
    "the base twice": ("extends: [datc, 4.A.4-a, datc]\n", "datc is named twice under extends"),
    "names with a plus": ("extends: datc + 4.A.4-a\n", "a list: [datc, 4.A.4-a]"),
    "a letter of two letters": (
        "extends: datc\nletters: {DATC 2.4: dd}\n",
        "2:21: the letter should be one lower-case letter",
    ),
}  # fmt: skip


@pytest.mark.parametrize(("text", "problem"), FAULTY.values(), ids=FAULTY)
def test_a_file_that_contradicts_itself_is_refused(text: str, problem: str, shipped: Path) -> None:
    with pytest.raises(ProfileError) as caught:
        load_profile(write("mine.yaml", text))
    assert str(caught.value).startswith("mine.yaml:")
    assert problem in str(caught.value)


def test_a_choice_may_overrule_one_that_a_base_contains(shipped: Path) -> None:
    assert defence(load_profile(write("mine.yaml", "extends: [old, 4.A.4-b]\n"))) == 3


# Caching.


def test_the_same_name_gives_the_same_profile() -> None:
    for name in ("datc", "datc+judges/base+vain-via-over-land"):
        assert load_profile(name) is load_profile(name)
    strength("mine.yaml", 5)
    found = load_profile("mine.yaml")
    assert load_profile("mine.yaml") is found
    assert load_profile(Path("mine.yaml")) is found
    os.utime("mine.yaml")
    assert load_profile("mine.yaml") is found


def test_a_file_that_is_edited_is_read_again() -> None:
    for value in range(2):
        strength("mine.yaml", value)
        assert defence(load_profile("mine.yaml")) == value
        assert defence(load_profile("datc+mine.yaml")) == value


def test_a_base_that_is_edited_is_read_again(shipped: Path) -> None:
    write("mine.yaml", "extends: base.yaml\n")
    for value in (11, 12):
        strength("base.yaml", value)
        assert defence(load_profile("mine.yaml")) == value
        strength(str(shipped / "choices" / "4.A.4-a.yaml"), value)
        assert defence(load_profile("datc+4.A.4-a")) == value


def test_a_removed_file_is_an_error() -> None:
    strength("mine.yaml", 1)
    load_profile("mine.yaml")
    Path("mine.yaml").unlink()
    with pytest.raises(FileError):
        load_profile("mine.yaml")


def test_the_same_name_in_another_folder_is_another_file(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    for value in range(2):
        strength(f"{value}/mine.yaml", value)
        monkeypatch.chdir(tmp_path / str(value))
        assert defence(load_profile("mine.yaml")) == value
        monkeypatch.chdir(tmp_path)


def test_a_files_times_are_not_trusted_until_they_are_old(monkeypatch: pytest.MonkeyPatch) -> None:
    file = strength("mine.yaml", 1)
    assert settled_times(file) is None
    now = time.time_ns()
    monkeypatch.setattr(time, "time_ns", lambda: now + 10**10)
    mark = settled_times(file)
    assert mark is not None
    assert mark == times_of(file)
    os.utime(file, ns=(1, 1))
    assert mark != times_of(file)
    assert settled_times("nowhere.yaml") is None


def test_a_known_name_is_neither_read_nor_composed_again(monkeypatch: pytest.MonkeyPatch) -> None:
    known = load_profile("datc")

    for module, name in ((layers, "read_text"), (load, "_composed")):
        monkeypatch.setattr(module, name, lambda *_: pytest.fail("it was read again"))
    assert load_profile("datc") is known
