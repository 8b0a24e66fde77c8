/*
 * net.h - the functions of game.h and batch.h over an emitted network. The same text for all games; included at the end of game.c.
 */
#include "batch.h"

#include <stdlib.h>

#define WORDS ((FLUENTS + 63) / 64 + 1)

/* Compared with numbers of moves; there may be none. */
static const u32 move_count = MOVES;

#define NO_STATE (~(u64)0)

struct game_state {
    u64 bits[WORDS];
    u64 stamp;
};

struct game {
    u64 v[NODES];
    u32 joint[ROLES + 1];
    /* Which state the inputs, the legal moves and the goals are of. */
    u64 clock, hand, legal_for, goals_for;
};

struct game_batch {
    u64 v[NODES];
    u64 next[FLUENTS + 1];
};

static inline u64 signal_of(const u64 *v, u32 signal) { return v[signal >> 1] ^ ((u64)0 - (signal & 1)); }
static inline int bit_of(const game_state *s, u32 f) { return (int)(s->bits[f >> 6] >> (f & 63) & 1); }

game *game_new(void) {
    game *g = calloc(1, sizeof *g);
    if (!g) return NULL;
    g->v[0] = ~(u64)0;
    g->hand = g->legal_for = g->goals_for = NO_STATE;
    return g;
}

void game_free(game *g) { free(g); }

/* A network needs no more memory, steps or stack than it has. */
void game_set_limits(game *g, const game_limits *limits) {
    (void)g;
    (void)limits;
}

int game_roles(void) { return ROLES; }

game_state *game_state_new(game *g) {
    (void)g;
    return calloc(1, sizeof(game_state));
}

void game_state_free(game_state *s) { free(s); }

int game_copy(game_state *to, const game_state *from) {
    *to = *from;
    return GAME_OK;
}

int game_initial(game *g, game_state *out) {
    memset(out->bits, 0, sizeof out->bits);
    for (u32 f = 0; f != FLUENTS; f++) out->bits[f >> 6] |= (u64)INITIAL[f] << (f & 63);
    out->stamp = ++g->clock;
    return GAME_OK;
}

static void load(game *g, const game_state *s) {
    if (g->hand == s->stamp) return;
    for (u32 f = 0; f != FLUENTS; f++)
        if (FLUENT_NODES[f]) g->v[FLUENT_NODES[f]] = (u64)0 - (u64)bit_of(s, f);
    g->hand = s->stamp;
}

static void find_legal_moves(game *g, const game_state *s) {
    if (g->legal_for == s->stamp) return;
    load(g, s);
    eval_legal(g->v);
    g->legal_for = s->stamp;
    g->goals_for = NO_STATE;
}

int game_terminal(game *g, const game_state *s) {
    find_legal_moves(g, s);
    return (int)(signal_of(g->v, TERMINAL) & 1);
}

int game_legal(game *g, const game_state *s, int role, game_move *out, int max) {
    int count = 0;
    if (role < 0 || role >= ROLES) return GAME_UNKNOWN;
    find_legal_moves(g, s);
    for (u32 m = 0; m != MOVES; m++)
        if (LEGAL[m][0] == (u32)role && signal_of(g->v, LEGAL[m][1]) & 1) {
            if (count < max) out[count] = m;
            count++;
        }
    return count;
}

int game_next(game *g, const game_state *s, const game_move *joint, game_state *out) {
    for (u32 i = 0; i != ROLES; i++)
        if (joint[i] >= move_count || LEGAL[joint[i]][0] != i) return GAME_UNKNOWN;
    find_legal_moves(g, s);
    for (u32 i = 0; i != ROLES; i++)
        if (g->joint[i]) g->v[g->joint[i]] = 0;
    for (u32 i = 0; i != ROLES; i++) {
        g->joint[i] = DOES_NODES[joint[i]];
        if (g->joint[i]) g->v[g->joint[i]] = ~(u64)0;
    }
    eval_next(g->v);
    memset(out->bits, 0, sizeof out->bits);
    for (u32 f = 0; f != FLUENTS; f++) out->bits[f >> 6] |= (signal_of(g->v, NEXT[f]) & 1) << (f & 63);
    out->stamp = ++g->clock;
    return GAME_OK;
}

static int points_of(const u64 *v, int lane, int role) {
    int least = -1;
    for (u32 i = 0; i != GOAL_COUNT; i++)
        if (GOAL_TABLE[i][0] == (u32)role && signal_of(v, GOAL_TABLE[i][2]) >> lane & 1 && (least < 0 || (int)GOAL_TABLE[i][1] < least))
            least = (int)GOAL_TABLE[i][1];
    return least < 0 ? 0 : least;
}

int game_goal(game *g, const game_state *s, int role) {
    if (role < 0 || role >= ROLES) return GAME_UNKNOWN;
    find_legal_moves(g, s);
    if (g->goals_for != s->stamp) {
        eval_goals(g->v);
        g->goals_for = s->stamp;
    }
    return points_of(g->v, 0, role);
}

int game_role_name(int role, char *buffer, size_t size) {
    if (role < 0 || role >= ROLES) return GAME_UNKNOWN;
    return put_text(ROLE_NAMES[role].text, ROLE_NAMES[role].len, buffer, size);
}

int game_move_name(game *g, game_move move, char *buffer, size_t size) {
    (void)g;
    if (move >= move_count) return GAME_UNKNOWN;
    return put_text(MOVE_NAMES[move].text, MOVE_NAMES[move].len, buffer, size);
}

/* The next character of a text as names are written: single blanks, none beside a parenthesis. */
static char next_char(const char **text, char before) {
    const char *at = *text;
    while (is_blank(*at)) at++;
    if (at != *text && before && before != '(' && *at && *at != ')') {
        *text = at;
        return ' ';
    }
    *text = *at ? at + 1 : at;
    return *at;
}

/* Whether a text is a name, whatever its blanks. */
static int is_name(const name *n, const char *text) {
    char before = 0;
    for (u32 i = 0; i < n->len; i++) {
        char c = next_char(&text, before);
        if (!same_text(&n->text[i], &c, 1, FOLD_CASE)) return 0;
        before = c;
    }
    return next_char(&text, '(') == 0;
}

int game_find_move(game *g, int role, const char *text, game_move *out) {
    (void)g;
    for (u32 m = 0; m != MOVES; m++)
        if (LEGAL[m][0] == (u32)role && is_name(&MOVE_NAMES[m], text)) {
            *out = m;
            return GAME_OK;
        }
    return GAME_UNKNOWN;
}

int game_fluents(game *g, const game_state *s) {
    int count = 0;
    (void)g;
    for (u32 f = 0; f != FLUENTS; f++) count += bit_of(s, f);
    return count;
}

int game_fluent_name(game *g, const game_state *s, int index, char *buffer, size_t size) {
    (void)g;
    for (u32 f = 0; f != FLUENTS; f++)
        if (bit_of(s, f) && index-- == 0) return put_text(FLUENT_NAMES[f].text, FLUENT_NAMES[f].len, buffer, size);
    return GAME_UNKNOWN;
}

int game_set(game *g, game_state *out, const char *const *fluents, int count) {
    memset(out->bits, 0, sizeof out->bits);
    for (int i = 0; i < count; i++) {
        u32 f = 0;
        while (f != FLUENTS && !is_name(&FLUENT_NAMES[f], fluents[i])) f++;
        if (f == FLUENTS) return GAME_UNKNOWN;
        out->bits[f >> 6] |= (u64)1 << (f & 63);
    }
    out->stamp = ++g->clock;
    return GAME_OK;
}

/* ---- batch.h ---- */

game_batch *game_batch_new(void) {
    game_batch *b = calloc(1, sizeof *b);
    if (b) b->v[0] = ~(u64)0;
    return b;
}

void game_batch_free(game_batch *b) { free(b); }

void game_batch_load(game_batch *b, int lane, const game_state *s) {
    for (u32 f = 0; f != FLUENTS; f++) {
        u64 *v = &b->v[FLUENT_NODES[f]];
        if (FLUENT_NODES[f]) *v = (*v & ~((u64)1 << lane)) | (u64)bit_of(s, f) << lane;
    }
}

uint64_t game_batch_terminal(game_batch *b) {
    eval_legal(b->v);
    eval_goals(b->v);
    return signal_of(b->v, TERMINAL);
}

uint64_t game_batch_legal(const game_batch *b, game_move move) { return move < move_count ? signal_of(b->v, LEGAL[move][1]) : 0; }

void game_batch_play(game_batch *b, game_move move, uint64_t lanes) {
    if (move < move_count && DOES_NODES[move]) b->v[DOES_NODES[move]] |= lanes;
}

void game_batch_next(game_batch *b) {
    eval_next(b->v);
    /* All are read before the first is written: a fluent may follow from another. */
    for (u32 f = 0; f != FLUENTS; f++) b->next[f] = signal_of(b->v, NEXT[f]);
    for (u32 f = 0; f != FLUENTS; f++)
        if (FLUENT_NODES[f]) b->v[FLUENT_NODES[f]] = b->next[f];
    for (u32 m = 0; m != MOVES; m++)
        if (DOES_NODES[m]) b->v[DOES_NODES[m]] = 0;
}

int game_batch_goal(game_batch *b, int lane, int role) { return points_of(b->v, lane, role); }
