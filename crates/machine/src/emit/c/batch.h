/*
 * batch.h - 64 states at once, for games emitted from their network. Beside game.h; the same text for all of them.
 */
#ifndef GAME_BATCH_H
#define GAME_BATCH_H

#include "game.h"

typedef struct game_batch game_batch;

/* NULL: no memory. All 64 lanes begin with an empty state. */
game_batch *game_batch_new(void);
void game_batch_free(game_batch *b);

/* Puts a state into a lane, 0 to 63. */
void game_batch_load(game_batch *b, int lane, const game_state *s);

/* Evaluates all lanes: bit i is set where the match of lane i is over. To be called before game_batch_legal. */
uint64_t game_batch_terminal(game_batch *b);

/* The lanes in which a move is legal. */
uint64_t game_batch_legal(const game_batch *b, game_move move);

/* Chooses a move in these lanes; every role needs one in every lane that matters. Then all lanes go on together. */
void game_batch_play(game_batch *b, game_move move, uint64_t lanes);
void game_batch_next(game_batch *b);

/* The points of a role in a lane, after game_batch_terminal. */
int game_batch_goal(game_batch *b, int lane, int role);

#endif
