/* The legal orders of positions of any phase, in the order of dipsat.game.legal_orders, with units and
 * provinces by number. */

struct choice_request {
  struct position_arrays at;
  struct order_code *rows;
  u64 room, count;         /* of rows; how many are written */
  u32 *ends;               /* by subject: where its rows end, from the first row of this call */
  u64 end_room, end_count; /* of subjects: units, and provinces to build in */
  u32 *subjects;           /* by position: where its subjects end, from the first of this call */
  int16_t *due;            /* by position and power: builds, or disbands if negative */
  u8 *settled;             /* by position */
  int32_t fault, board, unit;
};

/* The subjects of one position: the ends of their rows. */
struct choices {
  long ends[UNITS + PLACES];
  int count;
};

static void close_subject(struct choices *found, const struct order_list *list) {
  found->ends[found->count++] = list->count;
}

static int choose_moves(struct player *by, const struct position *p, struct choices *found) {
  struct facts *f = &by->board.facts;
  if (!p->game->lists_moves) return 0;
  load_position(f, p);
  if (!prepare_lister(&by->lister, f)) return 0;
  for (int x = 0; x < f->count; x++) {
    list_unit(&by->lister, f, x, &by->list);
    close_subject(found, &by->list);
  }
  return 1;
}

static int choose_retreats(struct player *by, const struct position *p, struct choices *found) {
  if (!p->game->settles_retreats) return 0;
  for (int x = 0; x < p->counts[1]; x++) {
    const u16 *next = reached_from(p, &p->lost[x]);
    for (u64 left = p->retreats[x]; left; left &= left - 1)
      add_order(&by->list, (struct order_code){RETREAT, 0, 0, next[LOWEST(left)]});
    add_order(&by->list, (struct order_code){DISBAND, 0, 0, 0});
    close_subject(found, &by->list);
  }
  return 1;
}

static void list_builds(struct player *by, const struct game_map *g, int power, int province) {
  for (int n = g->first_build[province]; n < g->first_build[province + 1]; n++)
    add_order(&by->list,
              (struct order_code){BUILD, g->builds[2 * n], (u16)power, g->builds[2 * n + 1]});
  if (g->waive) add_order(&by->list, (struct order_code){WAIVE, 0, (u16)power, 0});
}

static int choose_winter(struct player *by, const struct position *p, struct choices *found,
                       int16_t *due) {
  u16 sites[PLACES];
  int16_t builder[PLACES];
  if (!p->game->settles_winters) return 0;
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
      list_builds(by, p->game, builder[c], c);
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

/* Writes the legal orders of a position. Returns 0 if there is no room for them. */
static int write_choices(struct player *by, const struct position *p, struct choice_request *r,
                         int i) {
  struct choices found;
  int16_t *due = r->due + (long)i * p->map->powers;
  found.count = 0;
  by->list.count = 0;
  memset(due, 0, sizeof *due * (size_t)p->map->powers);
  int listed = list_position(by, p, &found, due);
  if (!listed) found.count = 0, by->list.count = 0;
  if (r->count + (u64)by->list.count > r->room || r->end_count + (u64)found.count > r->end_room)
    return 0;
  if (by->list.count)
    memcpy(r->rows + r->count, by->list.at, sizeof *by->list.at * (size_t)by->list.count);
  for (int n = 0; n < found.count; n++)
    r->ends[r->end_count + (u64)n] = (u32)(r->count + (u64)found.ends[n]);
  r->count += (u64)by->list.count;
  r->end_count += (u64)found.count;
  r->subjects[i] = (u32)r->end_count;
  r->settled[i] = listed ? UNIQUE : LEFT;
  return 1;
}

/* Lists the legal orders of the positions `from` to `to`. Returns the first position that did not fit,
 * -1 for a bad code, -2 if there is no memory. */
int list_choices(const struct map *m, const struct game_map *game, struct choice_request *r,
                 int from, int to) {
  struct player *by = new_player(m, game);
  int i = from, failed = by ? 0 : -2;
  r->count = r->end_count = 0;
  for (; !failed && i < to; i++) {
    struct position p = position_of(m, game, &r->at, i);
    r->fault = check_position(&p, &r->unit);
    if (r->fault) r->board = i, failed = -1;
    else if (!write_choices(by, &p, r, i)) break;
    else if (by->list.failed) failed = -2;
  }
  free_player(by);
  return failed ? failed : i;
}

/* The sizes by which the caller checks that it lays out its arrays as this library reads them. */
void game_sizes(int32_t *out) {
  out[0] = sizeof(struct game_map);
  out[1] = sizeof(struct list_request);
  out[2] = sizeof(struct play_request);
  out[3] = sizeof(struct choice_request);
}
