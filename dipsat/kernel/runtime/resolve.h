/* What propagation leaves open: connected subgraphs, their resolutions, decision cycles, and the
 * profile's rules for these (dipsat.solving.resolve). The including source defines sweep, in_play,
 * depends_on and apply_rules. */

#define MAX_SWEEPS 3000
#define MAX_ROUNDS 25
#define MAX_RESOLUTIONS 64
#define MAX_NODES 512       /* undecided decisions */
#define MAX_SEARCHED 4000   /* partial assignments in the search for resolutions */
#define MAX_DEPTH 96        /* decisions tried at the same time */

struct models {
  int count, searched, gave_up, keep, dead_ends;
  struct scope tried;   /* the decisions that were tried */
  struct bounds *found; /* all of them if `keep`, otherwise the first */
  struct scope common;  /* the decisions on which all models agree */
};

struct graph {
  int count;
  int decision[MAX_NODES];
  u64 to[MAX_NODES][MAX_NODES / 64];
  i16 node[64 * DECISION_WORDS];
};

struct pins {
  u64 set[DECISION_WORDS], truth[TRUTH_WORDS];
  i16 number[NUMBERS];
};

/* The memory of one thread. */
struct workspace {
  struct facts facts;
  struct bounds bounds;
  struct graph graph, inner;
  struct scope cyclic; /* the decisions on cycles of `graph` */
  struct models models;
  struct bounds stack[MAX_DEPTH], found[MAX_RESOLUTIONS + 1];
  struct pins pins;
  int root[MAX_NODES];
  int sweeps; /* on this board */
};

/* Sets a decision as a rule for decision cycles says. */
static void pin(struct workspace *k, struct bounds *b, struct scope *set, int decision, long value) {
  int w = decision >> 6;
  u64 bit = BIT(decision);
  set->w[w] |= bit;
  k->pins.set[w] |= bit;
  b->open[w] &= ~bit;
  if (w < TRUTH_WORDS) {
    k->pins.truth[w] = value ? k->pins.truth[w] | bit : k->pins.truth[w] & ~bit;
    b->low[w] = value ? b->low[w] | bit : b->low[w] & ~bit;
    b->high[w] = value ? b->high[w] | bit : b->high[w] & ~bit;
  } else {
    int number = decision - 64 * TRUTH_WORDS;
    k->pins.number[number] = b->least[number] = b->most[number] = (i16)value;
  }
  if (is_lazy[w]) b->known[w] |= bit;
}

static int sweep(const struct facts *f, struct bounds *b);
static void in_play(const struct facts *f, struct scope *d);
static void depends_on(const struct facts *f, struct bounds *b, int decision, struct scope *d);

/* Sets the decisions of the cycle as in the only model that fits. Returns whether there is one. */
static inline int choose_model(struct workspace *k, struct bounds *b, struct scope *set,
                               long (*fits)(const struct facts *, struct bounds *)) {
  const struct bounds *one = 0;
  int fitting = 0;
  for (int n = 0; n < k->models.count; n++) {
    refresh(&k->found[n]);
    if (fits(&k->facts, &k->found[n])) one = &k->found[n], fitting++;
  }
  if (fitting != 1) return 0;
  for (int w = 0; w < DECISION_WORDS; w++)
    for (u64 m = k->facts.cycle.members[w]; m; m &= m - 1) {
      int at = 64 * w + LOWEST(m);
      if (!is_lazy[w])
        pin(k, b, set, at, w < TRUTH_WORDS ? bit_at(one->low, at) : one->least[at - 64 * TRUTH_WORDS]);
    }
  return 1;
}

enum { SETTLED, REACHES_OUT, NO_RULE };
static int apply_rules(struct workspace *k, struct bounds *b, const struct scope *group, u32 *applied);

/* Forgets everything about all decisions. */
static void forget(struct bounds *b) {
  memset(b->low, 0, sizeof b->low);
  memset(b->high, 0xff, sizeof b->high);
  for (int n = 0; n < NUMBERS; n++) b->least[n] = -NUMBER_LIMIT, b->most[n] = NUMBER_LIMIT;
  memset(b->fresh, 0xff, sizeof b->fresh);
}

static void start(const struct facts *f, struct bounds *b) {
  struct scope all;
  in_play(f, &all);
  forget(b);
  for (int w = 0; w < DECISION_WORDS; w++) b->open[w] = is_lazy[w] ? 0 : all.w[w];
  memset(b->known, 0, sizeof b->known);
  b->contradiction = b->out_of_range = 0;
}

/* Returns 0 if the numbers do not settle, or the board takes too long. */
static int propagate(struct workspace *k, struct bounds *b) {
  for (int n = 0; n < MAX_SWEEPS && k->sweeps < BOARD_SWEEPS; n++, k->sweeps++)
    if (!sweep(&k->facts, b) || b->contradiction) return 1;
  return 0;
}

static void open_scope(const struct bounds *b, struct scope *d) {
  for (int w = 0; w < TRUTH_WORDS; w++) d->w[w] = b->open[w] & (b->low[w] ^ b->high[w]);
  for (int w = TRUTH_WORDS; w < DECISION_WORDS; w++) {
    d->w[w] = 0;
    for (u64 m = b->open[w]; m; m &= m - 1)
      if (is_undecided(b, 64 * w + LOWEST(m))) d->w[w] |= m & -m;
  }
}

static void copy_number(struct bounds *b, const struct bounds *from, int number) {
  b->least[number] = from->least[number];
  b->most[number] = from->most[number];
}

static inline void put(struct scope *d, int decision) { d->w[decision >> 6] |= BIT(decision); }

/* Takes over the values in `from` of the decisions in `d`. */
static void adopt(struct bounds *b, const struct bounds *from, const struct scope *d) {
  for (int w = 0; w < DECISION_WORDS; w++) {
    u64 m = is_lazy[w] ? 0 : d->w[w];
    b->open[w] &= ~m;
    if (w < TRUTH_WORDS) {
      b->low[w] = (b->low[w] & ~m) | (from->low[w] & m);
      b->high[w] = (b->high[w] & ~m) | (from->high[w] & m);
    } else {
      for (; m; m &= m - 1) copy_number(b, from, 64 * (w - TRUTH_WORDS) + LOWEST(m));
    }
  }
  refresh(b);
}

/* Removes from `d` the decisions on which two resolutions differ; lazy ones do not matter. */
static void keep_common(struct scope *d, const struct bounds *one, const struct bounds *other) {
  for (int w = 0; w < TRUTH_WORDS; w++) d->w[w] &= ~(one->low[w] ^ other->low[w]);
  for (int w = TRUTH_WORDS; w < DECISION_WORDS; w++)
    for (u64 m = d->w[w]; m; m &= m - 1) {
      int number = 64 * (w - TRUTH_WORDS) + LOWEST(m);
      if (one->least[number] != other->least[number]) d->w[w] &= ~(m & -m);
    }
}

/* The undecided truth value to try next, -1 if there is none. Values on cycles come first: once
 * they are decided, the others follow, but trying others would not decide them. */
static int pick(const struct bounds *b, const struct scope *cyclic) {
  int other = -1;
  for (int w = 0; w < TRUTH_WORDS; w++) {
    u64 m = b->open[w] & (b->low[w] ^ b->high[w]);
    if (m & cyclic->w[w]) return 64 * w + LOWEST(m & cyclic->w[w]);
    if (m && other < 0) other = 64 * w + LOWEST(m);
  }
  return other;
}

static void note_model(struct models *ms, const struct bounds *b) {
  if (ms->count) keep_common(&ms->common, &ms->found[0], b);
  if (!ms->count || ms->keep) ms->found[ms->count] = *b;
  ms->count++;
}

/* Finds all resolutions of the open equations in `scope`. `cyclic` are the decisions on cycles. */
static void find_models(struct workspace *k, const struct bounds *b, const struct scope *scope,
                        const struct scope *cyclic, int keep) {
  struct models *ms = &k->models;
  int depth = 0;
  ms->count = ms->searched = ms->gave_up = ms->dead_ends = 0;
  memset(&ms->tried, 0, sizeof ms->tried);
  ms->keep = keep;
  ms->found = k->found;
  ms->common = *scope;
  k->stack[0] = *b;
  for (int w = 0; w < DECISION_WORDS; w++) k->stack[0].open[w] &= scope->w[w];
  for (depth = 1; depth;) {
    struct bounds *at = &k->stack[depth - 1];
    if (++ms->searched > MAX_SEARCHED || !propagate(k, at) || at->out_of_range) {
      ms->gave_up = 1;
      return;
    }
    if (at->contradiction) {
      ms->dead_ends++;
      depth--;
      continue;
    }
    if (!is_open(at)) {
      note_model(ms, at);
      depth--;
      if (ms->count < MAX_RESOLUTIONS) continue;
      ms->gave_up = 1;
      return;
    }
    int decision = pick(at, cyclic);
    if (decision < 0 || depth == MAX_DEPTH) {
      ms->gave_up = 1;
      return;
    }
    put(&ms->tried, decision);
    k->stack[depth] = *at; /* false is tried first */
    at->low[decision >> 6] |= BIT(decision);
    k->stack[depth].high[decision >> 6] &= ~BIT(decision);
    depth++;
  }
}

static int add_node(struct graph *g, struct scope *in, int decision) {
  if (g->count == MAX_NODES) return 0;
  in->w[decision >> 6] |= BIT(decision);
  g->decision[g->count] = decision;
  g->node[decision] = (i16)g->count++;
  return 1;
}

/* The decisions of `all`, and the lazy ones through which they depend on each other. */
static int build_graph(const struct facts *f, struct bounds *b, const struct scope *all,
                       struct graph *g) {
  struct scope in, wanted;
  memset(&in, 0, sizeof in);
  for (int w = 0; w < DECISION_WORDS; w++) wanted.w[w] = is_lazy[w] ? ~(u64)0 : all->w[w];
  g->count = 0;
  for (int w = 0; w < DECISION_WORDS; w++)
    for (u64 m = all->w[w]; m; m &= m - 1)
      if (!add_node(g, &in, 64 * w + LOWEST(m))) return 0;
  for (int i = 0; i < g->count; i++) {
    struct scope d;
    memset(&d, 0, sizeof d);
    memset(g->to[i], 0, sizeof g->to[i]);
    depends_on(f, b, g->decision[i], &d);
    for (int w = 0; w < DECISION_WORDS; w++)
      for (u64 m = d.w[w] & wanted.w[w]; m; m &= m - 1) {
        int decision = 64 * w + LOWEST(m);
        if (!bit_at(in.w, decision) && !add_node(g, &in, decision)) return 0;
        int j = g->node[decision];
        g->to[i][j >> 6] |= BIT(j);
      }
  }
  return 1;
}

static void close_over(struct graph *g) {
  int words = (g->count + 63) / 64;
  for (int k = 0; k < g->count; k++)
    for (int i = 0; i < g->count; i++)
      if (words == 1) /* nearly always; avoids a branch that is hard to predict */
        g->to[i][0] |= g->to[k][0] & -(u64)bit_at(g->to[i], k);
      else if (bit_at(g->to[i], k))
        for (int w = 0; w < words; w++) g->to[i][w] |= g->to[k][w];
}

/* The decisions that depend on themselves. The graph is its transitive closure. */
static void note_cyclic(const struct graph *g, struct scope *cyclic) {
  memset(cyclic, 0, sizeof *cyclic);
  for (int v = 0; v < g->count; v++)
    if (bit_at(g->to[v], v)) put(cyclic, g->decision[v]);
}

static int root_of(int *root, int v) {
  while (root[v] != v) v = root[v] = root[root[v]];
  return v;
}

static void unite(int *root, int v, int u) {
  int one = root_of(root, v), other = root_of(root, u);
  root[one > other ? one : other] = one > other ? other : one;
}

static void find_subgraphs(const struct graph *g, int *root) {
  for (int i = 0; i < g->count; i++) root[i] = i;
  for (int i = 0; i < g->count; i++)
    for (int w = 0; w < (g->count + 63) / 64; w++)
      for (u64 m = g->to[i][w]; m; m &= m - 1) unite(root, 64 * w + LOWEST(m), i);
}

/* Finds the strongly connected core that depends on nothing else and has the first decision, in the
 * order of the families' names. The graph is its transitive closure. */
static int first_core(const struct graph *g, const struct scope *group, struct scope *core) {
  long best = -1, least = 0;
  for (int v = 0; v < g->count; v++) {
    if (!bit_at(group->w, g->decision[v])) continue;
    long rank = 64L * DECISION_WORDS * rank_of_word[g->decision[v] >> 6] + g->decision[v];
    int is_core = (best < 0 || rank < least) && bit_at(g->to[v], v);
    for (int u = 0; u < g->count && is_core; u++)
      if (bit_at(g->to[v], u) && !bit_at(g->to[u], v)) is_core = 0;
    if (is_core) best = v, least = rank;
  }
  if (best < 0) return 0;
  memset(core, 0, sizeof *core);
  for (int u = 0; u < g->count; u++)
    if (bit_at(g->to[best], u)) put(core, g->decision[u]);
  return 1;
}

static int is_same(const struct scope *one, const struct scope *other) {
  return !memcmp(one, other, sizeof *one);
}

/* Whether a scope has decisions that are not lazy. */
static int has_eager(const struct scope *d) {
  u64 found = 0;
  for (int w = 0; w < DECISION_WORDS; w++) found |= is_lazy[w] ? 0 : d->w[w];
  return found != 0;
}

static int is_within(const struct scope *one, const struct scope *other) {
  u64 found = 0;
  for (int w = 0; w < DECISION_WORDS; w++) found |= one->w[w] & ~other->w[w];
  return !found;
}

/* Whether a core of a subgraph remains the only one once the decisions in `common` are known: they
 * are not in the core, but all other decisions on cycles are among them. */
static int is_the_core(const struct scope *cyclic, const struct scope *group,
                       const struct scope *common, const struct scope *core) {
  u64 found = 0;
  for (int w = 0; w < DECISION_WORDS; w++)
    if (!is_lazy[w])
      found |= (common->w[w] & core->w[w]) |
               (cyclic->w[w] & group->w[w] & ~core->w[w] & ~common->w[w]);
  return !found;
}

/* Whether a subgraph has as many resolutions as its core. Certain if only decisions of the core
 * were tried and each try led to a resolution. */
static int are_those_of(const struct models *ms, const struct scope *core) {
  return !RULES_CHOOSE && !ms->dead_ends && is_within(&ms->tried, core);
}

enum { DONE, AGAIN, GIVE_UP };

/* Settles one subgraph, or its first decision cycle. */
static int settle_subgraph(struct workspace *k, const struct scope *group, u32 *applied) {
  struct bounds *b = &k->bounds;
  struct models *ms = &k->models;
  struct scope core, left;
  find_models(k, b, group, &k->cyclic, 1);
  if (ms->gave_up) return GIVE_UP;
  if (ms->count == 1) {
    adopt(b, &ms->found[0], group);
    return DONE;
  }
  int has_core = first_core(&k->graph, group, &core);
  if (ms->count && has_eager(&ms->common)) {
    adopt(b, &ms->found[0], &ms->common);
    if (!has_core || !is_the_core(&k->cyclic, group, &ms->common, &core)) {
      open_scope(b, &left);
      for (int w = 0; w < DECISION_WORDS; w++) left.w[w] &= group->w[w];
      if (!build_graph(&k->facts, b, &left, &k->inner)) return GIVE_UP;
      if (!k->inner.count) return DONE;
      close_over(&k->inner);
      has_core = first_core(&k->inner, group, &core);
    }
  }
  if (!has_core) return GIVE_UP;
  if (!is_same(&core, group) && !are_those_of(ms, &core)) {
    find_models(k, b, &core, &core, 1);
    if (ms->gave_up) return GIVE_UP;
    if (ms->count == 1) {
      adopt(b, &ms->found[0], &core);
      return DONE;
    }
  }
  memcpy(k->facts.cycle.members, core.w, sizeof core.w);
  k->facts.cycle.resolutions = ms->count;
  int done = apply_rules(k, b, group, applied);
  refresh(b);
  return done == NO_RULE ? GIVE_UP : done == REACHES_OUT ? AGAIN : DONE;
}

static void put_pins(struct bounds *b, const struct pins *pins) {
  for (int w = 0; w < DECISION_WORDS; w++) {
    u64 m = pins->set[w];
    b->open[w] &= ~m;
    if (is_lazy[w]) b->known[w] |= m;
    if (w < TRUTH_WORDS) {
      b->low[w] = (b->low[w] & ~m) | (pins->truth[w] & m);
      b->high[w] = (b->high[w] & ~m) | (pins->truth[w] & m);
    } else {
      for (; m; m &= m - 1) {
        int number = 64 * (w - TRUTH_WORDS) + LOWEST(m);
        b->least[number] = b->most[number] = pins->number[number];
      }
    }
  }
  refresh(b);
}

/* Resolves the loaded board, or only propagates. Returns 0 if it is left to the solver. */
static int resolve(struct workspace *k, u32 *applied, u32 only_propagates) {
  struct bounds *b = &k->bounds;
  start(&k->facts, b);
  memset(k->pins.set, 0, sizeof k->pins.set);
  k->sweeps = 0;
  for (int round = 0; round <= MAX_ROUNDS; round++) {
    if (!propagate(k, b) || b->contradiction || b->out_of_range) return 0;
    if (!is_open(b)) return 1;
    if (only_propagates) return 0;
    struct scope all;
    open_scope(b, &all);
    if (!build_graph(&k->facts, b, &all, &k->graph) || !k->graph.count) return 0;
    find_subgraphs(&k->graph, k->root);
    close_over(&k->graph);
    note_cyclic(&k->graph, &k->cyclic);
    for (int r = 0; r < k->graph.count; r++) {
      if (k->root[r] != r) continue;
      struct scope group;
      memset(&group, 0, sizeof group);
      for (int i = r; i < k->graph.count; i++)
        if (root_of(k->root, i) == r) put(&group, k->graph.decision[i]);
      int done = settle_subgraph(k, &group, applied);
      if (done == GIVE_UP) return 0;
      if (done == AGAIN) { /* earlier conclusions may no longer follow */
        start(&k->facts, b);
        put_pins(b, &k->pins);
        break;
      }
    }
  }
  return 0;
}
