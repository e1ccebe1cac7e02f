#include "run/losses.h"

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

twx_rc twx_losses_count(twx_ctx *cx, const twx_judgement *j, uint32_t min_documents,
                        twx_losses *losses) {
    twx_sites sites = {0};
    twx_site_count whole = {TWX_WHOLE_STORE, 0};
    losses->now.n = 0;
    twx_rc rc = twx_sites_make(cx, j, &sites);
    for (size_t k = 0; rc == TWX_OK && k < sites.at.n; k++) {
        const twx_site *site = &sites.at.at[k];
        const twx_site_count row = {twx_site_name(j, site), site->documents};
        whole.documents += site->documents;
        if (site->documents < min_documents || site->documents == 0) continue;
        if (!TWX_VEC_PUSH(cx, &losses->now, row)) rc = TWX_E_NOMEM;
    }
    if (rc == TWX_OK && !TWX_VEC_PUSH(cx, &losses->now, whole)) rc = TWX_E_NOMEM;
    twx_sites_done(&sites);
    return rc;
}

void twx_losses_done(twx_losses *losses) {
    for (size_t i = 0; i < losses->before.n; i++)
        twx_free((char *)(uintptr_t)losses->before.at[i].name.p);
    TWX_VEC_DONE(&losses->before);
    TWX_VEC_DONE(&losses->now);
}
