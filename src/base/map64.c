#include "base/map64.h"

#include "base/alloc.h"

struct twx_map64_slot {
    uint64_t key; /* 0: free */
    uint64_t value;
};

void twx_map64_init(twx_map64 *m, uint64_t seed) {
    *m = (twx_map64){.seed = seed};
}

void twx_map64_done(twx_map64 *m) {
    if (!m) return;
    twx_free(m->slots);
    *m = (twx_map64){0};
}

/* Multiply and fold: two multiplications by odd constants, with the seed mixed in, spread keys that
 * differ in only a few bits. */
static size_t home(const twx_map64 *m, uint64_t key) {
    uint64_t h = (key ^ m->seed) * UINT64_C(0x9E3779B97F4A7C15);
    h = (h ^ (h >> 32)) * UINT64_C(0xD6E8FEB86659FD93);
    return (size_t)(h ^ (h >> 32)) & m->mask;
}

static struct twx_map64_slot *slot_of(const twx_map64 *m, uint64_t key) {
    size_t i = home(m, key);
    while (m->slots[i].key != 0 && m->slots[i].key != key) i = (i + 1) & m->mask;
    return &m->slots[i];
}

static twx_rc grow(twx_ctx *cx, twx_map64 *m) {
    twx_map64 bigger = *m;
    size_t count = m->slots ? (m->mask + 1) * 2 : 64;
    bigger.slots = twx_calloc(cx, count, sizeof *bigger.slots);
    if (!bigger.slots) return TWX_E_NOMEM;
    bigger.mask = count - 1;
    for (size_t i = 0; m->slots && i <= m->mask; i++)
        if (m->slots[i].key != 0) *slot_of(&bigger, m->slots[i].key) = m->slots[i];
    twx_free(m->slots);
    *m = bigger;
    return TWX_OK;
}

/* Finds the value of key, or inserts the key (and sets *ret_fresh) when it is absent. */
static twx_rc place(twx_ctx *cx, twx_map64 *m, uint64_t key, bool *ret_fresh,
                    uint64_t **ret_value) {
    if (key == 0) {
        *ret_fresh = !m->has_zero;
        m->n += *ret_fresh;
        m->has_zero = true;
        *ret_value = &m->zero_value;
        return TWX_OK;
    }
    if (!m->slots || m->n >= (m->mask + 1) / 4 * 3) {
        twx_rc rc = grow(cx, m);
        if (rc != TWX_OK) return rc;
    }
    struct twx_map64_slot *s = slot_of(m, key);
    *ret_fresh = s->key == 0;
    if (*ret_fresh) {
        s->key = key;
        m->n++;
    }
    *ret_value = &s->value;
    return TWX_OK;
}

twx_rc twx_map64_add(twx_ctx *cx, twx_map64 *m, uint64_t key, uint64_t value, uint64_t *ret_value) {
    bool fresh = false;
    uint64_t *at = NULL;
    twx_rc rc = place(cx, m, key, &fresh, &at);
    if (rc != TWX_OK) return rc;
    if (fresh) *at = value;
    *ret_value = *at;
    return TWX_OK;
}

twx_rc twx_map64_put(twx_ctx *cx, twx_map64 *m, uint64_t key, uint64_t value) {
    bool fresh = false;
    uint64_t *at = NULL;
    twx_rc rc = place(cx, m, key, &fresh, &at);
    if (rc == TWX_OK) *at = value;
    return rc;
}

bool twx_map64_get(const twx_map64 *m, uint64_t key, uint64_t *ret_value) {
    if (key == 0) {
        if (m->has_zero) *ret_value = m->zero_value;
        return m->has_zero;
    }
    if (!m->slots) return false;
    const struct twx_map64_slot *s = slot_of(m, key);
    if (s->key == 0) return false;
    *ret_value = s->value;
    return true;
}
