/*
 * names.h - terms as text and back. The same text for all games.
 */
#include "game.h"

#include <string.h>

typedef uint32_t u32;
typedef uint64_t u64;

/* Tables and functions that some games have no use for. */
#ifdef __GNUC__
#define UNUSED_OK __attribute__((unused))
/* What every step of a plan needs: the number of columns is known only where it is called. */
#define FAST static inline __attribute__((always_inline))
#else
#define UNUSED_OK
#define FAST static inline
#endif

typedef struct { const char *text; u32 len; int points; } name;

/* Copies as much of a text as fits; returns its length. */
static int put_text(const char *text, size_t len, char *buffer, size_t size) {
    if (size) {
        size_t n = len < size - 1 ? len : size - 1;
        memcpy(buffer, text, n);
        buffer[n] = 0;
    }
    return (int)len;
}

static inline int lower(int c) { return c >= 'A' && c <= 'Z' ? c + 'a' - 'A' : c; }

static int same_text(const char *a, const char *b, size_t len, int fold) {
    for (size_t i = 0; i < len; i++)
        if (a[i] != b[i] && !(fold && lower((unsigned char)a[i]) == lower((unsigned char)b[i]))) return 0;
    return 1;
}

static inline int is_blank(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }

const char *game_error_text(int code) {
    switch (code) {
    case GAME_OK: return "no error";
    case GAME_NO_MEMORY: return "the limit on memory was reached";
    case GAME_TOO_LONG: return "the limit on the steps of one question was reached";
    case GAME_TOO_DEEP: return "the limit on the stack of recursive rules was reached";
    case GAME_UNSTRATIFIED: return "the rules define something by its own negation";
    case GAME_UNKNOWN: return "no such role, move or index in this game";
    default: return "an unknown error";
    }
}
