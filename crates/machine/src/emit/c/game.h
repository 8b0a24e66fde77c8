/*
 * game.h - the interface of every game that `ludens emit --lang c` writes. The same text for all games.
 *
 * A `game` is a context: the memory in which questions are answered. There is no other mutable state, so every thread that
 * has a context of its own may play. States and move numbers belong to the context that made them.
 *
 * Functions that can fail return one of the negative codes below; after an error the context can still be used.
 * Texts are written as snprintf writes them: at most `size` bytes with a final zero, and what is returned is the length of the
 * whole text. The bytes are UTF-8.
 */
#ifndef GAME_H
#define GAME_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum {
    GAME_OK = 0,
    GAME_NO_MEMORY = -1,    /* malloc failed, or the limit on memory was reached */
    GAME_TOO_LONG = -2,     /* the limit on the steps of one question was reached */
    GAME_TOO_DEEP = -3,     /* the limit on the stack of recursive rules was reached */
    GAME_UNSTRATIFIED = -4, /* the rules define something by its own negation */
    GAME_UNKNOWN = -5       /* no such role, move or index; a text that is not of this game */
};

typedef struct game game;
typedef struct game_state game_state;
typedef uint32_t game_move;

/* What a context may use; see game_set_limits. */
typedef struct game_limits {
    size_t bytes;       /* memory, about; 1 GiB unless set */
    size_t stack_bytes; /* stack for rules that ask themselves; 4 MiB unless set. Threads with small stacks need less. */
    uint64_t steps;     /* work for one question; 200 million unless set */
} game_limits;

/* A new context, or NULL if there is no memory for it. */
game *game_new(void);
void game_free(game *g);
void game_set_limits(game *g, const game_limits *limits);

/* The players, numbered from 0 in the order of the rule sheet. */
int game_roles(void);
int game_role_name(int role, char *buffer, size_t size);

/* A new state that must be written (by game_initial, game_next or game_copy) before it is asked anything. NULL: no memory. */
game_state *game_state_new(game *g);
void game_state_free(game_state *s);
int game_copy(game_state *to, const game_state *from);

/* The state in which every match begins. */
int game_initial(game *g, game_state *out);

/* 1 if the match is over, 0 if not. */
int game_terminal(game *g, const game_state *s);

/* The number of legal moves of a role; the first `max` of them are written to `out`. */
int game_legal(game *g, const game_state *s, int role, game_move *out, int max);

/* The state after a joint move, one move per role. `out` may be `s`. */
int game_next(game *g, const game_state *s, const game_move *joint, game_state *out);

/* The points of a role, 0 to 100: where the rules give none, 0; where they give several, the smallest. */
int game_goal(game *g, const game_state *s, int role);

/* A move as the rule sheet writes it, e.g. (mark 1 1); and the way back. */
int game_move_name(game *g, game_move move, char *buffer, size_t size);
int game_find_move(game *g, int role, const char *text, game_move *out);

/* How many fluents hold in a state; and the text of one of them, index 0 and up, in no particular order. */
int game_fluents(game *g, const game_state *s);
int game_fluent_name(game *g, const game_state *s, int index, char *buffer, size_t size);

/* The state in which exactly these fluents hold. */
int game_set(game *g, game_state *out, const char *const *fluents, int count);

/* A negative code in words. */
const char *game_error_text(int code);

#ifdef __cplusplus
}
#endif

#endif
