/* Convoy routes over sets of provinces (dipsat.game.convoys). */

#define MAX_ROUTE_STEPS 1000 /* of the search for a minimal route; beyond, lying between will do */
#define MAX_WALKED (64 * MAX_ROUTE_STEPS)
#define PATIENCE 25          /* steps before testing whether the fleet is cut off */

static inline places beside(const places *links, places seas) {
  places found = no_places();
  struct place_walk walk = walk_places(seas);
  for (int p; (p = next_place(&walk)) >= 0;) found |= links[p];
  return found;
}

/* Whether a chain of neighbours in `seas` leads from a place in `starts` to one in `ends`. */
static int has_route(const places *links, places starts, places ends, places seas) {
  places unseen = seas & ~starts;
  starts &= seas;
  ends &= seas;
  if (any_place(starts & ends)) return 1;
  if (!any_place(ends)) return 0;
  for (places front = starts; any_place(front);) {
    front = beside(links, front) & unseen;
    if (any_place(front & ends)) return 1;
    unseen &= ~front;
  }
  return 0;
}

/* Whether carriers in the provinces `carriers` could convoy from one location to another. */
static int carried(const struct map *map, const struct carriage *by, int from, int to, places carriers) {
  int here = map->province_of[from], there = map->province_of[to];
  if (here == there) return 0;
  return has_route(by->links, by->shores[from], by->shores[to],
                   carriers & ~(the_place(here) | the_place(there)));
}

static inline places lowest_place(places s) {
  struct place_walk walk = walk_places(s);
  int first = next_place(&walk);
  return first < 0 ? s : the_place(first);
}

/* A shortest chain from `start` to a place in `goals`, all others in `allowed`; empty if none. */
static places way(const places *links, places start, places goals, places allowed) {
  places layers[PLACES], seen = start;
  int n = 0;
  layers[n++] = start;
  while (!any_place(layers[n - 1] & goals)) {
    places fresh = beside(links, layers[n - 1]) & allowed & ~seen;
    if (!any_place(fresh)) return no_places();
    seen |= fresh;
    layers[n++] = fresh;
  }
  places step = lowest_place(layers[--n] & goals), found = step;
  while (n--) {
    step = lowest_place(beside(links, step) & layers[n]);
    found |= step;
  }
  return found;
}

struct walked {
  places last, path, around, beside;
};

static int is_cut_off(const places *links, places fleet, places goals, places seas) {
  struct place_walk one = walk_places(way(links, fleet, goals, seas) & ~fleet);
  for (int a; (a = next_place(&one)) >= 0;) {
    places first = the_place(a), around = links[a] & seas & ~fleet;
    struct place_walk two = walk_places(around);
    for (int b = -2; b == -2 || (b = next_place(&two)) >= 0;) {
      places second = b == -2 ? no_places() : the_place(b);
      struct place_walk three = walk_places(b == -2 ? no_places() : around & links[b]);
      for (int c = -2; c == -2 || (c = next_place(&three)) >= 0;) {
        places strait = first | second | (c == -2 ? no_places() : the_place(c));
        if (!any_place(way(links, fleet, goals & ~strait, seas & ~strait))) return 1;
        if (c == -2) c = -3;
      }
      if (b == -2) b = -3;
    }
  }
  return 0;
}

/* Whether a path without shortcuts through `fleet` joins the seas `first` and `second`. The walk
 * follows the paths without shortcuts from the fleet to the first sea; 1 also if it gives up. */
static int two_ways(const places *links, places fleet, places first, places back_seas, places second,
                    places onward_seas) {
  struct walked *stack = malloc(sizeof *stack * MAX_WALKED);
  int count = 0, found = 0, step = 0;
  if (!stack) return 1;
  stack[count++] = (struct walked){fleet, fleet, no_places(), no_places()};
  for (; step < MAX_ROUTE_STEPS; step++) {
    if (!count || (step == PATIENCE &&
                   is_cut_off(links, fleet, first | second, back_seas | onward_seas)))
      break;
    struct walked at = stack[--count];
    places open = back_seas & ~(at.path | at.around);
    places home = way(links, at.last, first, open);
    if (!any_place(home)) continue;
    places touched = at.beside | beside(links, home & ~fleet);
    places free = (onward_seas & ~(at.path | home | touched)) | fleet;
    if (has_route(links, fleet, second, free)) { /* nearly always, the first time */
      found = 1;
      break;
    }
    free = (onward_seas & ~(at.path | at.beside)) | fleet;
    if (!has_route(links, fleet, second, free)) continue;
    places around = beside(links, at.last);
    places choices[2] = {around & open & ~home, around & home & ~at.path};
    for (int k = 0; k < 2; k++) { /* the shortest way comes first */
      struct place_walk walk = walk_places(choices[k]);
      for (int p; count < MAX_WALKED && (p = next_place(&walk)) >= 0;) {
        places sea = the_place(p);
        stack[count++] = (struct walked){sea, at.path | sea, at.around | around,
                                         at.beside | links[p]};
      }
    }
  }
  free(stack);
  return found || step == MAX_ROUTE_STEPS;
}

/* Whether some route from `from` to `to` over `carriers` needs the carrier in `province`. */
static int needs_carrier(const struct map *map, const struct carriage *by, int from, int to,
                         places carriers, int province) {
  int here = map->province_of[from], there = map->province_of[to];
  if (here == there || province == here || province == there) return 0;
  const places *links = by->links;
  places fleet = the_place(province);
  places seas = (carriers | fleet) & ~(the_place(here) | the_place(there));
  places starts = by->shores[from] & seas, ends = by->shores[to] & seas;
  places first = starts & ~ends, last = ends & ~starts, next = links[province];
  long begins = any_place(fleet & first) & any_place(next & last); /* a route of two */
  long ends_it = any_place(fleet & last) & any_place(next & first);
  if (any_place(fleet & starts & ends) | begins | ends_it) return 1;
  if (!any_place(starts) || !any_place(ends)) return 0;
  places inner = seas & ~(starts | ends);
  struct place_walk outer = walk_places(first);
  for (int s; (s = next_place(&outer)) >= 0;) {
    struct place_walk each = walk_places(last);
    for (int e; (e = next_place(&each)) >= 0;) {
      places start = the_place(s), end = the_place(e);
      int at_end = any_place(fleet & (start | end)) != 0;
      if (has_place(links[s], e)) {
        if (at_end) return 1;
        continue;
      }
      if (at_end) {
        if (any_place(way(links, start, end, inner | end))) return 1;
        continue;
      }
      if (!any_place(fleet & inner)) continue;
      places back = (inner & ~links[e]) | start, onward = (inner & ~links[s]) | end;
      if (two_ways(links, fleet, start, back, end, onward)) return 1;
    }
  }
  return 0;
}
