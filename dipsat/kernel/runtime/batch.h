/* Many boards in one call. The including source defines result_contested, compute, result_retreat,
 * refuses_retreat and becomes, and the first words of the verdicts' families: MOVE_AT, SUPPORT_AT,
 * CONVOY_AT and DISLODGE_AT. */

enum { SUCCEEDS, FAILS, GIVEN, CUT, AVAILABLE, DISRUPTED, STANDS, ILLEGAL, INVALID, OPEN };
enum { UNIQUE, BY_RULE, LEFT };

/* The arrays for the results of boards. */
struct results {
  u64 *retreats;                 /* by unit: bits in the order of the locations that it can reach;
                                  * zeros before, and only those of dislodged units are written */
  u64 *contested;                /* by board, PLACE_WORDS words each */
  u32 *rules;                    /* by board: bits of the cycle rules that were applied */
  u16 *ends;                     /* by unit: its location, NOWHERE if it is dislodged */
  u16 *attackers;                /* by unit: the unit that dislodged it, by number on the board */
  u16 *attributes;               /* by unit, ATTRIBUTES each: values after the phase */
  u8 *verdicts;                  /* by unit */
  u8 *settled;                   /* by board */
};

struct request {
  const struct map *map;
  struct boards at;
  u8 *results;                   /* see `results_in` */
  int32_t from, end;             /* the boards to adjudicate */
  int32_t only_propagates;       /* whether to leave boards that propagation leaves open */
};

/* The parts of one block of memory, widest numbers first. */
static struct results results_in(u8 *memory, const struct boards *at) {
  struct results r;
  size_t boards = (size_t)at->count, units = at->starts[boards];
  r.retreats = (u64 *)memory;
  r.contested = r.retreats + units;
  r.rules = (u32 *)(r.contested + boards * PLACE_WORDS);
  r.ends = (u16 *)(r.rules + boards);
  r.attackers = r.ends + units;
  r.attributes = r.attackers + units;
  r.verdicts = (u8 *)(r.attributes + units * ATTRIBUTES);
  r.settled = r.verdicts + units;
  return r;
}

static const u8 good_verdict[ORDER_TYPES] = {STANDS, STANDS, SUCCEEDS, GIVEN, GIVEN, AVAILABLE};

static u64 retreats_of(const struct facts *f, struct bounds *b, int x) {
  const struct map *m = f->map;
  const u16 *place = m->next + (long)f->row[x] * MAX_NEXT;
  u64 found = 0;
  if (is_neutral(f, x)) return 0;
  for (int n = 0; n < MAX_NEXT && place[n] != NOWHERE; n++)
    if (result_retreat(f, b, x, m->province_of[place[n]]) &&
        !refuses_retreat(f, x, m->province_of[place[n]]))
      found |= BIT(n);
  return found;
}

static void write_dislodged(struct workspace *k, const struct results *r, u32 at, int x) {
  const struct facts *f = &k->facts;
  struct bounds *b = &k->bounds;
  struct unit_walk walk = walk_units(f->attackers[f->province[x]] & units_at(b->low + MOVE_AT));
  int by = next_unit(&walk);
  r->attackers[at + x] = by < 0 ? NOWHERE : (u16)by;
  r->retreats[at + x] = retreats_of(f, b, x);
}

/* The units with a legal order that fails. */
static units failed_units(const struct facts *f, const struct bounds *b) {
  units moved = units_at(b->low + MOVE_AT), given = units_at(b->low + SUPPORT_AT);
  units available = units_at(b->low + CONVOY_AT);
  return (f->ordered[MOVE] & ~moved) | (f->ordered[CONVOY] & ~available) |
         ((f->ordered[SUPPORT_HOLD] | f->ordered[SUPPORT_MOVE]) & ~given);
}

static void write_verdicts(const struct facts *f, const struct bounds *b, u8 *verdicts) {
  units failed = failed_units(f, b);
  for (int x = 0; x < f->count; x++) /* the bad verdict follows the good one */
    verdicts[x] = (u8)(good_verdict[f->type[x]] + has_unit(failed, x));
  struct unit_walk walk = walk_units(f->invalid);
  for (int x; (x = next_unit(&walk)) >= 0;) verdicts[x] = INVALID;
  walk = walk_units(f->illegal);
  for (int x; (x = next_unit(&walk)) >= 0;) verdicts[x] = ILLEGAL;
}

/* Writes the results of units. Returns 0 if a unit moves and is also dislodged, which codes of
 * results cannot express, or if two units end in one province, which is a defect of the rules. */
static int write_units(struct workspace *k, const struct results *r, u32 at) {
  const struct facts *f = &k->facts;
  const struct bounds *b = &k->bounds;
  units gone = units_at(b->low + DISLODGE_AT) & f->all;
  units moved = units_at(b->low + MOVE_AT) & f->moves, shared = gone & moved;
  write_verdicts(f, b, r->verdicts + at);
  memcpy(r->ends + at, f->location, sizeof(u16) * f->count);
  memset(r->attackers + at, 0xff, sizeof(u16) * f->count); /* NOWHERE */
  struct unit_walk walk = walk_units(moved);
  for (int x; (x = next_unit(&walk)) >= 0;) {
    int p = f->target[x];
    r->ends[at + x] = f->target_location[x];
    shared |= f->attackers[p] & moved & ~the_unit(x);
    shared |= f->units_in[p] & ~gone & ~moved;
  }
  walk = walk_units(gone);
  for (int x; (x = next_unit(&walk)) >= 0;) {
    r->ends[at + x] = NOWHERE;
    write_dislodged(k, r, at, x);
  }
  return !any_unit(shared);
}

static void write_left(const struct results *r, int i, u32 at, u32 end) {
  r->settled[i] = LEFT;
  r->rules[i] = 0;
  memset(r->contested + (long)i * PLACE_WORDS, 0, sizeof(places));
  for (; at < end; at++) {
    r->verdicts[at] = OPEN;
    r->ends[at] = r->attackers[at] = NOWHERE;
    r->retreats[at] = 0;
  }
}

/* The value of an attribute after the phase, -1 if the rules allow no value or several. */
static int attribute_after(const struct facts *f, struct bounds *b, int a, int x) {
  int now = f->attribute[a][x], found = -1;
  if (becomes(f, b, a, x, now)) return now;
  for (int v = 0; v < attribute_values[a]; v++)
    if (becomes(f, b, a, x, v)) {
      if (found >= 0) return -1;
      found = v;
    }
  return found;
}

static void write_board(struct workspace *k, const struct results *r, int i, u32 at) {
  const struct facts *f = &k->facts;
  places contested_here = no_places();
  int fitting = write_units(k, r, at);
  for (int x = 0; ATTRIBUTES && x < f->count; x++) {
    for (int a = 0; a < ATTRIBUTES; a++) {
      int after = attribute_after(f, &k->bounds, a, x);
      fitting &= after >= 0;
      r->attributes[(long)(at + x) * ATTRIBUTES + a] = (u16)after;
    }
  }
  if (!fitting) {
    write_left(r, i, at, at + (u32)f->count);
    return;
  }
  struct place_walk walk = walk_places(f->attacked);
  for (int p; (p = next_place(&walk)) >= 0;)
    if (result_contested(f, &k->bounds, p)) add_place(&contested_here, p);
  if (k->bounds.out_of_range) {
    write_left(r, i, at, at + (u32)f->count);
    return;
  }
  memcpy(r->contested + (long)i * PLACE_WORDS, &contested_here, sizeof contested_here);
}

/* Memory for one call at a time. */
struct place {
  struct report report;
  struct workspace workspace __attribute__((aligned(64)));
};

int place_size(void) { return sizeof(struct place); }

/* Loads board `i`. Returns its fault, and sets `unit` if it is a unit's fault. */
static int load_board(struct workspace *k, const struct request *q, int i, int *unit) {
  const struct boards *at = &q->at;
  u32 first = at->starts[i];
  k->facts.map = q->map;
  memset(k->facts.owner, NOBODY, sizeof k->facts.owner);
  int fault = read_surroundings(&k->facts, at, i);
  if (fault) return fault;
  return load(&k->facts, (int)(at->starts[i + 1] - first), at->units + first, at->orders + first, unit);
}

/* Writes for each decision of board `from` its value, and the first decision in its connected
 * subgraph, as if nothing were known yet. Returns whether propagation decides them. */
int decide(const struct request *q, struct place *place) {
  struct workspace *k = &place->workspace;
  const struct facts *f = &k->facts;
  struct bounds *b = &k->bounds;
  struct scope all;
  int *values = (int *)q->results, *roots = values + 64 * DECISION_WORDS, unit;
  u32 applied;
  if (load_board(k, q, q->from, &unit) || !resolve(k, &applied, 1)) return 0;
  in_play(f, &all);
  compute(f, b, &all);
  if (b->out_of_range) return 0;
  for (int w = 0; w < DECISION_WORDS; w++)
    for (u64 m = all.w[w]; m; m &= m - 1) {
      int at = 64 * w + LOWEST(m);
      values[at] = w < TRUTH_WORDS ? (int)bit_at(b->low, at) : b->least[at - 64 * TRUTH_WORDS];
    }
  for (int at = 0; at < 64 * DECISION_WORDS; at++) roots[at] = at;
  forget(b);
  for (int w = 0; w < DECISION_WORDS; w++)
    for (u64 m = all.w[w]; m; m &= m - 1) {
      struct scope d;
      memset(&d, 0, sizeof d);
      depends_on(f, b, 64 * w + LOWEST(m), &d);
      for (int v = 0; v < DECISION_WORDS; v++)
        for (u64 n = d.w[v]; n; n &= n - 1) unite(roots, 64 * w + LOWEST(m), 64 * v + LOWEST(n));
    }
  for (int at = 0; at < 64 * DECISION_WORDS; at++) roots[at] = root_of(roots, at);
  return 1;
}

/* Adjudicates boards `from` to `end`. Returns 0, or -1 for a bad code. */
int adjudicate(const struct request *q, struct place *place) {
  const struct boards *at = &q->at;
  struct results r = results_in(q->results, at);
  struct workspace *k = &place->workspace;
  for (int i = q->from; i < q->end; i++) {
    u32 first = at->starts[i], end = at->starts[i + 1], applied = 0;
    int unit = 0, fault = load_board(k, q, i, &unit);
    if (fault > HANDED_BACK) return reject(&place->report, fault, i, unit);
    if (fault == HANDED_BACK || !resolve(k, &applied, q->only_propagates)) {
      write_left(&r, i, first, end);
    } else {
      r.settled[i] = applied ? BY_RULE : UNIQUE;
      r.rules[i] = applied;
      write_board(k, &r, i, first);
    }
  }
  return 0;
}
