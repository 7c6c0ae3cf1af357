"""The pages of the atlas: one for each map, and the tables of docs/atlas/README.md."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import dipsat
from dipsat.base import counted, titled
from tools.atlas import published, record, split_page
from tools.atlas.answers import Answer, count_of, lines_in
from tools.atlas.questions import sizes
from tools.tables import table

README = record.FOLDER / "README.md"
BEGIN, END = "<!-- begin of {} -->\n", "<!-- end of {} -->"
_MOST_FORMS = 12  # shown of an answer on a page
SECTIONS = {
    "powers": (
        "The home centres of each power",
        "The fewest units that hold all home centres of a power, whatever else they hold.",
    ),
    "alone": (
        "The home centres and no others",
        "The fewest units that hold the home centres of a power and no other centre.",
    ),
    "self_sufficient": (
        "Lines that feed themselves",
        "The fewest units that hold the home centres of a power, and no fewer centres than units: "
        "the power can keep them all.",
    ),
}
"""Section -> its heading, and its question."""


def write() -> None:
    """Write the pages of all maps that the atlas has, and the tables of the first page."""
    names = maps()
    for name in names:
        text = "\n".join(map_page(name, record.read(name)))
        (record.FOLDER / f"{name}.md").write_text(f"{text.rstrip()}\n", encoding="utf-8")
    answers = record.read("standard").get("published", [])
    text = published.PAGE.read_text(encoding="utf-8")
    text = filled(text, "the lines", published.table_of(answers))
    text = filled(text, "what breaks", published.broken())
    published.PAGE.write_text(text, encoding="utf-8")
    text = README.read_text(encoding="utf-8")
    text = filled(text, "the standard map", sizes_table("standard", record.read("standard")))
    text = filled(text, "the maps", maps_table(names))
    README.write_text(text, encoding="utf-8")


def maps() -> list[str]:
    """The maps that the atlas has, the standard one first."""
    files = {path.stem for path in record.FOLDER.glob("*.json")}
    names = sorted(files & {*dipsat.map_names()})
    return sorted(names, key=lambda name: name != "standard")


def filled(text: str, part: str, lines: Iterator[str]) -> str:
    """A page with one part replaced."""
    before, begin, rest = text.partition(BEGIN.format(part))
    _, end, after = rest.partition(END.format(part))
    made = "\n".join(lines)
    return f"{before}{begin}\n{made}\n\n{end}{after}"


def maps_table(names: Sequence[str]) -> Iterator[str]:
    """The maps of the atlas: a row for each."""
    rows = []
    for name in names:
        board, answers = dipsat.load_map(name), record.read(name).get("sizes", [])
        holding = [one for one in answers if one["forms"]]
        proven = [one for one in holding if one["verdict"] == "found"]
        smallest = min(
            proven, key=lambda one: (one["fewest"], one["asked"]["centres"]), default=None
        )
        fed = [one for one in holding if one["fewest"] <= one["asked"]["centres"]]
        first = fed[0]["asked"]["centres"] if fed else "-"
        said = f"{smallest['fewest']} for {smallest['asked']['centres']}" if smallest else "-"
        settled = sum(one["verdict"] != "unknown" for one in answers)
        link = f"[{board.title}]({name}.md)"
        rows.append(
            (link, str(len(board.centers)), f"{settled} of {len(sizes(board))}", said, str(first))
        )
    heads = ("map", "centres", "sizes settled", "smallest line", "feeds itself from")
    yield from table(heads, rows)


def sizes_table(name: str, known: record.Record) -> Iterator[str]:
    """The table of a map: for each number of centres the fewest units."""
    rows = []
    for one in known.get("sizes", []):
        centres = one["asked"]["centres"]
        shown = f"[{centres}]({name}.md#{anchor(centres)})" if one["forms"] else str(centres)
        rows.append((shown, *_cells(one)))
    yield from table(("centres", "fewest units", "lines", "forms", "what they hold"), rows)


def _cells(one: Answer) -> tuple[str, str, str, str]:
    """The fewest units, the numbers of lines and forms, and the centres that are held."""
    if one["verdict"] == "impossible":
        return "no line", "", "", ""
    if not one["forms"]:
        least = f", at least {one['bound']}" if one["bound"] else ""
        return f"unknown{least}", "", "", ""
    fewest = str(one["fewest"])
    if one["verdict"] == "unknown":
        least = f", at least {one['bound']}" if one["bound"] else ""
        fewest = f"at most {one['fewest']}{least}"
    number, forms = (f"{count_of(one):,}", str(len(one["forms"])))
    if not one["all"]:
        number, forms = "1 or more", ""
    held = {tuple(form["centres"]) for form in one["forms"]}
    text = ", ".join(sorted(held)[0])
    return (
        fewest,
        number,
        forms,
        text if len(held) == 1 else f"{text}; {counted(len(held) - 1, 'other set')}",
    )


def said_of(one: Answer) -> str:
    """A short text about the answer for a number of centres."""
    centres, units = one["asked"]["centres"], counted(one["fewest"], "unit")
    least = "at most " if one["verdict"] == "unknown" else ""
    return f"{counted(centres, 'centre')}: {least}{units}"


def anchor(centres: int) -> str:
    """The anchor of the heading for a number of centres."""
    return counted(centres, "centre").replace(" ", "-")


def map_page(name: str, known: record.Record) -> Iterator[str]:
    """The page of a map."""
    board = dipsat.load_map(name)
    yield f"# {board.title}"
    yield ""
    yield (
        f"The lines with the fewest units on the map `{name}`. [The atlas](README.md) explains "
        f"the terms and how to check a line. As data: [{name}.json]({name}.json)."
    )
    yield ""
    yield from sizes_table(name, known)
    yield ""
    yield from _sheet(name, board.title)
    for section, (heading, said) in SECTIONS.items():
        if known.get(section):
            yield from (f"## {heading}", "", said, "")
            yield from _powers(name, known[section])
            yield ""
    if known.get("splits"):
        yield from split_page.part(name, known["splits"])
    for one in known.get("sizes", []):
        if one["forms"]:
            yield f"## {counted(one['asked']['centres'], 'centre')}"
            yield ""
            yield from _lines(name, one)


def _sheet(name: str, title: str) -> Iterator[str]:
    """The picture of the lines of a map."""
    path = record.PICTURES / f"atlas-{name}.svg"
    if path.exists():
        said = f"A board of {title} for each number of centres in the table, with a line that holds"
        yield f"![{said} them; what it holds is green](../pictures/{path.name})"
        yield ""


def _picture(name: str, slug: str) -> Iterator[str]:
    path = record.PICTURES / f"atlas-{slug}.svg"
    if path.exists():
        yield f"![{_described(name, slug)}](../pictures/{path.name})"
        yield ""


def _described(name: str, slug: str) -> str:
    answers = [one for some in record.read(name).values() for one in some if one["forms"]]
    one = next(one for one in answers if record.slug_of(name, one) == slug)
    form, orders = next(lines_in(one))
    return f"{record.title_of(form)}: {orders}. The region behind is green"


def _powers(name: str, answers: Sequence[Answer]) -> Iterator[str]:
    rows = []
    for one in answers:
        fewest, _, _, held = _cells(one)
        files = _files(name, one) if one["forms"] else ""
        count = str(len(one["forms"][0]["centres"])) if one["forms"] else ""
        rows.append((titled(one["asked"]["power"]), fewest, count, held, files))
    heads = ("power", "fewest units", "centres", "such a line holds", "files")
    yield from table(heads, rows)


def _files(name: str, one: Answer) -> str:
    slug = record.slug_of(name, one)
    return f"[line](lines/{slug}.yaml), [certificates](lines/{slug}.json)"


def _lines(name: str, one: Answer) -> Iterator[str]:
    """The lines of an answer by form, and how the first breaks without each unit."""
    number = count_of(one)
    fewest = counted(one["fewest"], "unit")
    if one["verdict"] == "unknown":
        said = f"{fewest} can hold them; it is proven that {one['bound'] - 1} cannot."
    elif one["all"]:
        forms = f" of {counted(len(one['forms']), 'form')}" if number > 1 else ""
        said = f"{fewest}: {counted(number, 'line')}{forms}, and there are no others."
    else:
        said = f"{fewest}: one such line, there may be others."
    yield f"{said} The first: {_files(name, one)}."
    yield ""
    yield from _picture(name, record.slug_of(name, one))
    rows = []
    for form in one["forms"][:_MOST_FORMS]:
        rows.append((f"{form['count']:,}", ", ".join(form["units"]), form["lines"][0]))
    yield from table(("lines", "units", "orders of the first"), rows)
    if len(one["forms"]) > _MOST_FORMS:
        yield f"| ... | {counted(len(one['forms']) - _MOST_FORMS, 'more form')} in the data | |"
    yield ""
    without = one["forms"][0].get("without", {})
    if not without:
        return
    yield "Without one of its units the first line breaks:"
    yield ""
    yield from table(
        ("without", "orders that break it"),
        [(unit, ", ".join(orders)) for unit, orders in without.items()],
    )
    yield ""
