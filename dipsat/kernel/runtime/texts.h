/* Units and orders as programs write them: "A LON", "F NTH S A LON - BEL", "A LON - BEL VIA". A
 * board is refused as a whole, and left to dipsat's Python, if it has any other text, or one about
 * which something has to be settled first. */

#define MOST_TOKENS 7 /* of an order */
#define MOST_LETTERS 8

#define LETTER(c) ((u64)(u8)(c))

enum { REFUSED = -1 };

static const u64 HOLDS = 'H', SUPPORTS = 'S', CONVOYS = 'C', RETREATS_TO = 'R', DISBANDS = 'D', BUILDS = 'B',
                 TO = '-', VIA = 'V' | 'I' << 8 | 'A' << 16,
                 WAIVES = 'W' | 'A' << 8 | 'I' << 16 | 'V' << 24 | LETTER('E') << 32;

/* The remaining lines of a text. */
struct lines {
  const u8 *at, *end;
};

/* Reads the tokens of the next line as numbers made of their bytes, at most MOST_LETTERS each.
 * Returns how many there are, -1 if a token is too long or there are too many. */
static inline int next_tokens(struct lines *text, u64 tokens[MOST_TOKENS]) {
  int found = 0, letters = 0;
  u64 token = 0;
  const u8 *at = text->at, *end = text->end;
  for (; at < end && *at != '\n'; at++) {
    if (*at != ' ') {
      if (letters == MOST_LETTERS || !*at) return -1; /* a zero would end the name */
      token |= LETTER(*at) << 8 * letters++;
      continue;
    }
    if (found == MOST_TOKENS) return -1;
    tokens[found++] = token;
    token = 0;
    letters = 0;
  }
  if (found == MOST_TOKENS) return -1;
  tokens[found++] = token;
  text->at = at + (at < end);
  return found;
}

/* The number of the location that a token names, -1 if none. */
static inline int location_of(const struct map *m, u64 token) {
  u64 last = m->names - 1, slot = token * 0x9E3779B97F4A7C15 >> 32 & last;
  for (; m->name[slot]; slot = (slot + 1) & last)
    if (m->name[slot] == token) return m->named[slot];
  return -1;
}

static inline int kind_of(const struct map *m, u64 token) {
  for (int kind = 0; kind < m->kinds; kind++)
    if (m->name_of_kind[kind] == token) return kind;
  return -1;
}

/* Reads the units of powers; `heads` has the number of each power and the count of its texts.
 * Returns the count of units, or REFUSED. */
int read_units(const struct map *m, const u16 *heads, int powers, const u8 *text, int length,
               struct unit_code *unit) {
  struct lines left = {text, text + length};
  u64 tokens[MOST_TOKENS];
  int count = 0;
  for (int p = 0; p < powers; p++)
    for (int n = 0; n < heads[2 * p + 1]; n++, count++) {
      if (next_tokens(&left, tokens) != 2) return REFUSED;
      int kind = kind_of(m, tokens[0]), location = location_of(m, tokens[1]);
      if (kind < 0 || location < 0 || !m->stands[table_at(m, kind, location)]) return REFUSED;
      unit[count] = (struct unit_code){heads[2 * p], (u16)kind, (u16)location, {0}};
    }
  return left.at == left.end ? count : REFUSED;
}

/* The units that the orders of a phase can name. */
struct named {
  const struct map *map;
  const struct unit_code *unit;
  u16 at[PLACES]; /* by province: the number of the unit, from 1 */
};

/* The number, from 1, of the unit that two tokens name exactly; 0 if there is no unit in the
 * province, or REFUSED if the unit there has another name. */
static inline int unit_named(const struct named *by, const u64 tokens[2], int *location) {
  const struct map *m = by->map;
  int kind = kind_of(m, tokens[0]), place = location_of(m, tokens[1]);
  if (kind < 0 || place < 0) return REFUSED;
  int number = by->at[m->province_of[place]];
  const struct unit_code *unit = by->unit + (number ? number - 1 : 0);
  *location = place;
  return number && (unit->kind != kind || unit->location != place) ? REFUSED : number;
}

/* The order of a movement phase in the tokens after the unit, of type NO_ORDER if there is none. */
static inline struct order_code movement_of(const struct named *by, int power, const u64 *tokens,
                                            int count) {
  const struct order_code none = {0};
  const struct map *m = by->map;
  int target = count > 1 ? location_of(m, tokens[count - 1]) : 0, other = 0;
  if (count == 1) return tokens[0] == HOLDS ? (struct order_code){HOLD, 0, 0, 0} : none;
  if (tokens[0] == TO) {
    int via = count == 3 && tokens[2] == VIA;
    if (count != 2 + via) return none;
    target = location_of(m, tokens[1]);
    return target < 0 ? none : (struct order_code){MOVE, (u16)via, 0, (u16)target};
  }
  if (count != 3 && (count != 5 || tokens[3] != TO || target < 0)) return none;
  int number = unit_named(by, tokens + 1, &other);
  if (number == REFUSED) return none;
  if (number && m->settings.nationality_counts && by->unit[number - 1].power != power) return none;
  if (count == 3)
    return tokens[0] == SUPPORTS ? (struct order_code){SUPPORT_HOLD, 0, (u16)other, 0} : none;
  int type = tokens[0] == SUPPORTS ? SUPPORT_MOVE : tokens[0] == CONVOYS ? CONVOY : NO_ORDER;
  return (struct order_code){(u16)type, 0, (u16)other, (u16)target};
}

/* The order of a retreat phase in the tokens after the unit, of type NO_ORDER if there is none. */
static inline struct order_code retreat_of(const struct map *m, const u64 *tokens, int count) {
  if (count == 1 && tokens[0] == DISBANDS) return (struct order_code){DISBAND, 0, 0, 0};
  int target = count == 2 && (tokens[0] == RETREATS_TO || tokens[0] == TO) ? location_of(m, tokens[1]) : -1;
  return target < 0 ? (struct order_code){0} : (struct order_code){RETREAT, 0, 0, (u16)target};
}

/* The order of an adjustment phase in all tokens, of type NO_ORDER if there is none. */
static inline struct order_code change_of(const struct named *by, int power, const u64 *tokens, int count) {
  const struct order_code none = {0};
  int location = 0;
  if (count == 1 && tokens[0] == WAIVES) return (struct order_code){WAIVE, 0, (u16)power, 0};
  if (count != 3) return none;
  if (tokens[2] == BUILDS) {
    int kind = kind_of(by->map, tokens[0]);
    location = location_of(by->map, tokens[1]);
    return kind < 0 || location < 0 ? none
                                    : (struct order_code){BUILD, (u16)kind, (u16)power, (u16)location};
  }
  int number = unit_named(by, tokens, &location);
  if (tokens[2] != DISBANDS || number < 1 || by->unit[number - 1].power != power) return none;
  return (struct order_code){DISBAND, 0, (u16)power, (u16)location};
}

/* Reads the orders of powers in a phase of a kind: one order for each unit concerned, or at most
 * `room` in an adjustment phase. Writes for each unit the number of its order's text, from 1, into
 * `lines`. Returns the count of orders for units that do not exist, or REFUSED. */
int read_orders(const struct map *m, int kind, const struct unit_code *unit, int count, const u16 *heads,
                int powers, const u8 *text, int length, struct order_code *order, int room, u16 *lines) {
  struct lines left = {text, text + length};
  struct named by = {.map = m, .unit = unit};
  u64 tokens[MOST_TOKENS];
  int strays = 0, line = 0, changes = 0;
  memset(by.at, 0, sizeof(u16) * m->provinces);
  if (count > room && kind != ADJUSTMENTS) return REFUSED;
  for (int x = 0; x < count; x++) {
    if (unit[x].location >= m->locations) return REFUSED;
    u16 *at = &by.at[m->province_of[unit[x].location]];
    if (*at) return REFUSED;
    *at = (u16)(x + 1);
  }
  for (int p = 0; p < powers; p++)
    for (int n = 0, power = heads[2 * p]; n < heads[2 * p + 1]; n++) {
      int found = next_tokens(&left, tokens), location;
      line++;
      if (found < 1) return REFUSED;
      if (kind == ADJUSTMENTS) {
        struct order_code change = change_of(&by, power, tokens, found);
        if (change.type == NO_ORDER || changes == room) return REFUSED;
        order[changes++] = change;
        continue;
      }
      if (found < 3) return REFUSED;
      int number = unit_named(&by, tokens, &location);
      int is_own = number > 0 && unit[number - 1].power == power;
      if (number == REFUSED || (number && !is_own && kind == RETREATS)) return REFUSED;
      struct order_code one = kind == RETREATS ? retreat_of(m, tokens + 2, found - 2)
                                               : movement_of(&by, power, tokens + 2, found - 2);
      if (one.type == NO_ORDER) return REFUSED;
      if (!is_own) {
        if (kind == MOVEMENT && (m->settings.disorder_refused || m->settings.implicit_orders))
          return REFUSED;
        strays++;
        continue;
      }
      if (order[number - 1].type != NO_ORDER) return REFUSED; /* several orders for a unit */
      order[number - 1] = one;
      lines[number - 1] = (u16)line;
    }
  return left.at == left.end ? strays : REFUSED;
}

/* Writes the letters of a name and a character after them. Returns where the next one goes. */
static inline u8 *write_name(u8 *at, u64 name, char after) {
  for (; name; name >>= 8) *at++ = (u8)name;
  *at++ = (u8)after;
  return at;
}

static inline u8 *write_unit(const struct map *m, u8 *at, const struct unit_code *unit) {
  at = write_name(at, m->name_of_kind[unit->kind], ' ');
  return write_name(at, m->name_of[unit->location], ' ');
}

/* Writes movement orders in lines of at most eight names; `ends` says where those of each unit end.
 * Returns the number of bytes, or REFUSED if something has no name. */
int write_orders(const struct map *m, const struct unit_code *unit, int count, const u32 *ends,
                  const struct order_code *order, u8 *text) {
  u16 standing[PLACES];
  u8 *at = text;
  for (int kind = 0; kind < m->kinds; kind++)
    if (!m->name_of_kind[kind]) return REFUSED;
  for (int place = 0; place < m->locations; place++)
    if (!m->name_of[place]) return REFUSED;
  for (int x = 0; x < count; x++) standing[m->province_of[unit[x].location]] = (u16)x;
  for (int x = 0, n = 0; x < count; x++)
    for (; n < (int)ends[x]; n++) {
      const struct order_code *one = &order[n];
      at = write_unit(m, at, &unit[x]);
      if (one->type == HOLD) at = write_name(at, HOLDS, ' ');
      if (one->type > MOVE) {
        at = write_name(at, one->type == CONVOY ? CONVOYS : SUPPORTS, ' ');
        at = write_unit(m, at, &unit[standing[m->province_of[one->other]]]);
      }
      if (one->type != HOLD && one->type != SUPPORT_HOLD) {
        at = write_name(at, TO, ' ');
        at = write_name(at, m->name_of[one->target], ' ');
      }
      if (one->via) at = write_name(at, VIA, ' ');
      at[-1] = '\n';
    }
  return (int)(at - text);
}
