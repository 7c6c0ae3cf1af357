/* Many boards in one call. The source that includes this defines result_contested,
 * result_retreat, refuses_retreat, attribute_after and the families MOVE_AT, SUPPORT_AT, CONVOY_AT and DISLODGE_AT, the
 * first words of the verdicts. */

enum { SUCCEEDS, FAILS, GIVEN, CUT, AVAILABLE, DISRUPTED, STANDS, ILLEGAL, INVALID, OPEN };
enum { UNIQUE, BY_RULE, LEFT };

enum { RETREATS_AT, CONTESTED_AT, RULES_AT, ENDS_AT, ATTACKERS_AT, ATTRIBUTES_AT, VERDICTS_AT,
       SETTLED_AT, RESULTS };

struct request {
  const struct map *map;
  struct workspace *workspace;
  int32_t from, to;              /* the boards to adjudicate */
  u32 unit_count;                /* of all boards */
  u32 only_propagates;           /* whether boards are left that propagation leaves open */
  const u32 *starts;             /* boards + 1: where each board's units begin */
  const struct unit_code *units;
  const struct order_code *orders;
  const u8 *seasons;             /* by board */
  const u8 *owners;              /* by board and province, or null: nobody owns anything */
  u8 *results;                   /* the memory of the following, each with so many bytes before it */
  u64 before[RESULTS];
  u8 *verdicts;                  /* by unit */
  u16 *ends;                     /* by unit: its location, NOWHERE if it is dislodged */
  u16 *attackers;                /* by unit: the unit that dislodged it, by number on the board */
  u64 *retreats;                 /* by unit: bits in the order of the locations that it can reach;
                                  * zeros before, and only those of dislodged units are written */
  u16 *attributes;               /* by unit, ATTRIBUTES each: after the phase */
  u64 *contested;                /* by board, PLACE_WORDS words each */
  u8 *settled;                   /* by board */
  u32 *rules;                    /* by board: bits of the cycle rules that were applied */
  int32_t fault, board, unit;    /* what is wrong with the first bad board */
};

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

static void write_dislodged(struct workspace *k, struct request *r, u32 at, int x) {
  const struct facts *f = &k->facts;
  struct bounds *b = &k->bounds;
  struct unit_walk walk = walk_units(f->attackers[f->province[x]] & units_at(b->low + MOVE_AT));
  int by = next_unit(&walk);
  r->attackers[at + x] = by < 0 ? NOWHERE : (u16)by;
  r->retreats[at + x] = retreats_of(f, b, x);
}

/* The units with a legal order on which the verdict is bad. */
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

/* Writes the results of units. Returns 0 if one moves and is dislodged too, which codes of results
 * cannot say, or if two end in one province, a defect of the rules. */
static int write_units(struct workspace *k, struct request *r, u32 at) {
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

static void write_left(struct request *r, int i) {
  u32 at = r->starts[i], end = r->starts[i + 1];
  r->settled[i] = LEFT;
  r->rules[i] = 0;
  memset(r->contested + (long)i * PLACE_WORDS, 0, sizeof(places));
  for (; at < end; at++) {
    r->verdicts[at] = OPEN;
    r->ends[at] = r->attackers[at] = NOWHERE;
    r->retreats[at] = 0;
  }
}

static void write_board(struct workspace *k, struct request *r, int i) {
  const struct facts *f = &k->facts;
  u32 at = r->starts[i];
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
    write_left(r, i);
    return;
  }
  struct place_walk walk = walk_places(f->attacked);
  for (int p; (p = next_place(&walk)) >= 0;)
    if (result_contested(f, &k->bounds, p)) add_place(&contested_here, p);
  if (k->bounds.out_of_range) {
    write_left(r, i);
    return;
  }
  memcpy(r->contested + (long)i * PLACE_WORDS, &contested_here, sizeof contested_here);
}

/* The memory that one call at a time can use; null if there is none. */
struct workspace *new_workspace(void) { return calloc(1, sizeof(struct workspace)); }
void free_workspace(struct workspace *k) { free(k); }

static void find_results(struct request *r) {
  r->retreats = (u64 *)(r->results + r->before[RETREATS_AT]);
  r->contested = (u64 *)(r->results + r->before[CONTESTED_AT]);
  r->rules = (u32 *)(r->results + r->before[RULES_AT]);
  r->ends = (u16 *)(r->results + r->before[ENDS_AT]);
  r->attackers = (u16 *)(r->results + r->before[ATTACKERS_AT]);
  r->attributes = (u16 *)(r->results + r->before[ATTRIBUTES_AT]);
  r->verdicts = r->results + r->before[VERDICTS_AT];
  r->settled = r->results + r->before[SETTLED_AT];
}

/* Adjudicates boards `from` to `to`. Returns how many are left to the solver, -1 for a bad code. */
int adjudicate(struct request *r) {
  const struct map *m = r->map;
  struct workspace *k = r->workspace;
  int left = 0;
  find_results(r);
  k->facts.map = m;
  memset(k->facts.owner, NOBODY, sizeof k->facts.owner);
  for (int i = r->from; i < r->to; i++) {
    u32 first = r->starts[i], end = r->starts[i + 1];
    int count = (int)(end - first), unit = 0, fault = LOADED;
    k->facts.season = r->seasons[i];
    if (r->seasons[i] > 3) fault = BAD_SEASON;
    if (first > end || end > r->unit_count) fault = BAD_STARTS;
    for (int p = 0; r->owners && p < m->provinces; p++) {
      k->facts.owner[p] = r->owners[(long)i * m->provinces + p];
      if (k->facts.owner[p] < UNKNOWN && k->facts.owner[p] >= m->powers && !fault)
        fault = BAD_OWNER;
    }
    if (!fault) fault = load(&k->facts, count, r->units + first, r->orders + first, &unit);
    if (fault > HANDED_BACK) {
      r->fault = fault;
      r->board = i;
      r->unit = unit;
      return -1;
    }
    u32 applied = 0;
    if (fault == HANDED_BACK || !resolve(k, &applied, r->only_propagates)) {
      write_left(r, i);
    } else {
      r->settled[i] = applied ? BY_RULE : UNIQUE;
      r->rules[i] = applied;
      write_board(k, r, i);
    }
    left += r->settled[i] == LEFT;
  }
  return left;
}

/* The sizes by which the caller checks that it lays out its arrays as this library reads them. */
void sizes(int32_t *out) {
  out[0] = sizeof(struct unit_code);
  out[1] = sizeof(struct order_code);
  out[2] = UNIT_WORDS;
  out[3] = PLACE_WORDS;
  out[4] = sizeof(struct request);
  out[5] = sizeof(struct map);
}
