"""Slips that new users make: each is reported in words that say what to write, and intended rules
are not taken for slips."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from click.testing import CliRunner

import dipsat
from dipsat import studies
from dipsat.cli import main
from dipsat.errors import DipsatError
from dipsat.rules import load_profile, parse_profile, remarks, shipped_file, shipped_names
from dipsat.rules.layers import Layers
from dipsat.rules.profile_remarks import slips
from tests.exhaustive import few_of

ORDERS = "England:\n  F North Sea - Holland\nFrance:\n  A Belgium Holds\n"


@pytest.fixture(autouse=True)
def _in_an_empty_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def rules(*entries: str) -> str:
    """The text of a profile that changes datc; an entry is a section with its entries."""
    return "\n".join(("name: mine", "extends: datc", *entries)) + "\n"


def odd(*entries: str) -> tuple[str, ...]:
    return remarks(parse_profile(rules(*entries), "mine.yaml"))


def refusal(*entries: str) -> str:
    with pytest.raises(DipsatError) as caught:
        parse_profile(rules(*entries), "mine.yaml")
    return str(caught.value)


# --- slips that load, with a remark ---------------------------------------------------------------


def test_a_result_that_is_only_shown_gets_a_remark_about_what_decides_retreats() -> None:
    """`retreat` of datc uses `may_retreat`, which uses `standoff` and not `contested`."""
    (remark,) = odd("results: {contested(p): base or p.supply}")
    assert remark == (
        "mine.yaml:3:11: contested(p) changes only what is shown; retreats depend on standoff "
        "under `define`: change that"
    )


@pytest.mark.parametrize(
    "entries",
    [
        ("define: {standoff(p): false}",),
        ("define: {standoff(p): false}", "results: {contested(p): standoff(p)}"),
        ("results: {contested(p): false, 'retreat(u, p)': not some(p.units)}",),
    ],
)
def test_what_decides_retreats_may_be_changed_without_a_remark(entries: tuple[str, ...]) -> None:
    assert not [one for one in odd(*entries) if "only what is shown" in one]


def test_a_changed_term_that_is_no_longer_used_is_remarked_on() -> None:
    found = odd("define: {'cuts(a, s)': false}", "decisions: {support(s): not overrun(s)}")
    assert "mine.yaml:3:10: nothing uses cuts(a, s)" in found


@pytest.mark.parametrize(
    ("condition", "column", "code", "hint"),
    [
        ('m.target.code != "Belgium"', 31, "Belgium", "; did you mean 'BEL'?"),
        ('("bel" == m.origin.code) or m.via', 15, "bel", "; did you mean 'BEL'?"),
        ('m.target.code != "BLE"', 31, "BLE", "; did you mean 'BEL'?"),
        ('m.target.code != "1"', 31, "1", ""),
    ],
)
def test_a_code_that_no_province_has_is_remarked_on(
    condition: str, column: int, code: str, hint: str
) -> None:
    (remark,) = odd("legal:", f"  closed(m): {condition}")
    start = f"mine.yaml:4:{column}: no province of the map standard has the code {code!r}"
    assert remark.startswith(f"{start}{hint}")
    assert remark.endswith("(for the provinces of another map, write map: NAME in this file)")


def test_codes_are_those_of_the_map_that_the_file_names() -> None:
    entries = ("map: milan", "legal:", '  closed(m): m.target.code != "{}"')
    assert odd(*(entry.format("MIL") for entry in entries)) == ()
    (remark,) = odd(*(entry.format("PIE") for entry in entries))
    assert "no province of the map milan has the code 'PIE'" in remark
    assert "another map" not in remark


@pytest.mark.parametrize("section", ["define", "legal", "decisions", "results", "cycles_before"])
def test_codes_are_found_in_every_section(section: str) -> None:
    entries = {
        "define": '  cuts(a, s): base and s.province.code != "X1"',
        "legal": '  closed(m): m.target.code != "X1"',
        "decisions": '  support(s):\n    base: kept\n    closed: s.province.code != "X1"',
        "results": '  retreat(u, p): base and p.code != "X1"',
        "cycles_before": (
            '  - {name: x, when: any(m.origin.code == "X1" for m in cycle.move), set: {move: true}}'
        ),
    }
    (remark,) = odd(f"{section}:", entries[section])
    assert "the code 'X1'" in remark


@pytest.mark.parametrize(("sign", "rest"), [("+", "0"), ("-", "1")])
def test_a_base_that_is_lost_without_brackets_is_remarked_on(sign: str, rest: str) -> None:
    slip = f'  attack_strength(m): base {sign} 1 if m.unit.kind == "army" else {rest}'
    (remark,) = odd("decisions:", slip)
    assert remark == (
        f"mine.yaml:4:23: where the condition fails, this is {rest} and not base; did you mean "
        f"`base {sign} (... if ... else {rest})`?"
    )
    for meant in ("base - 1 if base > 0 else 0", "base + 1 if m.via else base"):
        assert odd("decisions:", f"  attack_strength(m): {meant}") == ()


@pytest.mark.parametrize(
    ("name", "is_odd"),
    [("suport_cut", True), ("Support_cut", True), ("support_call", False), ("support_cut", False)],
)
def test_condition_with_nearly_the_name_of_one_below_is_remarked_on(
    name: str, is_odd: bool
) -> None:
    entries = ("decisions:", "  support(s):", "    base: kept", f"    {name}: not overrun(s)")
    what = f"{name!r} is one more condition beside 'support_cut'; did you mean that one?"
    assert odd(*entries) == ((f"mine.yaml:6:5: {what}",) if is_odd else ())


def test_rule_for_cycles_with_nearly_the_name_of_one_below_is_remarked_on() -> None:
    rule = "{{name: {}, when: ring(cycle.move), set: {{move: false}}}}"
    (remark,) = odd("cycles_before:", f"  - {rule.format('circular movemnt')}")
    assert remark.startswith("mine.yaml:4:12: 'circular movemnt' is one more rule beside")
    assert odd("cycles_before:", f"  - {rule.format('circular movement')}") == ()
    assert odd("cycles_before:", f"  - {rule.format('carousel')}") == ()


@pytest.mark.parametrize("name", few_of(shipped_names(), 4))
def test_shipped_rules_have_no_slips(name: str) -> None:
    profile = load_profile(shipped_file(name))
    layers, board = Layers(profile.layers), dipsat.load_map(profile.map or "standard")
    assert [one for layer in profile.layers for one in slips(layer, layers, board, True)] == []


# --- slips that do not load -----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("expression", "column", "words"),
    [
        ("m.via && m.by_land", 20, "write `and` for &&"),
        ("m.via and !m.by_land", 24, "write `not` for !"),
        ("m.via || m.by_land", 20, "write `or` for ||"),
        ("m.via != != m.by_land", 23, "this is not possible here in an expression"),
        ("m.via & m.by_land", 14, "& (write and) is not part of the rule language"),
        ("m.target.kind == sea", 31, 'a text needs quotes: "sea"'),
        ("m.power == ITALY", 25, 'a text needs quotes: "ITALY"'),
        ('m.target.code in ("BEL", "HOL")', 31, "compare with each member, joined by `or`"),
        ('m.unit == "army"', 24, "a Unit cannot be compared with a text; compare its .kind"),
        ("m.via and m.target.units", 24, "a set of Unit; ask with some(), any() or all()"),
        ("m.via AND m.by_land", 20, "write `and` for AND"),
        ("all(move(r) For r in m.rivals)", 26, "write `for` for For"),
        ("m.unit.kind == army", 29, 'a text needs quotes: "army"'),
        ("m.power == Italy", 25, 'a text needs quotes: "Italy"'),
        ("m.target.code == BEL", 31, 'a text needs quotes: "BEL"'),
        ("m.target.code == Q", 31, "unknown name 'Q'; known here: m"),
        ("m.via and m.target.supply = false", 40, "a single = is not a comparison; write =="),
        ('m.target.code in ["BEL", "HOL"]', 31, "compare with each member, joined by `or`"),
        ('m.target != "BEL"', 26, "a Province cannot be compared with a text; compare its .code"),
        ("m.target.units", 14, "a set of Unit; ask with some(), any() or all()"),
        ("m.target.units.power == m.power", 14, "; ask its members: any(x.power ... for x in ...)"),
    ],
)
def test_signs_and_texts_of_other_languages_are_explained(
    expression: str, column: int, words: str
) -> None:
    message = refusal("legal:", f"  closed(m): {expression}")
    assert message.startswith(f"mine.yaml:4:{column}: ")
    assert words in message


@pytest.mark.parametrize(
    ("section", "entry", "write"),
    [
        ("legal:", '  none(b): b.kind == "army"', "`variables: {b: Build}`"),
        ("legal:", "  builds_in(w, p): p.owner == w", "`variables: {w: Power}`"),
        ("relations:", "  allied(v, m): []", "`variables: {v: Power}`"),
    ],
)
def test_an_undeclared_index_comes_with_its_declaration(
    section: str, entry: str, write: str
) -> None:
    assert f"write for example {write}" in refusal(section, entry)


def test_an_error_about_base_says_what_holds_without_an_entry() -> None:
    message = refusal("legal:", '  convoys_in(p): base and p.code != "MAO"')
    assert 'without an entry, the condition is `p.kind == "sea"`' in message
    places = ("variables: {w: Power}", "legal:", "  counts_for(w, p): base and p.supply")
    assert "without an entry, the condition is `true`" in refusal(*places)
    assert "write it out" not in refusal("define:", "  own(p): base")


@pytest.mark.parametrize(
    ("place", "said"),
    [
        ("convoys_in(p)", 'p.kind == "sea"'),
        ("builds_in(w, p)", "p.owner == w and any(h == w for h in p.homes)"),
        ("captures(u, p)", "true"),
    ],
)
def test_writing_out_what_holds_without_an_entry_changes_nothing(place: str, said: str) -> None:
    game = dipsat.Game.standard()
    text = rules("variables: {w: Power}", "legal:", f"  {place}: {said}")
    written = parse_profile(text, "mine.yaml")
    orders = {"FRANCE": ["A PAR - PIC", "A MAR - SPA"], "ENGLAND": ["F LON - NTH", "A LVP - YOR"]}
    then = {"ENGLAND": ["F NTH C A YOR - NWY", "A YOR - NWY"], "FRANCE": ["A PIC - BEL"]}
    other = dipsat.Game.new(rules=written)
    for one in (game, other):
        for given in (orders, then, {"ENGLAND": ["F LON B"], "FRANCE": ["A PAR B", "A SPA B"]}):
            for power, texts in given.items():
                one.submit(power, texts)
            one.advance()
    assert game.position.to_dict() == other.position.to_dict()
    assert len(game.position.units) == 24


# --- compare --------------------------------------------------------------------------------------


def compared(orders: str, *names: str) -> tuple[int, str]:
    """Exit status and output of `dipsat compare`, with the orders in a file."""
    file = "orders.yaml" if "orders:" in orders else "orders.txt"
    Path(file).write_text(orders, encoding="utf-8")
    options = [word for name in names for word in ("--rules", name)]
    result = CliRunner().invoke(main, ["compare", file, *options])
    return result.exit_code, result.output


def test_compare_uses_the_map_that_the_rules_name() -> None:
    lines = ("map: forts-map.yaml", "features: {fort: province}", "legal:")
    text = rules(*lines, "  no(m): not fort(m.target)")
    Path("forts.yaml").write_text(text, encoding="utf-8")
    Path("forts-map.yaml").write_text(
        "extends: standard\nname: forts\nprovinces: {HOL: {features: [fort]}}\n", encoding="utf-8"
    )
    status, text = compared(ORDERS, "datc", "forts.yaml")
    assert (status, "1 of 2 orders differs" in text) == (1, True)
    assert compared(ORDERS, "forts.yaml", "datc")[0] == 1
    document = "map: standard\norders: {ENGLAND: [F NTH - HOL]}\n"
    status, text = compared(document, "datc", "forts.yaml")
    assert (status, "'fort'" in text) == (2, True)


def test_compare_refuses_units_that_one_of_the_rules_does_not_know() -> None:
    text = rules("units: {garrison: {letter: G, borders: [army]}}")
    Path("mine.yaml").write_text(text, encoding="utf-8")
    status, text = compared("Germany:\n  Garrison Munich Holds\n", "datc", "mine.yaml")
    assert status == 2
    assert "the file is read by the rules datc, which do not know the units of mine" in text
    assert "is read by" not in compared("Germany:\n  A Munch Holds\n", "datc", "1982")[1]


def test_compare_says_who_wins() -> None:
    centers = ", ".join(sorted(dipsat.load_map("standard").centers)[:18])
    phase = f"phase: F1908M\nunits: {{FRANCE: [A PAR]}}\ncenters: {{FRANCE: [{centers}]}}\n"
    status, text = compared(f"{phase}orders: {{FRANCE: [A PAR H]}}\n", "datc", "datc+victory=never")
    assert status == 1
    for line in (r"\* Winner", r"datc +France", r"datc\+victory=never +none yet"):
        assert re.search(rf"^ *{line} *$", text, re.MULTILINE), text


@pytest.mark.parametrize(
    ("entry", "expected"),
    [
        ("decisions:\n  suport(s): {base: kept, own: s.power == s.supported.power}",
         "no file below says anything about suport(s); did you mean 'support'?"),
        ("decisions:\n  xyzzy(s): {base: kept, own: s.power == s.supported.power}",
         "no file below says anything about xyzzy(s)"),
        ("legal: {move(m): true}",
         "'move' already means something else: it is under `decisions`; to change move, "
         "write it there, or choose another name"),
        ("results: {standoff(p): false}",
         "'standoff' already means something else: it is under `define`; to change "
         "standoff, write it there, or choose another name"),
        ("legal: {gone(u): true}",
         "a condition is about one order: Move, Support, Convoy, Retreat, Build"),
        ("decisions:\n  move(m): {base: kept, bounced: remove}",
         "unknown name 'remove'; write `removed` to take away a condition of the files below"),
        ("legal: {own(s): removed}",
         "unknown name 'removed'; `removed` takes away only a named condition of a decision of "
         "the files below"),
        # A superfluous index is not declared, but declaring it would not help.
        ("decisions: {'hold_strength(p, q)': 1}",
         "hold_strength(p, q) has too many indices; hold_strength(p), which it replaces, has 1: "
         "Province"),
        ("define: {cuts(a): false}",
         "cuts(a) has too few indices; cuts(a, s), which it replaces, has 2: Move, Support"),
        ("legal: {'convoys_in(p, q)': true}",
         "convoys_in has too many indices; it is about a Province"),
    ],
)  # fmt: skip
def test_a_wrong_name_or_number_of_indices_is_reported(entry: str, expected: str) -> None:
    assert refusal(entry).partition(" ")[2] == expected


@pytest.mark.parametrize(
    ("entry", "said"),
    [
        ("hold_strength(p): base", "4:3: hold_strength(p) changes nothing: it only repeats"),
        ("support(s): {base: kept}", "4:3: support(s) changes nothing: it only repeats"),
        ("support(s): {base: kept, own: true}", "4:28: the condition own changes nothing: it is"),
    ],
)
def test_an_entry_that_does_nothing_is_remarked_on(entry: str, said: str) -> None:
    (remark,) = odd(f"decisions:\n  {entry}")
    assert remark.startswith(f"mine.yaml:{said}")


def test_a_condition_that_is_replaced_by_true_does_something() -> None:
    assert odd("decisions:\n  support(s): {base: kept, support_cut: true}") == ()


def test_a_setting_that_the_base_chooses_too_is_reported() -> None:
    text = "name: a\nextends: datc\nsettings:\n  waive: allowed\n  victory: never\n"
    said = remarks(parse_profile(text, "a.yaml"))
    assert said == ("a.yaml:4:3: waive changes nothing: the files below choose allowed, too",)


# --- in Python ------------------------------------------------------------------------------------


def test_an_order_names_its_unit_where_a_unit_is_asked_for() -> None:
    position = dipsat.Position.from_units({"FRANCE": ["A PAR"]})
    outcome = dipsat.adjudicate(position, {"FRANCE": ["A PAR - BUR"]})
    for typed in ("A PAR - BUR", "Paris", "army paris to burgundy"):
        assert outcome.order(typed).unit == dipsat.explain(outcome, typed).unit == "A PAR"
    with pytest.raises(DipsatError, match="unknown province 'Prais'"):
        outcome.order("A Prais - Bur")


def test_the_error_about_another_value_than_a_position_says_what_it_is() -> None:
    game = dipsat.Game.standard()
    with pytest.raises(DipsatError, match=r"key 'phase': it is missing; this is a game; `dipsat.G"):
        dipsat.Position.from_dict({"phases": []})
    with pytest.raises(DipsatError, match=r"the position after it is under 'next'"):
        dipsat.Position.from_dict(game.advance().to_dict())
    with pytest.raises(DipsatError, match="'unit': it is unknown; a position has phase, units, di"):
        dipsat.Position.from_dict({"phase": "S1901M", "units": {}, "unit": {}})


# --- on order sheets ------------------------------------------------------------------------------


@pytest.mark.parametrize("said", ["No orders.", "NMR"])
def test_a_sheet_may_say_that_a_power_has_no_orders(said: str) -> None:
    phase = dipsat.parse_phase(f"France: {said}\nItaly:\n{said}\nA Ven H\n", "a.txt")
    assert phase.orders == {"ITALY": ("A Ven H",)}


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("Spain: A Mad H", "a.txt:1:1: unknown power 'Spain'"),
        ("Sprng 1901\nItaly: A Ven H", "phase 'Sprng 1901'; did you mean 'Spring 1901'?"),
        ("France: A Par H\nItaly: A Par H", "'ITALY A PAR': FRANCE orders A PAR, too; state which"),
        ("Italy: No more", "unknown province 'No more' in 'No more'"),
    ],
)
def test_a_slip_on_a_sheet_is_reported(text: str, said: str) -> None:
    with pytest.raises(DipsatError) as caught:
        dipsat.parse_phase(text, "a.txt")
    assert said in str(caught.value)


@pytest.mark.parametrize(
    ("open_", "said"),
    [
        ("Frnace", "unknown power 'Frnace'; did you mean FRANCE?"),
        ("A Prais", "unknown province 'Prais'"),
    ],
)
def test_a_misspelt_power_or_unit_to_open_is_reported(open_: str, said: str) -> None:
    with pytest.raises(DipsatError, match=re.escape(said)):
        dipsat.search(dipsat.Position.start(), dipsat.Paradox(), open=open_)


def test_a_text_is_not_a_question() -> None:
    with pytest.raises(DipsatError, match="an Achieve, a Paradox, a Differ, a Guarantee"):
        dipsat.search(dipsat.Position.start(), "paradox")  # type: ignore[call-overload]


def test_only_a_supply_centre_can_be_owned() -> None:
    with pytest.raises(DipsatError, match=r"^centre 'BUR': Burgundy is not a supply centre"):
        dipsat.Position.from_units({"FRANCE": ["A PAR"]}, centers={"FRANCE": ["BUR"]})


@pytest.mark.parametrize(
    ("kind", "said"),
    [
        ("strenght", "'strenght' is not a choice; did you mean 'strength'?"),
        ("map", "'map' is not a choice; choose from support, strength, cutting, legality,"),
    ],
)
def test_a_misspelt_choice_is_reported(kind: str, said: str) -> None:
    done = CliRunner().invoke(main, ["rules", "new", "a.yaml", "--kind", kind])
    assert done.exit_code == 2
    assert said in done.stderr


@pytest.mark.parametrize(
    ("province", "said"),
    [
        ("BUR: {army: [PAR, XXX]}", "border to 'XXX', which is not a province"),
        ("SEV: {fleet: [BLA, MOS]}", "border to 'MOS', which is not a place for a fleet"),
        ("BUR: {type: cost}", "a province is land, coast or sea, not 'cost'; did you mean coast?"),
    ],
)
def test_a_slip_in_a_map_is_reported(province: str, said: str) -> None:
    with pytest.raises(DipsatError) as caught:
        dipsat.parse_map(f"extends: standard\nname: a\nprovinces:\n  {province}\n", "a.yaml")
    assert said in str(caught.value)


def test_yaml_in_a_file_with_another_ending_gets_advice() -> None:
    Path("orders.txt").write_text(studies.write_phase(dipsat.Position.from_units({})))
    said = r"unknown power 'centers'; .* a name that ends in \.yaml"
    with pytest.raises(DipsatError, match=said):
        dipsat.load_phase("orders.txt")
