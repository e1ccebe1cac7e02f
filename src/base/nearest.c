#include "base/nearest.h"

#include <string.h>

#include "base/slice.h"

enum { WORD_MAX = 63 }; /* letters; a longer word is near no name */

static char folded(char c) {
    return c == '-' || c == '.' ? '_' : twx_lower(c);
}

static size_t least(size_t a, size_t b) {
    return a < b ? a : b;
}

/* Fills the table of prefix distances row by row; a swap looks back two rows. */
static size_t distance(const char *a, size_t na, const char *b, size_t nb) {
    size_t rows[3][WORD_MAX + 1];
    for (size_t j = 0; j <= nb; j++) rows[0][j] = j;
    for (size_t i = 1; i <= na; i++) {
        size_t *now = rows[i % 3], *above = rows[(i + 2) % 3], *before = rows[(i + 1) % 3];
        now[0] = i;
        for (size_t j = 1; j <= nb; j++) {
            char x = folded(a[i - 1]), y = folded(b[j - 1]);
            now[j] = least(least(above[j], now[j - 1]) + 1, above[j - 1] + (x != y));
            if (i > 1 && j > 1 && x == folded(b[j - 2]) && y == folded(a[i - 2]))
                now[j] = least(now[j], before[j - 2] + 1);
        }
    }
    return rows[na % 3][nb];
}

twx_nearest twx_nearest_of(const char *word) {
    size_t allowed = strlen(word) / 3;
    if (allowed < 1) allowed = 1;
    if (allowed > 3) allowed = 3;
    return (twx_nearest){.word = word, .distance = allowed + 1};
}

void twx_nearest_try(twx_nearest *n, const char *name) {
    size_t na = strlen(n->word), nb = strlen(name);
    if (na == 0 || na > WORD_MAX || nb > WORD_MAX) return;
    size_t d = distance(n->word, na, name, nb);
    if (d >= n->distance) return;
    n->distance = d;
    n->name = name;
}
