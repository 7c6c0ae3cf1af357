"""Variants of webDiplomacy and vDiplomacy: what is read of their PHP, of which nothing is run."""

from __future__ import annotations

from pathlib import Path

import pytest

from dipsat.errors import DipsatError, DocumentError, FileError, InputLimitError
from tests.exhaustive import exhaustive
from tests.formats.imports import imported, noted, sources, written

VARIANT = """<?php
/* A comment with $countries=array('Nobody'); in it. */
class IslandVariant extends WDVariant {
	public $name = 'Island';
	public $fullName = 'The Island';
	public $author = 'A. Designer';
	public $countries = array('North', "South");  // two
	public function __construct() {
		parent::__construct();
		$this->variantClasses['drawMap'] = 'Island';
		$this->variantClasses['adjudicatorPreGame'] = 'Island';
	}
	public function initialize() {
		parent::initialize();
		$this->supplyCenterTarget = 2;
	}
	public function turnAsDate($turn) {
		if ( $turn==-1 ) return l_t("Pre-game");
		else return ( $turn % 2 ? l_t("Autumn").", " : "Spring, " ).(floor($turn/2) + 1870);
	}
}
?>"""
INSTALL = """<?php
require_once("variants/install.php");
InstallTerritory::$Territories=array();
$countries=$this->countries;
$territoryRawData=array(
	array('Alpha', 'Coast', 'Yes', 1, 10, 20, 30, 40),
	array('Beta', 'Coast', 'Yes', 2, 10, 20, 30, 40),
	array('Beta (North Coast)', 'Coast', 'No', 2, 10, 20, 30, 40),
	array('Beta (South Coast)', 'Coast', 'No', 2, 10, 20, 30, 40),
	array('Gamma', 'Land', 'Yes', 0, 10, 20, 30, 40),
	array('The Sea', 'Sea', 'No', 0, 10, 20, 30, 40),
	array('South Sea', 'Sea', 'No', 0, 10, 20, 30, 40)
);
foreach($territoryRawData as $territoryRawRow)
{
	list($name, $type, $supply, $countryID, $x, $y, $sx, $sy)=$territoryRawRow;
	new InstallTerritory($name, $type, $supply, $countryID, $x, $y, $sx, $sy);
}
$bordersRawData=array(
	array('Alpha','Beta','No','Yes'),
	array('Alpha','Gamma','No','Yes'),
	array('Alpha','Beta (North Coast)','Yes','No'),
	array('Alpha','The Sea','Yes','No'),
	array('Beta (North Coast)','The Sea','Yes','No'),
	array('Beta (South Coast)','South Sea','Yes','No'),
	array('South Sea','The Sea','Yes','No')
);
foreach($bordersRawData as $borderRawRow)
{
	list($from, $to, $fleets, $armies)=$borderRawRow;
	InstallTerritory::$Territories[$to]->addBorder(InstallTerritory::$Territories[$from],$fleets,$armies);
}
InstallTerritory::runSQL($this->mapID);
"""
UNITS = """<?php
class IslandVariant_adjudicatorPreGame extends adjudicatorPreGame {
	protected $countryUnits = array(
		'North' => array('Alpha'=>'Army'),
		'South' => array('Beta (South Coast)'=>'Fleet')
	);
}
"""
ISLAND = {
    "Island/variant.php": VARIANT,
    "Island/install.php": INSTALL,
    "Island/classes/adjudicatorPreGame.php": UNITS,
}


def test_a_variant_becomes_a_map_with_all_that_a_map_says(tmp_path: Path) -> None:
    board = imported(written(tmp_path, ISLAND) / "Island")
    assert (board.name, board.title, board.first_phase) == ("island", "The Island", "S1870M")
    assert (board.victory, board.build, board.notes) == (2, "home", ())
    assert board.sources == ("a variant of webDiplomacy, by A. Designer",)
    kinds = {one.name: (one.kind, one.supply) for one in board.provinces.values()}
    assert kinds == {
        "Alpha": ("coast", True),
        "Beta": ("coast", True),
        "Gamma": ("land", True),
        "The Sea": ("sea", False),
        "South Sea": ("sea", False),
    }
    assert board.army == {"ALP": {"BET", "GAM"}, "BET": {"ALP"}, "GAM": {"ALP"}}
    assert board.fleet == {
        "ALP": {"BET/NC", "THE"},
        "BET/NC": {"ALP", "THE"},
        "BET/SC": {"SOU"},
        "THE": {"ALP", "BET/NC", "SOU"},
        "SOU": {"BET/SC", "THE"},
    }
    north, south = board.powers.values()
    assert (north.name, north.home, north.start) == ("NORTH", ("ALP",), ("A ALP",))
    assert (south.name, south.home, south.start) == ("SOUTH", ("BET",), ("F BET/SC",))


def test_territories_may_be_listed_in_statements(tmp_path: Path) -> None:
    statements = """<?php
new InstallTerritory('Alpha', 'Coast', 'Yes', 1, 299, 336, 160, 109);
new InstallTerritory('Beta', 'Coast', 'No', 2, 299, 336, 160, 109);
InstallTerritory::$Territories['Alpha']->addBorder(
	InstallTerritory::$Territories['Beta'], 'Yes', 'Yes'
);
InstallTerritory::$Territories['Beta']->supply='Yes';
"""
    files = ISLAND | {"Island/install.php": statements}
    board = imported(written(tmp_path, files) / "Island")
    assert board.army == board.fleet == {"ALP": {"BET"}, "BET": {"ALP"}}
    assert [power.home for power in board.powers.values()] == [("ALP",), ("BET",)]


def test_owners_may_be_named_in_another_column(tmp_path: Path) -> None:
    install = """<?php
$territoryRawData=array(
	array('Alpha','Coast','Yes', 1, 2, 3, 4, 'South'),
	array('Beta','Coast','Yes', 1, 2, 3, 4, 'Neutral')
);
list($name, $type, $supply, $x, $y, $sx, $sy, $country)=$territoryRawRow;
$b=array(array('Alpha','Beta','Yes','Yes'));
"""
    board = imported(written(tmp_path, ISLAND | {"Island/install.php": install}) / "Island")
    assert [power.home for power in board.powers.values()] == [(), ("ALP",)]


def test_a_variant_uses_what_the_one_that_it_extends_says(tmp_path: Path) -> None:
    files = {
        "Other/variant.php": "<?php class OtherVariant extends IslandVariant {"
        " public $name='Other'; function __construct() {"
        " $this->variantClasses['adjudicatorPreGame'] = $this->name; } }",
        "Other/install.php": "<?php require_once('variants/Island/install.php');",
        "Other/classes/adjudicatorPreGame.php": UNITS.replace(
            "'Alpha'=>'Army'", "'Alpha'=>'Fleet'"
        ),
    }
    board = imported(written(tmp_path, ISLAND | files) / "Other")
    assert (board.name, board.title, board.victory) == ("other", "The Island", 2)
    assert board.powers["NORTH"].start == ("F ALP",)
    assert sources(tmp_path) == ["Island", "Other"]


def test_the_folder_of_all_variants_is_not_a_variant_though_its_files_have_the_same_names(
    tmp_path: Path,
) -> None:
    files = {"variant.php": "<?php abstract class WDVariant { }", "install.php": "<?php"}
    assert sources(written(tmp_path, ISLAND | files)) == ["Island"]


def test_names_lose_the_backslashes_of_sql_and_give_their_abbreviations(tmp_path: Path) -> None:
    install = INSTALL.replace("'Gamma'", r"'Chang\\\'an {CHG}'")
    units = UNITS.replace("'Alpha'=>'Army'", r"'Chang\'an {CHG}'=>'Army'")
    files = {"Island/install.php": install, "Island/classes/adjudicatorPreGame.php": units}
    board = imported(written(tmp_path, ISLAND | files) / "Island")
    assert board.provinces["CHG"].name == "Chang'an"
    assert board.powers["NORTH"].start == ("A CHG",)


def test_units_of_a_country_that_nobody_plays_are_those_of_a_neutral_power(tmp_path: Path) -> None:
    install = INSTALL.replace("'Gamma', 'Land', 'Yes', 0", "'Gamma', 'Land', 'Yes', 3")
    units = UNITS.replace("'South' =>", "'Neutral units' => array('Gamma'=>'Army'), 'South' =>")
    files = {"Island/install.php": install, "Island/classes/adjudicatorPreGame.php": units}
    power = imported(written(tmp_path, ISLAND | files) / "Island").powers["NEUTRAL_UNITS"]
    assert (power.neutral, power.home, power.start) == (True, ("GAM",), ("A GAM",))


def test_units_of_neutrals_alone_are_not_a_start_for_players(tmp_path: Path) -> None:
    units = UNITS.replace("'North' =>", "'Nobody' =>").replace("'South' =>", "// 'South' =>")
    files = {"Island/classes/adjudicatorPreGame.php": units}
    board = imported(written(tmp_path, ISLAND | files) / "Island")
    assert (board.first_phase, board.powers["NOBODY"].start) == ("W1869A", ("A ALP",))
    assert noted(board, "games begin with builds")


def test_units_of_several_countries_that_nobody_plays_are_left_out(tmp_path: Path) -> None:
    units = UNITS.replace("'North' =>", "'England' =>").replace("'South' =>", "'France' =>")
    files = {"Island/classes/adjudicatorPreGame.php": units}
    board = imported(written(tmp_path, ISLAND | files) / "Island")
    assert (set(board.powers), board.first_phase) == ({"NORTH", "SOUTH"}, "W1869A")
    assert noted(board, "units of countries that nobody plays: England, France")


QUESTION = """<?php class IslandVariant_userOrderBuilds extends userOrderBuilds {
	protected function toTerrIDCheck() { return $this->sqlCheck("SELECT t.id FROM wD_TerrStatus ts
		INNER JOIN wD_Territories t ON ( t.id = ts.terrID ) WHERE ts.gameID = ".$this->gameID."
		AND ts.countryID = ".$this->countryID." AND t.supply = 'Yes' AND t.id = 3"); } }"""


@pytest.mark.parametrize(
    ("more", "build"),
    [
        ("", "any"),
        (" AND t.countryID != 0", "home-any"),
        (" AND t.countryID = 1", "home"),
        (" AND t.buildEligibilityFlags", "home"),
    ],
)
def test_where_powers_build_follows_from_what_is_asked_of_a_centre(
    more: str, build: str, tmp_path: Path
) -> None:
    files = {
        "Island/variant.php": VARIANT.replace("['drawMap']", "['userOrderBuilds']"),
        "Island/classes/userOrderBuilds.php": QUESTION.replace(" AND t.id = 3", more),
    }
    board = imported(written(tmp_path, ISLAND | files) / "Island")
    assert board.build == build
    assert noted(board, "userOrderBuilds") == (build == "home")


def test_without_units_games_begin_with_builds_and_rules_in_code_are_noted(tmp_path: Path) -> None:
    files = {
        "Island/variant.php": VARIANT.replace("['drawMap']", "['processGame']"),
        "Island/install.php": f"{INSTALL}$DB->sql_put('UPDATE wD_Territories SET supply=\"No\"');",
        "Island/classes/adjudicatorPreGame.php": "<?php class A { function assignUnits() { } }",
    }
    board = imported(written(tmp_path, ISLAND | files) / "Island")
    assert board.first_phase == "W1869A"
    assert noted(board, "no units in the source")
    assert noted(board, "the classes processGame")
    assert noted(board, "changes the map by SQL")


def test_a_target_beyond_all_centres_and_unknown_years_are_noted(tmp_path: Path) -> None:
    variant = VARIANT.replace("Target = 2", "Target = 20").replace("+ 1870", "* 5 + 1450")
    board = imported(written(tmp_path, ISLAND | {"Island/variant.php": variant}) / "Island")
    assert (board.victory, board.first_phase) == (None, "S1901M")
    assert noted(board, "20 centres are needed to win in the source, but there are 3")
    assert noted(board, "first year")


def test_nothing_of_the_php_is_run(tmp_path: Path) -> None:
    evil = "<?php unlink('keep'); eval('x'); include('/etc/passwd'); `touch made`; ?>"
    files = {"Island/install.php": evil + INSTALL, "keep": "kept"}
    imported(written(tmp_path, ISLAND | files) / "Island")
    assert (tmp_path / "keep").read_text() == "kept"
    assert not (tmp_path / "made").exists()


@pytest.mark.parametrize(
    ("file", "text", "said"),
    [
        ("install.php", "<?php $a=array('Alpha'", "the ( of this line is not closed"),
        ("install.php", "<?php $a=array);", ") closes nothing here"),
        ("install.php", "<?php\n $a='Alpha", "install.php:2:1: the text that begins here"),
        ("install.php", "<?php " + "(" * 60, "nested deeper than 50 levels"),
        ("install.php", "<?php", "has no territories"),
        ("variant.php", "<?php class XVariant extends WDVariant {}", "has no $countries"),
        ("variant.php", "<?php class XVariant extends IslandVariant {}", "extends itself"),
        ("variant.php", "<?php class XVariant extends NixVariant {}", "Nix/variant.php: cannot"),
    ],
)
def test_php_that_says_too_little_is_refused(
    file: str, text: str, said: str, tmp_path: Path
) -> None:
    path = written(tmp_path, ISLAND | {f"Island/{file}": text}) / "Island"
    with pytest.raises((DocumentError, FileError)) as caught:
        imported(path)
    assert said in str(caught.value)


@exhaustive
@pytest.mark.parametrize("text", ["a " * 600_000, "array(1)," * 200_000, "{}" * 300_000])
def test_more_words_than_any_variant_has_are_refused(text: str, tmp_path: Path) -> None:
    path = written(tmp_path, ISLAND | {"Island/install.php": f"<?php {text}"}) / "Island"
    with pytest.raises(InputLimitError, match="words and signs"):
        imported(path)


@pytest.mark.parametrize("cut", range(0, len(INSTALL), 97))
def test_a_file_that_is_cut_off_ends_in_a_map_or_in_one_error(cut: int, tmp_path: Path) -> None:
    path = written(tmp_path, ISLAND | {"Island/install.php": INSTALL[:cut]}) / "Island"
    try:
        board = imported(path)
    except DipsatError:
        return
    assert board.provinces
