"""The start of a new rule file, with comments that say how to go on."""

from __future__ import annotations

import os
from pathlib import Path

from dipsat.documents import is_yaml_path
from dipsat.errors import FileError
from dipsat.profiles.additions import BASE, KEPT, indices_of
from dipsat.profiles.document import ProfileDocument
from dipsat.profiles.load import load_profile, parse_profile
from dipsat.profiles.yaml_text import scalar

_CONDITION = "foreign_support"
_HEAD = """\
# A house rule: {base} with one change. Text after a # is a comment.
#
# It is a complete example. Write these orders into a file orders.txt ...
#
#   England:
#     F North Sea Supports A Ruhr - Belgium
#   Germany:
#     A Ruhr - Belgium
#   France:
#     A Belgium Holds
#
# ... and try:
#
#   dipsat compare orders.txt --rules {base} --rules {file}
#   dipsat rules check {file}          all faults, with line and column
#   dipsat rules diff {base} {file}    only what differs
#   dipsat datc --rules {file}         which DATC cases have another result
#
# Then change it. `dipsat rules show {base}` prints everything that can be
# changed; whatever this file does not state stays as it is there. docs/rule-language.md describes
# the language, docs/house-rules.md has worked examples.
name: {name}
title: Nobody supports a unit of another power
extends: {extends}

decisions:
  # When a support is given: as under {base}, if the house rule holds too.
"""
_TAIL = """
reasons:
  # What players read when a condition does not hold.
  foreign_support: a unit may only support units of its own power
"""


def start_of(file: str, base: str) -> str:
    """The text of a rule file at the path `file` that extends `base` (a name as `load_profile`
    takes it; paths in it are relative to the current folder). It loads, and changes one thing.

    Raises `FileError` for a path that is not a YAML file's, and what `load_profile` raises.
    """
    if not is_yaml_path(file):
        raise FileError(file, f"is not a YAML file; call it {file}.yaml")
    support = ProfileDocument(load_profile(base)).sections["decisions"]["support"]
    parts = [_beside(part.strip(), file) for part in base.split("+")]
    head = _HEAD.format(
        base=f"'{base}'" if " " in base else base,
        file=file,
        name=scalar(Path(file).stem, 2),
        extends=parts[0] if len(parts) == 1 else f"[{', '.join(parts)}]",
    )
    text = head + _support(support.heading) + _TAIL
    parse_profile(text, file)
    return text


def _beside(part: str, file: str) -> str:
    """A name as a file at that path must write it."""
    if is_yaml_path(part):
        part = Path(os.path.relpath(part, Path(file).parent)).as_posix()
    return scalar(part, 2)


def _support(heading: str) -> str:
    """The equation for support, with the conditions of the base and one more."""
    (index,) = indices_of(heading)
    rule = f"{_CONDITION}: {index}.power == {index}.supported.power"
    return f"  {heading}:\n    {BASE}: {KEPT}\n    {rule}\n"
