#include "text/word_counts.h"

#include <string.h>

#include "base/alloc.h"
#include "base/hash64.h"
#include "base/utf8.h"
#include "text/char_class.h"

enum { SLOTS_MIN = 1 << 10, COPIES_KEEP = 1 << 20 };
static const uint32_t COPIED = UINT32_C(1) << 31;
static const uint32_t UNCAPPED = UINT32_C(1) << 31; /* flag in long_at */

void twx_word_counts_init(twx_word_counts *c, uint64_t seed) {
    *c = (twx_word_counts){.seed = twx_mix64(seed, 0)}; /* small seeds are poor factors */
    twx_tokens_init(&c->tokens);
    twx_buf_init(&c->copies, UINT32_MAX);
}

void twx_word_counts_done(twx_word_counts *c) {
    if (!c) return;
    twx_tokens_done(&c->tokens);
    twx_buf_done(&c->copies);
    TWX_VEC_DONE(&c->longs);
    TWX_VEC_DONE(&c->used);
    twx_free(c->slots);
    c->slots = NULL;
    c->room = 0;
}

static twx_slice long_text(const twx_word_counts *c, const twx_word_slot *slot) {
    const twx_long_word *word = &c->longs.at[(slot->long_at & ~UNCAPPED) - 1];
    const char *from = word->length & COPIED ? c->copies.p : c->text.p;
    return (twx_slice){from + word->at, word->length & ~COPIED};
}

/* The initial number of slots. Documentation has a distinct word every 20 bytes, and clearing the
 * table should cost no more than reading the text. */
static size_t first_slots(size_t text_bytes) {
    size_t slots = SLOTS_MIN;
    while (slots < TWX_WORD_COUNTS_KEEP && slots < text_bytes / 8) slots *= 2;
    return slots;
}

/* Empties the table for the next text and releases the excess memory of a huge one. */
static twx_rc clear(twx_ctx *cx, twx_word_counts *c, size_t text_bytes) {
    size_t slots = first_slots(text_bytes);
    if (c->used.cap > TWX_WORD_COUNTS_KEEP) TWX_VEC_DONE(&c->used);
    c->used.n = 0;
    c->most = 0;
    if (c->longs.cap > TWX_WORD_COUNTS_KEEP) TWX_VEC_DONE(&c->longs);
    c->longs.n = 0;
    if (c->copies.cap > COPIES_KEEP) {
        twx_buf_done(&c->copies);
        twx_buf_init(&c->copies, UINT32_MAX);
    }
    twx_buf_clear(&c->copies);
    if (c->room < slots || c->room > TWX_WORD_COUNTS_KEEP) {
        twx_free(c->slots);
        c->room = 0;
        c->slots = twx_calloc(cx, slots, sizeof *c->slots);
        if (!c->slots) return TWX_E_NOMEM;
        c->room = slots;
    } else {
        memset(c->slots, 0, slots * sizeof *c->slots);
    }
    c->mask = slots - 1;
    return TWX_OK;
}

/* The first slot of a key: multiply-shift hashing (Dietzfelbinger et al. 1997). For a random odd
 * factor two given keys collide with a probability of at most 2 in the number of slots. */
static size_t home(const twx_word_counts *c, uint64_t key, size_t mask) {
    const uint64_t mixed = key * (c->seed | 1);
    return (size_t)(mixed >> __builtin_clzll(mask)) & mask;
}

static twx_rc grow(twx_ctx *cx, twx_word_counts *c) {
    size_t mask = c->mask * 2 + 1;
    twx_word_slot *slots = twx_calloc(cx, mask + 1, sizeof *slots);
    if (!slots) return TWX_E_NOMEM;
    for (size_t i = 0; i < c->used.n; i++) {
        const twx_word_slot *slot = &c->slots[c->used.at[i]];
        size_t at = home(c, slot->key, mask);
        while (slots[at].count) at = (at + 1) & mask;
        slots[at] = *slot;
        c->used.at[i] = (uint32_t)at;
    }
    twx_free(c->slots);
    c->slots = slots;
    c->mask = mask;
    c->room = mask + 1;
    return TWX_OK;
}

static twx_rc take_slot(twx_ctx *cx, twx_word_counts *c, twx_word_slot *slot, twx_word_slot fresh) {
    if (!TWX_VEC_PUSH(cx, &c->used, (uint32_t)(slot - c->slots))) return TWX_E_NOMEM;
    *slot = fresh;
    if (c->most == 0) c->most = 1;
    return c->used.n * 3 > c->mask * 2 ? grow(cx, c) : TWX_OK;
}

static bool is_long(const twx_word_slot *slot) {
    return (slot->long_at & ~UNCAPPED) != 0;
}

static void count_again(twx_word_counts *c, twx_word_slot *slot, uint32_t uncapped) {
    slot->count++;
    slot->long_at |= uncapped;
    if (slot->count > c->most) c->most = slot->count;
}

static twx_rc count_short(twx_ctx *cx, twx_word_counts *c, uint64_t key, uint32_t uncapped) {
    for (size_t at = home(c, key, c->mask);; at = (at + 1) & c->mask) {
        twx_word_slot *slot = &c->slots[at];
        if (slot->count == 0) return take_slot(cx, c, slot, (twx_word_slot){key, 1, uncapped});
        if (slot->key != key || is_long(slot)) continue;
        count_again(c, slot, uncapped);
        return TWX_OK;
    }
}

static twx_rc add_long(twx_ctx *cx, twx_word_counts *c, const twx_token *token, uint32_t *ret_at) {
    twx_long_word word = {(uint32_t)(token->text.p - c->text.p), (uint32_t)token->text.n};
    if (token->kind == TWX_TOKEN_LOWERED) {
        word = (twx_long_word){(uint32_t)c->copies.n, (uint32_t)token->text.n | COPIED};
        twx_rc rc = twx_buf_add_slice(cx, &c->copies, token->text);
        if (rc != TWX_OK) return rc;
    }
    if (!TWX_VEC_PUSH(cx, &c->longs, word)) return TWX_E_NOMEM;
    *ret_at = (uint32_t)c->longs.n;
    return TWX_OK;
}

static twx_rc count_long(twx_ctx *cx, twx_word_counts *c, twx_token *token, uint32_t uncapped) {
    twx_rc rc = twx_tokens_lower(cx, &c->tokens, token);
    if (rc != TWX_OK) return rc;
    uint64_t key = twx_hash64(token->text, c->seed);
    for (size_t at = home(c, key, c->mask);; at = (at + 1) & c->mask) {
        twx_word_slot *slot = &c->slots[at];
        if (slot->count == 0) {
            uint32_t long_at = 0;
            rc = add_long(cx, c, token, &long_at);
            return rc == TWX_OK
                       ? take_slot(cx, c, slot, (twx_word_slot){key, 1, long_at | uncapped})
                       : rc;
        }
        if (slot->key != key || !is_long(slot)) continue;
        if (!twx_slice_eq(long_text(c, slot), token->text)) continue;
        count_again(c, slot, uncapped);
        return TWX_OK;
    }
}

/* The word as a number, first byte lowest. `room`: readable bytes from its beginning. */
static uint64_t short_key(const twx_token *token, size_t room) {
    uint64_t key = 0;
    const size_t n = token->text.n;
    if (room >= TWX_WORD_SHORT) {
        key = twx_load_le64(token->text.p) & UINT64_MAX >> (64 - 8 * n);
    } else {
        for (size_t i = n; i-- > 0;) key = key << 8 | (unsigned char)token->text.p[i];
    }
    /* ASCII letters, unlike digits, have bit 6, and lower-case ones bit 5 */
    if (token->kind != TWX_TOKEN_LOWERED) key |= (key & UINT64_C(0x4040404040404040)) >> 1;
    return key;
}

/* UNCAPPED unless the word begins with a capital letter. */
static uint32_t uncapped(const twx_tokens *tokens, const twx_token *token) {
    uint32_t first = (unsigned char)*token->start;
    if (first < 0x80) return first - 'A' < 26 ? 0 : UNCAPPED;
    twx_utf8_next(token->start, tokens->end, &first);
    return twx_to_lower(first) != first ? 0 : UNCAPPED;
}

static twx_rc count_word(twx_ctx *cx, twx_word_counts *c, twx_token *token) {
    const uint32_t seen = uncapped(&c->tokens, token);
    if (token->text.n > TWX_WORD_SHORT) return count_long(cx, c, token, seen);
    size_t room = token->kind == TWX_TOKEN_LOWERED ? token->text.n
                                                   : (size_t)(c->tokens.end - token->text.p);
    return count_short(cx, c, short_key(token, room), seen);
}

twx_rc twx_word_counts_of(twx_ctx *cx, twx_word_counts *c, twx_slice text, size_t min_units) {
    /* lower case is at most 3/2 as long: lengths fit 31 bits, offsets 32 */
    if (text.n > TWX_WORD_COUNTS_TEXT_MAX)
        return twx_fail(cx, TWX_E_LIMIT, "a text of %zu bytes is too long to count its words",
                        text.n);
    twx_token token;
    c->text = text;
    twx_rc rc = clear(cx, c, text.n);
    twx_tokens_start(&c->tokens, text);
    while (rc == TWX_OK && (rc = twx_tokens_next_raw(cx, &c->tokens, &token)) == TWX_OK)
        if (token.units > min_units) rc = count_word(cx, c, &token);
    return rc == TWX_DONE ? TWX_OK : rc;
}

bool twx_word_counts_next(const twx_word_counts *c, uint32_t min_count, size_t *at,
                          twx_word *ret_word) {
    for (; *at < c->used.n; ++*at) {
        const twx_word_slot *slot = &c->slots[c->used.at[*at]];
        if (slot->count < min_count) continue;
        unsigned char bytes[TWX_WORD_SHORT];
        twx_store_le64(bytes, slot->key);
        *ret_word = (twx_word){
            twx_load_be64(bytes), {NULL, 0}, slot->count, !(slot->long_at & UNCAPPED)};
        if (is_long(slot)) {
            ret_word->long_text = long_text(c, slot);
            ret_word->head = twx_load_be64(ret_word->long_text.p);
        }
        ++*at;
        return true;
    }
    return false;
}

size_t twx_word_length(const twx_word *word) {
    if (word->long_text.p) return word->long_text.n;
    return TWX_WORD_SHORT - (size_t)__builtin_ctzll(word->head) / 8; /* the padding */
}

char *twx_word_put(const twx_word *word, char *out) {
    size_t n = twx_word_length(word);
    char bytes[TWX_WORD_SHORT];
    twx_store_be64(bytes, word->head);
    memcpy(out, word->long_text.p ? word->long_text.p : bytes, n);
    return out + n;
}

int twx_word_cmp(const twx_word *a, const twx_word *b) {
    if (a->head != b->head) return a->head < b->head ? -1 : 1;
    if (!a->long_text.p || !b->long_text.p)
        return (a->long_text.p != NULL) - (b->long_text.p != NULL);
    return twx_slice_cmp(a->long_text, b->long_text);
}
