/*
 * runtime.h - what emitted query plans need: terms as numbers, the state in hand with its indexes, answers that are kept.
 * The same text for all games; included by game.c, after its tables' sizes and before its plans.
 *
 * Errors leave by longjmp to the call of game.h that was made; everything allocated belongs to the context.
 */
#include "game.h"

#include <setjmp.h>
#include <stdlib.h>
#include <string.h>

#define NONE 0xffffffffu
#define NO_STATE (~(uint64_t)0)

/* How long answers stay true, as in gens[] and arenas[]. */
enum { FOREVER = 0, IN_STATE = 1, IN_MOVES = 2, IN_QUESTION = 3 };

enum { MAX_TERMS = 8000000, MAX_TERM_SIZE = 1 << 20, FEW = 8, NEW_TERM = 30 };

typedef struct { u32 *at, len, cap; } vec;

/* Numbers for tuples: an array addressed by digits in mixed radix or, where that would be too large, a hash table. */
typedef struct {
    u32 arity, len, width;
    int hashed;
    vec keys;    /* the tuples, end to end */
    vec scaled;  /* per column and value: its digit times the column's stride, or NONE */
    vec dense;   /* number + 1 by digits, or by hash */
    vec columns; /* per column: digits, capacity, stride */
} keymap;

typedef struct { u32 head, tail, count, set; } answers;

enum { COMPLETE, ACTIVE, WAITING };

/* One kept goal. */
typedef struct { u32 generation, status, round, on; answers list; } slot;
typedef struct { keymap keys; slot *slots; u32 len, cap; } kept;

/* A recursive goal being computed. */
typedef struct { u32 low, used, waiting; uint64_t added; } frame;

struct game_state {
    vec fluents;
    uint64_t stamp;
};

struct game {
    jmp_buf out_of_here;
    game_limits limits;
    uint64_t fuel, added;
    size_t stack;
    /* terms */
    vec symbols, starts, args, sizes, term_index;
    vec fluent_terms, fluent_of, move_terms, move_of;
    /* the state in hand */
    keymap members[FUNCTORS + 1];
    vec member_fluents[FUNCTORS + 1];
    keymap maps[INDEXES + 1];
    vec map_buckets[INDEXES + 1];
    vec rec_stamp, rec_links, rec_args, fluent_args, link_bucket, link_next, head_stamp, head_fluent, current;
    u32 stamp;
    /* answers */
    kept tables[GOALS + 1];
    vec arenas[4];
    u32 gens[3];
    vec *sets;
    u32 sets_len, sets_cap;
    vec free_sets, waiting;
    frame *frames;
    u32 frames_len, frames_cap, round;
    uint64_t slots_made;
    /* results */
    vec out, fluent_marks, move_marks, text, found[ROLES + 1];
    keymap move_keys[MOVE_FUNCTORS + 1];
    vec move_ids[MOVE_FUNCTORS + 1];
    u32 mark;
    u32 joint[ROLES + 1];
    /* which state is in hand, and whose legal moves are in `found` */
    uint64_t clock, hand, found_for;
};

static void fail(game *g, int code) { longjmp(g->out_of_here, -code); }

static void grow(game *g, vec *v, size_t want) {
    size_t cap = v->cap ? v->cap : 16;
    u32 *at;
    while (cap < want) cap *= 2;
    if (cap > g->limits.bytes / 4 || cap >= NONE) fail(g, GAME_NO_MEMORY);
    at = realloc(v->at, cap * sizeof(u32));
    if (!at) fail(g, GAME_NO_MEMORY);
    v->at = at;
    v->cap = (u32)cap;
}

static inline void push(game *g, vec *v, u32 x) {
    if (v->len == v->cap) grow(g, v, (size_t)v->len + 1);
    v->at[v->len++] = x;
}

/* Makes v at least `len` long, with `fill` in new places. */
static void extend(game *g, vec *v, size_t len, u32 fill) {
    if (len > v->cap) grow(g, v, len);
    while (v->len < len) v->at[v->len++] = fill;
}

FAST u32 hash_words(const u32 *words, u32 n, u32 seed) {
    uint64_t hash = 0x517cc1b727220a95u + seed;
    for (u32 i = 0; i < n; i++) hash = (((hash << 5) | (hash >> 59)) ^ words[i]) * 0x9e3779b97f4a7c15u;
    return (u32)(hash ^ (hash >> 32));
}

/* ---- tuples ---- */

static u32 km_find_hashed(const keymap *m, const u32 *key, u32 n) {
    u32 mask = m->dense.len - 1, at = hash_words(key, n, 0) & mask, id;
    for (; (id = m->dense.at[at]) != 0; at = (at + 1) & mask)
        if (!memcmp(m->keys.at + (size_t)(id - 1) * n, key, n * sizeof(u32))) return id - 1;
    return NONE;
}

FAST u32 km_find(const keymap *m, const u32 *key, u32 n) {
    u32 at = 0;
    const u32 *scaled = m->scaled.at;
    if (m->hashed) return km_find_hashed(m, key, n);
    if (!m->dense.len) return NONE;
    for (u32 i = 0; i < n; i++) {
        u32 s;
        if (key[i] >= m->width || (s = scaled[key[i]]) == NONE) return NONE;
        at += s;
        scaled += m->width;
    }
    return m->dense.at[at] - 1;
}

static void km_rehash(game *g, keymap *m) {
    u32 size = 16;
    while (size < 2 * m->len + 2) size *= 2;
    m->hashed = 1;
    m->dense.len = 0;
    extend(g, &m->dense, size, 0);
    for (u32 id = 0; id < m->len; id++) {
        u32 at = hash_words(m->keys.at + (size_t)id * m->arity, m->arity, 0) & (size - 1);
        while (m->dense.at[at]) at = (at + 1) & (size - 1);
        m->dense.at[at] = id + 1;
    }
}

/* Deals digits to the values of a tuple; 0 if a column is full. */
static int km_deal(keymap *m, u32 id) {
    int fits = 1;
    for (u32 i = 0; i < m->arity; i++) {
        u32 *s = &m->scaled.at[(size_t)i * m->width + m->keys.at[(size_t)id * m->arity + i]], *column = &m->columns.at[3 * i];
        if (*s != NONE) continue;
        *s = column[0]++ * column[2];
        if (column[0] > column[1]) fits = 0;
    }
    return fits;
}

static void km_place(keymap *m, u32 id) {
    u32 at = 0;
    for (u32 i = 0; i < m->arity; i++) at += m->scaled.at[(size_t)i * m->width + m->keys.at[(size_t)id * m->arity + i]];
    m->dense.at[at] = id + 1;
}

/* Lays the arrays out with room to grow, or turns to hashing. */
static void km_lay_out(game *g, keymap *m) {
    uint64_t size = 1, limit = 4 * (uint64_t)m->len;
    u32 widest = 0;
    if (limit < 1 << 14) limit = 1 << 14;
    for (u32 i = 0; i < m->len * m->arity; i++)
        if (m->keys.at[i] > widest) widest = m->keys.at[i];
    extend(g, &m->columns, (size_t)3 * m->arity, 1);
    for (u32 i = 0; i < m->arity; i++) {
        u32 *column = &m->columns.at[3 * i];
        if (column[0] > column[1]) column[1] = column[0] + column[0] / 2;
        column[2] = (u32)size;
        column[0] = 0;
        if (size <= limit) size *= column[1];
    }
    if (size > limit || 2 * (uint64_t)widest * m->arity > (limit > 64u * m->len ? limit : 64u * m->len)) {
        km_rehash(g, m);
        return;
    }
    m->width = widest + 1 + widest / 4;
    m->scaled.len = m->dense.len = 0;
    extend(g, &m->scaled, (size_t)m->width * m->arity, NONE);
    extend(g, &m->dense, (size_t)size, 0);
    for (u32 id = 0; id < m->len; id++)
        if (!km_deal(m, id)) {
            km_lay_out(g, m); /* with a larger capacity: each call enlarges one */
            return;
        }
    for (u32 id = 0; id < m->len; id++) km_place(m, id);
}

static void km_add(game *g, keymap *m, const u32 *key) {
    int fits = m->dense.len > 0;
    for (u32 i = 0; i < m->arity; i++) {
        push(g, &m->keys, key[i]);
        if (key[i] >= m->width) fits = 0;
    }
    m->len++;
    if (m->hashed) {
        if (2 * m->len > m->dense.len) {
            km_rehash(g, m);
        } else {
            u32 mask = m->dense.len - 1, at = hash_words(key, m->arity, 0) & mask;
            while (m->dense.at[at]) at = (at + 1) & mask;
            m->dense.at[at] = m->len;
        }
    } else if (fits && km_deal(m, m->len - 1)) {
        km_place(m, m->len - 1);
    } else {
        km_lay_out(g, m);
    }
}

static inline u32 km_insert(game *g, keymap *m, const u32 *key, u32 n) {
    u32 id = km_find(m, key, n);
    if (id != NONE) return id;
    m->arity = n;
    km_add(g, m, key);
    return m->len - 1;
}

/* Look-ups in constant tables: `key` is pairs of where a column begins and a value. */
FAST u32 find_static(const u32 *scaled, u32 width, const u32 *dense, u32 head, const u32 *key, u32 n) {
    for (u32 i = 0; i < n; i += 2) {
        u32 s;
        if (key[i + 1] >= width || (s = scaled[key[i] + key[i + 1]]) == NONE) return NONE;
        head += s;
    }
    return dense[head] - 1;
}

/* The same in a table by hash: a power of two of numbers + 1. */
static UNUSED_OK u32 find_static_hashed(const u32 *keys, const u32 *table, u32 size, const u32 *key, u32 n) {
    u32 at = hash_words(key, n, 0) & (size - 1), id;
    for (; (id = table[at]) != 0; at = (at + 1) & (size - 1))
        if (!memcmp(keys + (size_t)(id - 1) * n, key, n * sizeof(u32))) return id - 1;
    return NONE;
}

/* ---- terms ---- */

static inline u32 symbol_of(const game *g, u32 t) { return g->symbols.at[t]; }
static inline u32 arity_of(const game *g, u32 t) { return g->starts.at[t + 1] - g->starts.at[t]; }
static inline u32 arg_of(const game *g, u32 t, u32 i) { return g->args.at[g->starts.at[t] + i]; }

/* The term, or NONE if it was never built. */
static u32 find_term(const game *g, u32 symbol, const u32 *args, u32 n) {
    u32 mask = g->term_index.len - 1, at = hash_words(args, n, symbol) & mask, t;
    if (!g->term_index.len) return NONE;
    for (; (t = g->term_index.at[at]) != 0; at = (at + 1) & mask) {
        u32 term = t - 1;
        if (symbol_of(g, term) == symbol && arity_of(g, term) == n &&
            (n == 0 || !memcmp(g->args.at + g->starts.at[term], args, n * sizeof(u32))))
            return term;
    }
    return NONE;
}

static void index_term(game *g, u32 t) {
    u32 mask = g->term_index.len - 1, n = arity_of(g, t);
    u32 at = hash_words(n ? g->args.at + g->starts.at[t] : 0, n, symbol_of(g, t)) & mask;
    while (g->term_index.at[at]) at = (at + 1) & mask;
    g->term_index.at[at] = t + 1;
}

/* The term, new or old. */
static u32 make_term(game *g, u32 symbol, const u32 *args, u32 n) {
    u32 t = find_term(g, symbol, args, n);
    uint64_t size = 1;
    if (t != NONE) return t;
    t = g->symbols.len;
    for (u32 i = 0; i < n; i++) size += g->sizes.at[args[i]];
    if (t >= MAX_TERMS || size > MAX_TERM_SIZE) fail(g, GAME_NO_MEMORY);
    g->fuel -= g->fuel < NEW_TERM ? g->fuel : NEW_TERM;
    if (!g->starts.len) push(g, &g->starts, 0);
    /* Room first, so that an error leaves nothing half done. */
    if (g->args.len + n > g->args.cap) grow(g, &g->args, (size_t)g->args.len + n);
    if (g->starts.len == g->starts.cap) grow(g, &g->starts, (size_t)g->starts.len + 1);
    if (g->sizes.len == g->sizes.cap) grow(g, &g->sizes, (size_t)g->sizes.len + 1);
    push(g, &g->symbols, symbol);
    for (u32 i = 0; i < n; i++) g->args.at[g->args.len++] = args[i];
    g->starts.at[g->starts.len++] = g->args.len;
    g->sizes.at[g->sizes.len++] = (u32)size;
    if (2 * g->symbols.len > g->term_index.len) {
        u32 room = g->term_index.len ? 2 * g->term_index.len : 64;
        while (room < 2 * g->symbols.len) room *= 2;
        g->term_index.len = 0;
        extend(g, &g->term_index, room, 0);
        for (u32 other = 0; other < g->symbols.len; other++) index_term(g, other);
    } else {
        index_term(g, t);
    }
    return t;
}

static inline u32 number_of(const vec *of, u32 t) { return t < of->len ? of->at[t] : NONE; }

static u32 number(game *g, vec *terms, vec *of, u32 t) {
    u32 id = number_of(of, t);
    if (id != NONE) return id;
    extend(g, of, (size_t)t + 1, NONE);
    push(g, terms, t);
    return of->at[t] = terms->len - 1;
}

/* ---- the state in hand ---- */

/* Gives fluents that are new their places in the indexes. */
static void catch_up(game *g) {
    while (g->rec_stamp.len < g->fluent_terms.len) {
        u32 fluent = g->rec_stamp.len, t = g->fluent_terms.at[fluent], n = arity_of(g, t), key[MAX_ARITY + 1];
        push(g, &g->rec_args, g->fluent_args.len);
        push(g, &g->rec_links, g->link_bucket.len);
        for (u32 i = 0; i < n; i++) push(g, &g->fluent_args, arg_of(g, t, i));
        for (u32 f = 0; f != FUNCTORS; f++) {
            if (FUNCTOR_TABLE[f][0] != symbol_of(g, t) || FUNCTOR_TABLE[f][1] != n) continue;
            for (u32 i = 0; i < n; i++) key[i] = arg_of(g, t, i);
            km_insert(g, &g->members[f], key, n);
            push(g, &g->member_fluents[f], fluent);
            for (u32 x = FUNCTOR_TABLE[f][2]; x < FUNCTOR_TABLE[f][3]; x++) {
                u32 index = FUNCTOR_INDEXES[x], m = 0, id;
                for (u32 i = INDEX_TABLE[index][0]; i < INDEX_TABLE[index][1]; i++) key[m++] = arg_of(g, t, INDEX_COLUMNS[i]);
                id = km_insert(g, &g->maps[index], key, m);
                if (id == g->map_buckets[index].len) {
                    push(g, &g->map_buckets[index], g->head_stamp.len);
                    push(g, &g->head_stamp, 0);
                    push(g, &g->head_fluent, NONE);
                }
                push(g, &g->link_bucket, g->map_buckets[index].at[id]);
                push(g, &g->link_next, NONE);
            }
        }
        push(g, &g->rec_stamp, 0);
    }
}

FAST int holds(const game *g, u32 fluent) { return fluent < g->rec_stamp.len && g->rec_stamp.at[fluent] == g->stamp; }
FAST u32 find_fluent(const game *g, u32 functor, const u32 *args, u32 n) {
    u32 id = km_find(&g->members[functor], args, n);
    return id == NONE ? NONE : g->member_fluents[functor].at[id];
}
FAST u32 first_of(const game *g, u32 bucket) {
    return g->head_stamp.at[bucket] == g->stamp ? g->head_fluent.at[bucket] : NONE;
}
FAST u32 first_in(const game *g, u32 index, const u32 *key, u32 n) {
    u32 id = km_find(&g->maps[index], key, n);
    return id == NONE ? NONE : first_of(g, g->map_buckets[index].at[id]);
}
FAST u32 next_in(const game *g, u32 fluent, u32 link) { return g->link_next.at[g->rec_links.at[fluent] + link]; }
FAST u32 column(const game *g, u32 fluent, u32 i) { return g->fluent_args.at[g->rec_args.at[fluent] + i]; }
static inline u32 fluent_term(const game *g, u32 fluent) { return g->fluent_terms.at[fluent]; }
static inline u32 count_current(const game *g) { return g->current.len; }
static inline u32 current_at(const game *g, u32 i) { return g->current.at[i]; }
static inline int holds_term(const game *g, u32 t) {
    u32 fluent = number_of(&g->fluent_of, t);
    return fluent != NONE && holds(g, fluent);
}

static void put(game *g, u32 fluent) {
    u32 from, to;
    if (g->rec_stamp.at[fluent] == g->stamp) return;
    g->rec_stamp.at[fluent] = g->stamp;
    push(g, &g->current, fluent);
    from = g->rec_links.at[fluent];
    to = fluent + 1 < g->rec_links.len ? g->rec_links.at[fluent + 1] : g->link_bucket.len;
    for (u32 link = from; link < to; link++) {
        u32 bucket = g->link_bucket.at[link];
        g->link_next.at[link] = first_of(g, bucket);
        g->head_stamp.at[bucket] = g->stamp;
        g->head_fluent.at[bucket] = fluent;
    }
}

/* ---- moves ---- */

/* The move of a role given as a term; NONE if it is no role. */
static UNUSED_OK u32 does(const game *g, u32 role) {
    for (u32 i = 0; i != ROLES; i++)
        if (ROLE_TERMS[i] == role) return g->joint[i];
    return NONE;
}
static inline u32 joint_of(const game *g, u32 i) { return g->joint[i]; }
static inline u32 role_at(u32 i) { return ROLE_TERMS[i]; }

/* ---- answers ---- */

FAST void burn(game *g) {
    if (g->fuel == 0) fail(g, GAME_TOO_LONG);
    g->fuel--;
}

static void forget(game *g, u32 lifetime) {
    for (; lifetime < 4; lifetime++) {
        g->arenas[lifetime].len = 0;
        if (lifetime < 3 && ++g->gens[lifetime] == 0) {
            g->gens[lifetime] = 1;
            for (u32 t = 0; t != GOALS; t++)
                for (u32 s = 0; s < g->tables[t].len; s++) g->tables[t].slots[s].generation = 0;
        }
    }
}

FAST u32 next_row(const game *g, u32 arena, u32 row) { return g->arenas[arena].at[row]; }
FAST u32 row_value(const game *g, u32 arena, u32 row, u32 i) { return g->arenas[arena].at[row + 1 + i]; }

/* Whether the values of `row` are among the answers; if not, they are noted. */
static int known(game *g, answers *list, u32 arena, u32 row, u32 n) {
    vec *rows = &g->arenas[arena], *set;
    u32 at, other, mask;
    if (list->count < FEW) {
        for (other = list->head; other != NONE; other = rows->at[other])
            if (!memcmp(rows->at + other + 1, rows->at + row + 1, n * sizeof(u32))) return 1;
        return 0;
    }
    if (list->set == NONE) {
        if (!g->free_sets.len) {
            if (g->sets_len == g->sets_cap) {
                u32 cap = g->sets_cap ? 2 * g->sets_cap : 8;
                vec *sets = realloc(g->sets, cap * sizeof(vec));
                if (!sets) fail(g, GAME_NO_MEMORY);
                g->sets = sets;
                g->sets_cap = cap;
            }
            memset(&g->sets[g->sets_len], 0, sizeof(vec));
            push(g, &g->free_sets, g->sets_len++);
        }
        list->set = g->free_sets.at[--g->free_sets.len];
        g->sets[list->set].len = 0;
    }
    set = &g->sets[list->set];
    if (2 * list->count + 2 > set->len) {
        u32 size = 32;
        while (size < 4 * list->count) size *= 2;
        set->len = 0;
        extend(g, set, size, NONE);
        for (other = list->head; other != NONE; other = rows->at[other]) {
            at = hash_words(rows->at + other + 1, n, 0) & (size - 1);
            while (set->at[at] != NONE) at = (at + 1) & (size - 1);
            set->at[at] = other;
        }
    }
    mask = set->len - 1;
    at = hash_words(rows->at + row + 1, n, 0) & mask;
    for (; (other = set->at[at]) != NONE; at = (at + 1) & mask)
        if (!memcmp(rows->at + other + 1, rows->at + row + 1, n * sizeof(u32))) return 1;
    set->at[at] = row;
    return 0;
}

/* Adds an answer; 0 if it was there already. */
static int add_row(game *g, answers *list, u32 arena, int repeats, const u32 *values, u32 n) {
    vec *rows = &g->arenas[arena];
    u32 row = rows->len;
    if ((size_t)row + n + 1 > rows->cap) grow(g, rows, (size_t)row + n + 1);
    rows->at[rows->len++] = NONE;
    for (u32 i = 0; i < n; i++) rows->at[rows->len++] = values[i];
    if (repeats && known(g, list, arena, row, n)) {
        rows->len = row;
        return 0;
    }
    if (list->head == NONE) {
        list->head = row;
    } else {
        rows->at[list->tail] = row;
    }
    list->tail = row;
    list->count++;
    return 1;
}

static inline void close_list(game *g, answers *list) {
    if (list->set != NONE) {
        push(g, &g->free_sets, list->set);
        list->set = NONE;
    }
}

static const answers no_answers = {NONE, NONE, 0, NONE};

/* The slot of a goal with these arguments. */
static UNUSED_OK u32 find_slot(game *g, u32 goal, const u32 *key, u32 n) {
    kept *t = &g->tables[goal];
    u32 id = km_insert(g, &t->keys, key, n);
    while (id >= t->len) {
        if (t->len == t->cap) {
            u32 cap = t->cap ? 2 * t->cap : 16;
            slot *slots = realloc(t->slots, cap * sizeof(slot));
            if (!slots) fail(g, GAME_NO_MEMORY);
            t->slots = slots;
            t->cap = cap;
        }
        if (++g->slots_made * 128 > g->limits.bytes) fail(g, GAME_NO_MEMORY);
        memset(&t->slots[t->len++], 0, sizeof(slot));
    }
    return id;
}

static inline slot *slot_at(game *g, u32 goal, u32 id) { return &g->tables[goal].slots[id]; }

/* A remembered goal: whether its answers are known. */
static UNUSED_OK int memo_known(game *g, u32 goal, u32 lifetime, u32 id) {
    slot *s = slot_at(g, goal, id);
    if (s->generation == g->gens[lifetime]) return 1;
    s->list = no_answers;
    return 0;
}
static UNUSED_OK void memo_done(game *g, u32 goal, u32 lifetime, u32 id, int yes) {
    slot *s = slot_at(g, goal, id);
    close_list(g, &s->list);
    if (yes) s->list.count = 1;
    s->generation = g->gens[lifetime];
}

static inline void add_kept(game *g, u32 goal, u32 id, u32 arena, int repeats, const u32 *values, u32 n) {
    g->added += (uint64_t)add_row(g, &slot_at(g, goal, id)->list, arena, repeats, values, n);
}

/* A goal that can reach itself: 1 if its answers, all or those so far, are to be used; else it must be computed. */
static UNUSED_OK int table_known(game *g, u32 goal, u32 lifetime, u32 id, int negated, u32 stack) {
    slot *s = slot_at(g, goal, id);
    if (s->generation == g->gens[lifetime]) {
        u32 on = s->on;
        if (s->status == COMPLETE) return 1;
        if (s->status == ACTIVE || s->round == g->round) {
            if (s->status == ACTIVE) g->frames[on].used = 1;
            if (negated && s->list.count == 0) fail(g, GAME_UNSTRATIFIED);
            if (g->frames_len && g->frames[g->frames_len - 1].low > on) g->frames[g->frames_len - 1].low = on;
            return 1;
        }
    } else {
        s->generation = g->gens[lifetime];
        s->list = no_answers;
    }
    s->status = ACTIVE;
    s->on = g->frames_len;
    if (g->frames_len == g->frames_cap) {
        u32 cap = g->frames_cap ? 2 * g->frames_cap : 64;
        frame *frames = realloc(g->frames, cap * sizeof(frame));
        if (!frames) fail(g, GAME_NO_MEMORY);
        g->frames = frames;
        g->frames_cap = cap;
    }
    g->stack += stack;
    if (g->stack > g->limits.stack_bytes) fail(g, GAME_TOO_DEEP);
    g->frames[g->frames_len++] = (frame){NONE, 0, g->waiting.len, g->added};
    return 0;
}

static void complete(game *g, u32 goal, u32 id) {
    slot *s = slot_at(g, goal, id);
    close_list(g, &s->list);
    s->status = COMPLETE;
}

/* A tabled goal without unknowns is proven. */
static UNUSED_OK void table_proven(game *g, u32 goal, u32 id, u32 stack) {
    frame f = g->frames[--g->frames_len];
    slot *s = slot_at(g, goal, id);
    s->status = COMPLETE;
    if (s->list.count == 0) {
        s->list.count = 1;
        g->added++;
    }
    /* What waited for more answers of this goal is computed anew when it is asked again. */
    while (g->waiting.len > f.waiting) {
        g->waiting.len -= 2;
        complete(g, g->waiting.at[g->waiting.len], g->waiting.at[g->waiting.len + 1]);
        slot_at(g, g->waiting.at[g->waiting.len], g->waiting.at[g->waiting.len + 1])->generation = 0;
    }
    g->stack -= stack;
}

/* All clauses of a tabled goal are exhausted: 1 if there must be another round. */
static UNUSED_OK int table_again(game *g, u32 goal, u32 id, int negated, u32 stack) {
    u32 at = g->frames_len - 1;
    frame f = g->frames[at];
    if (f.low < at) {
        slot *s = slot_at(g, goal, id);
        s->status = WAITING;
        s->round = g->round;
        s->on = f.low;
        if (negated) fail(g, GAME_UNSTRATIFIED);
        push(g, &g->waiting, goal);
        push(g, &g->waiting, id);
        if (g->frames[at - 1].low > f.low) g->frames[at - 1].low = f.low;
    } else if (f.used && g->added != f.added) {
        g->frames[at].added = g->added;
        g->round++;
        return 1;
    } else {
        complete(g, goal, id);
        while (g->waiting.len > f.waiting) {
            g->waiting.len -= 2;
            complete(g, g->waiting.at[g->waiting.len], g->waiting.at[g->waiting.len + 1]);
        }
    }
    g->frames_len--;
    g->stack -= stack;
    return 0;
}

/* ---- results ---- */

FAST int is_new(game *g, vec *marks, u32 place) {
    if (place >= marks->len) extend(g, marks, (size_t)place + 64, 0);
    if (marks->at[place] == g->mark) return 0;
    marks->at[place] = g->mark;
    return 1;
}

FAST void out_fluent(game *g, u32 fluent) {
    if (is_new(g, &g->fluent_marks, fluent)) push(g, &g->out, fluent);
}
static UNUSED_OK void out_fluent_term(game *g, u32 t) {
    u32 fluent = number(g, &g->fluent_terms, &g->fluent_of, t);
    catch_up(g);
    out_fluent(g, fluent);
}
static inline void out_fluent_of(game *g, u32 functor, u32 symbol, const u32 *args, u32 n) {
    u32 fluent = find_fluent(g, functor, args, n);
    if (fluent == NONE) {
        out_fluent_term(g, make_term(g, symbol, args, n));
    } else {
        out_fluent(g, fluent);
    }
}

static void out_move(game *g, u32 role, u32 id) {
    for (u32 i = 0; i != ROLES; i++)
        if (ROLE_TERMS[i] == role) {
            if (is_new(g, &g->move_marks, id * ROLES + i)) push(g, &g->found[i], id);
            return;
        }
}
static UNUSED_OK void out_move_term(game *g, u32 role, u32 t) {
    out_move(g, role, number(g, &g->move_terms, &g->move_of, t));
}
static UNUSED_OK void out_move_of(game *g, u32 role, u32 functor, u32 symbol, const u32 *args, u32 n) {
    u32 id = km_find(&g->move_keys[functor], args, n);
    if (id == NONE) {
        u32 move = number(g, &g->move_terms, &g->move_of, make_term(g, symbol, args, n));
        km_insert(g, &g->move_keys[functor], args, n);
        push(g, &g->move_ids[functor], move);
        out_move(g, role, move);
    } else {
        out_move(g, role, g->move_ids[functor].at[id]);
    }
}
