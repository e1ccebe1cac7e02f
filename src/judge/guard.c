#include "judge/guard.h"

#include <inttypes.h>

#include "base/hash64.h"

enum { LINES_MAX = 10 };

typedef struct site {
    uint32_t host; /* one of its hosts, for its name */
    uint64_t documents, hidden;
    uint64_t elsewhere; /* clusters of which another site shows the text; counted when too much is hidden */
    bool too_much;
} site;

typedef struct checking {
    twx_ctx *cx;
    const twx_judgement *j;
    const twx_judge_options *o;
    const twx_guard *guard;
    TWX_VEC(site) sites;
    uint32_t *site_of; /* by host */
    twx_guard_says *says;
    size_t n_notes;
} checking;

/* ---- sites ------------------------------------------------------------------------------------------ */

static twx_slice without_www(twx_slice host) {
    return twx_slice_starts(host, TWX_SLICE_LIT("www.")) ? twx_slice_sub(host, 4, host.n) : host;
}

static twx_rc name_sites(checking *c) {
    const twx_population *p = &c->j->population;
    twx_map64 by_name;
    twx_map64_init(&by_name, 0);
    c->site_of = twx_malloc(c->cx, (p->hosts.n + 1) * sizeof *c->site_of);
    twx_rc rc = c->site_of ? TWX_OK : TWX_E_NOMEM;
    for (uint32_t h = 0; rc == TWX_OK && h < p->hosts.n; h++) {
        twx_slice name = {p->hosts.at[h].name, p->hosts.at[h].name_length};
        uint64_t at = c->sites.n;
        rc = twx_map64_add(c->cx, &by_name, twx_hash64(without_www(name), 0), at, &at);
        if (rc == TWX_OK && at == c->sites.n && !TWX_VEC_PUSH(c->cx, &c->sites, (site){.host = h})) rc = TWX_E_NOMEM;
        c->site_of[h] = (uint32_t)at;
    }
    twx_map64_done(&by_name);
    return rc;
}

static uint32_t site_at(const checking *c, uint32_t document) {
    return c->site_of[c->j->population.at.at[document].host];
}

static bool is_over(const checking *c, const site *s, uint64_t lost) {
    return s->documents > 0 && s->documents >= c->guard->min_documents &&
           lost * 1000000 > s->documents * c->guard->max_hidden_ppm;
}

static void count_hidden(checking *c) {
    for (uint32_t i = 0; i < c->j->population.at.n; i++) {
        if (c->j->links.eligibility[i] != TWX_ELIGIBLE) continue;
        site *s = &c->sites.at[site_at(c, i)];
        s->documents++;
        s->hidden += twx_is_hidden(c->j, i);
    }
    for (size_t k = 0; k < c->sites.n; k++)
        c->sites.at[k].too_much = is_over(c, &c->sites.at[k], c->sites.at[k].hidden);
}

/* Does another site's page stand for the document, with its text? */
static bool is_shown_elsewhere(const checking *c, uint32_t i) {
    static const twx_slot_id TEXTS[] = {TWX_SLOT_EXACT, TWX_SLOT_NEAR};
    const uint32_t survivor = c->j->clusters.rep[i];
    if (!twx_is_hidden(c->j, i) || site_at(c, i) == site_at(c, survivor)) return false;
    for (size_t k = 0; k < TWX_COUNTOF(TEXTS); k++) {
        const uint32_t *rep = c->j->groups[TEXTS[k]].rep;
        if (rep && c->o->relations >> TEXTS[k] & 1 && rep[i] != TWX_NOBODY && rep[i] == rep[survivor]) return true;
    }
    return false;
}

/* Each cluster counts once for a site. [R1] */
static twx_rc count_elsewhere(checking *c) {
    twx_map64 counted; /* mix(site, survivor) */
    twx_rc rc = TWX_OK;
    twx_map64_init(&counted, 0);
    for (uint32_t i = 0; rc == TWX_OK && i < c->j->population.at.n; i++) {
        const uint32_t at = site_at(c, i);
        uint64_t first = i;
        if (!c->sites.at[at].too_much || !is_shown_elsewhere(c, i)) continue;
        rc = twx_map64_add(c->cx, &counted, twx_mix64(at, c->j->clusters.rep[i]), i, &first);
        c->sites.at[at].elsewhere += rc == TWX_OK && first == i;
    }
    twx_map64_done(&counted);
    return rc;
}

/* The site that shows most of another one's pages. */
static twx_rc find_main_site(const checking *c, uint32_t of, uint32_t *ret_site) {
    uint64_t *shows = twx_calloc(c->cx, c->sites.n, sizeof *shows);
    uint32_t best = of;
    if (!shows) return TWX_E_NOMEM;
    for (uint32_t i = 0; i < c->j->population.at.n; i++) {
        if (site_at(c, i) != of || !is_shown_elsewhere(c, i)) continue;
        const uint32_t at = site_at(c, c->j->clusters.rep[i]);
        shows[at]++;
        if (shows[at] > shows[best] || (shows[at] == shows[best] && at < best)) best = at;
    }
    twx_free(shows);
    *ret_site = best;
    return TWX_OK;
}

static twx_slice name_of(const checking *c, const site *s) {
    const twx_host *host = &c->j->population.hosts.at[s->host];
    return (twx_slice){host->name, host->name_length};
}

static twx_rc note_mirror(checking *c, uint32_t at) {
    const site *s = &c->sites.at[at];
    uint32_t main_site = at;
    if (c->n_notes++ >= LINES_MAX) return TWX_OK;
    twx_rc rc = find_main_site(c, at, &main_site);
    if (rc != TWX_OK) return rc;
    return twx_buf_printf(c->cx, c->says->notes,
                          "host " TWX_SLICE_FMT " is a mirror: %" PRIu64 " of its %" PRIu64
                          " documents are hidden, and "
                          "their texts are shown by other hosts, most of them by " TWX_SLICE_FMT "\n",
                          TWX_SLICE_ARG(name_of(c, s)), s->hidden, s->documents,
                          TWX_SLICE_ARG(name_of(c, &c->sites.at[main_site])));
}

static twx_rc check_sites(checking *c) {
    twx_rc rc = name_sites(c);
    if (rc == TWX_OK) count_hidden(c);
    if (rc == TWX_OK) rc = count_elsewhere(c);
    for (uint32_t k = 0; rc == TWX_OK && k < c->sites.n; k++) {
        const site *s = &c->sites.at[k];
        const uint64_t lost = s->hidden - s->elsewhere;
        if (!s->too_much) continue;
        if (!is_over(c, s, lost))
            rc = note_mirror(c, k);
        else if (c->says->n_stops++ < LINES_MAX)
            rc = twx_buf_printf(c->cx, c->says->stops,
                                "host " TWX_SLICE_FMT " would lose %" PRIu64 " of its %" PRIu64
                                " documents (guard.max_hidden)\n",
                                TWX_SLICE_ARG(name_of(c, s)), lost, s->documents);
    }
    return rc;
}

/* ---- groups ----------------------------------------------------------------------------------------- */

static twx_rc check_groups(checking *c) {
    twx_rc rc = TWX_OK;
    for (size_t s = 0; rc == TWX_OK && s < TWX_SLOTS; s++) {
        const twx_groups *g = &c->j->groups[s];
        if (!(c->o->relations >> s & 1) || !g->rep || g->largest <= c->guard->max_group) continue;
        if (c->says->n_stops++ < LINES_MAX)
            rc = twx_buf_printf(c->cx, c->says->stops, "a group of %s has %" PRIu64 " documents (guard.max_group)\n",
                                twx_slot_at(s)->name, g->largest);
    }
    return rc;
}

twx_rc twx_guard_check(twx_ctx *cx, const twx_judgement *j, const twx_judge_options *o, const twx_guard *guard,
                       twx_guard_says *ret_says) {
    checking c = {.cx = cx, .j = j, .o = o, .guard = guard, .says = ret_says};
    ret_says->n_stops = 0;
    twx_rc rc = check_sites(&c);
    if (rc == TWX_OK) rc = check_groups(&c);
    TWX_VEC_DONE(&c.sites);
    twx_free(c.site_of);
    return rc;
}
