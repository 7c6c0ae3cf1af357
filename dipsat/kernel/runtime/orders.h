/* The legal orders of the units of a board (dipsat.game.legal_orders), in the same order. */

#define MAX_PATHS 20000 /* over carriers, from one place; with more, the board is handed back */

struct order_list {
  struct order_code *at;
  long count, room;
  int failed; /* no memory */
};

static inline void add_order(struct order_list *list, struct order_code order) {
  if (__builtin_expect(list->count == list->room, 0)) {
    long room = list->room ? 2 * list->room : 1024;
    struct order_code *grown = realloc(list->at, sizeof *grown * (size_t)room);
    if (!grown) {
      list->failed = 1;
      return;
    }
    list->at = grown;
    list->room = room;
  }
  list->at[list->count++] = order;
}

/* How a unit could be convoyed. Entries are written only for its own targets and carriers. */
struct ways {
  places targets, carriers;
  places added[MAX_CARRIAGES]; /* by kind of convoy: the targets that no kind before it has */
  places over[PLACES];   /* by carrier: the targets of convoys that it could be part of */
  places needed[PLACES]; /* by target: the carriers that every convoy needs */
};

struct lister {
  u16 sorted[UNITS];    /* the units by their provinces */
  places within[UNITS]; /* where each of these could go */
  places carriers;      /* those that could convoy a unit */
  struct ways *ways;    /* by unit */
};

/* A search for paths without shortcuts in which only the first carrier touches the origin, and only
 * the last carrier touches the target. */
struct voyage {
  struct ways *ways;
  const places *links, *landings;
  places onward; /* the carriers that do not touch the origin */
  int count;     /* of paths */
};

/* A path: its carriers, and the places where the next carrier and the target may not be. */
struct leg {
  places path, touched, closed;
};

/* Extends a path by a carrier. Returns the targets of all paths that begin with the result. */
static places sail(struct voyage *v, int sea, const struct leg *from) {
  struct ways *ways = v->ways;
  if (v->count++ >= MAX_PATHS) return no_places();
  places one = the_place(sea), links = v->links[sea], landings = v->landings[sea];
  places ends = landings & ~from->closed;
  struct leg at = {from->path | one, from->touched | links, from->closed | landings | one};
  struct place_walk walk = walk_places(ends);
  for (int t; (t = next_place(&walk)) >= 0;)
    ways->needed[t] = has_place(ways->targets, t) ? ways->needed[t] & at.path : at.path;
  ways->targets |= ends;
  walk = walk_places(links & v->onward & ~from->touched);
  for (int p; (p = next_place(&walk)) >= 0;) ends |= sail(v, p, &at);
  if (any_place(ends)) {
    ways->over[sea] = has_place(ways->carriers, sea) ? ways->over[sea] | ends : ends;
    add_place(&ways->carriers, sea);
  }
  return ends;
}

/* Returns 0 if there are too many paths for one kind of convoy. */
static int walk_the_seas(struct lister *l, const struct facts *f, int x, int c) {
  const struct carriage *by = &f->map->carriage[c];
  places here = the_place(f->province[x]), carriers = f->carrying[c] & ~here;
  places starts = by->shores[f->location[x]] & carriers;
  struct leg start = {no_places(), no_places(), here};
  struct voyage v = {&l->ways[x], by->links, by->ashore, carriers & ~starts, 0};
  struct place_walk walk = walk_places(starts);
  for (int p; (p = next_place(&walk)) >= 0;) sail(&v, p, &start);
  return v.count <= MAX_PATHS;
}

static int find_ways(struct lister *l, const struct facts *f, int x) {
  struct ways *ways = &l->ways[x];
  ways->targets = ways->carriers = no_places();
  memset(ways->added, 0, sizeof ways->added);
  for (int c = 0; c < f->map->carriages && !is_neutral(f, x); c++) {
    if (f->map->carriage[c].cargo != f->kind[x]) continue;
    places before = ways->targets;
    if (!walk_the_seas(l, f, x, c)) return 0;
    ways->added[c] = ways->targets & ~before;
  }
  return 1;
}

static inline places reached_by(const struct facts *f, int x) {
  return f->map->reached[f->row[x]];
}

static int new_lister(struct lister *l, const struct map *m) {
  l->ways = malloc(sizeof *l->ways * (size_t)m->room);
  return l->ways != 0;
}

/* Finds the places where each unit could go, and its convoys. Returns 0 if that takes too long. */
static int prepare_lister(struct lister *l, const struct facts *f) {
  int count = 0;
  l->carriers = no_places();
  for (int p = 0; p < f->map->provinces; p++) {
    struct unit_walk walk = walk_units(f->units_in[p]);
    int x = next_unit(&walk);
    if (x < 0) continue;
    if (!find_ways(l, f, x)) return 0;
    l->carriers |= l->ways[x].carriers;
    l->within[count] = is_neutral(f, x) ? no_places() : reached_by(f, x) | l->ways[x].targets;
    l->sorted[count++] = (u16)x;
  }
  return 1;
}

static inline const u16 *next_to(const struct facts *f, int x) {
  return f->map->next + (long)f->row[x] * MAX_NEXT;
}

static void list_move(struct facts *f, int x, int to, int via, struct order_list *list) {
  struct order_code order = {MOVE, (u16)via, 0, (u16)to};
  if (!f->map->settings.rules_on_orders || legal_move(f, x, &order)) add_order(list, order);
}

static void list_moves(struct lister *l, struct facts *f, int x, struct order_list *list) {
  const struct map *m = f->map;
  places targets = l->ways[x].targets, land = reached_by(f, x);
  int decided = m->settings.adjacent_convoy == OPPOSED || m->settings.adjacent_convoy == ALWAYS;
  if (!any_place(targets)) {
    const u16 *next = next_to(f, x);
    for (int n = 0; n < MAX_NEXT && next[n] != NOWHERE; n++) list_move(f, x, next[n], 0, list);
    return;
  }
  struct place_walk walk = walk_places(land | targets); /* cargo has no coasts */
  for (int p; (p = next_place(&walk)) >= 0;) {
    int by_land = has_place(land, p);
    if (by_land) list_move(f, x, p, 0, list);
    if (!has_place(targets, p) || (by_land && decided)) continue;
    struct order_code via = {MOVE, 1, 0, (u16)p};
    int refused = m->settings.rules_on_orders && !legal_move(f, x, &via);
    if (!refused || !by_land) list_move(f, x, p, !refused, list);
  }
}

static void list_support(struct facts *f, int x, int other, int to, struct order_list *list) {
  struct order_code order = {to == NOWHERE ? SUPPORT_HOLD : SUPPORT_MOVE, 0, f->location[other],
                             (u16)(to == NOWHERE ? 0 : to)};
  if (!f->map->settings.rules_on_orders || legal_support(f, x, &order, order.type)) add_order(list, order);
}

/* The supports of a move to a province: one for each coast that the other unit reaches, and one
 * without a coast if that is a different support. */
static void list_supports_to(struct lister *l, struct facts *f, int x, int other, int p,
                             struct order_list *list) {
  const struct map *m = f->map;
  if (!m->has_coasts[f->kind[other]]) {
    if (has_place(reached_by(f, other), p) ||
        !has_place(l->ways[other].carriers, f->province[x]) ||
        !has_place(l->ways[other].needed[p], f->province[x]))
      list_support(f, x, other, p, list);
    return;
  }
  const u16 *next = next_to(f, other);
  int found[MAX_NEXT], count = 0, rule = m->settings.support_coast;
  for (int n = 0; n < MAX_NEXT && next[n] != NOWHERE; n++)
    if (m->province_of[next[n]] == p) found[count++] = next[n];
  int bare = rule == SUPPORT_COAST_OPTIONAL ||
             (rule == SUPPORT_COAST_OWN && f->power[x] == f->power[other]);
  if (count > 1 && (bare || rule == SUPPORT_COAST_IGNORED)) list_support(f, x, other, p, list);
  if (count > 1 && rule == SUPPORT_COAST_IGNORED) return;
  for (int n = 0; n < count; n++) list_support(f, x, other, found[n], list);
}

static void list_supports(struct lister *l, struct facts *f, int x, struct order_list *list) {
  places near = reached_by(f, x);
  for (int n = 0; n < f->count; n++)
    if (has_place(near, f->province[l->sorted[n]]) && l->sorted[n] != x)
      list_support(f, x, l->sorted[n], NOWHERE, list);
  for (int n = 0; n < f->count; n++) {
    places both = near & l->within[n];
    if (!any_place(both) || l->sorted[n] == x) continue;
    struct place_walk walk = walk_places(both);
    for (int p; (p = next_place(&walk)) >= 0;) list_supports_to(l, f, x, l->sorted[n], p, list);
  }
}

static void list_convoys(struct lister *l, struct facts *f, int x, struct order_list *list) {
  int here = f->province[x];
  for (int n = 0; has_place(l->carriers, here) && n < f->count; n++) {
    const struct ways *ways = &l->ways[l->sorted[n]];
    for (int c = 0; has_place(ways->carriers, here) && c < f->map->carriages; c++) {
      struct place_walk walk = walk_places(ways->over[here] & ways->added[c]);
      for (int to; (to = next_place(&walk)) >= 0;) {
        struct order_code order = {CONVOY, 0, f->location[l->sorted[n]], (u16)to};
        if (!f->map->settings.rules_on_orders || legal_convoy(f, x, &order)) add_order(list, order);
      }
    }
  }
}

/* Adds all legal orders of a unit on a board for which the lister is prepared. */
static void list_unit(struct lister *l, struct facts *f, int x, struct order_list *list) {
  add_order(list, (struct order_code){HOLD, 0, 0, 0});
  if (is_neutral(f, x)) return;
  list_moves(l, f, x, list);
  list_supports(l, f, x, list);
  list_convoys(l, f, x, list);
}

/* Data about listed orders. `ends` has, by subject (a unit, or a province to build in), the end of
 * its rows; `settled` says, by board, whether it is left to Python. */
struct listing {
  u32 *ends;
  u8 *settled;
};

struct list_request {
  const struct map *map;
  struct boards at;
  struct listing to;
};

/* Hands over the orders. Returns 0, or the reason why there are none. */
static int hand_over(struct report *report, struct order_list *list, int subjects, int failed) {
  if (!failed && list->failed) failed = -2;
  if (failed) free(list->at), *list = (struct order_list){0, 0, 0, 0};
  report->listed = list->at;
  report->rows = list->count;
  report->subjects = subjects;
  return failed;
}

void free_orders(void *listed) { free(listed); }

static int list_board(struct facts *f, struct lister *l, const struct list_request *q, int i,
                      struct order_list *list, struct report *report) {
  const struct boards *by = &q->at;
  u32 at = by->starts[i];
  int unit = 0, count = (int)(by->starts[i + 1] - at), fault = read_surroundings(f, by, i);
  if (!fault) fault = check_codes(f->map, count, by->units + at, by->orders + at, &unit);
  if (fault) return reject(report, fault, i, unit);
  int listed = count <= UNITS && f->map->lists_moves;
  if (listed) clear(f, count), place_units(f, count, by->units + at);
  listed = listed && prepare_lister(l, f);
  q->to.settled[i] = listed ? UNIQUE : LEFT;
  for (int x = 0; x < count; x++) {
    if (listed) list_unit(l, f, x, list);
    q->to.ends[at + (u32)x] = (u32)list->count;
  }
  return 0;
}

/* Lists the legal orders of boards. Returns 0, -1 for a bad code, -2 if there is no memory. */
int list_orders(const struct list_request *q, struct place *place) {
  struct facts *f = calloc(1, sizeof *f);
  struct lister l;
  struct order_list list = {0, 0, 0, 0};
  int failed = new_lister(&l, q->map) && f ? 0 : -2;
  if (!failed) {
    f->map = q->map;
    memset(f->owner, NOBODY, sizeof f->owner);
  }
  for (int i = 0; !failed && i < q->at.count; i++) failed = list_board(f, &l, q, i, &list, &place->report);
  free(l.ways);
  free(f);
  return hand_over(&place->report, &list, 0, failed);
}
