/* Sets of units and sets of provinces as bits, and walks over them.
 *
 * UNIT_WORDS and PLACE_WORDS are set by the source that includes this: how many words of 64 bits a
 * set of units or provinces has. PLACE_WORDS is a power of two from 2 on. A set of units is one word,
 * or the same as a set of provinces: no two units stand in one. */
#if PLACE_WORDS > 2 && defined(__AVX2__)
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC target("tune=skylake-avx512") /* else it copies sets in parts too small to be read again at once */
#endif
#include <immintrin.h>
#endif
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

typedef u64 places __attribute__((vector_size(8 * PLACE_WORDS), aligned(8)));

/* One of two numbers, both computed, because a mispredicted branch takes longer. */
static inline long either(long holds, long one, long other) {
  return other ^ ((one ^ other) & -holds);
}

static inline places no_places(void) { return (places){0}; }

/* The set of a province if `holds` is 1, the empty set if it is 0. Made in registers, because a
 * word just written to memory is slow to read back together with others. */
static inline places place_if(int x, long holds) {
  places words = {0};
#if PLACE_WORDS == 2
  words[0] = (u64)((x < 64) & holds) << (x & 63), words[1] = (u64)((x >= 64) & holds) << (x & 63);
  return words;
#else
  for (int w = 0; w < PLACE_WORDS; w++) words[w] = (u64)w; /* a constant */
  return (places)(words == (u64)(x >> 6)) & ((u64)holds << (x & 63));
#endif
}

static inline places the_place(int x) { return place_if(x, 1); }

static inline void add_place(places *s, int x) { (*s)[x >> 6] |= BIT(x); }

static inline long count_places(places s) {
  long found = 0;
  for (int w = 0; w < PLACE_WORDS; w++) found += __builtin_popcountll(s[w]);
  return found;
}

/* A macro reads one word of a set in memory; a function would copy the set. */
#define has_place(s, x) \
  __extension__({ int place_ = (x); (int)((s)[place_ >> 6] >> (place_ & 63) & 1); })

/* Which words of a set are not empty, as bits. */
static inline u32 words_of(places s) {
  u32 found = 0;
#if PLACE_WORDS == 8 && defined(__AVX512F__)
  found = _mm512_test_epi64_mask((__m512i)s, (__m512i)s);
#elif PLACE_WORDS > 2 && defined(__AVX2__)
  __m256i part[PLACE_WORDS / 4];
  memcpy(part, &s, sizeof part);
  for (int n = 0; n < PLACE_WORDS / 4; n++) {
    __m256i empty = _mm256_cmpeq_epi64(part[n], _mm256_setzero_si256());
    found |= (u32)(_mm256_movemask_pd((__m256d)empty) ^ 15) << 4 * n;
  }
#else
  for (int w = 0; w < PLACE_WORDS; w++) found |= (u32)(s[w] != 0) << w;
#endif
  return found;
}

static inline long any_place(places s) {
#if PLACE_WORDS == 2
  return (s[0] | s[1]) != 0;
#else
  return words_of(s) != 0;
#endif
}

static inline places places_at(const u64 *words) {
  places found;
  memcpy(&found, words, sizeof found);
  return found;
}

struct place_walk {
  places left;
  u64 word;  /* the rest of the word with the number `at` */
  u32 words; /* the words that come later */
  int at;
};

static inline struct place_walk walk_places(places s) {
#if PLACE_WORDS == 2 /* most maps: both words stay in registers */
  return (struct place_walk){s, 0, 0, 0};
#else
  return (struct place_walk){s, 0, words_of(s), 0};
#endif
}

/* The next province of a walk, -1 after the last. */
static inline int next_place(struct place_walk *walk) {
#if PLACE_WORDS == 2
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
#else
  if (!walk->word) {
    if (!walk->words) return -1;
    walk->at = LOWEST(walk->words);
    walk->words &= walk->words - 1;
    walk->word = walk->left[walk->at];
  }
  int bit = LOWEST(walk->word);
  walk->word &= walk->word - 1;
  return 64 * walk->at + bit;
#endif
}

/* The `count` places with the lowest numbers. */
static inline places first_places(int count) {
  places found;
  for (int w = 0; w < PLACE_WORDS; w++) {
    int here = count - 64 * w;
    found[w] = here >= 64 ? ~(u64)0 : here > 0 ? BIT(here) - 1 : 0;
  }
  return found;
}

#if UNIT_WORDS == 1
typedef u64 units;

struct unit_walk {
  units left;
};

static inline units no_units(void) { return 0; }
static inline units unit_if(int x, long holds) { return (u64)holds << x; }
static inline units the_unit(int x) { return BIT(x); }
static inline void add_unit(units *s, int x) { *s |= BIT(x); }
static inline units first_units(int count) { return count < 64 ? BIT(count) - 1 : ~(u64)0; }
static inline int has_unit(units s, int x) { return (int)(s >> (x & 63) & 1); }
static inline long any_unit(units s) { return s != 0; }
static inline long count_units(units s) { return __builtin_popcountll(s); }
static inline units units_at(const u64 *words) { return *words; }
static inline struct unit_walk walk_units(units s) { return (struct unit_walk){s}; }

/* The next unit of a walk, -1 after the last. */
static inline int next_unit(struct unit_walk *walk) {
  if (!walk->left) return -1;
  int found = LOWEST(walk->left);
  walk->left &= walk->left - 1;
  return found;
}

/* The only member of a set; for the empty set, any unit's number. */
static inline int only_unit(units s) { return LOWEST(s | BIT(63)); }
#else
typedef places units;
#define unit_walk place_walk
#define no_units no_places
#define unit_if place_if
#define the_unit the_place
#define add_unit add_place
#define first_units first_places
#define has_unit has_place
#define any_unit any_place
#define count_units count_places
#define units_at places_at
#define walk_units walk_places
#define next_unit next_place

static inline int only_unit(units s) {
  struct unit_walk walk = walk_units(s);
  int first = next_unit(&walk);
  return first < 0 ? 0 : first;
}
#endif
