#include "judge/guard.h"

#include <inttypes.h>

#include "base/hash64.h"

enum { LINES_MAX = 10 };

typedef struct site {
    uint32_t host; /* one of its hosts, for its name */
    uint64_t documents, hidden;
} site;

typedef TWX_VEC(site) sites;

static twx_slice without_www(twx_slice host) {
    return twx_slice_starts(host, TWX_SLICE_LIT("www.")) ? twx_slice_sub(host, 4, host.n) : host;
}

static twx_rc count_sites(twx_ctx *cx, const twx_judgement *j, sites *out) {
    const twx_population *p = &j->population;
    uint32_t *site_of = twx_malloc(cx, (p->hosts.n + 1) * sizeof *site_of);
    twx_map64 by_name;
    twx_map64_init(&by_name, 0);
    twx_rc rc = site_of ? TWX_OK : TWX_E_NOMEM;
    for (uint32_t h = 0; rc == TWX_OK && h < p->hosts.n; h++) {
        twx_slice name = {p->hosts.at[h].name, p->hosts.at[h].name_length};
        uint64_t at = out->n;
        rc = twx_map64_add(cx, &by_name, twx_hash64(without_www(name), 0), out->n, &at);
        if (rc == TWX_OK && at == out->n && !TWX_VEC_PUSH(cx, out, (site){.host = h}))
            rc = TWX_E_NOMEM;
        site_of[h] = (uint32_t)at;
    }
    for (uint32_t i = 0; rc == TWX_OK && i < p->at.n; i++) {
        if (j->links.eligibility[i] != TWX_ELIGIBLE) continue;
        site *s = &out->at[site_of[p->at.at[i].host]];
        s->documents++;
        s->hidden += twx_is_hidden(j, i);
    }
    twx_map64_done(&by_name);
    twx_free(site_of);
    return rc;
}

static twx_rc check_sites(twx_ctx *cx, const twx_judgement *j, const twx_guard *guard,
                          twx_buf *lines, size_t *findings) {
    sites all = {0};
    twx_rc rc = count_sites(cx, j, &all);
    for (size_t k = 0; rc == TWX_OK && k < all.n; k++) {
        const site *s = &all.at[k];
        if (s->documents == 0 || s->documents < guard->min_documents) continue;
        if (s->hidden * 1000000 <= s->documents * guard->max_hidden_ppm) continue;
        const twx_host *host = &j->population.hosts.at[s->host];
        if ((*findings)++ < LINES_MAX)
            rc = twx_buf_printf(cx, lines,
                                "host %.*s would lose %" PRIu64 " of its %" PRIu64
                                " documents (guard.max_hidden)\n",
                                (int)host->name_length, host->name, s->hidden, s->documents);
    }
    TWX_VEC_DONE(&all);
    return rc;
}

twx_rc twx_guard_check(twx_ctx *cx, const twx_judgement *j, const twx_judge_options *o,
                       const twx_guard *guard, twx_buf *ret_lines, size_t *ret_findings) {
    *ret_findings = 0;
    twx_rc rc = check_sites(cx, j, guard, ret_lines, ret_findings);
    for (int s = 0; rc == TWX_OK && s < TWX_SLOTS; s++) {
        const twx_groups *g = &j->groups[s];
        if (!(o->relations >> s & 1) || !g->rep || g->largest <= guard->max_group) continue;
        if ((*ret_findings)++ < LINES_MAX)
            rc = twx_buf_printf(cx, ret_lines,
                                "a group of %s has %" PRIu64 " documents (guard.max_group)\n",
                                twx_slot_at((size_t)s)->name, g->largest);
    }
    return rc;
}
