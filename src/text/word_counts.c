#include "text/word_counts.h"

#include <string.h>

#include "base/alloc.h"
#include "base/hash64.h"

enum { SLOTS_MIN = 1 << 10, COPIES_KEEP = 1 << 20 };
static const uint32_t COPIED = UINT32_C(1) << 31;

void twx_word_counts_init(twx_word_counts *c, uint64_t seed) {
    *c = (twx_word_counts){.seed = seed};
    twx_tokens_init(&c->tokens);
    twx_buf_init(&c->copies, UINT32_MAX);
}

void twx_word_counts_done(twx_word_counts *c) {
    if (!c) return;
    twx_tokens_done(&c->tokens);
    twx_buf_done(&c->copies);
    twx_free(c->slots);
    c->slots = NULL;
    c->room = 0;
}

static const char *text_of(const twx_word_counts *c, const twx_word_slot *slot) {
    return (slot->length & COPIED ? c->copies.p : c->text.p) + slot->at;
}

/* Slots to begin with: documentation has a distinct word every 20 bytes, and clearing should cost no
 * more than reading the text. */
static size_t first_slots(size_t text_bytes) {
    size_t slots = SLOTS_MIN;
    while (slots < TWX_WORD_COUNTS_KEEP && slots < text_bytes / 16) slots *= 2;
    return slots;
}

/* Empties the table for a text; what one huge text left behind goes back. */
static twx_rc clear(twx_ctx *cx, twx_word_counts *c, size_t text_bytes) {
    size_t slots = first_slots(text_bytes);
    c->n = 0;
    c->most = 0;
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

static twx_rc grow(twx_ctx *cx, twx_word_counts *c) {
    size_t mask = c->mask * 2 + 1;
    twx_word_slot *slots = twx_calloc(cx, mask + 1, sizeof *slots);
    if (!slots) return TWX_E_NOMEM;
    for (size_t i = 0; i <= c->mask; i++) {
        if (!c->slots[i].count) continue;
        size_t at = c->slots[i].hash & mask;
        while (slots[at].count) at = (at + 1) & mask;
        slots[at] = c->slots[i];
    }
    twx_free(c->slots);
    c->slots = slots;
    c->mask = mask;
    c->room = mask + 1;
    return TWX_OK;
}

static twx_rc add_word(twx_ctx *cx, twx_word_counts *c, const twx_token *token, twx_word_slot *slot,
                       uint32_t hash) {
    twx_word_slot fresh = {.hash = hash, .length = (uint32_t)token->text.n, .count = 1};
    if (token->in_lower) {
        fresh.at = (uint32_t)c->copies.n;
        fresh.length |= COPIED;
        twx_rc rc = twx_buf_add_slice(cx, &c->copies, token->text);
        if (rc != TWX_OK) return rc;
    } else {
        fresh.at = (uint32_t)(token->text.p - c->text.p);
    }
    *slot = fresh;
    if (c->most == 0) c->most = 1;
    c->n++;
    return c->n * 3 > c->mask * 2 ? grow(cx, c) : TWX_OK;
}

static twx_rc count_word(twx_ctx *cx, twx_word_counts *c, const twx_token *token) {
    uint32_t hash = (uint32_t)twx_hash64(token->text, c->seed);
    for (size_t at = hash & c->mask;; at = (at + 1) & c->mask) {
        twx_word_slot *slot = &c->slots[at];
        if (slot->count == 0) return add_word(cx, c, token, slot, hash);
        if (slot->hash != hash || (slot->length & ~COPIED) != token->text.n) continue;
        if (memcmp(text_of(c, slot), token->text.p, token->text.n) != 0) continue;
        slot->count++;
        if (slot->count > c->most) c->most = slot->count;
        return TWX_OK;
    }
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
    while (rc == TWX_OK && (rc = twx_tokens_next(cx, &c->tokens, &token)) == TWX_OK)
        if (token.units > min_units) rc = count_word(cx, c, &token);
    return rc == TWX_DONE ? TWX_OK : rc;
}

bool twx_word_counts_next(const twx_word_counts *c, uint32_t min_count, size_t *at,
                          twx_word *ret_word) {
    for (; c->slots && *at <= c->mask; ++*at) {
        const twx_word_slot *slot = &c->slots[*at];
        if (slot->count == 0 || slot->count < min_count) continue;
        *ret_word = (twx_word){{text_of(c, slot), slot->length & ~COPIED}, slot->count};
        ++*at;
        return true;
    }
    return false;
}
