/* From the codes of a board to its facts: which orders are legal (dipsat.game.legality), and which
 * match each other (dipsat.equations.matching). The source that includes this defines
 * refuses_move, refuses_support and refuses_convoy, the conditions of the rules on single orders. */

enum { LOADED, HANDED_BACK, BAD_POWER, BAD_KIND, BAD_LOCATION, BAD_ATTRIBUTE, SHARED_PROVINCE,
       BAD_ORDER_TYPE, BAD_OTHER, BAD_TARGET, BAD_STARTS, BAD_SEASON, BAD_OWNER };

/* Whether the units of `ordered` that are ordered to convoy a unit make a route for it. */
static int route_over(const struct facts *f, int x, int target, units ordered) {
  const struct map *m = f->map;
  for (int c = 0; c < m->carriages; c++) {
    const struct carriage *by = &m->carriage[c];
    if (by->cargo != f->kind[x]) continue;
    places carriers = no_places();
    struct unit_walk walk = walk_units(ordered);
    for (int y; (y = next_unit(&walk)) >= 0;)
      if (f->kind[y] == by->carrier) carriers |= the_place(f->province[y]);
    if (carried(m, by, f->location[x], target, carriers)) return 1;
  }
  return 0;
}

static inline places shore_of(const struct facts *f, const struct carriage *by, int army, int p) {
  if (p == f->target[army]) return by->shores[f->target_location[army]];
  return by->shores[p == f->province[army] ? f->location[army] : p];
}

/* chain(start, end, carriers): whether the convoys of `carriers` make a chain between provinces.
 * In its origin and its target, the coast where the cargo stands or lands counts. */
static long convoy_chain(const struct facts *f, int start, int end, units carriers) {
  const struct map *m = f->map;
  for (int c = 0; c < m->carriages; c++) {
    const struct carriage *by = &m->carriage[c];
    places seas = no_places(), starts = no_places(), ends = no_places();
    struct unit_walk walk = walk_units(carriers);
    for (int y; (y = next_unit(&walk)) >= 0;) {
      int army = f->other[y];
      if (f->kind[y] != by->carrier || f->kind[army] != by->cargo) continue;
      places sea = the_place(f->province[y]);
      seas |= sea;
      starts |= sea & shore_of(f, by, army, start);
      ends |= sea & shore_of(f, by, army, end);
    }
    if (any_place(starts) && any_place(ends) && has_route(by->links, starts, ends, seas)) return 1;
  }
  return 0;
}

/* chain(start, end, units): the same for units in neighbouring waters. */
static long water_chain(const struct facts *f, int start, int end, units members) {
  places seas = no_places();
  struct unit_walk walk = walk_units(members);
  for (int y; (y = next_unit(&walk)) >= 0;) seas |= the_place(f->province[y]);
  return has_route(f->map->water, f->map->water[start], f->map->water[end], seas);
}

/* on_route: whether a route through the matching orders that may carry the army needs this one. */
static long on_route(const struct facts *f, int x) {
  const struct map *m = f->map;
  int army = f->other[x];
  for (int c = 0; c < m->carriages; c++) {
    const struct carriage *by = &m->carriage[c];
    if (by->cargo != f->kind[army] || by->carrier != f->kind[x]) continue;
    places seas = no_places();
    struct unit_walk walk = walk_units(f->carriers[army]);
    for (int y; (y = next_unit(&walk)) >= 0;)
      if (f->kind[y] == by->carrier) seas |= the_place(f->province[y]);
    return has_place(seas, f->province[x]) &&
           needs_carrier(m, by, f->location[army], f->target_location[army], seas, f->province[x]);
  }
  return 0;
}

static long refuses_move(const struct facts *f, int x);
static long refuses_support(const struct facts *f, int x);
static long refuses_convoy(const struct facts *f, int x);

static void set_bit(units *s, int x, int holds) { *s = holds ? *s | the_unit(x) : *s & ~the_unit(x); }

/* Whether the conditions refuse the move of another unit however it is ordered. */
static int refuses_every_move(struct facts *f, int x, int target) {
  int own = f->target[x], refused = 1;
  units via = f->via, by_land = f->by_land, convoyed = f->convoyed;
  int land = reaches(f, x, target);
  f->target[x] = target;
  set_bit(&f->by_land, x, land);
  set_bit(&f->convoyed, x, !land);
  for (int v = 0; v < 2 && refused; v++) {
    set_bit(&f->via, x, v);
    refused = refuses_move(f, x) != 0;
  }
  f->target[x] = own;
  f->via = via;
  f->by_land = by_land;
  f->convoyed = convoyed;
  return refused;
}

/* Whether a unit can go to a location without a convoy. */
static int is_next(const struct facts *f, int x, int location) {
  const struct map *m = f->map;
  const u16 *next = m->next + (long)table_at(m, f->kind[x], f->location[x]) * MAX_NEXT;
  for (int n = 0; n < MAX_NEXT && next[n] != NOWHERE; n++)
    if (next[n] == location) return 1;
  return 0;
}

static int legal_move(struct facts *f, int x, const struct order_code *order) {
  const struct map *m = f->map;
  const struct settings *s = &m->settings;
  int written = order->target, via = order->via != 0, land = 1, to;
  if (m->province_of[written] == f->province[x]) return 0;
  if (!is_cargo(m, f->kind[x])) {
    to = own_target(f, x, written);
    if (to < 0) return 0;
    via = 0;
  } else {
    to = cargo_target(f, x, written, via);
    if (to < 0) return 0;
    land = m->has_coasts[f->kind[x]] ? is_next(f, x, to) : reaches(f, x, to);
    if (land && (s->adjacent_convoy == OPPOSED || s->adjacent_convoy == ALWAYS)) via = 0;
    if (via && land && s->via_without_convoy != STAYS && !could_be_carried(f, x, to, -1))
      via = s->via_without_convoy == BY_LAND_AS_VIA;
    else if ((via || !land) && (!could_be_carried(f, x, to, -1) || s->path_required))
      return 0;
  }
  f->target_location[x] = to;
  f->target[x] = m->province_of[to];
  set_bit(&f->by_land, x, land);
  set_bit(&f->convoyed, x, !land);
  set_bit(&f->via, x, via);
  return !s->rules_on_orders || !refuses_move(f, x);
}

static int legal_support(struct facts *f, int x, const struct order_code *order) {
  const struct map *m = f->map;
  int place = m->province_of[order->other];
  int aim = order->type == SUPPORT_HOLD ? place : m->province_of[order->target];
  struct unit_walk walk = walk_units(f->units_in[place]);
  int other = next_unit(&walk);
  if (!reaches(f, x, aim) || other < 0 || other == x) return 0;
  f->other[x] = other;
  f->aim[x] = f->written_aim[x] = aim;
  if (order->type == SUPPORT_MOVE) {
    if (m->has_coasts[f->kind[other]] && is_cargo(m, f->kind[other])) {
      int to = cargo_support(f, x, other, order->target);
      if (to < 0) return 0;
      f->written_aim[x] = to;
    } else if (m->has_coasts[f->kind[other]]) {
      const i16 *table = m->supported[f->power[x] == f->power[other]];
      long at = (long)table_at(m, f->kind[other], f->location[other]) * m->locations;
      if (table[at + order->target] < 0) return 0;
      f->written_aim[x] = table[at + order->target];
    } else if (m->bare[order->target] < 0 ||
               (!reaches(f, other, aim) && !has_place(m->along[f->province[other]], aim) &&
                !could_be_carried(f, other, aim, f->province[x])))
      return 0;
  }
  if (!m->settings.rules_on_orders) return 1;
  return !refuses_support(f, x) &&
         (order->type == SUPPORT_HOLD || !refuses_every_move(f, other, aim));
}

static int legal_convoy(struct facts *f, int x, const struct order_code *order) {
  const struct map *m = f->map;
  struct unit_walk walk = walk_units(f->units_in[m->province_of[order->other]]);
  int army = next_unit(&walk), to = order->target, needed = 0;
  if (army >= 0 && !m->has_coasts[f->kind[army]]) to = m->bare[to];
  if (army < 0 || to < 0) return 0;
  int place = m->province_of[to];
  for (int c = 0; c < m->carriages && !needed; c++) {
    const struct carriage *by = &m->carriage[c];
    if (by->carrier != f->kind[x] || by->cargo != f->kind[army]) continue;
    if (!has_place(f->carrying[c], f->province[x])) continue;
    const u16 *coast = m->coasts + (long)place * MAX_COASTS;
    for (int n = 0; n < MAX_COASTS && coast[n] != NOWHERE && !needed; n++) {
      int end = to < m->provinces ? coast[n] : to; /* a province stands for all its coasts */
      if (!m->has_coasts[f->kind[army]]) end = to;
      needed = needs_carrier(m, by, f->location[army], end, f->carrying[c], f->province[x]);
    }
  }
  if (!needed) return 0;
  f->other[x] = army;
  f->aim[x] = place;
  f->written_aim[x] = to;
  if (!m->settings.rules_on_orders) return 1;
  return !refuses_convoy(f, x) && !refuses_every_move(f, army, place);
}

/* DATC 4.A.3, 6.G.8: whether a move that could go by land goes by convoy. `ordered` are the units
 * that are legally ordered to carry it. */
static int goes_by_convoy(const struct facts *f, int x, units ordered) {
  const struct settings *s = &f->map->settings;
  int to = f->target_location[x];
  if (has_unit(f->via, x))
    return s->via_without_convoy == STAYS || route_over(f, x, to, ordered);
  if (s->adjacent_convoy == EXPLICIT || s->path_required) return 0;
  if (s->adjacent_convoy == INTENT) {
    int meant = any_unit(ordered & f->of_power[f->power[x]]) != 0;
    if (s->via_without_convoy == STAYS || !meant) return meant;
  } else if (s->adjacent_convoy == OPPOSED) {
    struct unit_walk walk = walk_units(f->units_in[f->target[x]] & f->moves);
    int there = next_unit(&walk);
    if (there < 0 || f->target[there] != f->province[x]) return 0;
  }
  return route_over(f, x, to, ordered);
}

static int check_unit(const struct map *m, const struct unit_code *unit) {
  if (unit->power >= m->powers) return BAD_POWER;
  if (unit->kind >= m->kinds) return BAD_KIND;
  if (unit->location >= m->locations) return BAD_LOCATION;
  if (!m->stands[table_at(m, unit->kind, unit->location)]) return BAD_LOCATION;
  for (int a = 0; a < ATTRIBUTES; a++)
    if (unit->attributes[a] >= attribute_values[a]) return BAD_ATTRIBUTE;
  return LOADED;
}

static int check_order(const struct map *m, const struct order_code *order) {
  if (order->type >= ORDER_TYPES) return BAD_ORDER_TYPE;
  if (order->type > MOVE && order->other >= m->locations) return BAD_OTHER;
  if (order->type != NO_ORDER && order->type != HOLD && order->type != SUPPORT_HOLD &&
      order->target >= m->locations)
    return BAD_TARGET;
  return LOADED;
}

static void clear(struct facts *f, int count) {
  const struct map *m = f->map;
  f->count = count;
  f->all = f->moves = f->supports = f->convoys = no_units();
  f->convoyed = f->via = f->by_land = f->illegal = f->invalid = no_units();
  f->in_play = f->attacked = no_places();
  memset(f->ordered, 0, sizeof f->ordered);
  memset(f->of_power, 0, sizeof(units) * m->powers);
  memset(f->units_in, 0, sizeof(units) * m->provinces);
  memset(f->attackers, 0, sizeof(units) * m->provinces);
  memset(f->move_supports, 0, sizeof(units) * count);
  memset(f->hold_supports, 0, sizeof(units) * count);
  memset(f->carriers, 0, sizeof(units) * count);
  memset(f->carrying, 0, sizeof f->carrying);
}

/* Whether the codes of a board mean something, even of one that is handed back: what is wrong with
 * the unit or order `at`, or LOADED. */
static int check_codes(const struct map *m, int count, const struct unit_code *unit,
                       const struct order_code *order, int *at) {
  places taken = no_places();
  int fault = LOADED;
  for (int x = 0; x < count; x++) {
    *at = x;
    if ((fault = check_unit(m, &unit[x]))) return fault;
    int p = m->province_of[unit[x].location];
    if (has_place(taken, p)) return SHARED_PROVINCE;
    taken[p >> 6] |= BIT(p);
  }
  for (int x = 0; x < count; x++) {
    *at = x;
    if ((fault = check_order(m, &order[x]))) return fault;
  }
  return LOADED;
}

static void place_units(struct facts *f, int count, const struct unit_code *code) {
  const struct map *m = f->map;
  for (int x = 0; x < count; x++) {
    int p = m->province_of[code[x].location];
    f->power[x] = code[x].power;
    f->kind[x] = code[x].kind;
    f->location[x] = code[x].location;
    f->province[x] = p;
    for (int a = 0; a < ATTRIBUTES; a++) f->attribute[a][x] = code[x].attributes[a];
    units one = the_unit(x);
    f->all |= one;
    f->units_in[p] = one;
    f->of_power[f->power[x]] |= one;
    f->in_play |= the_place(p);
    for (int c = 0; c < m->carriages; c++)
      if (m->carriage[c].carrier == f->kind[x] && has_place(m->carriage[c].carrying[f->season], p))
        f->carrying[c] |= the_place(p);
  }
}

/* Sets f->type to the orders that are legal by themselves; other units hold. */
static int rule_on_orders(struct facts *f, const struct order_code *order) {
  const struct settings *s = &f->map->settings;
  u64 ordering = 0;
  int unordered = 0;
  for (int x = 0; x < f->count; x++) {
    int type = order[x].type, legal = 1;
    if (type == MOVE) legal = legal_move(f, x, &order[x]);
    else if (type == SUPPORT_HOLD || type == SUPPORT_MOVE) legal = legal_support(f, x, &order[x]);
    else if (type == CONVOY) legal = legal_convoy(f, x, &order[x]);
    else if (type == NO_ORDER) unordered = 1;
    if (type != NO_ORDER) ordering |= BIT(f->power[x]);
    f->type[x] = legal ? type : HOLD;
    f->ordered[f->type[x]] |= the_unit(x);
    if (legal) continue;
    f->illegal |= the_unit(x);
    if (s->illegal_orders_count) return HANDED_BACK; /* DATC 2.4 4.E.1 a to c */
  }
  if (unordered && s->implicit_orders) return HANDED_BACK;
  if (s->disorder_refused)
    for (int x = 0; x < f->count; x++)
      if (!(ordering >> f->power[x] & 1)) return HANDED_BACK; /* DATC 4.D.9 */
  return LOADED;
}

static void match_convoys(struct facts *f) {
  struct unit_walk walk = walk_units(f->ordered[CONVOY]);
  for (int x; (x = next_unit(&walk)) >= 0;) {
    int army = f->other[x];
    if (f->type[army] == MOVE && (f->target_location[army] == f->written_aim[x] ||
                                  f->target[army] == f->written_aim[x])) {
      f->carriers[army] |= the_unit(x);
      f->convoys |= the_unit(x);
    } else {
      f->invalid |= the_unit(x);
    }
  }
}

static void match_moves(struct facts *f) {
  struct unit_walk walk = walk_units(f->moves);
  for (int x; (x = next_unit(&walk)) >= 0;) {
    units one = the_unit(x), ordered = f->carriers[x];
    if (has_unit(f->by_land, x) && (any_unit(ordered) || has_unit(f->via, x)))
      set_bit(&f->convoyed, x, goes_by_convoy(f, x, ordered));
    f->attackers[f->target[x]] |= one;
    f->attacked |= the_place(f->target[x]);
  }
  f->in_play |= f->attacked;
  walk = walk_units(f->moves & f->convoyed);
  for (int x; (x = next_unit(&walk)) >= 0;)
    if (!route_over(f, x, f->target_location[x], f->carriers[x])) f->invalid |= the_unit(x);
}

static void match_supports(struct facts *f) {
  struct unit_walk walk = walk_units(f->ordered[SUPPORT_MOVE]);
  for (int x; (x = next_unit(&walk)) >= 0;) {
    int other = f->other[x];
    if (f->type[other] == MOVE && (f->written_aim[x] == f->target_location[other] ||
                                   f->written_aim[x] == f->target[other])) {
      f->supports |= the_unit(x);
      f->move_supports[other] |= the_unit(x);
    } else {
      f->invalid |= the_unit(x);
    }
  }
  walk = walk_units(f->ordered[SUPPORT_HOLD]);
  for (int x; (x = next_unit(&walk)) >= 0;) {
    if (f->type[f->other[x]] == MOVE) {
      f->invalid |= the_unit(x);
    } else {
      f->supports |= the_unit(x);
      f->hold_supports[f->other[x]] |= the_unit(x);
    }
  }
}

static void match_orders(struct facts *f) {
  f->moves = f->ordered[MOVE];
  match_convoys(f);
  match_moves(f);
  match_supports(f);
  if (f->map->settings.every_province) f->in_play |= f->map->every_place;
}

/* Loads a board. Returns LOADED, HANDED_BACK, or what is wrong with the unit or order `at`. */
static int load(struct facts *f, int count, const struct unit_code *unit,
                const struct order_code *order, int *at) {
  int fault = check_codes(f->map, count, unit, order, at);
  if (fault) return fault;
  if (count > MOST_UNITS) return HANDED_BACK;
  clear(f, count);
  place_units(f, count, unit);
  fault = rule_on_orders(f, order);
  if (!fault) match_orders(f);
  return fault;
}
