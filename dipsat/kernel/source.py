"""The complete C source of a profile. Its decisions, cycle rules, results and conditions on orders
are put between the parts in `dipsat/kernel/runtime`, which are the same for all profiles."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from importlib.resources import files

from dipsat.kernel import work_bounds
from dipsat.kernel.expression_text import (
    ALL_BY_UNIT,
    BOARD,
    LEAST,
    MOST,
    RETREAT_NAME,
    TARGET,
    DependencyText,
    ExpressionText,
    Names,
)
from dipsat.kernel.layout import (
    BY_UNIT,
    Layout,
    Numbered,
    for_each,
    indices_of,
    layout_of,
    number_among,
    parameters,
    walk,
)
from dipsat.kernel.numbers import DeclinedError
from dipsat.rules import (
    PROVINCE,
    RETREAT,
    CycleRule,
    Expression,
    Profile,
    Type,
    evaluation_order,
)

_BASE = ("sets.h", "board.h", "routes.h")
_BEFORE = (
    "targets.h",
    "codes.h",
    "texts.h",
    "load.h",
    "bounds.h",
    "resolve.h",
)  # called by generated code
_AFTER = (
    "batch.h",
    "orders.h",
    "later.h",
    "play.h",
    "choices.h",
)  # these call generated code
_MAX_RULES = 32  # one bit each in the result


@dataclass(frozen=True)
class KernelSource:
    """The source of a profile, and the things that a map's tables must number for it."""

    text: str
    layout: Layout
    numbered: Numbered
    rules: tuple[str, ...]
    """The names of the rules for decision cycles, in the order of their bits."""


def source_of(profile: Profile, unit_words: int, place_words: int) -> KernelSource:
    """The C source for boards with at most `64 * unit_words` units, on maps with at most
    `64 * place_words` provinces. Raises `DeclinedError` if the kernel cannot express something."""
    eager = {name for rule in profile.cycles for name in rule.along}
    ordered = evaluation_order(profile)
    layout = layout_of(ordered, eager, unit_words, place_words)
    work_bounds.check_work(profile, 64 * unit_words, 64 * place_words)
    return _Source(profile, layout).kernel_source()


class _Source:
    def __init__(self, profile: Profile, layout: Layout) -> None:
        attributes = {name: at for at, name in enumerate(profile.declared.attributes)}
        kinds = {word: at for at, word in enumerate(profile.declared.unit_words)}
        self.profile = profile
        self.layout = layout
        self.lazy = [family for family in layout.families.values() if family.is_lazy]
        self.numbered = Numbered(attributes, kinds)
        self.expressions = ExpressionText(layout, self.numbered)

    def kernel_source(self) -> KernelSource:
        if len(self.profile.cycles) > _MAX_RULES:
            raise DeclinedError(f"more than {_MAX_RULES} rules for decision cycles")
        writing = (
            self._readers, self._lazy, self._sweep, self._in_play, self._computed,
            self._dependencies,
            self._rules, self._results, self._conditions, self._attributes,
        )  # fmt: skip
        for write in writing:
            for function in write():
                self.expressions.write(function)
        text = "\n".join((
            self._sizes(), *map(_runtime, _BASE), self._tables(), *map(_runtime, _BEFORE),
            "\n".join(self.expressions.functions), *map(_runtime, _AFTER),
        ))  # fmt: skip
        return KernelSource(
            text, self.layout, self.numbered, tuple(rule.name for rule in self.profile.cycles)
        )

    # --- sizes and tables -------------------------------------------------------------------------

    def _sizes(self) -> str:
        layout, families = self.layout, self.layout.families
        numbers = 64 * (layout.decision_words - layout.truth_words)
        sizes = {
            "UNIT_WORDS": layout.unit_words,
            "BOARD_SWEEPS": work_bounds.MOST_SWEEPS,
            "PLACE_WORDS": layout.place_words,
            "TRUTH_WORDS": layout.truth_words,
            "DECISION_WORDS": layout.decision_words,
            "NUMBERS": max(numbers, 1),
            "ATTRIBUTES": len(self.numbered.attributes),
            "MOVE_AT": families["move"].word,
            "SUPPORT_AT": families["support"].word,
            "CONVOY_AT": families["convoy"].word,
            "DISLODGE_AT": families["dislodge"].word,
            "RULES_CHOOSE": int(any(rule.choose is not None for rule in self.profile.cycles)),
        }
        return "\n".join(f"#define {name} {value}" for name, value in sizes.items())

    def _tables(self) -> str:
        families = self.layout.families
        ranks, lazy = [], []
        for family in sorted(families.values(), key=lambda one: one.word):
            rank = sorted(families).index(family.decision.name)
            ranks += [str(rank)] * family.words
            lazy += [str(int(family.is_lazy))] * family.words
        values = [len(one.values) for one in self.profile.declared.attributes.values()]
        return (
            f"static const u16 rank_of_word[] = {{{', '.join(ranks)}}};\n"
            f"static const u8 is_lazy[] = {{{', '.join(lazy)}}};\n"
            f"static const u16 attribute_values[] = {{{', '.join(map(str, values or [1]))}}};\n"
        )

    # --- decisions --------------------------------------------------------------------------------

    def _readers(self) -> Iterator[str]:
        """Functions that read lazy decisions, declared first because they may read each other."""
        for family in self.lazy:
            names = [f"x{at}" for at in range(len(family.sizes))]
            listed = parameters(names)
            at = number_among(names, family.sizes)
            number, start = family.number, 64 * self.layout.truth_words
            yield f"static void compute{number}({BOARD}{listed}, int at);\n"
            for mode, bits in ((LEAST, "low"), (MOST, "high")):
                value = f"bit_at(b->{bits}, at)" if family.is_truth else f"b->{mode}[at - {start}]"
                yield (
                    f"static inline long {mode}{number}({BOARD}{listed}) {{\n"
                    f"int at = {64 * family.word} + {at};\n"
                    f"if (!bit_at(b->fresh, at)) compute{number}(f, b, {', '.join(names)}, at);\n"
                    f"return {value};\n}}\n"
                )

    def _lazy(self) -> Iterator[str]:
        for family in self.lazy:
            names, _ = indices_of(family)
            least, most = self.expressions.readings(family.decision.equation, names)
            listed = parameters(f"x{at}" for at in range(len(family.sizes)))
            kind = "truth" if family.is_truth else "number"
            yield (
                f"static void compute{family.number}({BOARD}{listed}, int at) {{\n"
                f"long least = {least};\nlong most = {most};\n"
                f"compute_{kind}(b, at, least, most);\n}}\n"
            )

    def _sweep(self) -> Iterator[str]:
        """Evaluates the equations of open decisions, family by family."""
        lines = []
        for family in self.layout.families.values():
            if family.is_lazy:
                continue
            names, unpacked = indices_of(family)
            least, most = self.expressions.readings(family.decision.equation, names)
            if family.is_truth:
                most = f"least || {most}"
                settled = "settle_truth(b, w, bit, least, most)"
            else:
                number = 64 * (family.word - self.layout.truth_words)
                settled = f"narrow_number(b, w, bit, {number} + i, least, most)"
            lines.append(
                f"{for_each('b->open[w]', family)}{unpacked}"
                f"long least = {least};\nlong most = {most};\nchanged |= {settled};\n}}\n"
            )
        yield (
            f"static int sweep({BOARD}) {{\nint changed = 0;\nrefresh(b);\n"
            f"{''.join(lines)}return changed;\n}}\n"
        )

    def _in_play(self) -> Iterator[str]:
        """Collects the decisions of a board."""
        lines = []
        for family in self.layout.families.values():
            kinds = [index.type for index in family.decision.indices]
            if len(kinds) == 1 and (kinds[0] in BY_UNIT or kinds[0] == PROVINCE):
                source = _objects(kinds[0])
                lines.append(f"memcpy(d->w + {family.word}, &{source}, sizeof {source});\n")
                continue
            names = [f"x{number}" for number in range(len(kinds))]
            loops = "".join(map(_over, kinds, family.sizes, names))
            at = number_among(names, family.sizes)
            put = f"d->w[{family.word} + ({at} >> 6)] |= BIT({at});"
            lines.append(f"{{\n{loops}{put}{'}' * len(kinds)}\n}}\n")
        yield (
            "static void in_play(const struct facts *f, struct scope *d) {\n"
            f"(void)f;\nmemset(d, 0, sizeof *d);\n{''.join(lines)}}}\n"
        )

    def _computed(self) -> Iterator[str]:
        """Computes the lazy ones of some decisions."""
        lines = []
        for family in self.lazy:
            names, unpacked = indices_of(family)
            about = ", ".join(["f", "b", *names.values(), f"{64 * family.word} + i"])
            each = for_each("d->w[w]", family)
            lines.append(f"{each}{unpacked}compute{family.number}({about});\n}}\n")
        head = f"static void compute({BOARD}, const struct scope *d)"
        yield f"{head} {{\n(void)f, (void)b, (void)d;\n{''.join(lines)}}}\n"

    def _dependencies(self) -> Iterator[str]:
        dependencies = DependencyText(self.expressions)
        cases = []
        for family in sorted(self.layout.families.values(), key=lambda one: one.word):
            names, unpacked = indices_of(family)
            text = dependencies.text(family.decision.equation, names)
            end = 64 * (family.word + family.words)
            cases.append(
                f"if (decision < {end}) {{\nint i = decision - {64 * family.word};\n"
                f"{unpacked}{text}return;\n}}\n"
            )
        yield (
            "static void depends_on(const struct facts *f, struct bounds *b, int decision, "
            f"struct scope *d) {{\n{''.join(cases)}}}\n"
        )

    # --- rules for decision cycles ----------------------------------------------------------------

    def _rules(self) -> Iterator[str]:
        lines = []
        for at, rule in enumerate(self.profile.cycles):
            test = f"done < 2 && ({self.expressions.value(rule.when, LEAST, {})})"
            if not rule.together:
                test = f"!done && {test}"
            lines.append(f"if ({test}) {{\nint any = 0;\n")
            if rule.choose is None:
                lines.append(self._pinned(rule))
            else:
                yield self._function(f"fits{at}", rule.choose, {})
                lines.append(f"any = choose_model(k, b, &set, fits{at});\n")
            done = 1 if rule.together else 2
            lines.append(f"if (any) done = {done}, *applied |= (u32)1 << {at};\n}}\n")
        yield (
            "static int apply_rules(struct workspace *k, struct bounds *b, "
            "const struct scope *group, u32 *applied) {\nconst struct facts *f = &k->facts;\n"
            "const u64 *cycle = f->cycle.members;\nstruct scope set, own;\n"
            "int done = 0, out = 0;\nmemset(&set, 0, sizeof set);\n"
            f"(void)f, (void)cycle, (void)group, (void)own;\n{''.join(lines)}"
            "return !done ? NO_RULE : out ? REACHES_OUT : SETTLED;\n}\n"
        )

    def _pinned(self, rule: CycleRule) -> str:
        text = "memset(&own, 0, sizeof own);\n"
        for name, value in rule.pins.items():
            if name not in self.layout.families:
                continue  # about orders of declared kinds, which compiled boards lack
            family = self.layout.families[name]
            names, unpacked = indices_of(family)
            test = "1"
            if name in rule.where:
                indices, condition = rule.where[name]
                if condition.has_decision:
                    raise DeclinedError("`where` of a cycle rule depends on decisions")
                scope = dict(zip((i.name for i in indices), names.values(), strict=True))
                test = self.expressions.value(condition, LEAST, scope)
            text += (
                f"{for_each('cycle[w]', family)}{unpacked}if (!({test})) continue;\nany = 1;\n"
                f"own.w[w] |= bit;\nif (!(set.w[w] & bit)) pin(k, b, &set, 64 * w + LOWEST(bit), "
                f"{int(value)});\n}}\n"
            )
        return text + "".join(
            self._along(rule, name, beside, value)
            for name in rule.pins
            for beside, value in rule.along.items()
        )

    def _along(self, rule: CycleRule, name: str, beside: str, value: int | bool) -> str:
        """Sets those decisions of another family that are about the same objects."""
        own, other = self.layout.families.get(name), self.layout.families.get(beside)
        if own is None or other is None:
            return ""
        kinds = [[i.type for i in one.decision.indices] for one in (own, other)]
        if kinds[0] != kinds[1]:
            return ""
        return (
            f"{for_each('own.w[w]', own)}int at = {64 * other.word} + i;\n"
            "if (!bit_at(group->w, at) || !is_undecided(b, at) || bit_at(set.w, at)) continue;\n"
            f"if (!bit_at(cycle, at)) out = 1;\npin(k, b, &set, at, {int(value)});\n}}\n"
        )

    # --- results and conditions -------------------------------------------------------------------

    def _results(self) -> Iterator[str]:
        for name in ("contested", "retreat"):
            result = self.profile.results[name]
            names = {index.name: f"x{at}" for at, index in enumerate(result.indices)}
            yield self._function(f"result_{name}", result.expression, names)

    def _function(self, name: str, expression: Expression, names: Names) -> str:
        value = self.expressions.value(expression, LEAST, names)
        unused = "".join(f", (void){one}" for one in names.values())
        head = f"static long {name}({BOARD}{parameters(names.values())})"
        return f"{head} {{\n(void)f, (void)b{unused};\nreturn {value};\n}}\n"

    def _conditions(self) -> Iterator[str]:
        """The conditions that refuse orders. They read no bounds, so `b` is a null pointer."""
        for kind, signature in (
            ("Move", "int x"), ("Support", "int x"), ("Convoy", "int x"),
            ("Retreat", f"int {RETREAT_NAME}, int {TARGET}"),
        ):  # fmt: skip
            name = RETREAT_NAME if kind == RETREAT.name else "x"
            tests = [
                f"!({self.expressions.value(one.expression, LEAST, {one.indices[0].name: name})})"
                for one in self.profile.legal.values()
                if len(one.indices) == 1 and str(one.indices[0].type) == kind
            ]
            unused = f"(void){name};" + (f" (void){TARGET};" if name == RETREAT_NAME else "")
            yield (
                f"static long refuses_{kind.lower()}(const struct facts *f, {signature}) {{\n"
                f"struct bounds *b = 0;\n(void)f; (void)b; {unused}\n"
                f"return {' || '.join(tests) or '0'};\n}}\n"
            )

    def _attributes(self) -> Iterator[str]:
        """Whether a unit may have a value of an attribute after the phase."""
        cases = []
        for at, attribute in enumerate(self.profile.declared.attributes.values()):
            if attribute.becomes:
                result, name = self.profile.results[attribute.becomes], f"becomes{at}"
                names = {index.name: f"x{n}" for n, index in enumerate(result.indices)}
                yield self._function(name, result.expression, names)
                cases.append(f"if (a == {at}) return {name}(f, b, x, value);\n")
        yield (
            f"static long becomes({BOARD}, int a, int x, int value) {{\n(void)b;\n"
            f"{''.join(cases)}return f->attribute[a][x] == value;\n}}\n"
        )


def _objects(kind: Type) -> str:
    return ALL_BY_UNIT.get(str(kind), "f->in_play")


def _over(kind: Type, size: int, name: str) -> str:
    if kind.members:
        return f"for (int {name} = 0; {name} < {size}; {name}++) {{"
    return (
        f"{walk('place' if kind == PROVINCE else 'unit', _objects(kind), name, f'{name}_walk')}{{\n"
    )


def _runtime(part: str) -> str:
    return (files("dipsat.kernel") / "runtime" / part).read_text(encoding="utf-8")
