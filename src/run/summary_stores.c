#include "run/summary_stores.h"

#include <inttypes.h>

twx_rc twx_summary_add_store(twx_ctx *cx, twx_summary *s, const twx_summary_store *line) {
    twx_summary_store copy = *line;
    copy.store = twx_strdup(cx, line->store);
    copy.left_out = line->left_out ? twx_strdup(cx, line->left_out) : NULL;
    if (copy.store && (copy.left_out || !line->left_out) && TWX_VEC_PUSH(cx, &s->stores, copy))
        return TWX_OK;
    twx_free(copy.store);
    twx_free(copy.left_out);
    return TWX_E_NOMEM;
}

twx_rc twx_summary_left_out(twx_ctx *cx, twx_summary *s, const char *store, const char *reason) {
    const twx_summary_store line = {.store = (char *)(uintptr_t)store,
                                    .left_out = (char *)(uintptr_t)reason};
    return twx_summary_add_store(cx, s, &line);
}

bool twx_summary_has_left_out(const twx_summary *s) {
    for (size_t i = 0; i < s->stores.n; i++)
        if (s->stores.at[i].left_out) return true;
    return false;
}

void twx_summary_forget_stores(twx_summary *s) {
    size_t kept = 0;
    for (size_t i = 0; i < s->stores.n; i++) {
        if (s->stores.at[i].left_out)
            s->stores.at[kept++] = s->stores.at[i];
        else
            twx_free(s->stores.at[i].store);
    }
    s->stores.n = kept;
}

void twx_summary_stores_done(twx_summary *s) {
    for (size_t i = 0; i < s->stores.n; i++) {
        twx_free(s->stores.at[i].store);
        twx_free(s->stores.at[i].left_out);
    }
    TWX_VEC_DONE(&s->stores);
    twx_free(s->title);
}

json_t *twx_summary_stores_json(const twx_summary *s) {
    json_t *all = json_array();
    for (size_t i = 0; i < s->stores.n; i++) {
        const twx_summary_store *line = &s->stores.at[i];
        json_array_append_new(
            all, line->left_out
                     ? json_pack("{s:o, s:o}", "store", twx_json_text(line->store), "left_out",
                                 twx_json_text(line->left_out))
                     : json_pack("{s:o, s:o, s:o, s:o, s:o, s:o, s:o}", "store",
                                 twx_json_text(line->store), "documents",
                                 twx_json_count(line->documents), "changed",
                                 twx_json_count(line->changed), "hidden",
                                 twx_json_count(line->hidden), "read", twx_json_count(line->read),
                                 "signed", twx_json_count(line->signed_now), "deleted",
                                 twx_json_count(line->deleted)));
    }
    return all;
}

twx_rc twx_summary_stores_write(const twx_out *out, const twx_summary *s) {
    twx_rc rc = TWX_OK;
    if (s->stores.n)
        rc = twx_out_text(out, "\n  %12s %12s %12s %12s  store\n", "documents", "hidden", "changed",
                          "signed");
    for (size_t i = 0; rc == TWX_OK && i < s->stores.n; i++) {
        const twx_summary_store *line = &s->stores.at[i];
        rc = line->left_out
                 ? twx_out_text(out, "  left out: %s: %s\n", line->store, line->left_out)
                 : twx_out_text(
                       out, "  %12" PRIu64 " %12" PRIu64 " %12" PRIu64 " %12" PRIu64 "  %s\n",
                       line->documents, line->hidden, line->changed, line->signed_now, line->store);
    }
    return rc;
}
