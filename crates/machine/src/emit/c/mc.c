/*
 * mc.c - a flat Monte Carlo player for any emitted game. The same text for all games; it knows nothing but game.h.
 *
 *   mc play [PLAYOUTS] [SEED]    a match: role 0 looks at PLAYOUTS random matches per legal move, the others too
 *   mc random [PLAYOUTS] [SEED]  the same, but all roles except role 0 play at random
 *   mc bench [SECONDS] [SEED]    random matches from the start: states and matches per CPU second
 *   mc check FILE                replays recorded matches (format: README.md) and compares every state
 *   mc names                     the roles, and the fluents and moves of the first state
 *
 * Exit codes: 0 done, 1 a difference was found, 2 an error.
 */
#include "game.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { MAX_ROLES = 256, MAX_PLIES = 100000 };

static uint64_t seed_in_hand = 1;

static uint64_t draw(void) {
    uint64_t z = (seed_in_hand += 0x9e3779b97f4a7c15u);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

static int below(int n) { return (int)((draw() >> 32) * (uint64_t)n >> 32); }

static void die(const char *what) {
    fprintf(stderr, "error: %s\n", what);
    exit(2);
}

/* Passes a result on; an error ends the program. */
static int ok(int result) {
    if (result < 0) die(game_error_text(result));
    return result;
}

/* A role's legal moves in a list that grows. */
typedef struct {
    game_move *at;
    int len, cap;
} moves;

static void find_legal(game *g, const game_state *s, int role, moves *m) {
    for (;;) {
        m->len = ok(game_legal(g, s, role, m->at, m->cap));
        if (m->len <= m->cap) return;
        m->cap = 2 * m->len;
        m->at = realloc(m->at, (size_t)m->cap * sizeof(game_move));
        if (!m->at) die("no memory");
    }
}

static moves scratch;

/* Plays to the end at random and returns the number of states after the one given, or -1 where a role has no move. */
static long playout(game *g, game_state *s) {
    game_move joint[MAX_ROLES];
    long plies = 0;
    while (!ok(game_terminal(g, s))) {
        if (plies == MAX_PLIES) return plies;
        for (int role = 0; role < game_roles(); role++) {
            find_legal(g, s, role, &scratch);
            if (!scratch.len) return -1;
            joint[role] = scratch.at[below(scratch.len)];
        }
        ok(game_next(g, s, joint, s));
        plies++;
    }
    return plies;
}

static void print_move(game *g, game_move move) {
    char text[4096];
    int len = ok(game_move_name(g, move, text, sizeof text));
    fwrite(text, 1, len < (int)sizeof text ? (size_t)len : sizeof text - 1, stdout);
}

/* The move with the best average over `playouts` random matches; the others' moves are random. */
static game_move think(game *g, const game_state *s, int role, int playouts) {
    static moves own;
    game_state *t = game_state_new(g);
    game_move joint[MAX_ROLES], best = 0;
    double best_mean = -1;
    if (!t) die("no memory");
    find_legal(g, s, role, &own);
    if (!own.len) die("a role has no legal move");
    for (int i = 0; i < own.len; i++) {
        double sum = 0;
        for (int n = 0; n < playouts && own.len > 1; n++) {
            for (int other = 0; other < game_roles(); other++) {
                find_legal(g, s, other, &scratch);
                if (!scratch.len) die("a role has no legal move");
                joint[other] = other == role ? own.at[i] : scratch.at[below(scratch.len)];
            }
            ok(game_next(g, s, joint, t));
            playout(g, t);
            sum += ok(game_goal(g, t, role));
        }
        if (sum > best_mean) {
            best_mean = sum;
            best = own.at[i];
        }
    }
    game_state_free(t);
    return best;
}

static void play(game *g, int playouts, int all) {
    game_state *s = game_state_new(g);
    game_move joint[MAX_ROLES];
    if (!s) die("no memory");
    ok(game_initial(g, s));
    for (int ply = 0; ply < MAX_PLIES && !ok(game_terminal(g, s)); ply++) {
        printf("%d:", ply + 1);
        for (int role = 0; role < game_roles(); role++) {
            if (role == 0 || all) {
                joint[role] = think(g, s, role, playouts);
            } else {
                find_legal(g, s, role, &scratch);
                if (!scratch.len) die("a role has no legal move");
                joint[role] = scratch.at[below(scratch.len)];
            }
            putchar(' ');
            print_move(g, joint[role]);
        }
        putchar('\n');
        ok(game_next(g, s, joint, s));
    }
    printf("goals:");
    for (int role = 0; role < game_roles(); role++) printf(" %d", ok(game_goal(g, s, role)));
    putchar('\n');
    game_state_free(s);
}

static void bench(game *g, double seconds) {
    game_state *s = game_state_new(g);
    clock_t start = clock();
    double states = 0, matches = 0, sum = 0, spent;
    if (!s) die("no memory");
    do {
        for (int i = 0; i < 16; i++) {
            long plies;
            ok(game_initial(g, s));
            plies = playout(g, s);
            if (plies < 0) die("a role has no legal move");
            sum += ok(game_goal(g, s, 0));
            states += (double)plies + 1;
            matches++;
            if (states > 200 && (double)(clock() - start) / CLOCKS_PER_SEC >= seconds) break;
        }
        spent = (double)(clock() - start) / CLOCKS_PER_SEC;
    } while (spent < seconds);
    printf("%.0f states/s  %.0f matches/s  (%.0f matches in %.2f CPU s, role 0 has %.1f points on average)\n", states / spent,
           matches / spent, matches, spent, sum / matches);
    game_state_free(s);
}

/* ---- check ---- */

static int compare(const void *a, const void *b) { return strcmp(*(char *const *)a, *(char *const *)b); }

static char *name_of(game *g, const game_state *s, int index, game_move move) {
    int len = ok(s ? game_fluent_name(g, s, index, NULL, 0) : game_move_name(g, move, NULL, 0));
    char *text = malloc((size_t)len + 1);
    if (!text) die("no memory");
    ok(s ? game_fluent_name(g, s, index, text, (size_t)len + 1) : game_move_name(g, move, text, (size_t)len + 1));
    return text;
}

/* Whether the names, sorted, are the tab-separated ones of the line. */
static int same_names(char **names, int count, char *line) {
    int same = 1, i = 0;
    qsort(names, (size_t)count, sizeof *names, compare);
    for (char *want = strtok(line, "\t"); want; want = strtok(NULL, "\t"), i++)
        if (i >= count || strcmp(names[i], want)) same = 0;
    for (int n = 0; n < count; n++) free(names[n]);
    free(names);
    return same && i == count;
}

static int check_line(game *g, game_state *s, char *line) {
    char *rest = strchr(line, '\t');
    int role, count;
    char **names;
    if (rest) *rest++ = 0;
    else rest = line + strlen(line);
    if (!strcmp(line, "start")) {
        ok(game_initial(g, s));
    } else if (!strcmp(line, "state")) {
        count = ok(game_fluents(g, s));
        names = malloc(((size_t)count + 1) * sizeof *names);
        if (!names) die("no memory");
        for (int i = 0; i < count; i++) names[i] = name_of(g, s, i, 0);
        return same_names(names, count, rest);
    } else if (!strcmp(line, "set")) {
        count = 0;
        names = malloc((strlen(rest) / 2 + 2) * sizeof *names);
        if (!names) die("no memory");
        for (char *text = strtok(rest, "\t"); text; text = strtok(NULL, "\t")) names[count++] = text;
        ok(game_set(g, s, (const char *const *)names, count));
        free(names);
    } else if (!strcmp(line, "terminal")) {
        return ok(game_terminal(g, s)) == atoi(rest);
    } else if (!strcmp(line, "legal")) {
        role = (int)strtol(rest, &rest, 10);
        find_legal(g, s, role, &scratch);
        names = malloc(((size_t)scratch.len + 1) * sizeof *names);
        if (!names) die("no memory");
        for (int i = 0; i < scratch.len; i++) names[i] = name_of(g, NULL, 0, scratch.at[i]);
        return same_names(names, scratch.len, rest);
    } else if (!strcmp(line, "goal")) {
        role = (int)strtol(rest, &rest, 10);
        return ok(game_goal(g, s, role)) == atoi(rest);
    } else if (!strcmp(line, "play")) {
        game_move joint[MAX_ROLES];
        char *text = strtok(rest, "\t");
        for (role = 0; role < game_roles(); role++, text = strtok(NULL, "\t")) {
            if (!text || game_find_move(g, role, text, &joint[role]) < 0) return 0;
        }
        ok(game_next(g, s, joint, s));
    } else {
        die("a line that is none of start, set, state, terminal, legal, goal, play");
    }
    return 1;
}

static int check(game *g, const char *path) {
    FILE *file = fopen(path, "r");
    game_state *s = game_state_new(g);
    char *line = NULL;
    size_t cap = 0, len = 0;
    long number = 0, wrong = 0, states = 0;
    int c = 0;
    if (!file || !s) die("cannot read the file");
    while (c != EOF) {
        for (len = 0; (c = getc(file)) != EOF && c != '\n';) {
            if (len + 2 > cap) {
                cap = cap ? 2 * cap : 4096;
                line = realloc(line, cap);
                if (!line) die("no memory");
            }
            line[len++] = (char)c;
        }
        number++;
        if (!len || line[0] == '#') continue;
        line[len] = 0;
        states += !strncmp(line, "state", 5);
        if (!check_line(g, s, line)) {
            if (!wrong++) printf("line %ld: %s differs\n", number, line);
        }
    }
    printf("%ld states, %ld differences\n", states, wrong);
    fclose(file);
    free(line);
    game_state_free(s);
    return wrong ? 1 : 0;
}

static void names(game *g) {
    game_state *s = game_state_new(g);
    char text[65536];
    if (!s) die("no memory");
    ok(game_initial(g, s));
    for (int role = 0; role < game_roles(); role++) {
        ok(game_role_name(role, text, sizeof text));
        printf("role %s\n", text);
    }
    for (int i = 0; i < ok(game_fluents(g, s)); i++) {
        ok(game_fluent_name(g, s, i, text, sizeof text));
        printf("fluent %s\n", text);
    }
    for (int role = 0; role < game_roles(); role++) {
        find_legal(g, s, role, &scratch);
        for (int i = 0; i < scratch.len; i++) {
            ok(game_move_name(g, scratch.at[i], text, sizeof text));
            printf("move %s\n", text);
        }
    }
    game_state_free(s);
}

int main(int argc, char **argv) {
    const char *mode = argc > 1 ? argv[1] : "";
    game *g = game_new();
    int result = 0;
    if (!g) die("no memory");
    if (game_roles() > MAX_ROLES) die("too many roles");
    if (argc > 3) seed_in_hand = strtoull(argv[3], NULL, 10);
    if (!strcmp(mode, "play") || !strcmp(mode, "random")) {
        play(g, argc > 2 ? atoi(argv[2]) : 100, !strcmp(mode, "play"));
    } else if (!strcmp(mode, "bench")) {
        bench(g, argc > 2 ? atof(argv[2]) : 1);
    } else if (!strcmp(mode, "check") && argc > 2) {
        result = check(g, argv[2]);
    } else if (!strcmp(mode, "names")) {
        names(g);
    } else {
        fprintf(stderr, "usage: mc play|random [PLAYOUTS] [SEED] | mc bench [SECONDS] [SEED] | mc check FILE | mc names\n");
        result = 2;
    }
    free(scratch.at);
    game_free(g);
    return result;
}
