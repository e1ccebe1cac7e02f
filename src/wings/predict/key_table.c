#include "predict/key_table.h"

#include <stdlib.h>

#include "base/alloc.h"

enum { SLOTS_FIRST = 64 };

void twx_key_table_done(twx_key_table *t) {
    if (!t) return;
    twx_free(t->slots);
    *t = (twx_key_table){0};
}

static uint64_t usable(uint64_t key) {
    return key ? key : 1;
}

/* Keys are hashes, but anyone can choose what is hashed: the upper half is folded in, so that equal
 * lower halves alone do not form a chain. */
static twx_key_slot *slot_of(const twx_key_table *t, uint64_t key) {
    size_t i = (size_t)(key ^ key >> 32) & t->mask;
    while (t->slots[i].key != 0 && t->slots[i].key != key) i = (i + 1) & t->mask;
    return &t->slots[i];
}

static bool is_full(const twx_key_table *t) {
    return !t->slots || t->n >= (t->mask + 1) / 4 * 3;
}

static twx_rc grow(twx_ctx *cx, twx_key_table *t) {
    twx_key_table bigger = *t;
    const size_t count = t->slots ? (t->mask + 1) * 2 : SLOTS_FIRST;
    if (t->bytes_most && t->slots && count > t->bytes_most / sizeof *t->slots) return TWX_DONE;
    bigger.slots = twx_calloc(cx, count, sizeof *bigger.slots);
    if (!bigger.slots) return TWX_E_NOMEM;
    bigger.mask = count - 1;
    for (size_t i = 0; t->slots && i <= t->mask; i++)
        if (t->slots[i].key != 0) *slot_of(&bigger, t->slots[i].key) = t->slots[i];
    twx_free(t->slots);
    *t = bigger;
    return TWX_OK;
}

twx_rc twx_key_table_place(twx_ctx *cx, twx_key_table *t, uint64_t key, uint64_t value,
                           uint64_t **ret_at, bool *ret_fresh) {
    key = usable(key);
    twx_key_slot *slot = t->slots ? slot_of(t, key) : NULL;
    bool fresh = !slot || slot->key == 0;
    if (fresh && is_full(t)) {
        twx_rc rc = grow(cx, t);
        if (rc == TWX_E_NOMEM) return rc;
        slot = rc == TWX_OK ? slot_of(t, key) : NULL;
    }
    if (fresh && slot) {
        *slot = (twx_key_slot){key, value};
        t->n++;
    }
    *ret_fresh = fresh;
    *ret_at = slot ? &slot->value : NULL;
    return TWX_OK;
}

const uint64_t *twx_key_table_get(const twx_key_table *t, uint64_t key) {
    if (!t->slots) return NULL;
    const twx_key_slot *slot = slot_of(t, usable(key));
    return slot->key ? &slot->value : NULL;
}

static int by_key(const void *a, const void *b) {
    const int64_t x = (int64_t)((const twx_key_slot *)a)->key,
                  y = (int64_t)((const twx_key_slot *)b)->key;
    return x < y ? -1 : x > y;
}

twx_rc twx_key_table_list(twx_ctx *cx, const twx_key_table *t, twx_key_slot **ret_slots) {
    size_t n = 0;
    *ret_slots = NULL;
    if (t->n == 0) return TWX_OK;
    twx_key_slot *list = twx_calloc(cx, t->n, sizeof *list);
    if (!list) return TWX_E_NOMEM;
    for (size_t i = 0; i <= t->mask; i++)
        if (t->slots[i].key) list[n++] = t->slots[i];
    qsort(list, n, sizeof *list, by_key);
    *ret_slots = list;
    return TWX_OK;
}
