"""The start of a new rule file, with comments that say how to go on.

The templates are in `rules/templates`. Each is a rule file that loads; the comment above its name
has orders that show what it changes. In its comments, BASE is the profile that it extends,
and FILE the file itself.
"""

from __future__ import annotations

import re
from pathlib import Path

from dipsat.documents import is_yaml_path, name_from, read_text
from dipsat.errors import FileError
from dipsat.profiles.load import load_profile, parse_profile
from dipsat.profiles.rule_kinds import DEFAULT_KIND, KINDS
from dipsat.profiles.yaml_text import scalar
from dipsat.resources import data_folder

_WORDS, _KNOWN = re.compile(r"\b(BASE|FILE)\b"), "extends: datc"
_HEAD = """\
# A house rule: {base} with one change. Text after a # is a comment.
#
# It is a complete example. Write these orders into a file {orders_file} ...
#
{orders}#
# ... and try:
#
#   {tried}
{more}#
# Then change it. `dipsat rules show {base}` prints everything that can be
# changed; whatever this file does not state stays as it is there. docs/rule-language.md describes
# the language, docs/house-rules.md has worked examples, docs/cookbook.md many short ones.
name: {name}
title: {title}
extends: {extends}
"""


def start_of(file: str, base: str, kind: str = DEFAULT_KIND) -> str:
    """The text of a rule file at the path `file` that extends `base` (a name as `load_profile`
    takes it; paths in it are relative to the current folder) with a rule of one of the `KINDS`. It
    loads, and changes one thing.

    Raises `FileError` for a path that is not a YAML file's, and what `load_profile` raises.
    """
    if not is_yaml_path(file):
        raise FileError(file, f"is not a YAML file; call it {file}.yaml")
    load_profile(base)
    template = read_text(data_folder("rules") / "templates" / f"{kind}.yaml")
    orders, _, rest = template.partition("name: ")
    title, body = re.split(rf"^{_KNOWN}$", rest, maxsplit=1, flags=re.MULTILINE)
    quoted = f"'{base}'" if " " in base else base
    known = KINDS[kind]
    parts = [_beside(part.strip(), file) for part in base.split("+")]
    compared = f"compare {known.orders_file} --rules {quoted} --rules {file}"
    judged = f"adjudicate {known.orders_file} --rules {file}"
    head = _HEAD.format(
        base=quoted,
        orders_file=known.orders_file,
        orders="".join(f"#   {line.removeprefix('# ')}\n" for line in orders.splitlines()),
        more=_commands(quoted, file),
        tried=f"dipsat {compared if known.is_compared else judged}",
        file=file,
        name=scalar(Path(file).stem, 2),
        title=title.partition("title: ")[2].strip(),
        extends=parts[0] if len(parts) == 1 else f"[{', '.join(parts)}]",
    )
    text = head + _WORDS.sub(
        lambda found: file if found[0] == "FILE" else quoted, body.removeprefix("\n")
    )
    parse_profile(text, file)
    return text


def _commands(base: str, file: str) -> str:
    """Further commands to try, each with what it does, in two columns."""
    commands = {
        f"dipsat rules check {file}": "all faults, with line and column",
        f"dipsat rules diff {base} {file}": "only what differs",
        f"dipsat datc --rules {file}": "which DATC cases have another result",
    }
    width = max(map(len, commands))
    return "".join(f"#   {one:{width}}    {what}\n" for one, what in commands.items())


def _beside(part: str, file: str) -> str:
    """A name as a file at that path must write it."""
    return scalar(name_from(Path(file).parent, part), 2)
