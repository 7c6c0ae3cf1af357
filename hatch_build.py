"""What puts compiled rules into a wheel: datc and the rulebooks, for the standard map.

    HATCH_BUILD_HOOK_ENABLE_CUSTOM=1 pip wheel --no-deps .

Without the variable, the wheel is the same for all computers. docs/native.md says more.
"""

from __future__ import annotations

import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface
from packaging.tags import platform_tags


class CompiledRules(BuildHookInterface):
    """Adds a library for each C source text, with the names by which dipsat finds them."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Compile before the wheel is written."""
        if version == "editable":
            return
        sys.path.insert(0, self.root)
        from dipsat.board import load_map
        from dipsat.kernel.library_cache import compiled, compilers, library_name
        from dipsat.kernel.numbers import MapNumbers
        from dipsat.kernel.source import source_of
        from dipsat.rules import load_profile, shipped_names

        board, compiler = load_map("standard"), next(compilers(), None)
        if compiler is None:
            raise RuntimeError("compiled rules need a C compiler, or the package ziglang")
        self._folder = TemporaryDirectory(prefix="dipsat-")
        for rules in shipped_names():
            if "/" in rules and not rules.startswith("rulebooks/"):
                continue
            profile = load_profile(rules)
            numbers = MapNumbers(board, profile)
            source = source_of(profile, numbers.unit_words, numbers.place_words).text
            path = Path(self._folder.name, library_name(source))
            if not path.exists():  # several rulebooks may have the same equations
                # No flags for a processor: the library runs on each of its kind.
                compiled(source, ("-O3",), compiler, self._folder.name).rename(path)
                build_data["force_include"][str(path)] = f"dipsat/kernel/compiled/{path.name}"
        build_data["pure_python"] = False
        build_data["tag"] = f"py3-none-{next(platform_tags())}"
