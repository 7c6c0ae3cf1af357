/* The legal orders of positions of any phase, in the order of dipsat.game.legal_orders, with units
 * and provinces as numbers. */

struct choice_request {
  const struct map *map;
  struct position_arrays at;
  struct listing to;
  u32 *subjects;                   /* by position: where its subjects end */
  int16_t *due;                    /* by position and power: builds, or disbands if negative */
  int64_t count;                   /* number of positions */
};

/* The ends of the rows of all subjects so far. */
struct choices {
  u32 *ends;
  int count;
};

static void close_subject(struct choices *found, const struct order_list *list) {
  found->ends[found->count++] = (u32)list->count;
}

static int choose_moves(struct player *by, const struct position *p, struct choices *found) {
  struct facts *f = &by->board.facts;
  if (!p->map->lists_moves) return 0;
  load_position(f, p);
  if (!prepare_lister(&by->lister, f)) return 0;
  for (int x = 0; x < f->count; x++) {
    list_unit(&by->lister, f, x, &by->list);
    close_subject(found, &by->list);
  }
  return 1;
}

static int choose_retreats(struct player *by, const struct position *p, struct choices *found) {
  if (!p->map->settles_retreats) return 0;
  for (int x = 0; x < p->counts[1]; x++) {
    const u16 *next = reached_from(p, &p->lost[x]);
    for (u64 left = p->retreats[x]; left; left &= left - 1)
      add_order(&by->list, (struct order_code){RETREAT, 0, 0, next[LOWEST(left)]});
    add_order(&by->list, (struct order_code){DISBAND, 0, 0, 0});
    close_subject(found, &by->list);
  }
  return 1;
}

static void list_builds(struct player *by, const struct map *g, int power, int province) {
  for (int n = g->first_build[province]; n < g->first_build[province + 1]; n++)
    add_order(&by->list,
              (struct order_code){BUILD, g->builds[2 * n], (u16)power, g->builds[2 * n + 1]});
  if (g->waive) add_order(&by->list, (struct order_code){WAIVE, 0, (u16)power, 0});
}

static int choose_winter(struct player *by, const struct position *p, struct choices *found,
                       int16_t *due) {
  u16 sites[PLACES];
  int16_t builder[PLACES];
  if (!p->map->settles_winters) return 0;
  for (int c = 0; c < p->map->provinces; c++) builder[c] = -1;
  for (int power = 0; power < p->map->powers; power++) {
    int count;
    due[power] = (int16_t)adjustments(p, power, sites, &count);
    for (int n = 0; n < count; n++) builder[sites[n]] = (int16_t)power;
  }
  for (int c = 0, x = 0; c < p->map->provinces; c++) {
    int is_here = x < p->counts[0] && province_at(p, &p->units[x]) == c;
    const struct unit_code *unit = &p->units[x];
    x += is_here;
    if (is_here && due[unit->power] < 0)
      add_order(&by->list, (struct order_code){DISBAND, 0, unit->power, unit->location});
    else if (builder[c] >= 0)
      list_builds(by, p->map, builder[c], c);
    else
      continue;
    close_subject(found, &by->list);
  }
  return 1;
}

static int list_position(struct player *by, const struct position *p, struct choices *found,
                         int16_t *due) {
  switch (p->phase[2]) {
    case MOVEMENT: return choose_moves(by, p, found);
    case RETREATS: return choose_retreats(by, p, found);
    case ADJUSTMENTS: return choose_winter(by, p, found, due);
  }
  return 0;
}

/* Lists the legal orders of positions. Returns 0, -1 for a bad code, -2 if there is no memory. */
int list_choices(const struct choice_request *q, struct place *place) {
  struct player *by = new_player(q->map);
  struct choices found = {q->to.ends, 0};
  struct order_list none = {0, 0, 0, 0};
  int failed = by ? 0 : -2, unit = 0;
  memset(q->due, 0, sizeof *q->due * (size_t)q->count * (size_t)q->map->powers);
  for (int i = 0; !failed && i < q->count; i++) {
    struct position p = position_of(q->map, &q->at, i);
    int fault = check_position(&p, &unit);
    if (fault) failed = reject(&place->report, fault, i, unit);
    else
      q->to.settled[i] = list_position(by, &p, &found, q->due + (long)i * p.map->powers) ? UNIQUE : LEFT;
    q->subjects[i] = (u32)found.count;
  }
  failed = hand_over(&place->report, by ? &by->list : &none, found.count, failed);
  if (by) by->list.at = 0;
  free_player(by);
  return failed;
}
