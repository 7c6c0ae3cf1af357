/* Bounds of all decisions. Those of lazy families are computed when read, once a sweep (`fresh`),
 * until they are final (`known`). The others are tried in every sweep while `open`. Truth values
 * precede numbers. Every decision has a bit; each family begins a new word. The including source
 * defines TRUTH_WORDS, DECISION_WORDS and NUMBERS (at least 1), the bits of numbers. */

#define NUMBER_LIMIT 15000 /* a number lies between -NUMBER_LIMIT and NUMBER_LIMIT */

struct bounds {
  u64 low[TRUTH_WORDS], high[TRUTH_WORDS]; /* of truth values */
  u64 open[DECISION_WORDS];                /* with unsettled equations; never lazy ones */
  u64 fresh[DECISION_WORDS], known[DECISION_WORDS]; /* of lazy ones */
  i16 least[NUMBERS], most[NUMBERS];
  int contradiction, out_of_range;
};

struct scope {
  u64 w[DECISION_WORDS];
};

static inline long bit_at(const u64 *words, int decision) {
  return (long)(words[decision >> 6] >> (decision & 63) & 1);
}

static inline int is_undecided(const struct bounds *b, int decision) {
  if (decision < 64 * TRUTH_WORDS)
    return (int)((b->low[decision >> 6] ^ b->high[decision >> 6]) >> (decision & 63) & 1);
  return b->least[decision - 64 * TRUTH_WORDS] != b->most[decision - 64 * TRUTH_WORDS];
}

static inline int is_open(const struct bounds *b) {
  u64 found = 0;
  for (int w = 0; w < DECISION_WORDS; w++) found |= b->open[w];
  return found != 0;
}

/* Marks the bounds of lazy decisions as out of date unless they are known. */
static inline void refresh(struct bounds *b) { memcpy(b->fresh, b->known, sizeof b->fresh); }

static inline void compute_number(struct bounds *b, int decision, long least, long most) {
  int number = decision - 64 * TRUTH_WORDS;
  if (least < -NUMBER_LIMIT || most > NUMBER_LIMIT) {
    b->out_of_range = 1;
    least = -NUMBER_LIMIT;
    most = NUMBER_LIMIT;
  }
  b->least[number] = (i16)least;
  b->most[number] = (i16)most;
  b->fresh[decision >> 6] |= BIT(decision);
  b->known[decision >> 6] |= (u64)(least == most) << (decision & 63);
}

static inline void compute_truth(struct bounds *b, int decision, long least, long most) {
  int w = decision >> 6;
  u64 bit = BIT(decision);
  b->low[w] = least ? b->low[w] | bit : b->low[w] & ~bit;
  b->high[w] = most ? b->high[w] | bit : b->high[w] & ~bit;
  b->fresh[w] |= bit;
  if (!least == !most) b->known[w] |= bit;
}

/* Sets a truth value once its equation is known. Returns whether the bounds have changed. */
static inline int settle_truth(struct bounds *b, int word, u64 bit, long least, long most) {
  if (least) {
    if (!(b->high[word] & bit)) b->contradiction = 1;
    b->low[word] |= bit;
  } else if (!most) {
    if (b->low[word] & bit) b->contradiction = 1;
    b->high[word] &= ~bit;
  } else {
    return 0;
  }
  b->open[word] &= ~bit;
  return 1;
}

static inline int narrow_number(struct bounds *b, int word, u64 bit, int number, long least, long most) {
  int changed = 0;
  if (least > b->most[number] || most < b->least[number]) {
    b->contradiction = 1;
    b->open[word] &= ~bit;
    return 0;
  }
  if (least > b->least[number]) b->least[number] = (i16)least, changed = 1;
  if (most < b->most[number]) b->most[number] = (i16)most, changed = 1;
  if (least == most) b->open[word] &= ~bit;
  return changed;
}
