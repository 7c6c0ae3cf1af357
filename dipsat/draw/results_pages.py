"""The results of a phase for mail: as an HTML page, and as a message with its picture."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Iterator
from email.headerregistry import Address
from email.message import EmailMessage
from email.policy import SMTP
from hashlib import sha256
from typing import TYPE_CHECKING, cast

from dipsat.base import counted, one_line, plain_text, titled
from dipsat.draw.board_picture import board
from dipsat.draw.markup import quoted, tag
from dipsat.draw.style_sheet import colors_of
from dipsat.errors import PictureError
from dipsat.formats import Results, addresses_in, name_in, why_of
from dipsat.game import adjustment_lines, by_power, retreat_lines
from dipsat.outcomes import result_of, style_of

if TYPE_CHECKING:
    from dipsat.draw.markup import Svg

# Mail programs support few style rules, and only as attributes of elements: no style sheet, no
# script, no flexible boxes.
_PAGE = (
    "max-width:720px;margin:0 auto;padding:12px;background:#ffffff;color:#1c2430;"
    "font:15px/1.4 Helvetica,Arial,sans-serif"
)
_CELL = "padding:2px 8px 2px 0;text-align:left;vertical-align:top"
_FAINT = f"{_CELL};color:#5c6672"
_BAD = f"{_CELL};font-weight:bold;color:#a3101a"
_WHOLE = f"{_CELL};white-space:nowrap"
_LONG = 24  # letters of an order that do not fit in one line on a phone
_CID = "board@dipsat"


def results_board(results: Results) -> Svg:
    """Return the board of the phase with every order and its result."""
    return board(results.outcome, caption=results.title)


def results_page(results: Results) -> str:
    """Return the results as an HTML page with the picture in it. Every style is an attribute of its
    element, since mail programs support no others."""
    data = b64encode(results_board(results).encode()).decode()
    return _page(results, f"data:image/svg+xml;base64,{data}")


def _page(results: Results, address: str) -> str:
    """The page with the picture at an address, "" for none."""
    title = quoted(results.title)
    image = f'<img src="{address}" alt="{title}" style="width:100%;height:auto;border:0">'
    changes = results.turn.corrected
    corrected = ("Corrected:", *changes) if changes else ()
    body = "".join((
        tag("h1", title, style="font-size:20px;margin:0 0 8px"),
        image if address else "",
        *(tag("p", quoted(line), style="margin:4px 0") for line in corrected),
        tag("table", *_orders(results), style="border-collapse:collapse;width:100%;margin:8px 0"),
        *(tag("p", quoted(line), style="margin:4px 0") for line in results.summary),
        tag("h2", quoted(results.next_title), style="font-size:17px;margin:16px 0 4px"),
        *(tag("p", line, style="margin:4px 0") for line in _tasks(results)),
    ))  # fmt: skip
    return (
        '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{title}</title>\n</head>\n"
        f'<body style="margin:0">\n<div style="{_PAGE}">\n{body}\n</div>\n</body>\n</html>\n'
    )


def _orders(results: Results) -> Iterator[str]:
    """The rows of the table of orders."""
    colors = colors_of(results.outcome.position.map)
    for power, orders in results.by_power.items():
        mark = f"border-left:6px solid {colors.get(power, '#9a9a96')};padding:8px 8px 2px"
        head = tag("th", quoted(results.heading(power)), colspan=3, align="left", style=mark)
        yield "\n" + tag("tr", head)
        for order in orders:
            result = plain_text(result_of(order.verdict, order.fate))
            is_good = style_of(order.verdict) in ("green", "") and not order.fate
            yield "\n" + tag(
                "tr",
                tag("td", quoted(order.order), style=_CELL if len(order.order) > _LONG else _WHOLE),
                tag("td", quoted(result), style=_CELL if is_good else _BAD),
                tag("td", quoted(why_of(order)), style=_FAINT),
            )


def _tasks(results: Results) -> Iterator[str]:
    """What every power has in the next phase, and what it must do."""
    position = results.following.position
    units = by_power(position.units)
    for power in sorted({*units, *position.centers}):
        own, centers = units.get(power, ()), position.centers.get(power, ())
        has = [f"{counted(len(own), 'unit')}: {', '.join(map(str, own))}"] if own else ["no units"]
        has += [f"{counted(len(centers), 'centre')}: {', '.join(centers)}"] if centers else []
        yield f"{tag('b', quoted(titled(power)))} {quoted('; '.join(has))}"
    due = adjustment_lines(position, results.following.rules.settings)
    text = "\n".join((*retreat_lines(position), *due))
    yield from map(quoted, text.replace("\n  ", " ").splitlines())


# --- message --------------------------------------------------------------------------------------


_MARKS = str.maketrans(dict.fromkeys('"(),:;<>@[\\]', " "))
"""Characters with a meaning beside an address in a mail header."""
_PIXELS = 1200  # across
_SUBJECT = 200  # characters; folding longer ones is slow


def results_mail(results: Results) -> tuple[bytes, str]:
    """Return the results as a message to the players: a text, and a page with the picture as PNG.
    If no PNG can be made, the picture is an SVG attachment, and the second value says why."""
    picture, name, why = results_board(results), str(results.turn.position.phase), ""
    receivers = tuple(_receivers(results))
    is_ascii = all(one.addr_spec.isascii() for one in receivers)
    mail = EmailMessage(policy=SMTP.clone(utf8=not is_ascii))
    mail["Subject"] = one_line(f"{results.title}: results")[:_SUBJECT]
    if receivers:
        mail["Bcc"] = receivers  # no player should learn another player's address
    mail["X-Unsent"] = "1"  # so that mail programs open it for sending
    mail.set_content(str(results))
    try:
        png = picture.to_png(_PIXELS)
    except PictureError as error:
        png, why = b"", str(error)
    mail.add_alternative(_page(results, f"cid:{_CID}" if png else ""), subtype="html")
    if png:
        page = cast("EmailMessage", mail.get_payload(1))
        file = f"{name}.png"
        page.add_related(
            png, "image", "png", cid=f"<{_CID}>", filename=file, disposition="inline"
        )  # fmt: skip
    else:
        mail.add_attachment(picture.encode(), "image", "svg+xml", filename=f"{name}.svg")
    # Python chooses boundaries at random, but results of the same phase should be the same bytes.
    digest = sha256(str(results).encode()).hexdigest()
    for at, part in enumerate(part for part in mail.walk() if part.is_multipart()):
        part.set_boundary(f"{digest[:32]}-{at}")
    return mail.as_bytes(), why


def _receivers(results: Results) -> Iterator[Address]:
    """The players' addresses, each once."""
    known = set[str]()
    for player in results.players.values():
        for address in addresses_in(player):
            if address not in known:
                known.add(address)
                name = " ".join(name_in(player).translate(_MARKS).split())
                yield Address(name, *address.rsplit("@", 1))
