#include "sign/bag.h"

#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "base/hash64.h"
#include "text/stop_words.h"

enum { CHARACTERS_MIN = 4, HEAD = 8, RUN_SMALL = 24, BYTES = 256 };

static const uint64_t WORD_SEED = 0x776F7264;  /* "word" */
static const uint64_t PARTS_SEED = 0x70617274; /* "part" */

uint64_t twx_bag_hash(twx_slice word) {
    return twx_hash64(word, WORD_SEED);
}

/* The word is valid UTF-8, as all words are. */
static bool has_characters(twx_slice word, size_t min) {
    size_t characters = 0;
    for (size_t i = 0; i < word.n && characters < min; i++)
        characters += ((unsigned char)word.p[i] & 0xC0) != 0x80;
    return characters >= min;
}

bool twx_bag_takes(twx_slice word) {
    return has_characters(word, CHARACTERS_MIN) && !twx_is_stop_word(word);
}

/* The first eight bytes as a number, padded with zeros: numbers compare as the bytes do. Eight
 * bytes are readable from the beginning of any word of a bag. */
static uint64_t head(twx_slice word) {
    const uint64_t bytes = twx_load_be64(word.p);
    return word.n >= HEAD ? bytes : bytes & ~(UINT64_MAX >> (8 * word.n));
}

static int by_text(const void *a, const void *b) {
    const twx_bag_word *x = a, *y = b;
    const uint64_t p = head(x->text), q = head(y->text);
    if (p != q) return p < q ? -1 : 1;
    return twx_slice_cmp(x->text, y->text);
}

/* Stable: words with the same byte at that place keep their order. */
static void sort_by_byte(const twx_bag_word *from, size_t n, size_t byte, twx_bag_word *to) {
    uint32_t starts[BYTES] = {0}, sum = 0; /* a text has fewer than 2^28 such words */
    for (size_t i = 0; i < n; i++) starts[(unsigned char)from[i].text.p[byte]]++;
    for (size_t v = 0; v < BYTES; v++) {
        const uint32_t count = starts[v];
        starts[v] = sum;
        sum += count;
    }
    for (size_t i = 0; i < n; i++) to[starts[(unsigned char)from[i].text.p[byte]]++] = from[i];
}

static void sort_run(twx_bag_word *at, size_t n) {
    if (n > RUN_SMALL) {
        qsort(at, n, sizeof *at, by_text);
        return;
    }
    for (size_t i = 1; i < n; i++) {
        const twx_bag_word word = at[i];
        size_t to = i;
        for (; to > 0 && by_text(&at[to - 1], &word) > 0; to--) at[to] = at[to - 1];
        at[to] = word;
    }
}

/* Sorts by the second byte, then by the first, which leaves short runs of words with the same
 * beginning. Sorting by comparison alone would take as long as counting the words. */
static twx_rc sort_words(twx_ctx *cx, twx_arena *scratch, const twx_bag *bag) {
    twx_bag_word *at = bag->at;
    if (bag->n < 2) return TWX_OK;
    twx_bag_word *half = twx_arena_alloc(cx, scratch, bag->n, sizeof *half);
    if (!half) return TWX_E_NOMEM;
    sort_by_byte(at, bag->n, 1, half);
    sort_by_byte(half, bag->n, 0, at);
    for (size_t from = 0, to; from < bag->n; from = to) {
        for (to = from + 1; to < bag->n && memcmp(at[to].text.p, at[from].text.p, 2) == 0;) to++;
        sort_run(at + from, to - from);
    }
    return TWX_OK;
}

/* An upper bound of the bytes of all words: each has a place of its own in the text, and lower case
 * is up to 3/2 as long. */
static size_t bytes_of(twx_slice text) {
    return text.n + text.n / 2 + HEAD; /* head() reads past the last word */
}

/* Copies the content words out of the table, which is reused while the bag lives. */
static twx_rc take_words(twx_ctx *cx, twx_arena *scratch, const twx_word_counts *counts,
                         twx_bag *bag) {
    twx_word word;
    bag->at = twx_arena_alloc(cx, scratch, twx_word_counts_distinct(counts, 1), sizeof *bag->at);
    char *text = bag->at ? twx_arena_alloc(cx, scratch, bytes_of(counts->text), 1) : NULL;
    if (!text) return TWX_E_NOMEM;
    for (size_t at = 0; twx_word_counts_next(counts, 1, &at, &word);) {
        const char *const end = twx_word_put(&word, text);
        const twx_slice taken = {text, (size_t)(end - text)};
        if (!twx_bag_takes(taken)) continue;
        bag->at[bag->n++] = (twx_bag_word){taken, twx_bag_hash(taken), word.count};
        bag->length += word.count;
        if (word.count > bag->tf_max) bag->tf_max = word.count;
        text += taken.n;
    }
    return TWX_OK;
}

twx_rc twx_bag_of(twx_ctx *cx, twx_workspace *w, twx_slice text, twx_bag *ret_bag) {
    const twx_word_counts *counts = NULL;
    twx_bag bag = {0};
    twx_rc rc = TWX_OK;
    if (text.n > 0 && text.n <= TWX_WORD_COUNTS_TEXT_MAX) {
        rc = twx_workspace_count(cx, w, text, CHARACTERS_MIN - 1, &counts);
        if (rc == TWX_OK) rc = take_words(cx, twx_workspace_scratch(w), counts, &bag);
        if (rc == TWX_OK) rc = sort_words(cx, twx_workspace_scratch(w), &bag);
    }
    if (rc == TWX_OK) *ret_bag = bag;
    return rc;
}

static int by_bytes(const void *a, const void *b) {
    const twx_slice *x = a, *y = b;
    return twx_slice_cmp(*x, *y);
}

twx_rc twx_key_of_parts(twx_ctx *cx, twx_workspace *w, twx_slice *parts, size_t n,
                        twx_key *ret_key) {
    size_t bytes = n;
    for (size_t i = 0; i < n; i++) bytes += parts[i].n;
    char *joined = twx_arena_alloc(cx, twx_workspace_scratch(w), bytes, 1), *out = joined;
    if (!joined) return TWX_E_NOMEM;
    if (n > 1) qsort(parts, n, sizeof *parts, by_bytes);
    for (size_t i = 0; i < n; i++) {
        if (i > 0) *out++ = ' ';
        if (parts[i].n > 0) memcpy(out, parts[i].p, parts[i].n);
        out += parts[i].n;
    }
    const twx_slice whole = {joined, (size_t)(out - joined)};
    const twx_hash128 seeded = twx_hash_wide(whole, PARTS_SEED);
    const uint64_t crc = crc32_z(0, (const unsigned char *)joined, whole.n);
    *ret_key = (twx_key){crc << 32 | (seeded.lo & UINT32_MAX), seeded.hi};
    return TWX_OK;
}
