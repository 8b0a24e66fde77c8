/*
 * api.h - the functions of game.h over emitted query plans. The same text for all games; included at the end of game.c.
 */

/* A call of game.h: what follows is left by fail() at this place. */
#define CATCH(g, otherwise)                  \
    do {                                     \
        int code_ = setjmp((g)->out_of_here); \
        if (code_) {                         \
            abandon(g);                      \
            return otherwise;                \
        }                                    \
    } while (0)

/* After an error nothing half done survives. */
static void abandon(game *g) {
    forget(g, FOREVER);
    g->free_sets.len = 0;
    for (u32 i = 0; i < g->sets_len && i < g->free_sets.cap; i++) g->free_sets.at[g->free_sets.len++] = i;
    g->waiting.len = g->frames_len = 0;
    g->hand = g->found_for = NO_STATE;
}

/* Begins a question. */
static void begin(game *g) {
    forget(g, IN_QUESTION);
    g->out.len = g->frames_len = g->waiting.len = 0;
    g->stack = 0;
    g->fuel = g->limits.steps;
    if (++g->mark == 0) {
        g->mark = 1;
        memset(g->fluent_marks.at, 0, g->fluent_marks.len * sizeof(u32));
        memset(g->move_marks.at, 0, g->move_marks.len * sizeof(u32));
    }
}

/* Gives back the memory of kept answers. */
static void drop_tables(game *g) {
    for (u32 t = 0; t != GOALS; t++) {
        kept *k = &g->tables[t];
        free(k->keys.keys.at);
        free(k->keys.scaled.at);
        free(k->keys.dense.at);
        free(k->keys.columns.at);
        free(k->slots);
        memset(k, 0, sizeof *k);
    }
    g->slots_made = 0;
}

/* Makes a state the one in hand. */
static void take(game *g, const game_state *s) {
    if (g->hand == s->stamp) return;
    if (g->slots_made * 256 > g->limits.bytes) drop_tables(g);
    forget(g, IN_STATE);
    g->current.len = 0;
    if (++g->stamp == 0) {
        g->stamp = 1;
        for (u32 i = 0; i < g->rec_stamp.len; i++) g->rec_stamp.at[i] = 0;
        for (u32 i = 0; i < g->head_stamp.len; i++) g->head_stamp.at[i] = 0;
    }
    g->hand = NO_STATE;
    for (u32 i = 0; i < s->fluents.len; i++) put(g, s->fluents.at[i]);
    g->hand = s->stamp;
}

static void write_state(game *g, game_state *out) {
    if (g->out.len > out->fluents.cap) grow(g, &out->fluents, g->out.len);
    if (g->out.len) memcpy(out->fluents.at, g->out.at, g->out.len * sizeof(u32));
    out->fluents.len = g->out.len;
    out->stamp = ++g->clock;
}

/* Fills a new context with what the game knows from the start. */
static int set_up(game *g) {
    CATCH(g, -code_);
    for (u32 t = 0; t != TERMS; t++) make_term(g, TERM_SYMBOLS[t], TERM_ARGS + TERM_STARTS[t], TERM_STARTS[t + 1] - TERM_STARTS[t]);
    for (u32 i = 0; i != BUCKETS; i++) {
        u32 index = BUCKET_TABLE[i][0];
        km_insert(g, &g->maps[index], BUCKET_KEYS + BUCKET_TABLE[i][1], INDEX_TABLE[index][1] - INDEX_TABLE[index][0]);
        push(g, &g->map_buckets[index], i);
        push(g, &g->head_stamp, 0);
        push(g, &g->head_fluent, NONE);
    }
    for (u32 i = 0; i != FLUENTS; i++) number(g, &g->fluent_terms, &g->fluent_of, FLUENT_TABLE[i]);
    for (u32 i = 0; i != MOVES; i++) number(g, &g->move_terms, &g->move_of, MOVE_TABLE[i]);
    catch_up(g);
    return GAME_OK;
}

game *game_new(void) {
    game *g = calloc(1, sizeof *g);
    if (!g) return NULL;
    g->limits = (game_limits){(size_t)1 << 30, (size_t)4 << 20, 200000000};
    g->fuel = g->limits.steps;
    g->stamp = 1;
    g->hand = g->found_for = NO_STATE;
    for (int i = 0; i < 3; i++) g->gens[i] = 1;
    if (set_up(g) < 0) {
        game_free(g);
        return NULL;
    }
    return g;
}

static void free_keymap(keymap *m) {
    free(m->keys.at);
    free(m->scaled.at);
    free(m->dense.at);
    free(m->columns.at);
}

void game_free(game *g) {
    vec *all[] = {&g->symbols, &g->starts, &g->args, &g->sizes, &g->term_index, &g->fluent_terms, &g->fluent_of, &g->move_terms,
                  &g->move_of, &g->rec_stamp, &g->rec_links, &g->rec_args, &g->fluent_args, &g->link_bucket, &g->link_next,
                  &g->head_stamp, &g->head_fluent, &g->current, &g->arenas[0], &g->arenas[1], &g->arenas[2], &g->arenas[3],
                  &g->free_sets, &g->waiting, &g->out, &g->fluent_marks, &g->move_marks, &g->text};
    if (!g) return;
    drop_tables(g);
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++) free(all[i]->at);
    for (u32 i = 0; i != FUNCTORS; i++) {
        free_keymap(&g->members[i]);
        free(g->member_fluents[i].at);
    }
    for (u32 i = 0; i != INDEXES; i++) {
        free_keymap(&g->maps[i]);
        free(g->map_buckets[i].at);
    }
    for (u32 i = 0; i != MOVE_FUNCTORS; i++) {
        free_keymap(&g->move_keys[i]);
        free(g->move_ids[i].at);
    }
    for (u32 i = 0; i != ROLES; i++) free(g->found[i].at);
    for (u32 i = 0; i < g->sets_len; i++) free(g->sets[i].at);
    free(g->sets);
    free(g->frames);
    free(g);
}

void game_set_limits(game *g, const game_limits *limits) { g->limits = *limits; }

int game_roles(void) { return ROLES; }

game_state *game_state_new(game *g) {
    (void)g;
    return calloc(1, sizeof(game_state));
}

void game_state_free(game_state *s) {
    if (!s) return;
    free(s->fluents.at);
    free(s);
}

int game_copy(game_state *to, const game_state *from) {
    if (to == from) return GAME_OK;
    if (from->fluents.len > to->fluents.cap) {
        u32 *at = realloc(to->fluents.at, from->fluents.len * sizeof(u32));
        if (!at) return GAME_NO_MEMORY;
        to->fluents.at = at;
        to->fluents.cap = from->fluents.len;
    }
    if (from->fluents.len) memcpy(to->fluents.at, from->fluents.at, from->fluents.len * sizeof(u32));
    to->fluents.len = from->fluents.len;
    to->stamp = from->stamp;
    return GAME_OK;
}

int game_initial(game *g, game_state *out) {
    CATCH(g, -code_);
    begin(g);
    q_init(g);
    write_state(g, out);
    return GAME_OK;
}

int game_terminal(game *g, const game_state *s) {
    CATCH(g, -code_);
    take(g, s);
    begin(g);
    return q_terminal(g);
}

int game_legal(game *g, const game_state *s, int role, game_move *out, int max) {
    if (role < 0 || role >= ROLES) return GAME_UNKNOWN;
    CATCH(g, -code_);
    if (g->found_for != s->stamp) {
        take(g, s);
        begin(g);
        g->found_for = NO_STATE;
        for (u32 i = 0; i != ROLES; i++) g->found[i].len = 0;
        q_legal(g);
        g->found_for = s->stamp;
    }
    for (u32 i = 0; i < g->found[role].len && (int)i < max; i++) out[i] = g->found[role].at[i];
    return (int)g->found[role].len;
}

int game_next(game *g, const game_state *s, const game_move *joint, game_state *out) {
    for (u32 i = 0; i != ROLES; i++)
        if (joint[i] >= g->move_terms.len) return GAME_UNKNOWN;
    CATCH(g, -code_);
    take(g, s);
    forget(g, IN_MOVES);
    begin(g);
    for (u32 i = 0; i != ROLES; i++) g->joint[i] = g->move_terms.at[joint[i]];
    q_next(g);
    write_state(g, out);
    return GAME_OK;
}

int game_goal(game *g, const game_state *s, int role) {
    int least = -1;
    if (role < 0 || role >= ROLES) return GAME_UNKNOWN;
    CATCH(g, -code_);
    take(g, s);
    begin(g);
    for (u32 row = q_goal(g, ROLE_TERMS[role]); row != NONE; row = next_row(g, GOAL_ARENA, row)) {
        u32 t = row_value(g, GOAL_ARENA, row, 0);
        int points = arity_of(g, t) ? -1 : NAME_TABLE[symbol_of(g, t)].points;
        if (points >= 0 && (least < 0 || points < least)) least = points;
    }
    return least < 0 ? 0 : least;
}

/* A term as text, with a stack of its own: play can nest terms deeper than ours. */
static int term_text(game *g, u32 t, char *buffer, size_t size) {
    size_t len = 0;
    CATCH(g, -code_);
#define PUT(s, n)                                                     \
    do {                                                              \
        for (size_t i_ = 0; i_ < (n); i_++, len++)                    \
            if (len + 1 < size) buffer[len] = (s)[i_];                \
    } while (0)
    g->text.len = 0;
    push(g, &g->text, t);
    push(g, &g->text, 0);
    while (g->text.len) {
        u32 next = g->text.at[g->text.len - 1], term = g->text.at[g->text.len - 2], n = arity_of(g, term);
        g->text.len -= 2;
        if (next == 0) {
            if (n) PUT("(", 1);
            PUT(NAME_TABLE[symbol_of(g, term)].text, NAME_TABLE[symbol_of(g, term)].len);
        }
        if (next < n) {
            PUT(" ", 1);
            push(g, &g->text, term);
            push(g, &g->text, next + 1);
            push(g, &g->text, arg_of(g, term, next));
            push(g, &g->text, 0);
        } else if (n) {
            PUT(")", 1);
        }
    }
    if (size) buffer[len + 1 < size ? len : size - 1] = 0;
#undef PUT
    return (int)len;
}

int game_role_name(int role, char *buffer, size_t size) {
    if (role < 0 || role >= ROLES) return GAME_UNKNOWN;
    return put_text(ROLE_NAMES[role].text, ROLE_NAMES[role].len, buffer, size);
}

int game_move_name(game *g, game_move move, char *buffer, size_t size) {
    if (move >= g->move_terms.len) return GAME_UNKNOWN;
    return term_text(g, g->move_terms.at[move], buffer, size);
}

int game_fluents(game *g, const game_state *s) {
    (void)g;
    return (int)s->fluents.len;
}

int game_fluent_name(game *g, const game_state *s, int index, char *buffer, size_t size) {
    if (index < 0 || (u32)index >= s->fluents.len) return GAME_UNKNOWN;
    return term_text(g, g->fluent_terms.at[s->fluents.at[index]], buffer, size);
}

/* Reads a word or a list; NONE if it is not of this game. */
static u32 read_term(game *g, const char **text, int depth) {
    u32 args[64], n = 0, symbol;
    const char *at = *text, *word;
    int list = 0;
    while (is_blank(*at)) at++;
    if (*at == '(') {
        list = 1;
        at++;
        while (is_blank(*at)) at++;
    }
    word = at;
    while (*at && !is_blank(*at) && *at != '(' && *at != ')' && *at != ';') at++;
    for (symbol = 0; symbol != NAMES; symbol++)
        if (NAME_TABLE[symbol].len == (u32)(at - word) && same_text(NAME_TABLE[symbol].text, word, (size_t)(at - word), FOLD_CASE)) break;
    if (at == word || symbol == NAMES) return NONE;
    while (list) {
        while (is_blank(*at)) at++;
        if (*at == ')') {
            at++;
            break;
        }
        if (n == 64 || depth == 64) return NONE;
        args[n] = read_term(g, &at, depth + 1);
        if (args[n++] == NONE) return NONE;
    }
    *text = at;
    return make_term(g, symbol, args, n);
}

int game_find_move(game *g, int role, const char *text, game_move *out) {
    u32 t;
    if (role < 0 || role >= ROLES) return GAME_UNKNOWN;
    CATCH(g, -code_);
    begin(g);
    t = read_term(g, &text, 0);
    while (is_blank(*text)) text++;
    if (t == NONE || *text) return GAME_UNKNOWN;
    *out = number(g, &g->move_terms, &g->move_of, t);
    return GAME_OK;
}

int game_set(game *g, game_state *out, const char *const *fluents, int count) {
    CATCH(g, -code_);
    begin(g);
    for (int i = 0; i < count; i++) {
        const char *text = fluents[i];
        u32 t = read_term(g, &text, 0);
        while (is_blank(*text)) text++;
        if (t == NONE || *text) return GAME_UNKNOWN;
        out_fluent_term(g, t);
    }
    write_state(g, out);
    return GAME_OK;
}
