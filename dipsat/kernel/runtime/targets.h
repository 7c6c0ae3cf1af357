/* Targets of orders: the coast that is meant, and where convoys could go (dipsat.game.legality). */

static inline int table_at(const struct map *m, int kind, int location) {
  return kind * m->locations + location;
}

static inline int reaches(const struct facts *f, int x, int province) {
  const struct map *m = f->map;
  return has_place(m->reached[f->row[x]], province);
}

/* Where the move of a unit to a written target leads without a convoy, -1 if nowhere. */
static inline int own_target(const struct facts *f, int x, int written) {
  const struct map *m = f->map;
  return m->meant[(long)f->row[x] * m->locations + written];
}

/* The locations in a province that a unit can reach without a convoy, as bits. */
static inline u64 coasts_reached(const struct facts *f, int x, int province) {
  const struct map *m = f->map;
  return m->coasts_near[(long)f->row[x] * m->provinces + province];
}

/* Whether a unit can go to a location without a convoy. */
static inline int is_next(const struct facts *f, int x, int location) {
  const struct map *m = f->map;
  return (coasts_reached(f, x, m->province_of[location]) & m->coast_bit[location]) != 0;
}

/* The possible location in a province that a written one means, -1 if none: DATC 4.B.1 to 4.B.3. */
static int coast_meant(const struct map *m, int written, u64 possible) {
  const u16 *coast = m->coasts + (long)m->province_of[written] * MAX_COASTS;
  const struct settings *s = &m->settings;
  if (possible & m->coast_bit[written]) return written;
  for (int again = 0; possible && again < 2; again++) {
    for (int c = 0; c < MAX_COASTS; c++)
      if (coast[c] == written && (possible & BIT(c))) return written;
    int rule = possible & (possible - 1) ? s->coast_of_two : s->coast_of_one;
    if (written >= m->provinces) { /* a coast that the unit cannot reach */
      if (s->coast_impossible == COAST_ILLEGAL) return -1;
      return coast[LOWEST(possible)];
    }
    if (rule == COAST_ILLEGAL && coast[1] != NOWHERE) return -1;
    if (rule != COAST_FIRST) return coast[LOWEST(possible)];
    written = m->default_coast[m->province_of[written]];
  }
  return possible ? coast[LOWEST(possible)] : -1;
}

static inline int is_cargo(const struct map *m, int kind) { return m->cargoes >> kind & 1; }

/* Whether units on the board, except the one in `but`, could convoy a unit to a province. */
static int could_be_carried(const struct facts *f, int x, int target, int but) {
  const struct map *m = f->map;
  for (int c = 0; c < m->carriages; c++) {
    const struct carriage *by = &m->carriage[c];
    if (by->cargo != f->kind[x]) continue;
    places carriers = f->carrying[c];
    if (but >= 0) carriers &= ~the_place(but);
    if (carried(m, by, f->location[x], target, carriers)) return 1;
  }
  return 0;
}

/* The locations in a province to which units on the board could convoy a unit, besides those
 * `known`, as bits. */
static u64 coasts_carried_to(const struct facts *f, int x, int province, int but, u64 known) {
  const struct map *m = f->map;
  const u16 *coast = m->coasts + (long)province * MAX_COASTS;
  u64 found = 0, left = m->landings[f->kind[x] * m->provinces + province] & ~known;
  for (; left; left &= left - 1)
    if (could_be_carried(f, x, coast[LOWEST(left)], but)) found |= left & -left;
  return found;
}

/* Where the move of a unit that could be convoyed leads, -1 if nowhere. `carried_to` becomes, as
 * bits, locations to which it surely could be convoyed; there may be others. */
static int cargo_target(const struct facts *f, int x, int written, int via, u64 *carried_to) {
  const struct map *m = f->map;
  int p = m->province_of[written];
  if (!m->has_coasts[f->kind[x]]) return m->bare[written];
  u64 reached = coasts_reached(f, x, p);
  int is_reached = (reached & m->coast_bit[written]) != 0;
  if (via || !reached || (written >= m->provinces && !is_reached))
    *carried_to = coasts_carried_to(f, x, p, -1, reached);
  reached |= *carried_to;
  return coast_meant(m, written, reached);
}

/* Where the supported move of a unit without coasts leads, -1 if nowhere. */
static int bare_support(const struct facts *f, int x, int other, int written) {
  const struct map *m = f->map;
  int p = m->province_of[written];
  if (reaches(f, other, p) || has_place(m->along[f->province[other]], p) ||
      could_be_carried(f, other, p, f->province[x]))
    return m->bare[written];
  return -1;
}

/* The same for a unit that has coasts and could be convoyed. A province stands for any of its
 * coasts. DATC 4.B.4. */
static int cargo_support(const struct facts *f, int x, int other, int written) {
  const struct map *m = f->map;
  int p = m->province_of[written], rule = m->settings.support_coast;
  u64 possible = coasts_reached(f, other, p);
  possible |= coasts_carried_to(f, other, p, f->province[x], possible);
  int is_coast = written >= m->provinces, several = (possible & (possible - 1)) != 0;
  if (rule == SUPPORT_COAST_FIRST && !is_coast) written = m->default_coast[p];
  if ((is_coast || rule == SUPPORT_COAST_FIRST) && rule != SUPPORT_COAST_IGNORED)
    return coast_meant(m, written, possible);
  if (!possible) return -1;
  int excused = rule == SUPPORT_COAST_OWN && (!several || f->power[x] == f->power[other]);
  if (m->coasts[(long)p * MAX_COASTS + 1] != NOWHERE &&
      (rule == SUPPORT_COAST_REQUIRED || (rule == SUPPORT_COAST_OWN && !excused)))
    return -1;
  return several ? p : m->coasts[(long)p * MAX_COASTS + LOWEST(possible)];
}
