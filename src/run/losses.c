#include "run/losses.h"

#include "base/hash64.h"
#include "base/map64.h"

typedef struct reading {
    twx_ctx *cx;
    twx_losses *losses;
} reading;

static twx_rc take_count(void *arg, const twx_site_count *count) {
    reading *r = arg;
    twx_site_before row = {{twx_strndup(r->cx, count->site.p, count->site.n), count->site.n},
                           count->documents};
    if (row.name.p && TWX_VEC_PUSH(r->cx, &r->losses->before, row)) return TWX_OK;
    twx_free((char *)(uintptr_t)row.name.p);
    return TWX_E_NOMEM;
}

twx_rc twx_losses_read(twx_ctx *cx, twx_generations *g, char generation, twx_losses *losses) {
    reading r = {cx, losses};
    return generation ? twx_generation_sites(g, generation, take_count, &r) : TWX_OK;
}

twx_rc twx_losses_add(twx_ctx *cx, twx_losses *losses, const twx_losses *other) {
    reading r = {cx, losses};
    twx_map64 by_name;
    twx_rc rc = TWX_OK;
    twx_map64_init(&by_name, 0);
    for (size_t i = 0; rc == TWX_OK && i < losses->before.n; i++)
        rc = twx_map64_put(cx, &by_name, twx_hash64(losses->before.at[i].name, 0), i);
    for (size_t i = 0; rc == TWX_OK && i < other->before.n; i++) {
        const twx_site_before *theirs = &other->before.at[i];
        uint64_t at = 0;
        if (twx_map64_get(&by_name, twx_hash64(theirs->name, 0), &at))
            losses->before.at[at].documents += theirs->documents;
        else
            rc = take_count(&r, &(twx_site_count){theirs->name, theirs->documents});
    }
    twx_map64_done(&by_name);
    return rc;
}

static twx_rc push_counts(twx_ctx *cx, const twx_judgement *j, const twx_sites *sites,
                          const uint64_t *counts, uint32_t min_documents, twx_losses *losses) {
    twx_site_count whole = {TWX_WHOLE_STORE, 0};
    for (size_t k = 0; k < sites->at.n; k++) {
        const twx_site *site = &sites->at.at[k];
        whole.documents += counts[k];
        if (site->documents < min_documents || counts[k] == 0) continue;
        const twx_site_count row = {twx_site_name(j, site), counts[k]};
        if (!TWX_VEC_PUSH(cx, &losses->now, row)) return TWX_E_NOMEM;
    }
    return TWX_VEC_PUSH(cx, &losses->now, whole) ? TWX_OK : TWX_E_NOMEM;
}

twx_rc twx_losses_count(twx_ctx *cx, const twx_judged *judged, uint32_t min_documents,
                        twx_losses *losses) {
    const twx_judgement *j = judged->j;
    twx_sites sites = {0};
    uint64_t *counts = NULL;
    losses->now.n = 0;
    twx_rc rc = twx_sites_make(cx, j, &sites);
    if (rc == TWX_OK) counts = twx_calloc(cx, sites.at.n + 1, sizeof *counts);
    if (rc == TWX_OK && !counts) rc = TWX_E_NOMEM;
    for (size_t at = 0; rc == TWX_OK && at < judged->n; at++) {
        const uint32_t i = twx_judged_index(judged, at);
        if (j->links.eligibility[i] == TWX_ELIGIBLE) counts[sites.of_host[j->docs.at.at[i].host]]++;
    }
    if (rc == TWX_OK) rc = push_counts(cx, j, &sites, counts, min_documents, losses);
    twx_free(counts);
    twx_sites_done(&sites);
    return rc;
}

void twx_losses_done(twx_losses *losses) {
    for (size_t i = 0; i < losses->before.n; i++)
        twx_free((char *)(uintptr_t)losses->before.at[i].name.p);
    TWX_VEC_DONE(&losses->before);
    TWX_VEC_DONE(&losses->now);
}
