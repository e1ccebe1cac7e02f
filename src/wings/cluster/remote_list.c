#include "cluster/remote_list.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "cluster/row_binary.h"

static int uid_cmp(twx_uid a, twx_uid b) {
    if (a.shard != b.shard) return a.shard < b.shard ? -1 : 1;
    return (a.doc > b.doc) - (a.doc < b.doc);
}

static int by_uid(const void *left, const void *right) {
    const twx_remote_entry *a = left, *b = right;
    return uid_cmp(a->uid, b->uid);
}

void twx_remote_list_init(twx_remote_list *list) {
    *list = (twx_remote_list){0};
    twx_arena_init(&list->bytes, 0);
}

void twx_remote_list_done(twx_remote_list *list) {
    TWX_VEC_DONE(&list->at);
    TWX_VEC_DONE(&list->by_number);
    twx_arena_done(&list->bytes);
}

/* ---- reading ------------------------------------------------------------- */

static twx_rc fail_row(twx_ctx *cx) {
    return twx_fail(cx, TWX_E_DATA, "cluster: the answer to 'remotes' has an invalid row");
}

/* The entries of one shard share its name. */
static twx_rc name_shard(twx_ctx *cx, twx_remote_list *list, twx_remote_entry *e) {
    char name[12];
    const twx_remote_entry *last = list->at.n ? &list->at.at[list->at.n - 1] : NULL;
    if (last && last->uid.shard == e->uid.shard) {
        e->remote.shard = last->remote.shard;
        return TWX_OK;
    }
    snprintf(name, sizeof name, "%" PRIu32, e->uid.shard);
    return twx_arena_copy(cx, &list->bytes, twx_slice_of(name), &e->remote.shard);
}

/* A rank ends with the uid. */
static twx_rc add_entry(twx_ctx *cx, twx_slice uid, twx_slice rank, uint8_t form, uint32_t shard,
                        const twx_preference *preference, twx_remote_list *list) {
    twx_remote_entry e = {.uid = {0, 0}, .form = form};
    twx_value id = {.type = TWX_NULL};
    if (uid.n != TWX_UID_BYTES) return fail_row(cx);
    e.uid = twx_uid_read(uid.p);
    twx_rc rc = twx_order_key_read(cx, preference, &list->bytes, &rank, &id);
    if (rc == TWX_OK && (!twx_slice_eq(rank, uid) || e.uid.shard == shard)) rc = fail_row(cx);
    if (rc == TWX_OK) rc = name_shard(cx, list, &e);
    if (rc != TWX_OK) return rc;
    e.remote.id = id;
    e.remote.doc = twx_remote_number(e.remote.shard, &id);
    return TWX_VEC_PUSH(cx, &list->at, e) ? TWX_OK : TWX_E_NOMEM;
}

static int by_number(const void *left, const void *right, void *arg) {
    const twx_remote_list *list = arg;
    const uint32_t a = *(const uint32_t *)left, b = *(const uint32_t *)right;
    const int64_t x = list->at.at[a].remote.doc, y = list->at.at[b].remote.doc;
    return x != y ? (x > y) - (x < y) : (a > b) - (a < b);
}

/* Documents that collide get lower numbers. */
static twx_rc make_distinct(twx_ctx *cx, twx_remote_list *list) {
    const size_t n = list->at.n;
    for (size_t i = 0; i < n; i++)
        if (!TWX_VEC_PUSH(cx, &list->by_number, (uint32_t)i)) return TWX_E_NOMEM;
    if (n < 2) return TWX_OK;
    qsort_r(list->by_number.at, n, sizeof *list->by_number.at, by_number, list);
    for (size_t i = n - 1; i-- > 0;) {
        int64_t *number = &list->at.at[list->by_number.at[i]].remote.doc;
        const int64_t above = list->at.at[list->by_number.at[i + 1]].remote.doc;
        if (*number < above) continue;
        if (above <= INT64_MIN + 1)
            return twx_fail(cx, TWX_E_INTERNAL, "no number is left for a document");
        *number = above - 1;
    }
    return TWX_OK;
}

twx_rc twx_remote_list_read(twx_ctx *cx, twx_slice rows, uint32_t shard,
                            const twx_preference *preference, twx_remote_list *list) {
    twx_row_reader r = {.rest = rows};
    twx_rc rc = TWX_OK;
    while (rc == TWX_OK && r.rest.n > 0) {
        const twx_slice uid = twx_row_string(&r), rank = twx_row_string(&r);
        const uint8_t form = (uint8_t)twx_row_number(&r, 1);
        rc = r.broken || list->at.n >= UINT32_MAX
                 ? fail_row(cx)
                 : add_entry(cx, uid, rank, form, shard, preference, list);
    }
    if (rc != TWX_OK) return rc;
    if (list->at.n > 1) qsort(list->at.at, list->at.n, sizeof *list->at.at, by_uid);
    for (size_t i = 1; i < list->at.n; i++)
        if (by_uid(&list->at.at[i - 1], &list->at.at[i]) == 0) return fail_row(cx);
    return make_distinct(cx, list);
}

/* ---- looking up ---------------------------------------------------------- */

const twx_remote_entry *twx_remote_list_of_uid(const twx_remote_list *list, twx_uid uid) {
    const twx_remote_entry key = {.uid = uid};
    return list->at.n ? bsearch(&key, list->at.at, list->at.n, sizeof key, by_uid) : NULL;
}

const twx_remote_entry *twx_remote_list_of_number(const twx_remote_list *list, int64_t number) {
    size_t low = 0, high = list->by_number.n;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        const twx_remote_entry *e = &list->at.at[list->by_number.at[middle]];
        if (e->remote.doc == number) return e;
        if (e->remote.doc < number)
            low = middle + 1;
        else
            high = middle;
    }
    return NULL;
}

static twx_rc rewind_rows(void *arg) {
    twx_remote_list *list = arg;
    list->next = 0;
    return TWX_OK;
}

static twx_rc next_row(void *arg, twx_remote *ret_row) {
    twx_remote_list *list = arg;
    if (list->next == list->by_number.n) return TWX_DONE;
    *ret_row = list->at.at[list->by_number.at[list->next++]].remote;
    return TWX_OK;
}

twx_remote_rows twx_remote_list_rows(twx_remote_list *list) {
    return (twx_remote_rows){list, rewind_rows, next_row};
}
