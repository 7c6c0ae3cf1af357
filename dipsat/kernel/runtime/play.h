/* Whole games, phase by phase: orders, random or given, and their results. */

enum { RUNNING, WON, ENDED, LEFT_TO_ORDER, LEFT_TO_SETTLE };
enum { BAD_PHASE = BAD_OWNER + 1, TOO_MANY_UNITS, UNSORTED, BAD_RETREAT };

/* Positions, one after the other: see `struct position`. */
struct position_arrays {
  u16 *phases, *counts;
  struct unit_code *units, *lost; /* `room` of each for every position */
  u64 *retreats;
  u8 *owners;
};

struct games {
  const struct map *map;
  struct position_arrays at;
  struct order_code *orders; /* 2 * room for each position: those of the last phase */
  u8 *status, *winners;
  u32 *played;              /* phases */
  u64 seed;
  int32_t from, end;        /* the games to play */
  int32_t last_year, most_phases, stop_at, gives_orders; /* stop_at: phases played */
};

struct player {
  struct workspace board;
  struct lister lister;
  struct order_list list;
  u8 verdicts[UNITS];
  u16 ends[UNITS], attackers[UNITS], attributes[UNITS * (ATTRIBUTES + !ATTRIBUTES)];
  u64 retreats[UNITS], contested[PLACE_WORDS];
};

static struct player *new_player(const struct map *m) {
  struct player *by = malloc(sizeof *by);
  if (!by || !new_lister(&by->lister, m)) {
    free(by);
    return 0;
  }
  by->list = (struct order_list){0, 0, 0, 0};
  memset(&by->board.facts, 0, sizeof by->board.facts); /* the rest is written before it is read */
  by->board.facts.map = m;
  memset(by->board.facts.owner, NOBODY, sizeof by->board.facts.owner);
  return by;
}

static void free_player(struct player *by) {
  if (by) free(by->list.at), free(by->lister.ways);
  free(by);
}

static struct position position_of(const struct map *m, const struct position_arrays *at, int i) {
  long first = (long)i * m->room;
  return (struct position){m, at->phases + 3L * i, at->counts + 2L * i,
                           at->units + first, at->lost + first, at->retreats + first,
                           at->owners + (long)i * m->provinces};
}

/* --- chance ---------------------------------------------------------------------------------- */

static inline u64 mixed(u64 z) { /* splitmix64 */
  z += 0x9E3779B97F4A7C15u;
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
  return z ^ (z >> 31);
}

/* A number from 0 to before `count`, which depends only on the key and the subject. */
static inline int drawn(u64 key, u64 subject, long count) {
  return (int)((mixed(key ^ subject) >> 32) * (u64)count >> 32);
}

/* --- orders at random ------------------------------------------------------------------------ */

static void load_position(struct facts *f, const struct position *p) {
  f->season = p->phase[1];
  memcpy(f->owner, p->owners, (size_t)p->map->provinces);
  clear(f, p->counts[0]);
  place_units(f, p->counts[0], p->units);
}

static int order_moves(struct player *by, const struct position *p, u64 key,
                       struct order_code *orders) {
  struct facts *f = &by->board.facts;
  struct lister *l = &by->lister;
  if (!p->map->lists_moves) return 0;
  load_position(f, p);
  if (!prepare_lister(l, f)) return 0;
  for (int x = 0; x < f->count; x++) {
    by->list.count = 0;
    list_unit(l, f, x, &by->list);
    if (by->list.failed) return 0;
    orders[x] = by->list.at[drawn(key, f->province[x], by->list.count)];
  }
  return 1;
}

static int order_retreats(const struct position *p, u64 key, struct order_code *orders) {
  if (!p->map->settles_retreats) return 0;
  for (int x = 0; x < p->counts[1]; x++) {
    const u16 *next = reached_from(p, &p->lost[x]);
    u64 left = p->retreats[x];
    int which = drawn(key, (u64)province_at(p, &p->lost[x]), __builtin_popcountll(left) + 1);
    for (; which && left; which--) {
      if (which == 1) break;
      left &= left - 1;
    }
    orders[x] = which && left ? (struct order_code){RETREAT, 0, 0, next[LOWEST(left)]}
                              : (struct order_code){DISBAND, 0, 0, 0};
  }
  return 1;
}

/* Moves random provinces to the first `wanted` places of the list. */
static void choose(u16 *listed, int count, int wanted, int power, u64 key) {
  for (int n = 0; n < wanted; n++) {
    int other = n + drawn(key, (u64)(power + 1) << 16 | (u64)n, count - n);
    u16 one = listed[other];
    listed[other] = listed[n];
    listed[n] = one;
  }
}

static struct order_code random_build(const struct position *p, int power, int province, u64 key) {
  const struct map *g = p->map;
  int first = g->first_build[province], kinds = g->first_build[province + 1] - first;
  int which = drawn(key, (u64)province, kinds + (g->waive != 0));
  const u16 *build = g->builds + 2 * (first + which);
  if (which == kinds) return (struct order_code){WAIVE, 0, (u16)power, 0};
  return (struct order_code){BUILD, build[0], (u16)power, build[1]};
}

static int order_winter(const struct position *p, u64 key, struct order_code *orders) {
  u16 listed[PLACES + UNITS];
  int rows = 0;
  if (!p->map->settles_winters) return 0;
  for (int power = 0; power < p->map->powers; power++) {
    int count, due = adjustments(p, power, listed, &count);
    if (due < 0)
      for (int x = 0; x < p->counts[0]; x++)
        if (p->units[x].power == power) listed[count++] = p->units[x].location;
    choose(listed, count, due < 0 ? -due : due, power, key);
    for (int n = 0; n < (due < 0 ? -due : due); n++)
      orders[rows++] = due < 0 ? (struct order_code){DISBAND, 0, (u16)power, listed[n]}
                               : random_build(p, power, listed[n], key);
  }
  if (rows < 2 * p->map->room) orders[rows].type = NO_ORDER;
  return 1;
}

/* --- one phase ------------------------------------------------------------------------------- */

/* Lists the dislodged units that can retreat, and moves the others. */
static void move_units(const struct position *p, const struct player *by) {
  struct unit_code before[UNITS];
  int count = p->counts[0];
  memcpy(before, p->units, sizeof *before * (size_t)count);
  p->counts[0] = p->counts[1] = 0;
  for (int x = 0; x < count; x++) {
    for (int a = 0; a < ATTRIBUTES; a++)
      before[x].attributes[a] = by->attributes[x * ATTRIBUTES + a];
    if (by->ends[x] != NOWHERE) {
      before[x].location = by->ends[x];
      put_unit(p, before[x]);
    } else if (by->retreats[x]) {
      p->retreats[p->counts[1]] = by->retreats[x];
      p->lost[p->counts[1]++] = before[x];
    }
  }
}

static int settle_moves(struct player *by, const struct position *p,
                        const struct order_code *orders) {
  struct workspace *k = &by->board;
  u32 applied = 0;
  u8 settled = UNIQUE;
  int unit;
  struct results r = {
      .verdicts = by->verdicts, .ends = by->ends, .attackers = by->attackers,
      .retreats = by->retreats, .attributes = by->attributes, .contested = by->contested,
      .settled = &settled, .rules = &applied,
  };
  k->facts.season = p->phase[1];
  memcpy(k->facts.owner, p->owners, (size_t)p->map->provinces);
  int fault = load(&k->facts, p->counts[0], p->units, orders, &unit);
  if (fault || !resolve(k, &applied, 0)) return 0;
  write_board(k, &r, 0, 0);
  if (settled == LEFT) return 0;
  move_units(p, by);
  return 1;
}

/* Carries out the orders. Returns 0 if they are left to the solver. */
static int settle_phase(struct player *by, const struct position *p,
                        const struct order_code *orders) {
  int kind = p->phase[2], ends_year = p->phase[1] == FALL;
  if (ends_year && !p->map->settles_winters) return 0;
  if (kind == EXTRA || (kind == MOVEMENT && !settle_moves(by, p, orders))) return 0;
  if (kind == RETREATS && !settle_retreats(p, orders)) return 0;
  if (kind == ADJUSTMENTS && !settle_winter(p, orders)) return 0;
  follow(p);
  return 1;
}

static int order_phase(struct player *by, const struct position *p, u64 key,
                       struct order_code *orders) {
  switch (p->phase[2]) {
    case MOVEMENT: return order_moves(by, p, key, orders);
    case RETREATS: return order_retreats(p, key, orders);
    case ADJUSTMENTS: return order_winter(p, key, orders);
  }
  return 0;
}

/* --- many games ------------------------------------------------------------------------------ */

static int check_units(const struct position *p, const struct unit_code *units, int count,
                       places *taken, int *at) {
  int last = -1;
  *at = -1;
  if (count > p->map->room) return TOO_MANY_UNITS;
  for (int x = 0; x < count; x++) {
    int fault = check_unit(p->map, &units[x]);
    *at = x;
    if (fault) return fault;
    int here = province_at(p, &units[x]);
    if (here <= last) return UNSORTED;
    last = here;
    *taken |= the_place(here);
  }
  *at = -1;
  return LOADED;
}

static int check_position(const struct position *p, int *at) {
  places taken = no_places(), left = no_places();
  int kind = p->phase[2], fault = check_units(p, p->units, p->counts[0], &taken, at);
  if (!fault) fault = check_units(p, p->lost, p->counts[1], &left, at);
  if (fault) return fault;
  if (p->phase[1] > WINTER || kind > EXTRA || (kind != RETREATS && p->counts[1]) ||
      (kind == ADJUSTMENTS) != (p->phase[1] == WINTER) ||
      (kind == EXTRA) != (p->phase[1] == SUMMER))
    return BAD_PHASE;
  for (int c = 0; c < p->map->provinces; c++)
    if (p->owners[c] != NOBODY && p->owners[c] >= p->map->powers) return BAD_OWNER;
  for (int x = 0; x < p->counts[1]; x++) {
    const u16 *next = reached_from(p, &p->lost[x]);
    int is_bound = has_power(p->map->neutrals, p->lost[x].power);
    for (u64 bits = p->retreats[x]; bits; bits &= bits - 1)
      if (is_bound || next[LOWEST(bits)] == NOWHERE ||
          has_place(taken, p->map->province_of[next[LOWEST(bits)]]))
        return BAD_RETREAT;
  }
  return LOADED;
}

static int check_orders(const struct position *p, const struct order_code *orders, int *at) {
  for (int x = 0; p->phase[2] == MOVEMENT && x < p->counts[0]; x++) {
    int fault = check_order(p->map, &orders[x]);
    *at = x;
    if (fault) return fault;
  }
  return LOADED;
}

static int status_of(const struct position *p, const struct games *r, int i) {
  int winner = victor(p);
  r->winners[i] = winner < 0 ? NOBODY : (u8)winner;
  if (winner >= 0) return WON;
  return p->phase[0] > r->last_year || r->played[i] >= (u32)r->most_phases ? ENDED : RUNNING;
}

static int play_on(struct player *by, const struct position *p, const struct games *r, int i) {
  struct order_code *orders = r->orders + 2L * i * p->map->room;
  u64 key = mixed(mixed(r->seed) ^ (u64)i);
  while (r->played[i] < (u32)r->stop_at) {
    if (!r->gives_orders) {
      int status = status_of(p, r, i);
      if (status != RUNNING) return status;
      if (!order_phase(by, p, mixed(key ^ r->played[i]), orders)) return LEFT_TO_ORDER;
    }
    if (!settle_phase(by, p, orders)) return LEFT_TO_SETTLE;
    r->played[i]++;
  }
  return r->gives_orders ? RUNNING : status_of(p, r, i);
}

/* Continues the games `from` to `end` until `stop_at` phases are played. Returns 0, -1 for a bad
 * code, -2 if there is no memory. */
int play(const struct games *r, struct place *place) {
  struct player *by = new_player(r->map);
  int failed = by ? 0 : -2, unit = 0;
  for (int i = r->from; !failed && i < r->end; i++) {
    struct position p = position_of(r->map, &r->at, i);
    if (r->status[i] != RUNNING || (r->gives_orders && r->played[i])) continue;
    int fault = check_position(&p, &unit);
    if (!fault && r->gives_orders) fault = check_orders(&p, r->orders + 2L * i * r->map->room, &unit);
    if (fault) failed = reject(&place->report, fault, i, unit);
    else r->status[i] = (u8)play_on(by, &p, r, i);
  }
  free_player(by);
  return failed;
}
