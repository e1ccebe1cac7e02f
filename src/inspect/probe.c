#include "inspect/probe.h"
#include "sign/method_settings.h"

#include <stdlib.h>

enum { MILLION = 1000000, PAYLOAD_MAX = 64 << 20 };

static int by_key(const void *a, const void *b) {
    const twx_key *x = a, *y = b;
    if (x->key != y->key) return x->key < y->key ? -1 : 1;
    return x->check < y->check ? -1 : x->check > y->check;
}

/* The keys by which candidates are found: the stored ones, or keys computed from the stored
 * entry. */
typedef struct key_list {
    const twx_record_entry *stored;
    twx_key made[TWX_CANDIDATE_KEYS_MAX];
    bool are_made;
    size_t n;
} key_list;

static void list_keys(const twx_detector *d, const twx_params *params,
                      const twx_record_entry *entry, key_list *ret_list) {
    ret_list->stored = entry;
    ret_list->are_made = d->candidates != NULL;
    ret_list->n = entry ? entry->n_keys : 0;
    if (!d->candidates || ret_list->n == 0) return;
    const twx_signed from = {twx_record_key(entry, 0), entry->payload};
    ret_list->n = d->candidates(params, &from, ret_list->made);
}

static twx_key key_at(const key_list *list, size_t i) {
    return list->are_made ? list->made[i] : twx_record_key(list->stored, i);
}

twx_rc twx_probe_open(twx_ctx *cx, const twx_detector *detector, const twx_params *params,
                      const twx_record_entry *entry, twx_probe *ret_probe) {
    twx_probe y = {
        .detector = detector, .params = params, .any = twx_params_without_thresholds(params)};
    key_list list = {.n = 0};
    twx_rc rc = TWX_OK;
    twx_buf_init(&y.payload, PAYLOAD_MAX);
    list_keys(detector, params, entry, &list);
    for (size_t i = 0; rc == TWX_OK && i < list.n; i++)
        if (!TWX_VEC_PUSH(cx, &y.keys, key_at(&list, i))) rc = TWX_E_NOMEM;
    if (rc == TWX_OK && list.n > 0) rc = twx_buf_add_slice(cx, &y.payload, entry->payload);
    if (y.keys.n > 1) qsort(y.keys.at, y.keys.n, sizeof *y.keys.at, by_key);
    if (rc == TWX_OK)
        *ret_probe = y;
    else
        twx_probe_done(&y);
    return rc;
}

void twx_probe_done(twx_probe *y) {
    if (!y) return;
    TWX_VEC_DONE(&y->keys);
    twx_buf_done(&y->payload);
}

twx_nearness twx_probe_try(const twx_probe *y, const twx_record_entry *other) {
    const twx_detector *d = y->detector;
    const twx_slice payload = twx_buf_slice(&y->payload);
    key_list list = {.n = 0};
    list_keys(d, y->params, other, &list);
    twx_nearness near = {.keys = y->keys.n, .other_keys = list.n, .similarity = -1};
    if (near.keys == 0 || near.other_keys == 0) return near;
    for (size_t i = 0; i < list.n; i++) {
        const twx_key key = key_at(&list, i);
        near.shared += bsearch(&key, y->keys.at, y->keys.n, sizeof key, by_key) != NULL;
    }
    if (d->verify) {
        near.similarity = d->verify(&y->any, payload, other->payload);
        near.pair = near.shared > 0 && d->verify(y->params, payload, other->payload) >= 0;
    } else {
        near.similarity = (int32_t)(2 * (uint64_t)MILLION * near.shared /
                                    (near.keys + near.other_keys));
        near.pair = near.shared > 0;
    }
    return near;
}
