/* Where orders lead: which coast is meant, and where convoys could go (dipsat.game.targets). */

static inline int table_at(const struct map *m, int kind, int location) {
  return kind * m->locations + location;
}

static inline int reaches(const struct facts *f, int x, int province) {
  const struct map *m = f->map;
  return has_place(m->reached[table_at(m, f->kind[x], f->location[x])], province);
}

/* Where the move of a unit to a written target leads without a convoy, -1 if nowhere. */
static inline int own_target(const struct facts *f, int x, int written) {
  const struct map *m = f->map;
  return m->meant[(long)table_at(m, f->kind[x], f->location[x]) * m->locations + written];
}

/* The locations in a province that a unit can reach without a convoy, as bits. */
static u64 coasts_reached(const struct facts *f, int x, int province) {
  const struct map *m = f->map;
  const u16 *next = m->next + (long)table_at(m, f->kind[x], f->location[x]) * MAX_NEXT;
  const u16 *coast = m->coasts + (long)province * MAX_COASTS;
  u64 found = 0;
  for (int n = 0; n < MAX_NEXT && next[n] != NOWHERE; n++)
    for (int c = 0; c < MAX_COASTS; c++)
      if (coast[c] == next[n]) found |= BIT(c);
  return found;
}

/* Which of the possible locations in a province is meant by a written one, -1 if none is: DATC
 * 4.B.1 to 4.B.3. */
static int coast_meant(const struct map *m, int written, u64 possible) {
  const u16 *coast = m->coasts + (long)m->province_of[written] * MAX_COASTS;
  const struct settings *s = &m->settings;
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

static int is_cargo(const struct map *m, int kind) {
  for (int c = 0; c < m->carriages; c++)
    if (m->carriage[c].cargo == kind) return 1;
  return 0;
}

/* Whether units on the board could convoy a unit to a province, without the one in `but`. */
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

/* The locations in a province to which units on the board could convoy a unit, as bits. */
static u64 coasts_carried_to(const struct facts *f, int x, int province, int but) {
  const u16 *coast = f->map->coasts + (long)province * MAX_COASTS;
  u64 found = 0;
  for (int c = 0; c < MAX_COASTS && coast[c] != NOWHERE; c++)
    if (could_be_carried(f, x, coast[c], but)) found |= BIT(c);
  return found;
}

/* Where the move of a unit that could be convoyed leads, -1 if nowhere. */
static int cargo_target(const struct facts *f, int x, int written, int via) {
  const struct map *m = f->map;
  int p = m->province_of[written];
  if (!m->has_coasts[f->kind[x]]) return m->bare[written];
  u64 reached = coasts_reached(f, x, p);
  int is_near = reached != 0, is_reached = 0;
  for (int c = 0; c < MAX_COASTS; c++)
    is_reached |= m->coasts[(long)p * MAX_COASTS + c] == written && (reached & BIT(c)) != 0;
  if (via || !is_near || (written >= m->provinces && !is_reached))
    reached |= coasts_carried_to(f, x, p, -1);
  return coast_meant(m, written, reached);
}

/* Where the supported move of a unit leads that could be convoyed and stands on coasts; a province
 * stands for any of its coasts; -1 if nowhere. DATC 4.B.4. */
static int cargo_support(const struct facts *f, int x, int other, int written) {
  const struct map *m = f->map;
  int p = m->province_of[written], rule = m->settings.support_coast;
  u64 possible = coasts_reached(f, other, p) | coasts_carried_to(f, other, p, f->province[x]);
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
