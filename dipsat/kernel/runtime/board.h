/* A map, the settings of a profile, and the facts of one board. The including source defines
 * ATTRIBUTES, the number of attributes that every unit has. */

#define NOBODY 255      /* the owner of a province that nobody owns */
#define UNKNOWN 254     /* the owner of a province whose owner is unknown */
#define NOWHERE 0xffff  /* no location */
#define MAX_POWERS 64
#define MAX_KINDS 8
#define MAX_CARRIAGES 8
#define SEASONS 4
#define MAX_COASTS 4 /* locations in a province */
#define MAX_NEXT 64 /* locations that a unit can reach from one */

enum { NO_ORDER, HOLD, MOVE, SUPPORT_HOLD, SUPPORT_MOVE, CONVOY, ORDER_TYPES };
enum { RETREAT = ORDER_TYPES, DISBAND, BUILD, WAIVE }; /* more types of orders */
enum { MOVEMENT, RETREATS, ADJUSTMENTS, EXTRA };                  /* kinds of phases */
enum { INTENT, EXPLICIT, OPPOSED, ALWAYS };                       /* adjacent_convoy, DATC 4.A.3 */
enum { STAYS, BY_LAND, BY_LAND_WITHOUT_PATH, BY_LAND_AS_VIA };    /* via_without_convoy */

struct unit_code {
  u16 power, kind, location, attributes[ATTRIBUTES + !ATTRIBUTES];
};
struct order_code {
  u16 type, via, other, target;
};

enum { SUPPORT_COAST_OPTIONAL, SUPPORT_COAST_REQUIRED, SUPPORT_COAST_OWN, SUPPORT_COAST_IGNORED,
       SUPPORT_COAST_FIRST };                                      /* support_coast, DATC 4.B.4 */
enum { COAST_ILLEGAL, COAST_FIRST, COAST_AMENDED };              /* DATC 4.B.1 to 4.B.3 */

struct settings {
  int32_t coast_of_two, coast_of_one, coast_impossible, support_coast;
  int32_t adjacent_convoy, via_without_convoy, path_required, illegal_orders_count, disorder_refused,
      implicit_orders, every_province, rules_on_orders, nationality_counts;
};

/* One kind of convoy: units of kind `carrier` carry units of kind `cargo`. */
struct carriage {
  int carrier, cargo;
  places carrying[SEASONS]; /* where units carry */
  const places *shores;   /* by location of the cargo: where it goes aboard and ashore */
  const places *links;    /* by province: the next on a route */
  const places *ashore;   /* by province: where it goes ashore from there, unless it has coasts */
};

/* Provinces are numbered in the order of their codes. A location without a coast has the number of
 * its province. */
struct map {
  int provinces, locations, powers, kinds, carriages, features;
  int room;                    /* for units in the code of a position */
  int cargoes;                 /* the kinds that can be convoyed, as bits */
  int names;                   /* the slots of the following table */
  u64 neutrals;                /* the powers that nobody plays; their units hold */
  struct settings settings;
  places every_place;
  const u16 *province_of;      /* by location */
  const u8 *kind_of, *supply;  /* by province; 0 land, 1 coast, 2 sea */
  const u64 *homes;            /* by province: the powers whose home centre it is */
  const u8 *stands;            /* by kind and location: whether units of the kind stand there */
  const u8 *has_coasts;        /* by kind */
  const places *reached;       /* by kind and location: the provinces that a unit can move to */
  const u16 *next;             /* the same: the locations, MAX_NEXT each, sorted, then NOWHERE */
  const i16 *meant;            /* by kind, location and written target: where a move leads, -1 */
  const i16 *supported[2];     /* the same for supported moves: another power's, the same power's */
  const u8 *coasts_near;       /* by kind, location and province: its locations that the unit can
                                * reach, as bits in the order of `coasts` */
  const u8 *landings;          /* by kind and province: its locations where convoys could land */
  const u8 *coast_bit;         /* by location: its bit among the locations of its province */
  const u16 *coasts;           /* by province, MAX_COASTS each: its locations, then NOWHERE */
  const u16 *default_coast;    /* by province: the location meant if none is written */
  const i16 *bare;             /* by written target: the province if the unit has no coasts, -1 */
  const places *along;         /* by province: those on a line of the map with it */
  const places *water;         /* by province: those that share water with it */
  const places *features_of_places; /* by feature: the provinces with it */
  const places *features_of_borders; /* by feature and province: the provinces beyond borders with it */
  const u64 *features_of_powers;
  const i16 *code_numbers, *power_numbers; /* of the provinces and powers that the rules name */
  const u64 *name;             /* by slot: the name of a location in bytes, or 0 */
  const u16 *named;            /* by slot: the number of the location */
  const u64 *name_of, *name_of_kind; /* by location and by kind: the name in bytes, or 0 */
  struct carriage carriage[MAX_CARRIAGES];
  /* Data for later phases and whole games. */
  int waive, to_win, build_rule, change_after_moves, disorder, has_summer;
  int lists_moves, settles_retreats, settles_winters;
  int first_builds_count, first_disbands_count; /* if more are ordered than are due */
  int garrison_count;
  const u16 *builds;           /* kind and location of each possible build, by province */
  const u16 *first_build;      /* by province, and at the end: where they begin in `builds` */
  const u16 *default_values;   /* by attribute: its value in a new unit */
  const u16 *distance;         /* by two provinces: moves over land and water alike */
  const u16 *name_rank;        /* by province: the rank of its name among all names */
  const u8 *kind_rank;         /* by kind: which go first in civil disorder */
  const u16 *garrisons;        /* the units that the map rebuilds: power, kind and location of each */
};

struct cycle {
  u64 members[DECISION_WORDS];
  long resolutions;
};

struct facts {
  const struct map *map;
  int count, season;
  u8 power[UNITS], kind[UNITS], type[UNITS];
  u16 attribute[ATTRIBUTES + !ATTRIBUTES][UNITS];
  u16 province[UNITS], location[UNITS];
  u32 row[UNITS];                            /* of the unit's kind and location, in tables of a map */
  u16 target[UNITS], target_location[UNITS]; /* of a move */
  u16 other[UNITS];                          /* the unit that is supported or carried */
  u16 aim[UNITS], written_aim[UNITS];        /* of a support; of a convoy */
  units all, moves, supports, convoys;       /* orders that match others */
  units ordered[ORDER_TYPES];                /* by type, legal orders only */
  units convoyed, via, by_land;              /* of moves */
  units illegal, invalid;
  units of_power[MAX_POWERS];
  units units_in[PLACES], attackers[PLACES];
  units move_supports[UNITS], hold_supports[UNITS], carriers[UNITS];
  places in_play, attacked, carrying[MAX_CARRIAGES];
  u8 owner[PLACES];
  struct cycle cycle;
};

/* The units of the first index of a cycle's decisions about combinations of objects. */
static inline units of_combinations(const struct facts *f, int word, int end, int others) {
  units found = no_units();
  for (int w = word; w < end; w++)
    for (u64 left = f->cycle.members[w]; left; left &= left - 1)
      found |= the_unit((64 * (w - word) + LOWEST(left)) / others);
  return found;
}
static inline units departures(const struct facts *f, int p) { return f->units_in[p] & f->moves; }
static inline units rivals(const struct facts *f, int x) {
  return f->attackers[f->target[x]] & ~the_unit(x);
}
static inline units facing(const struct facts *f, int x) {
  return departures(f, f->target[x]) & f->attackers[f->province[x]];
}
static inline units opponents(const struct facts *f, int x) {
  return has_unit(f->convoyed, x) ? no_units() : facing(f, x) & ~f->convoyed;
}
static inline units meeting(const struct facts *f, int x) {
  return departures(f, f->target[x]) | f->attackers[f->province[x]];
}
static inline places near(const struct facts *f, int x) {
  return f->map->reached[f->row[x]] & f->in_play;
}
static inline int has_power(u64 powers, int power) {
  return power < MAX_POWERS && (powers >> power & 1);
}
static inline int is_neutral(const struct facts *f, int x) {
  return has_power(f->map->neutrals, f->power[x]);
}
static inline int next_power(u64 *left) {
  int found = *left ? LOWEST(*left) : -1;
  *left &= *left - 1;
  return found;
}

/* Whether the moves form one closed ring: each enters the province that the next one leaves. */
static inline long is_ring(const struct facts *f, units moves) {
  struct unit_walk walk = walk_units(moves);
  int first = next_unit(&walk), steps = 0;
  long count = count_units(moves);
  if (first < 0) return 0;
  int at = first;
  do {
    struct unit_walk next = walk_units(f->units_in[f->target[at]] & moves);
    at = next_unit(&next);
    steps++;
  } while (at >= 0 && at != first && steps <= count);
  return at == first && steps == count;
}
