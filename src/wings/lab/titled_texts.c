#include "lab/titled_texts.h"

#include <stdlib.h>

static int by_title(const void *left, const void *right) {
    const twx_titled_text *a = left, *b = right;
    if (a->title != b->title) return a->title < b->title ? -1 : 1;
    if (a->lot != b->lot) return a->lot < b->lot ? -1 : 1;
    return (a->document > b->document) - (a->document < b->document);
}

twx_rc twx_titled_texts_list(twx_ctx *cx, const twx_eval_finding *how, const uint32_t *rep,
                             twx_titled_texts *ret_list) {
    twx_map64 seen;
    uint64_t first = 0;
    twx_rc rc = TWX_OK;
    twx_map64_init(&seen, 0);
    for (uint32_t i = 0; rc == TWX_OK && i < how->documents->at.n; i++) {
        const uint32_t text = twx_finding_text(how, i);
        const uint64_t title = twx_finding_title(how, i);
        if (text == TWX_EVAL_NO_TEXT || title == 0 || twx_finding_is_hidden(rep, i)) continue;
        rc = twx_map64_add(cx, &seen, twx_mix64(text, title), i, &first);
        if (rc == TWX_OK && first == i &&
            !TWX_VEC_PUSH(cx, ret_list, (twx_titled_text){title, twx_finding_lot(how, i), i}))
            rc = TWX_E_NOMEM;
    }
    twx_map64_done(&seen);
    if (rc == TWX_OK && ret_list->n)
        qsort(ret_list->at, ret_list->n, sizeof *ret_list->at, by_title);
    return rc;
}

/* The first item whose title is at least `title`. */
static size_t lower_bound(const twx_titled_texts *list, uint64_t title) {
    size_t from = 0, to = list->n;
    while (from < to) {
        const size_t middle = from + (to - from) / 2;
        if (list->at[middle].title < title)
            from = middle + 1;
        else
            to = middle;
    }
    return from;
}

void twx_titled_texts_of(const twx_titled_texts *list, uint64_t title, size_t *ret_from,
                         size_t *ret_to) {
    *ret_from = *ret_to = lower_bound(list, title);
    while (*ret_to < list->n && list->at[*ret_to].title == title) ++*ret_to;
}
