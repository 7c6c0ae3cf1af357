/* Sets of units and sets of provinces as bits, and walks over them.
 *
 * UNIT_WORDS and PLACE_WORDS are set by the source that includes this: how many words of 64 bits a
 * set of units or provinces has. They are powers of two. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

typedef uint64_t u64;
typedef uint32_t u32;
typedef uint16_t u16;
typedef uint8_t u8;
typedef int16_t i16;

#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic ignored "-Wpsabi" /* no vector leaves this source */
#endif

#define UNITS (64 * UNIT_WORDS)
#define PLACES (64 * PLACE_WORDS)
#define BIT(x) ((u64)1 << ((x) & 63))
#define LOWEST(word) __builtin_ctzll(word)
#define ALWAYS_INLINE static inline __attribute__((always_inline))

#if UNIT_WORDS == 1
typedef u64 units;
#define UNIT_WORD(s, w) (s)
#else
typedef u64 units __attribute__((vector_size(8 * UNIT_WORDS), aligned(8)));
#define UNIT_WORD(s, w) ((s)[w])
#endif
typedef u64 places __attribute__((vector_size(8 * PLACE_WORDS), aligned(8)));

/* One of two numbers that are both computed: a branch that is not predicted takes longer. */
static inline long either(long holds, long one, long other) {
  return other ^ ((one ^ other) & -holds);
}

static inline units no_units(void) {
  units found;
  memset(&found, 0, sizeof found);
  return found;
}

static inline units all_or_none(long holds) {
  units found;
  memset(&found, holds ? 0xff : 0, sizeof found);
  return found;
}

static inline units the_unit(int x) {
  units found = no_units();
#if UNIT_WORDS == 1
  found = BIT(x);
#else
  found[x >> 6] = BIT(x);
#endif
  return found;
}

/* The set of a unit if something holds (1), else of none (0). */
static inline units unit_if(int x, long holds) {
#if UNIT_WORDS == 1
  return (u64)holds << x;
#else
  return holds ? the_unit(x) : no_units();
#endif
}

/* The units with the lowest numbers, so many. */
static inline units first_units(int count) {
  units found = no_units();
  for (int w = 0; w < UNIT_WORDS; w++) {
    int here = count - 64 * w;
    UNIT_WORD(found, w) = here >= 64 ? ~(u64)0 : here > 0 ? BIT(here) - 1 : 0;
  }
  return found;
}

static inline int has_unit(units s, int x) { return (int)(UNIT_WORD(s, x >> 6) >> (x & 63) & 1); }

static inline long any_unit(units s) {
  u64 found = 0;
  for (int w = 0; w < UNIT_WORDS; w++) found |= UNIT_WORD(s, w);
  return found != 0;
}

static inline long count_units(units s) {
  long found = 0;
  for (int w = 0; w < UNIT_WORDS; w++) found += __builtin_popcountll(UNIT_WORD(s, w));
  return found;
}

static inline units units_at(const u64 *words) {
  units found;
  memcpy(&found, words, sizeof found);
  return found;
}

struct unit_walk {
  units left;
  int word;
};

static inline struct unit_walk walk_units(units s) { return (struct unit_walk){s, 0}; }

/* The next unit of a walk, -1 after the last. */
static inline int next_unit(struct unit_walk *walk) {
  for (; walk->word < UNIT_WORDS; walk->word++) {
    u64 word = UNIT_WORD(walk->left, walk->word);
    if (word) {
#if UNIT_WORDS == 1
      walk->left = word & (word - 1);
#else
      walk->left[walk->word] = word & (word - 1);
#endif
      return 64 * walk->word + LOWEST(word);
    }
  }
  return -1;
}

/* The member of a set with one; of the empty set, any number of a unit. */
static inline int only_unit(units s) {
#if UNIT_WORDS == 1
  return LOWEST(s | BIT(63));
#else
  struct unit_walk walk = walk_units(s);
  int first = next_unit(&walk);
  return first < 0 ? 0 : first;
#endif
}

static inline places no_places(void) {
  places found;
  memset(&found, 0, sizeof found);
  return found;
}

/* The set of a province if something holds (1), else of none (0). Made in registers: a word that is
 * written to memory would be slow to read back with others. */
static inline places place_if(int x, long holds) {
  places found;
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC unroll 16 /* clang does so unasked */
#endif
  for (int w = 0; w < PLACE_WORDS; w++) found[w] = (u64)((x >> 6 == w) & holds) << (x & 63);
  return found;
}

static inline places the_place(int x) { return place_if(x, 1); }

static inline void add_place(places *s, int x) { (*s)[x >> 6] |= BIT(x); }

static inline long count_places(places s) {
  long found = 0;
  for (int w = 0; w < PLACE_WORDS; w++) found += __builtin_popcountll(s[w]);
  return found;
}

static inline int has_place(places s, int x) { return (int)(s[x >> 6] >> (x & 63) & 1); }

static inline long any_place(places s) {
  u64 found = 0;
  for (int w = 0; w < PLACE_WORDS; w++) found |= s[w];
  return found != 0;
}

static inline places places_at(const u64 *words) {
  places found;
  memcpy(&found, words, sizeof found);
  return found;
}

struct place_walk {
  places left;
  int word;
};

static inline struct place_walk walk_places(places s) { return (struct place_walk){s, 0}; }

/* The next province of a walk, -1 after the last. */
static inline int next_place(struct place_walk *walk) {
#if PLACE_WORDS == 2 /* most maps: both words stay in registers */
  u64 first = walk->left[0], second = walk->left[1];
  if (first) {
    walk->left[0] = first & (first - 1);
    return LOWEST(first);
  }
  if (second) {
    walk->left[1] = second & (second - 1);
    return 64 + LOWEST(second);
  }
  return -1;
#endif
  for (; walk->word < PLACE_WORDS; walk->word++) {
    u64 word = walk->left[walk->word];
    if (word) {
      walk->left[walk->word] = word & (word - 1);
      return 64 * walk->word + LOWEST(word);
    }
  }
  return -1;
}
