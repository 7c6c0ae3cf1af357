/* From the codes of a board to its facts: the legal orders (dipsat.game.legality), and the orders
 * that match each other (dipsat.equations.matching). The including source defines refuses_move,
 * refuses_support and refuses_convoy, the conditions of the rules on single orders. */

/* Whether the units `ordered`, which are ordered to convoy a unit, make a route for it. */
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

/* Whether a way leads over `seas` or, if `over` is a unit, to this unit from both ends. */
static int leads(const struct facts *f, const places *links, places starts, places ends, places seas, int over) {
  if (over < 0) return has_route(links, starts, ends, seas);
  places sea = the_place(f->province[over]);
  return has_route(links, starts, sea, seas) && has_route(links, ends, sea, seas);
}

/* chain(start, end, carriers): whether the convoys of `carriers` make a chain between provinces. At
 * its origin and its target, the coast where the cargo is or lands counts. */
static long convoy_chain(const struct facts *f, int start, int end, units carriers, int over) {
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
    if (any_place(starts) && any_place(ends) && leads(f, by->links, starts, ends, seas, over)) return 1;
  }
  return 0;
}

/* chain(start, end, units): the same for units in neighbouring waters. */
static long water_chain(const struct facts *f, int start, int end, units members, int over) {
  places seas = no_places();
  struct unit_walk walk = walk_units(members);
  for (int y; (y = next_unit(&walk)) >= 0;) seas |= the_place(f->province[y]);
  return leads(f, f->map->water, f->map->water[start], f->map->water[end], seas, over);
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

/* Whether the conditions refuse the move of another unit in every form of its order. */
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

static int legal_move(struct facts *f, int x, const struct order_code *order) {
  const struct map *m = f->map;
  const struct settings *s = &m->settings;
  int written = order->target, via = order->via != 0, land = 1;
  int to = own_target(f, x, written), cargo = is_cargo(m, f->kind[x]);
  int plain = (!via) & ((written < m->provinces) | (to == written));
  if (m->province_of[written] == f->province[x]) return 0;
  if ((to >= 0) & ((!cargo) | plain)) {
    via = 0; /* by land, even if it could be convoyed */
  } else if (!cargo) {
    return 0;
  } else {
    u64 carried_to = 0;
    to = cargo_target(f, x, written, via, &carried_to);
    if (to < 0) return 0;
    int is_known = (carried_to & m->coast_bit[to]) != 0;
    land = m->has_coasts[f->kind[x]] ? is_next(f, x, to) : reaches(f, x, to);
    if (land && (s->adjacent_convoy == OPPOSED || s->adjacent_convoy == ALWAYS)) via = 0;
    int can_be_carried = (via || !land) && (is_known || could_be_carried(f, x, to, -1));
    if (via && land && s->via_without_convoy != STAYS && !can_be_carried)
      via = s->via_without_convoy == BY_LAND_AS_VIA;
    else if ((via || !land) && (!can_be_carried || s->path_required))
      return 0;
  }
  f->target_location[x] = to;
  f->target[x] = m->province_of[to];
  set_bit(&f->by_land, x, land);
  set_bit(&f->convoyed, x, !land);
  set_bit(&f->via, x, via);
  return !s->rules_on_orders || !refuses_move(f, x);
}

/* Where the supported move of another unit leads, -1 if nowhere. */
static inline int supported_target(const struct facts *f, int x, int other, int written) {
  const struct map *m = f->map;
  const i16 *table = m->supported[f->power[x] == f->power[other]];
  int p = m->province_of[written], kind = f->kind[other], has_coasts = m->has_coasts[kind];
  int to = table[(long)f->row[other] * m->locations + written];
  int lands = (m->landings[kind * m->provinces + p] & ~coasts_reached(f, other, p)) != 0;
  if (!((has_coasts & lands) | (!has_coasts & (to < 0)))) return to;
  return has_coasts ? cargo_support(f, x, other, written) : bare_support(f, x, other, written);
}

static inline int legal_support(struct facts *f, int x, const struct order_code *order, int type) {
  const struct map *m = f->map;
  int place = m->province_of[order->other];
  int aim = type == SUPPORT_HOLD ? place : m->province_of[order->target];
  units there = f->units_in[place] & ~the_unit(x);
  if (!reaches(f, x, aim) | !any_unit(there)) return 0;
  int other = only_unit(there);
  f->other[x] = other;
  f->aim[x] = f->written_aim[x] = aim;
  if (type == SUPPORT_MOVE) {
    if (is_neutral(f, other)) return 0;
    int to = supported_target(f, x, other, order->target);
    if (to < 0) return 0;
    f->written_aim[x] = to;
  }
  if (!m->settings.rules_on_orders) return 1;
  return !refuses_support(f, x) &&
         (type == SUPPORT_HOLD || !refuses_every_move(f, other, aim));
}

static int legal_convoy(struct facts *f, int x, const struct order_code *order) {
  const struct map *m = f->map;
  struct unit_walk walk = walk_units(f->units_in[m->province_of[order->other]]);
  int army = next_unit(&walk), to = order->target, needed = 0;
  if (army >= 0 && !m->has_coasts[f->kind[army]]) to = m->bare[to];
  if (army < 0 || to < 0 || is_neutral(f, army)) return 0;
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
}

/* Places units whose codes are in range, and sorts their orders, if any, by type. Returns 0 if a
 * unit cannot be at its location, or if two units share a province. */
ALWAYS_INLINE int place(struct facts *f, int count, const struct unit_code *code,
                        const struct order_code *order) {
  const struct map *m = f->map;
  const u16 *province_of = m->province_of; /* otherwise it would be read again for each unit */
  const u8 *stands = m->stands;
  places of_kind[MAX_KINDS], in_play = no_places();
  int standing = 1, locations = m->locations;
  memset(of_kind, 0, sizeof(places) * m->kinds);
  for (int x = 0; x < count; x++) {
    int kind = code[x].kind, location = code[x].location, p = province_of[location];
    f->power[x] = code[x].power;
    f->kind[x] = kind;
    f->location[x] = location;
    f->row[x] = (u32)(kind * locations + location);
    f->province[x] = p;
    for (int a = 0; a < ATTRIBUTES; a++) f->attribute[a][x] = code[x].attributes[a];
    units one = the_unit(x);
    f->units_in[p] = one;
    f->of_power[code[x].power] |= one;
    add_place(&of_kind[kind], p);
    standing &= stands[f->row[x]];
    if (!order) continue;
    f->type[x] = order[x].type;
    f->ordered[order[x].type] |= one;
  }
  for (int kind = 0; kind < m->kinds; kind++) in_play |= of_kind[kind];
  f->in_play = in_play;
  f->all = first_units(count);
  for (int c = 0; c < m->carriages; c++)
    f->carrying[c] = of_kind[m->carriage[c].carrier] & m->carriage[c].carrying[f->season];
  return standing && count_places(in_play) == count;
}

static int place_units(struct facts *f, int count, const struct unit_code *code) {
  return place(f, count, code, 0);
}

static void refuse(struct facts *f, int x) {
  f->illegal |= the_unit(x);
  f->type[x] = HOLD;
}

/* Matches the moves that go by land to the written target, even if they could be convoyed. Nearly
 * all moves do. Returns these; the targets written for other moves mean nothing. */
static units plain_moves(struct facts *f, const struct order_code *order, units moves) {
  const struct map *m = f->map;
  const u16 *province_of = m->province_of;
  const i16 *meant = m->meant;
  units plain = no_units();
  places attacked = no_places();
  long locations = m->locations;
  int provinces = m->provinces, cargoes = m->cargoes;
  struct unit_walk walk = walk_units(moves);
  for (int x; (x = next_unit(&walk)) >= 0;) {
    int written = order[x].target;
    int to = meant[f->row[x] * locations + written], is_meant = to >= 0;
    to = either(is_meant, to, written);
    is_meant &= (province_of[written] != f->province[x]) &
                ((~cargoes >> f->kind[x] & 1) |
                 ((!order[x].via) & ((written < provinces) | (to == written))));
    int p = province_of[to];
    f->target_location[x] = to;
    f->target[x] = p;
    units one = unit_if(x, is_meant);
    plain |= one;
    f->attackers[p] |= one;
    attacked |= place_if(p, is_meant);
  }
  f->attacked = attacked;
  return plain;
}

static void match_moves(struct facts *f, const struct order_code *order, units given) {
  units plain = f->map->settings.rules_on_orders ? no_units() : plain_moves(f, order, given);
  f->by_land = plain;
  struct unit_walk walk = walk_units(given & ~plain);
  for (int x; (x = next_unit(&walk)) >= 0;) {
    if (!legal_move(f, x, &order[x])) {
      refuse(f, x);
      continue;
    }
    f->attackers[f->target[x]] |= the_unit(x);
    add_place(&f->attacked, f->target[x]);
  }
  f->moves = given & ~f->illegal;
  f->in_play |= f->attacked;
}

static void match_convoys(struct facts *f, const struct order_code *order, units given) {
  units carried = no_units();
  struct unit_walk walk = walk_units(given);
  for (int x; (x = next_unit(&walk)) >= 0;) {
    if (!legal_convoy(f, x, &order[x])) {
      refuse(f, x);
      continue;
    }
    int army = f->other[x];
    if (f->type[army] == MOVE && (f->target_location[army] == f->written_aim[x] ||
                                  f->target[army] == f->written_aim[x])) {
      f->carriers[army] |= the_unit(x);
      f->convoys |= the_unit(x);
      carried |= the_unit(army);
    } else {
      f->invalid |= the_unit(x);
    }
  }
  walk = walk_units(f->moves & f->by_land & (carried | f->via));
  for (int x; (x = next_unit(&walk)) >= 0;)
    set_bit(&f->convoyed, x, goes_by_convoy(f, x, f->carriers[x]));
  walk = walk_units(f->moves & f->convoyed);
  for (int x; (x = next_unit(&walk)) >= 0;)
    if (!route_over(f, x, f->target_location[x], f->carriers[x])) f->invalid |= the_unit(x);
}

static inline void match_supports(struct facts *f, const struct order_code *order, units given,
                                  int type) {
  units supports = no_units();
  struct unit_walk walk = walk_units(given);
  for (int x; (x = next_unit(&walk)) >= 0;) {
    if (!legal_support(f, x, &order[x], type)) {
      refuse(f, x);
      continue;
    }
    int other = f->other[x], aim = f->written_aim[x], moves = f->type[other] == MOVE;
    if (type == SUPPORT_MOVE)
      moves &= (aim == f->target_location[other]) | (aim == f->target[other]);
    units matching = unit_if(x, moves == (type == SUPPORT_MOVE));
    if (type == SUPPORT_MOVE)
      f->move_supports[other] |= matching;
    else
      f->hold_supports[other] |= matching;
    supports |= matching;
  }
  f->supports |= supports;
  f->invalid |= given & ~(supports | f->illegal);
}

/* Refuses all orders of neutral powers except holds. */
static void refuse_neutrals(struct facts *f, units given[ORDER_TYPES]) {
  units idle = given[NO_ORDER] | given[HOLD], bound = no_units();
  for (u64 left = f->map->neutrals; left;) bound |= f->of_power[next_power(&left)] & ~idle;
  struct unit_walk walk = walk_units(bound);
  for (int x; (x = next_unit(&walk)) >= 0;) refuse(f, x);
  for (int type = MOVE; type < ORDER_TYPES; type++) given[type] &= ~bound;
}

/* Finds the orders that are legal by themselves, and those of them that match. Units with other
 * orders hold. Moves come first, because the orders that match them depend on which are legal. */
static int match_orders(struct facts *f, const struct order_code *order) {
  const struct settings *s = &f->map->settings;
  units given[ORDER_TYPES];
  memcpy(given, f->ordered, sizeof given);
  if (f->map->neutrals) refuse_neutrals(f, given);
  match_moves(f, order, given[MOVE]);
  match_convoys(f, order, given[CONVOY]);
  match_supports(f, order, given[SUPPORT_HOLD], SUPPORT_HOLD);
  match_supports(f, order, given[SUPPORT_MOVE], SUPPORT_MOVE);
  for (int type = 0; type < ORDER_TYPES; type++) f->ordered[type] = given[type] & ~f->illegal;
  f->ordered[HOLD] |= f->illegal;
  if (s->every_province) f->in_play |= f->map->every_place;
  if (any_unit(f->illegal) && s->illegal_orders_count) return HANDED_BACK; /* DATC 2.4 4.E.1 a to c */
  if (any_unit(given[NO_ORDER]) && s->implicit_orders) return HANDED_BACK;
  if (s->disorder_refused)
    for (int x = 0; x < f->count; x++)
      if (!any_unit(f->of_power[f->power[x]] & ~given[NO_ORDER])) return HANDED_BACK; /* 4.D.9 */
  return LOADED;
}

/* Loads a board. Returns LOADED, HANDED_BACK, or the fault of the unit or order `at`. */
static int load(struct facts *f, int count, const struct unit_code *unit,
                const struct order_code *order, int *at) {
  if (count > UNITS || !are_in_range(f->map, count, unit, order)) {
    int fault = check_codes(f->map, count, unit, order, at);
    return fault ? fault : HANDED_BACK;
  }
  clear(f, count);
  if (!place(f, count, unit, order)) return check_codes(f->map, count, unit, order, at);
  int fault = match_orders(f, order);
  if (fault) return fault;
  return LOADED;
}

/* Boards, one after the other. */
struct boards {
  const u32 *starts;             /* boards + 1: where each board's units begin */
  const struct unit_code *units;
  const struct order_code *orders;
  const u8 *seasons;             /* by board */
  const u8 *owners;              /* by board and province, or null: nobody owns anything */
  int64_t count;                 /* number of boards */
};

/* Sets the season and the owners of the centres of a board. */
static int read_surroundings(struct facts *f, const struct boards *by, int board) {
  int fault = LOADED, provinces = f->map->provinces;
  if (by->starts[board] > by->starts[board + 1] || by->starts[board + 1] > by->starts[by->count])
    return BAD_STARTS;
  f->season = by->seasons[board];
  if (f->season >= SEASONS) return BAD_SEASON;
  for (int p = 0; by->owners && p < provinces; p++) {
    f->owner[p] = by->owners[(long)board * provinces + p];
    if (f->owner[p] < UNKNOWN && f->owner[p] >= f->map->powers) fault = BAD_OWNER;
  }
  return fault;
}
