#include "text/stop_words.h"

#include <string.h>

#include "base/hash64.h"
#include "base/rc.h"
#include "stop_words_table.h"

/* The longest has 12 bytes. Padded with zeros, a word becomes two numbers that compare like its
 * bytes. */
enum { WORD_ROOM = 16, WORD_HALF = WORD_ROOM / 2 };

static const char WORDS[][WORD_ROOM] = {STOP_WORDS_ROWS};

typedef struct halves {
    uint64_t first, second;
} halves;

static halves halves_of(const char bytes[WORD_ROOM]) {
    return (halves){twx_load_be64(bytes), twx_load_be64(bytes + WORD_HALF)};
}

/* Without a branch, because the outcome is unpredictable. */
static bool not_above(halves a, halves b) {
    return (a.first < b.first) | ((a.first == b.first) & (a.second <= b.second));
}

bool twx_is_stop_word(twx_slice word) {
    char bytes[WORD_ROOM] = {0};
    size_t at = 0; /* the last word that is not above it, if there is one, is in at..at + n */
    if (word.n == 0 || word.n > WORD_ROOM) return false;
    memcpy(bytes, word.p, word.n);
    const halves wanted = halves_of(bytes);
    for (size_t n = TWX_COUNTOF(WORDS), half; n > 1; n -= half) {
        half = n / 2;
        at += not_above(halves_of(WORDS[at + half]), wanted) ? half : 0;
    }
    return memcmp(WORDS[at], bytes, WORD_ROOM) == 0;
}

twx_slice twx_stop_word_at(size_t i) {
    if (i >= TWX_COUNTOF(WORDS)) return (twx_slice){NULL, 0};
    return (twx_slice){WORDS[i], strnlen(WORDS[i], WORD_ROOM)};
}
