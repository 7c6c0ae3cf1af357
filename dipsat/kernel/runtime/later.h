/* Retreats, builds, disbands, and the phase after a phase (dipsat.outcomes.retreats,
 * dipsat.outcomes.adjustments, dipsat.game.next_phase). */

enum { SPRING, SUMMER, FALL, WINTER };
enum { HOME, ANY, ANY_IF_HOME_OWNED, HOME_ANY };       /* build_where */
enum { FROM_OWNED, FROM_HOME };                        /* civil_disorder, DATC 4.D.8 */

/* One position. Units and dislodged units are sorted by their provinces. */
struct position {
  const struct map *map;
  u16 *phase;   /* year, season, kind */
  u16 *counts;  /* units, dislodged units */
  struct unit_code *units, *lost;
  u64 *retreats; /* by dislodged unit: bits in the order of the locations that it can reach */
  u8 *owners;
};

static inline int province_at(const struct position *p, const struct unit_code *unit) {
  return p->map->province_of[unit->location];
}

/* Inserts a unit; units are sorted by province. */
static void put_unit(const struct position *p, struct unit_code unit) {
  int at = p->counts[0]++;
  for (; at && province_at(p, &p->units[at - 1]) > province_at(p, &unit); at--)
    p->units[at] = p->units[at - 1];
  p->units[at] = unit;
}

static int unit_in(const struct position *p, int province) {
  for (int x = 0; x < p->counts[0]; x++)
    if (province_at(p, &p->units[x]) == province) return x;
  return -1;
}

static void capture_centers(const struct position *p) {
  for (int x = 0; x < p->counts[0]; x++) {
    int here = province_at(p, &p->units[x]);
    if (p->map->supply[here]) p->owners[here] = (u8)p->units[x].power;
  }
}

static int owned_by(const struct position *p, int power) {
  int found = 0;
  for (int c = 0; c < p->map->provinces; c++) found += p->owners[c] == power;
  return found;
}

static int units_of(const struct position *p, int power) {
  int found = 0;
  for (int x = 0; x < p->counts[0]; x++) found += p->units[x].power == power;
  return found;
}

/* The provinces in which a power may build, in order; returns their number. */
static int build_sites(const struct position *p, int power, u16 *sites) {
  const struct map *m = p->map;
  int rule = p->map->build_rule, count = 0, has_home = rule != ANY_IF_HOME_OWNED;
  places taken = no_places();
  for (int x = 0; x < p->counts[0]; x++) taken |= the_place(province_at(p, &p->units[x]));
  for (int c = 0; c < m->provinces && !has_home; c++)
    has_home = p->owners[c] == power && has_power(m->homes[c], power);
  for (int c = 0; c < m->provinces && has_home; c++) {
    if (p->owners[c] != power || has_place(taken, c)) continue;
    if (rule == HOME && !has_power(m->homes[c], power)) continue;
    if (rule == HOME_ANY && !m->homes[c]) continue;
    sites[count++] = (u16)c;
  }
  return count;
}

/* The number of units that a power may build or, if negative, must disband; 0 if it is neutral. */
static int adjustments(const struct position *p, int power, u16 *sites, int *site_count) {
  *site_count = 0;
  if (has_power(p->map->neutrals, power)) return 0;
  int due = owned_by(p, power) - units_of(p, power);
  *site_count = due > 0 ? build_sites(p, power, sites) : 0;
  return due > *site_count && due > 0 ? *site_count : due;
}

/* The garrisons that the map rebuilds in winter; returns their number. */
static int rebuilt_garrisons(const struct position *p, struct unit_code *found) {
  int count = 0;
  for (int n = 0; n < p->map->garrison_count; n++) {
    const u16 *one = p->map->garrisons + 3 * n;
    struct unit_code unit = {one[0], one[1], one[2], {0}};
    int here = province_at(p, &unit);
    if (unit_in(p, here) >= 0 || (p->owners[here] != NOBODY && p->owners[here] != one[0])) continue;
    for (int a = 0; a < ATTRIBUTES; a++) unit.attributes[a] = p->map->default_values[a];
    found[count++] = unit;
  }
  return count;
}

static int is_anything_due(const struct position *p) {
  u16 sites[PLACES];
  struct unit_code garrisons[PLACES];
  int count;
  for (int power = 0; power < p->map->powers; power++)
    if (adjustments(p, power, sites, &count)) return 1;
  return rebuilt_garrisons(p, garrisons) > 0;
}

static void set_phase(const struct position *p, int years, int season, int kind) {
  p->phase[0] = (u16)(p->phase[0] + years);
  p->phase[1] = (u16)season;
  p->phase[2] = (u16)kind;
}

/* Goes to the next phase in which something happens. The units of this phase have moved. */
static void follow(const struct position *p) {
  if (p->counts[1]) {
    p->phase[2] = RETREATS;
    if (p->map->change_after_moves && p->phase[1] == FALL) capture_centers(p);
    return;
  }
  if (p->phase[2] == ADJUSTMENTS) {
    set_phase(p, 1, SPRING, MOVEMENT);
  } else if (p->phase[1] == SPRING && p->map->has_summer) {
    set_phase(p, 0, SUMMER, EXTRA);
  } else if (p->phase[1] != FALL) {
    set_phase(p, 0, FALL, MOVEMENT);
  } else {
    capture_centers(p);
    set_phase(p, 0, WINTER, ADJUSTMENTS);
    if (!is_anything_due(p)) set_phase(p, 1, SPRING, MOVEMENT);
  }
}

/* The power that has won, -1 if none has. */
static int victor(const struct position *p) {
  int most = 0, leader = -1, is_shared = 0;
  for (int power = 0; p->map->to_win && power < p->map->powers; power++) {
    int owned = has_power(p->map->neutrals, power) ? 0 : owned_by(p, power);
    if (owned == most) is_shared = 1;
    if (owned > most) most = owned, leader = power, is_shared = 0;
  }
  return is_shared || most < p->map->to_win ? -1 : leader;
}

/* --- retreats -------------------------------------------------------------------------------- */

static inline const u16 *reached_from(const struct position *p, const struct unit_code *unit) {
  return p->map->next + (long)table_at(p->map, unit->kind, unit->location) * MAX_NEXT;
}

/* Where a retreat leads, NOWHERE for a disband; -1 for an order that is left to the solver. */
static int retreat_target(const struct position *p, int x, const struct order_code *order) {
  if (order->type == NO_ORDER || order->type == DISBAND) return NOWHERE;
  const u16 *next = reached_from(p, &p->lost[x]);
  if (order->type != RETREAT) return -1;
  for (u64 left = p->retreats[x]; left; left &= left - 1)
    if (next[LOWEST(left)] == order->target) return order->target;
  return -1;
}

/* Carries out retreats; several to one province fail. Returns 0 if they are left to the solver. */
static int settle_retreats(const struct position *p, const struct order_code *orders) {
  int targets[UNITS], count = p->counts[1];
  places once = no_places(), often = no_places();
  if (!p->map->settles_retreats || p->counts[0] + count > p->map->room) return 0;
  for (int x = 0; x < count; x++) {
    targets[x] = retreat_target(p, x, &orders[x]);
    if (targets[x] < 0) return 0;
    if (targets[x] == NOWHERE) continue;
    places to = the_place(p->map->province_of[targets[x]]);
    often |= once & to;
    once |= to;
  }
  for (int x = 0; x < count; x++) {
    if (targets[x] == NOWHERE || has_place(often, p->map->province_of[targets[x]])) continue;
    struct unit_code unit = p->lost[x];
    unit.location = (u16)targets[x];
    put_unit(p, unit);
  }
  p->counts[1] = 0;
  return 1;
}

/* --- builds and disbands --------------------------------------------------------------------- */

/* The table index of the build of a kind at a location in a province, -1 if there is none. */
static int build_of(const struct map *g, int province, const struct order_code *order) {
  for (int n = g->first_build[province]; n < g->first_build[province + 1]; n++)
    if (g->builds[2 * n] == order->via && g->builds[2 * n + 1] == order->target) return n;
  return -1;
}

struct winter {
  int due[MAX_POWERS];
  places sites[MAX_POWERS];
  places taken, gone; /* provinces with builds and disbands */
  struct unit_code built[2 * PLACES];
  int builds;
};

/* Carries out one order. More orders than are due have no effect if the first orders count (DATC
 * 4.D.4, 4.D.6). Returns 0 if the order is left to the solver. */
static int carry_out(const struct position *p, const struct order_code *order, struct winter *w) {
  int power = order->other;
  if (power >= p->map->powers) return 0;
  int *due = &w->due[power];
  if (order->type == WAIVE) return p->map->waive && (*due)-- > 0;
  if (order->target >= p->map->locations) return 0;
  int here = p->map->province_of[order->target];
  if (order->type == DISBAND) {
    int x = unit_in(p, here);
    if (x < 0 || p->units[x].power != power || has_place(w->gone, here)) return 0;
    if (*due >= 0) return p->map->first_disbands_count;
    w->gone |= the_place(here);
    (*due)++;
    return 1;
  }
  if (order->type != BUILD || build_of(p->map, here, order) < 0) return 0;
  if (*due <= 0 && !has_place(w->taken, here)) return p->map->first_builds_count;
  if (!has_place(w->sites[power], here)) return 0;
  struct unit_code unit = {(u16)power, order->via, order->target, {0}};
  for (int a = 0; a < ATTRIBUTES; a++) unit.attributes[a] = p->map->default_values[a];
  w->sites[power] &= ~the_place(here);
  w->taken |= the_place(here);
  w->built[w->builds++] = unit;
  return (*due)-- > 0;
}

/* The distance of a unit from the nearest centre that counts for its power. */
static int distance_of(const struct position *p, const struct unit_code *unit) {
  int least = 0xffff, here = province_at(p, unit);
  for (int c = 0; c < p->map->provinces; c++) {
    int counts = p->map->disorder == FROM_OWNED ? p->owners[c] == unit->power
                                                 : has_power(p->map->homes[c], unit->power);
    int far = p->map->distance[(long)here * p->map->provinces + c];
    if (counts && far < least) least = far;
  }
  return least;
}

/* DATC 4.D.8: whether a unit is disbanded before another. */
static int goes_first(const struct position *p, const struct unit_code *a,
                      const struct unit_code *b) {
  const struct map *g = p->map;
  int far = distance_of(p, a) - distance_of(p, b);
  int kinds = g->kind_rank[a->kind] - g->kind_rank[b->kind];
  if (far || kinds) return far ? far > 0 : kinds < 0;
  return g->name_rank[province_at(p, a)] < g->name_rank[province_at(p, b)];
}

static void disband_farthest(const struct position *p, int power, struct winter *w) {
  const struct unit_code *first = 0;
  for (int x = 0; x < p->counts[0]; x++) {
    const struct unit_code *one = &p->units[x];
    if (one->power != power || has_place(w->gone, province_at(p, one))) continue;
    if (!first || goes_first(p, one, first)) first = one;
  }
  if (first) w->gone |= the_place(province_at(p, first));
}

/* Carries out builds and disbands, up to the first row without an order. Returns 0 if they are left
 * to the solver. */
static int settle_winter(const struct position *p, const struct order_code *orders) {
  struct winter w;
  u16 sites[PLACES];
  w.gone = w.taken = no_places();
  w.builds = 0;
  if (!p->map->settles_winters) return 0;
  for (int power = 0; power < p->map->powers; power++) {
    int count;
    w.due[power] = adjustments(p, power, sites, &count);
    w.sites[power] = no_places();
    for (int n = 0; n < count; n++) w.sites[power] |= the_place(sites[n]);
  }
  for (int n = 0; n < 2 * p->map->room && orders[n].type != NO_ORDER; n++)
    if (!carry_out(p, &orders[n], &w)) return 0;
  for (int power = 0; power < p->map->powers; power++) {
    if (w.due[power] < 0 && p->map->disorder > FROM_HOME) return 0;
    for (; w.due[power] < 0; w.due[power]++) disband_farthest(p, power, &w);
  }
  w.builds += rebuilt_garrisons(p, w.built + w.builds);
  if (p->counts[0] + w.builds > p->map->room) return 0;
  int kept = 0;
  for (int x = 0; x < p->counts[0]; x++)
    if (!has_place(w.gone, province_at(p, &p->units[x]))) p->units[kept++] = p->units[x];
  p->counts[0] = (u16)kept;
  for (int n = 0; n < w.builds; n++) put_unit(p, w.built[n]);
  return 1;
}
