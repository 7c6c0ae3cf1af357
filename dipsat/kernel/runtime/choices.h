/* The legal orders of positions of any phase, in the order of dipsat.game.legal_orders, with units and
 * provinces by number. */

struct choice_request {
  const struct map *map;
  struct position_arrays at;
  struct listing to;               /* `ends` are those of subjects: units, and provinces to build in */
  u32 *subjects;                   /* by position: where its subjects end, from the first of this call */
  int16_t *due;                    /* by position and power: builds, or disbands if negative */
  int32_t from, end;               /* the positions */
  int32_t room, end_room;          /* for rows and for subjects */
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

/* Writes the legal orders of a position. Returns 0 if there is no room for them. */
static int write_choices(struct player *by, const struct position *p, const struct choice_request *q, int i,
                         struct report *report) {
  struct choices found;
  struct order_list *list = &by->list;
  int16_t *due = q->due + (long)i * p->map->powers;
  found.count = 0;
  list->count = 0;
  memset(due, 0, sizeof *due * (size_t)p->map->powers);
  int listed = list_position(by, p, &found, due);
  if (!listed) found.count = 0, list->count = 0;
  if (report->rows + list->count > q->room || report->subjects + found.count > q->end_room) return 0;
  if (list->count) memcpy(q->to.rows + report->rows, list->at, sizeof *list->at * (size_t)list->count);
  for (int n = 0; n < found.count; n++)
    q->to.ends[report->subjects + n] = (u32)(report->rows + found.ends[n]);
  report->rows += (int32_t)list->count;
  report->subjects += found.count;
  q->subjects[i] = (u32)report->subjects;
  q->to.settled[i] = listed ? UNIQUE : LEFT;
  return 1;
}

/* Lists the legal orders of the positions `from` to `end`. Returns the first position that did not fit,
 * -1 for a bad code, -2 if there is no memory. */
int list_choices(const struct choice_request *q, struct place *place) {
  struct report *report = &place->report;
  struct player *by = new_player(q->map);
  int i = q->from, failed = by ? 0 : -2, unit = 0;
  report->rows = report->subjects = 0;
  for (; !failed && i < q->end; i++) {
    struct position p = position_of(q->map, &q->at, i);
    int fault = check_position(&p, &unit);
    if (fault) failed = reject(report, fault, i, unit);
    else if (!write_choices(by, &p, q, i, report)) break;
    else if (by->list.failed) failed = -2;
  }
  free_player(by);
  return failed ? failed : i;
}
