"""Read YAML and JSON documents safely, keeping the place of every value.

An untrusted document must not run code, hang or exhaust memory. So size, depth and the number of
values are bounded, aliases (which can grow exponentially) are refused, and the only values are
strings, numbers, booleans, null, lists and mappings. `Node` has the line and column of each value,
so that messages can say where a fault is.
"""

from __future__ import annotations

import re
import textwrap
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NoReturn, TypeAlias

import yaml

from dipsat.base.file_reading import ANYWHERE, Files, is_named_file, path_from, read_named
from dipsat.base.limits import KEY_LENGTH, TEXT_BYTES, VALUES, InputLimit, check_time
from dipsat.errors import DocumentError, FileError, InputLimitError, ProfileError, hint, shortened

MAX_BYTES = TEXT_BYTES.most
MAX_DEPTH = 50
_EVENTS = 1000  # of a parser between two checks of the clock: about 10 ms
MAX_NUMBER_LENGTH = 30  # characters; a longer run of digits stays a text
YAML_SUFFIXES = (".yaml", ".yml")

PlacedError: TypeAlias = Callable[[str, int, int, str], DocumentError]
"""Makes an error from path, line, column and problem, as the error classes do."""

_Loader: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)  # libyaml's is 10 times faster
_RESOLVER: Any = yaml.SafeLoader("")
_SCALAR_TAGS = {"int", "float", "bool", "null"}
YAML_LINE_ENDS = re.compile("\r\n|[\r\n\x85\u2028\u2029]")
"""The line ends of YAML."""
_INDENT = re.compile(r" *\t")
_TAG_DIRECTIVE = re.compile(r"^%TAG\b", re.MULTILINE)
CONTROL = re.compile(
    r"[\0-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufff9-\ufffb]"
)
"""Control characters except tabs and line feeds, and marks for line ends and writing direction."""
_BLOCK_HEADER = re.compile(r"[|>][^\n]*\n")


@dataclass(frozen=True, slots=True)
class Node:
    """A value of a document with its place (`line` and `column` count from 1).

    `value` is a `str`, `int`, `float`, `bool`, `None`, a tuple of nodes, or a dict from key
    text to node; `raw` is a scalar as it was written (YAML turns `no` into False, `raw` keeps it);
    `keys` holds the place of each key; `source` is the text of a scalar that is quoted or spans
    several lines, indentation and all, so that an expression in it can name its own places.
    """

    path: str
    line: int
    column: int
    value: Any
    raw: str = ""
    keys: Mapping[str, tuple[int, int]] | None = None
    source: str = ""
    quoted: bool = False

    @property
    def place(self) -> str:
        """Its place, such as `file.yaml:3:5`."""
        return f"{self.path}:{self.line}:{self.column}"

    def fail(self, problem: str, error: PlacedError = DocumentError) -> NoReturn:
        """Raise `error` at this place."""
        raise error(self.path, self.line, self.column, problem)

    def refuse(self, problem: str) -> NoReturn:
        """Raise `ProfileError` at this place."""
        self.fail(problem, ProfileError)

    def fail_at_key(self, key: str, problem: str, error: PlacedError = DocumentError) -> NoReturn:
        """Raise `error` at the place of `key`."""
        raise error(*self.place_of(key), problem)

    def place_of(self, key: str) -> tuple[str, int, int]:
        """Path, line and column of a key. A mapping laid over another also has entries from the
        other file. Their keys have no place here, so it is the place of the value."""
        if self.keys is not None and key in self.keys:
            return self.path, *self.keys[key]
        node = self.value.get(key, self) if isinstance(self.value, dict) else self
        return node.path, node.line, node.column

    def mapping(self, known: tuple[str, ...] | None = None, what: str = "") -> dict[str, Node]:
        """This node as a mapping; with `known`, any other key is an error."""
        if not isinstance(self.value, dict):
            self.fail(f"{what or 'this'} should be a mapping (key: value), not {self.kind()}")
        if known is not None:
            for key in self.value:
                self.check_key(key, known)
        return self.value

    def check_key(self, key: str, known: tuple[str, ...]) -> None:
        """Refuse a key of this mapping that is not `known`."""
        if key not in known:
            self.fail_at_key(key, f"unknown key {shortened(key)!r}{hint(key, known, 'known:')}")

    def sequence(self, what: str = "") -> tuple[Node, ...]:
        """This node as a list."""
        if not isinstance(self.value, tuple):
            self.fail(f"{what or 'this'} should be a list, not {self.kind()}")
        return self.value

    def text(self, what: str = "", lines: bool = False) -> str:
        """This node as a string, as written. It has one line, or several with `lines`; line breaks
        at the end of a single line are left out."""
        if isinstance(self.value, (dict, tuple)) or self.value is None:
            self.fail(f"{what or 'this'} should be a text, not {self.kind()}")
        if lines:
            return self.raw
        found = self.raw.rstrip("\n")
        if "\n" in found:
            self.fail(f"{what or 'this'} should have no line break in it")
        return found

    def texts(self, what: str = "") -> tuple[str, ...]:
        """This node as a list of strings."""
        return tuple(item.text(what) for item in self.sequence(what))

    def flag(self, what: str = "") -> bool:
        """This node as true or false."""
        if not isinstance(self.value, bool):
            self.fail(f"{what or 'this'} should be true or false, not {self.kind()}")
        return self.value

    def integer(self, what: str = "") -> int:
        """This node as a whole number."""
        if not isinstance(self.value, int) or isinstance(self.value, bool):
            self.fail(f"{what or 'this'} should be a whole number, not {self.kind()}")
        return self.value

    def kind(self) -> str:
        """The kind of value in this node, for a message."""
        if isinstance(self.value, dict):
            return "a mapping"
        if isinstance(self.value, tuple):
            return "a list"
        return "empty" if self.value is None else f"{shortened(self.raw)!r}"

    @property
    def block(self) -> tuple[str, int] | None:
        """The lines of a block scalar without their indentation, and the width of that; None for
        any other node."""
        header = _BLOCK_HEADER.match(self.source)
        if header is None:
            return None
        body = self.source[header.end() :]
        lines = textwrap.dedent(body)
        pairs = zip(body.splitlines(), lines.splitlines(), strict=False)
        return lines, next((len(raw) - len(cut) for raw, cut in pairs if raw.strip()), 0)

    def walk(self) -> Iterator[Node]:
        """This node and all nodes in it."""
        yield self
        parts = self.value.values() if isinstance(self.value, dict) else self.value
        for part in parts if isinstance(self.value, (dict, tuple)) else ():
            yield from part.walk()

    def plain(self) -> Any:
        """The value without places: dicts, lists and scalars."""
        if isinstance(self.value, dict):
            return {key: node.plain() for key, node in self.value.items()}
        if isinstance(self.value, tuple):
            return [node.plain() for node in self.value]
        return self.value


def is_yaml_path(name: str) -> bool:
    """Whether a text is the path of a YAML file rather than a shipped name."""
    return name.endswith(YAML_SUFFIXES)


def of_wrong_ending(name: str, files: Files) -> str:
    """The hint if an unknown name is that of a file, otherwise ""."""
    endings = " or ".join(YAML_SUFFIXES)
    hint = f"there is a file of this name; rename it so that it ends in {endings}"
    return hint if is_named_file(files, name) else ""


def name_from(folder: str | Path, name: str) -> str:
    """A name, or several joined by `+`, as written in a file in `folder`: the path of a YAML file
    is relative to it, a shipped name stays as it is."""
    parts = [name] if is_named_file(ANYWHERE, name) else name.split("+")
    return "+".join(path_from(folder, one) if is_yaml_path(one) else one for one in parts)


def read_text(path: str | Path, files: Files = ANYWHERE) -> str:
    """The text of a file, decoded as UTF-8; `files` says which may be read.

    Raises `FileError` if it is missing, not allowed, not a regular file, larger than `MAX_BYTES`,
    or not UTF-8.
    """
    return decode(read_named(files, path, MAX_BYTES), str(path))


def decode(data: bytes, shown: str, max_bytes: int = MAX_BYTES) -> str:
    """Decode the bytes of a document; `shown` names it in errors. Raises `FileError`."""
    if len(data) > max_bytes:
        problem = f"is larger than {max_bytes // 2**20} MB; one phase needs a few kilobytes"
        raise InputLimitError(shown, TEXT_BYTES.what, len(data), max_bytes, problem)
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise FileError(
            shown, f"the text is not UTF-8 (byte {error.start}); save it as UTF-8"
        ) from None


def parse_yaml(text: str, path: str, values: InputLimit = VALUES) -> Node:
    """Parse one YAML (or JSON) document into nodes; `values` limits their number, keys included.

    Raises `DocumentError` for malformed text, duplicate keys,
    aliases, tags, control characters (escape sequences of terminals, marks of writing direction),
    or nesting deeper than `MAX_DEPTH`, `InputLimitError` for too many values, and `FileError` for
    an empty document.
    """
    text = str.__str__(text)  # libyaml does not accept a subclass of `str`
    directive = _TAG_DIRECTIVE.search(text)
    if directive is not None:  # libyaml compares each with all before it
        line = text.count("\n", 0, directive.start()) + 1
        raise DocumentError(path, line, 1, "tags are not allowed")
    try:
        events = _counted(yaml.parse(text, Loader=_Loader), path, values)
        return _Builder(events, text, path).document()
    except UnicodeError:
        raise FileError(path, "has an invalid character") from None
    except yaml.reader.ReaderError as error:
        # libyaml counts bytes, Python's own parser characters.
        whole = text.encode() if _Loader is not yaml.SafeLoader else text
        start = whole[: error.position]
        before = start.decode(errors="replace") if isinstance(start, bytes) else start
        line, column = before.count("\n") + 1, len(before) - before.rfind("\n")
        raise DocumentError(path, line, column, f"malformed YAML: {error.reason}") from None
    except yaml.YAMLError as error:
        mark, said = getattr(error, "problem_mark", None), str(getattr(error, "problem", ""))
        if mark is not None and "nesting depth" in said and mark.index < len(text):
            # libyaml may read so far ahead before its first event that `MAX_DEPTH` is not checked.
            return parse_yaml(text[: mark.index], path, values)
        line, column, problem = _told(error, text)
        raise DocumentError(path, line, column, f"malformed YAML: {problem}") from None


_TOLD = (
    (re.compile("mapping values"), False, (
        "a key is not possible here; check the indentation and the colon of the line above, and "
        "put a text with a colon in quotes"
    )),
    (re.compile("expected ',' or ']'"), True, "the list that begins here has no ] at its end"),
    (re.compile("expected ',' or '}'"), True, "the mapping that begins here has no } at its end"),
    (re.compile("unexpected end of stream"), True, "the text that begins here lacks its end quote"),
    (re.compile("could not find expected ':'"), True, "a key needs a colon: `key: value`"),
    (re.compile("expected key|expected <block end>"), False, (
        "the indentation of this line does not match the lines that it belongs to"
    )),
)  # fmt: skip
"""The parser's words, whether the fault is where the value begins, and what the words mean."""


def _told(error: yaml.YAMLError, text: str) -> tuple[int, int, str]:
    """The line, the column and the message of a fault in YAML."""
    mark = getattr(error, "problem_mark", None)
    problem = str(getattr(error, "problem", None) or getattr(error, "reason", error))
    lines = YAML_LINE_ENDS.split(text)
    at = mark.line if mark else len(lines)
    indent = _INDENT.match(lines[at]) if at < len(lines) else None
    if indent is not None:
        return at + 1, indent.end(), "a line begins with a tab; YAML indents with spaces"
    for words, is_at_start, own in _TOLD:
        if words.search(problem):
            problem = own
            mark = (is_at_start and getattr(error, "context_mark", None)) or mark
            break
    if mark is None:
        return 1, 1, problem
    return mark.line + 1, mark.column + 1, problem


def _counted(events: Iterator[Any], path: str, values: InputLimit) -> Iterator[Any]:
    """The events of a parser. Raises an error when there are too many of them or the time is up."""
    count = 0
    for number, event in enumerate(events):
        if number % _EVENTS == 0:
            check_time()
        count += isinstance(event, yaml.events.NodeEvent)
        if count > values.most:
            mark = event.start_mark
            values.check(count, f"{path}:{mark.line + 1}:{mark.column + 1}")
        yield event


class _Builder:
    """Makes nodes from the events of a parser."""

    def __init__(self, events: Iterator[Any], text: str, path: str) -> None:
        self.events = events
        self.text = text
        self.path = path

    def document(self) -> Node:
        """Read the only document. Raises `DocumentError`, and `FileError` for an empty one."""
        root = None
        for event in self.events:
            if root is not None and isinstance(event, yaml.events.DocumentStartEvent):
                self._fail(event, "a second document")
            if isinstance(event, yaml.events.NodeEvent):
                root = self._node(event, 0)
        if root is None or root.value is None:
            raise FileError(self.path, "is empty")
        return root

    def _fail(self, event: Any, problem: str) -> NoReturn:
        mark = event.start_mark
        raise DocumentError(self.path, mark.line + 1, mark.column + 1, problem)

    def _node(self, event: Any, depth: int) -> Node:
        self._check(event, depth)
        start, end = event.start_mark, event.end_mark
        line, column = start.line + 1, start.column + 1
        if isinstance(event, yaml.events.ScalarEvent):
            keep = event.style or end.line > start.line
            source = self.text[start.index : end.index] if keep else ""
            quoted = bool(event.style)
            return Node(self.path, line, column, _scalar(event), event.value, None, source, quoted)
        keys: dict[str, tuple[int, int]] = {}
        if isinstance(event, yaml.events.SequenceStartEvent):
            parts = tuple(self._node(one, depth + 1) for one in self._until_end())
            return Node(self.path, line, column, parts, keys=keys)
        entries = {}
        for one in self._until_end():
            key = self._key(one, depth + 1, keys)
            entries[key] = self._node(next(self.events), depth + 1)
        return Node(self.path, line, column, entries, keys=keys)

    def _until_end(self) -> Iterator[Any]:
        """Yield the events up to the end of a list or mapping."""
        for event in self.events:
            if isinstance(event, yaml.events.CollectionEndEvent):
                return
            yield event

    def _key(self, event: Any, depth: int, keys: dict[str, tuple[int, int]]) -> str:
        """Read a key of a mapping, and add it to those before it."""
        self._check(event, depth)
        line, column = event.start_mark.line + 1, event.start_mark.column + 1
        if not isinstance(event, yaml.events.ScalarEvent):
            self._fail(event, "a key should be a text")
        key: str = event.value
        if "\n" in key:
            self._fail(event, "a key should have no line break in it")
        KEY_LENGTH.check(len(key), f"{self.path}:{line}:{column}")
        if key in keys:
            self._fail(event, f"duplicate key {shortened(key)!r} (first in line {keys[key][0]})")
        keys[key] = line, column
        return key

    def _check(self, event: Any, depth: int) -> None:
        """Refuse anything that could grow, run code, control a terminal, or pass for another
        text."""
        if isinstance(event, yaml.events.AliasEvent):
            self._fail(event, "aliases are not allowed")
        if event.anchor is not None:
            self._fail(event, "anchors are not allowed")
        if event.tag is not None and event.tag != "!":
            self._fail(event, f"tags such as {shortened(event.tag)!r} are not allowed")
        if not isinstance(event, yaml.events.ScalarEvent):
            if depth >= MAX_DEPTH:
                self._fail(event, f"nested deeper than {MAX_DEPTH} levels")
        elif not event.value.isprintable() and (found := CONTROL.search(event.value)):
            self._fail(event, f"the control character U+{ord(found[0]):04X} is not allowed")


def _scalar(event: Any) -> Any:
    if event.style or event.tag == "!":  # quoted or a block: always a text
        return event.value
    tag = _RESOLVER.resolve(yaml.ScalarNode, event.value, (True, False)).rsplit(":", 1)[-1]
    if tag not in _SCALAR_TAGS or len(event.value) > MAX_NUMBER_LENGTH:
        return event.value
    try:
        return yaml.SafeLoader.yaml_constructors["tag:yaml.org,2002:" + tag](
            _RESOLVER, yaml.ScalarNode("tag:yaml.org,2002:" + tag, event.value)
        )
    except (ValueError, OverflowError):  # such as the integer-like text 0o9
        return event.value


# --- document kinds -------------------------------------------------------------------------------

# The kind of document that a YAML file is, judged by its keys, so that errors can name the kind of
# a file in the wrong place.


RULE_FILE, MAP_FILE, ORDER_FILE = "a rule file", "a map", "an order file"
NAMES_FILE, LINE_FILE = "a file of names for a map", "a holding line"

_USE = {
    RULE_FILE: "give it as the rules, or check it with `dipsat rules check`",
    MAP_FILE: "give it as the map, or check it with `dipsat maps check`",
    NAMES_FILE: "add it to the name of a map, as in `standard+mine.yaml`",
    ORDER_FILE: "judge it with `dipsat adjudicate`",
    LINE_FILE: "prove it with `dipsat search hold`, or draw it with the option --output there",
}


def refuse_other_kinds(root: Node, own: str) -> None:
    """Raise `ProfileError` for a document of another kind than `own`. A document of unknown kind
    passes, because its keys are refused one by one."""
    top = root.value if isinstance(root.value, Mapping) else {}
    found = kind_of(top)
    if found not in (own, ""):
        root.fail(f"this is {found}, not {own}; {_USE[found]}", ProfileError)


def kind_of(top: Mapping[str, Any]) -> str:
    """The kind of a document with these keys; "" if unknown."""
    if top.keys() & {"decisions", "define", "cycles", "legal", "settings", "results"}:
        return RULE_FILE
    if "words" in top or _lists_names(top):
        return NAMES_FILE
    if top.keys() & {"provinces", "powers", "coasts", "border_features", "picture"}:
        return MAP_FILE
    if top.keys() & {"protect", "behind"}:
        return LINE_FILE
    orders = top["orders"].value if "orders" in top else None
    by_power = isinstance(orders, Mapping) and any(
        isinstance(one.value, tuple) for one in orders.values()
    )
    if by_power or (top.keys() & {"phase", "centers", "dislodged"} and "name" not in top):
        return ORDER_FILE
    return ""


def _lists_names(top: Mapping[str, Any]) -> bool:
    """Whether provinces and powers have only lists; in a map they have mappings."""
    sections = [top[key].value for key in ("provinces", "powers") if key in top]
    kinds = [
        type(one.value) for found in sections if isinstance(found, dict) for one in found.values()
    ]
    return tuple in kinds and dict not in kinds
