/* Checks of a board's codes, and their faults. The including source defines attribute_values, the
 * number of values that each attribute has. */

enum { LOADED, HANDED_BACK, BAD_POWER, BAD_KIND, BAD_LOCATION, BAD_ATTRIBUTE, SHARED_PROVINCE,
       BAD_ORDER_TYPE, BAD_OTHER, BAD_TARGET, BAD_STARTS, BAD_SEASON, BAD_OWNER };

/* What a call reports besides its number: a fault, with its board and unit; or the listed orders,
 * which the caller frees, and the numbers of these orders and of their subjects. */
struct report {
  int32_t fault, board, unit, subjects;
  int64_t rows;
  void *listed;
};

static int reject(struct report *report, int fault, int board, int unit) {
  report->fault = fault;
  report->board = board;
  report->unit = unit;
  return -1;
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

/* Checks the codes of a board, even of one that is handed back. Returns the fault of the unit or
 * order `at`, or LOADED. */
static int check_codes(const struct map *m, int count, const struct unit_code *unit,
                       const struct order_code *order, int *at) {
  places taken = no_places();
  int fault = LOADED;
  for (int x = 0; x < count; x++) {
    *at = x;
    if ((fault = check_unit(m, &unit[x]))) return fault;
    int p = m->province_of[unit[x].location];
    if (has_place(taken, p)) return SHARED_PROVINCE;
    add_place(&taken, p);
  }
  for (int x = 0; x < count; x++) {
    *at = x;
    if ((fault = check_order(m, &order[x]))) return fault;
  }
  return LOADED;
}

typedef u16 four __attribute__((vector_size(8))); /* the numbers of an order */

static inline four four_at(const void *code) {
  four found;
  memcpy(&found, code, sizeof found);
  return found;
}

typedef u16 sixteen __attribute__((vector_size(32))); /* the numbers of four orders */

static inline sixteen sixteen_at(const void *codes) {
  sixteen found;
  memcpy(&found, codes, sizeof found);
  return found;
}

/* Whether each number in `count` rows of four is at most the one in `most`. Tests four rows at
 * once, and the last four perhaps twice. */
static inline int are_at_most(const void *rows, int count, four most) {
  const u8 *row = rows;
  sixteen bound, wrong = {0};
  four found = {0};
  for (int n = 0; n < 16; n++) bound[n] = most[n & 3];
  if (count < 4) {
    for (int x = 0; x < count; x++) found |= (four)(four_at(row + sizeof found * x) > most);
    return !(found[0] | found[1] | found[2] | found[3]);
  }
  for (int x = 0; x < count - 4; x += 4)
    wrong |= (sixteen)(sixteen_at(row + sizeof found * x) > bound);
  wrong |= (sixteen)(sixteen_at(row + sizeof found * (count - 4)) > bound);
  u64 left[4];
  memcpy(left, &wrong, sizeof left);
  return !(left[0] | left[1] | left[2] | left[3]);
}

/* Whether all numbers are in range. Tests the same as `check_unit` and `check_order`, but finds no
 * faults, so there is no branch for each unit. */
static int are_in_range(const struct map *m, int count, const struct unit_code *unit,
                        const struct order_code *order) {
  u16 any = 0xffff, last = (u16)(m->locations - 1), none = ATTRIBUTES ? attribute_values[0] - 1 : any;
  four of_unit = {(u16)(m->powers - 1), (u16)(m->kinds - 1), last, none};
  int good = 1;
  if (sizeof *unit == sizeof of_unit) {
    good = are_at_most(unit, count, of_unit);
  } else {
    for (int x = 0; x < count; x++) good &= check_unit(m, &unit[x]) == LOADED;
  }
  if (!are_at_most(order, count, (four){CONVOY, any, last, last})) /* some have numbers that are not read */
    for (int x = 0; x < count; x++) good &= check_order(m, &order[x]) == LOADED;
  return good;
}
