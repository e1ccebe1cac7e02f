/* A host counts together with its www. form, whose documents are its URL twins.
 *
 * The loss of a site is the number of documents that can no longer be found.
 * [R1] Of the documents that share a representative all but one are lost: a thousand pages that say
 * "not found" are one page, on whichever site the representative is.
 * [R2] A document whose representative is on another site is not lost when both have the same text,
 * or nearly the same where the verdict joins copies or near-duplicates: a mirror, each of whose
 * documents exists on another site, is hidden as intended, and a note is reported.
 * [R3] A document that is joined with another site's document by link or title only is lost,
 * because their texts were not compared.
 * A document that took part in the published result and no longer does, because it is gone or
 * because, say, its status has changed, is lost too. Sites are compared by counts, not document by
 * document: rows replaced by others of the same site are no loss.
 * [R4] The store as a whole is guarded from ten documents on; a smaller one only when it is
 * emptied.
 * [R5] Without a published result nothing can be lost, but a store of ten documents or more, of
 * which nearly none takes part (max_hidden), probably has a wrong mapping. */
#include "judge/internal.h"

/* ==== guard_rules */

enum { LINES_MAX = 10, SMALL_STORE = 10 /* documents */ };

/* Adds a finding; those after the tenth are only counted. */
static twx_rc TWX_PRINTF(3, 4) stop(twx_ctx *cx, twx_guard_findings *says, const char *fmt, ...) {
    char line[TWX_MESSAGE_MAX];
    if (says->n_stops++ >= LINES_MAX) return TWX_OK;
    TWX_PRINT_ARGUMENTS(line, fmt);
    return twx_buf_printf(cx, says->stops, "%s\n", line);
}

/* Is it too much for a site if so many documents are lost? */
static bool guard_is_over(const twx_guard *guard, uint64_t documents, uint64_t lost) {
    return documents > 0 && documents >= guard->min_documents &&
           lost * 1000000 > documents * guard->max_hidden_ppm;
}

static bool guard_is_mirror(const twx_guard *guard, const twx_guard_site *site) {
    return !guard_is_over(guard, site->documents, site->hidden - site->elsewhere);
}

static twx_rc note_mirror(twx_ctx *cx, const twx_guard_site *site, twx_guard_findings *says) {
    if (says->n_notes++ >= LINES_MAX) return TWX_OK;
    return twx_buf_printf(cx, says->notes,
                          "host " TWX_SLICE_FMT " is a mirror: %" PRIu64 " of its %" PRIu64
                          " documents are hidden, and their texts are shown by other hosts, most "
                          "of them by " TWX_SLICE_FMT "\n",
                          TWX_SLICE_ARG(site->name), site->hidden, site->documents,
                          TWX_SLICE_ARG(site->main_site));
}

twx_rc twx_guard_site_check(twx_ctx *cx, const twx_guard *guard, const twx_guard_site *site,
                            twx_guard_findings *says) {
    if (!guard_is_over(guard, site->documents, site->hidden)) return TWX_OK;
    if (guard_is_mirror(guard, site)) return note_mirror(cx, site, says);
    return stop(cx, says,
                "host " TWX_SLICE_FMT " would lose %" PRIu64 " of its %" PRIu64
                " documents (guard.max_hidden)",
                TWX_SLICE_ARG(site->name), site->hidden - site->elsewhere, site->documents);
}

/* ---- losses: what took part in the published result and does no more ---- */

/* Why most of the remaining documents take no part: "; 40 documents: the HTTP status is not
 * 200"; "" when none remains. */
static void describe_reasons(const uint64_t out[TWX_ELIGIBILITIES], char text[200]) {
    size_t most = TWX_ELIGIBLE;
    for (size_t e = 0; e < TWX_ELIGIBILITIES; e++)
        if (e != TWX_ELIGIBLE && out[e] > out[most]) most = e;
    text[0] = '\0';
    if (most != TWX_ELIGIBLE)
        snprintf(text, 200, "; %" PRIu64 " %s: %s", out[most],
                 twx_plural(out[most], "document", "documents"), twx_eligibility_text(most));
}

static bool is_lost(const twx_guard *guard, uint64_t before, uint64_t now) {
    return now < before && (before - now) * 1000000 > before * guard->max_lost_ppm;
}

/* [R4] A store of few documents may change a lot between runs, but should not become empty. */
static twx_rc check_whole_store(twx_ctx *cx, const twx_guard *guard, const twx_guard_loss *l,
                                twx_guard_findings *says) {
    char reasons[200];
    if (!is_lost(guard, l->before, l->now) || (l->before < SMALL_STORE && l->now > 0))
        return TWX_OK;
    describe_reasons(l->out, reasons);
    return stop(cx, says,
                "the store would lose %" PRIu64 " of the %" PRIu64
                " documents that took part%s (guard.max_lost)",
                l->before - l->now, l->before, reasons);
}

/* Pages of a host that turned into pages without content: a crawler that is blocked, or a site that
 * fails, gets them for all URLs from one day to the next. */
static twx_rc check_turned(twx_ctx *cx, const twx_guard *guard, const twx_guard_loss *l,
                           twx_guard_findings *says) {
    char reasons[200];
    uint64_t turned = 0, out[TWX_ELIGIBILITIES] = {0};
    for (size_t e = TWX_IS_ERROR; e <= TWX_IS_CONSENT; e++) turned += out[e] = l->out[e];
    if (l->now >= l->before) return TWX_OK;
    if (turned > l->before - l->now) turned = l->before - l->now;
    if (turned * 1000000 <= l->before * guard->max_turned_ppm) return TWX_OK;
    describe_reasons(out, reasons);
    return stop(cx, says,
                "host " TWX_SLICE_FMT ": %" PRIu64 " of its %" PRIu64
                " documents that took part would be errors, challenges, logins or questions for "
                "consent%s (guard.max_turned)",
                TWX_SLICE_ARG(l->name), turned, l->before, reasons);
}

twx_rc twx_guard_loss_check(twx_ctx *cx, const twx_guard *guard, const twx_guard_loss *l,
                            twx_guard_findings *says) {
    char reasons[200];
    if (twx_slice_eq(l->name, TWX_WHOLE_STORE)) return check_whole_store(cx, guard, l, says);
    if (l->before < guard->min_documents) return TWX_OK;
    if (!is_lost(guard, l->before, l->now)) return check_turned(cx, guard, l, says);
    describe_reasons(l->out, reasons);
    return stop(cx, says,
                "host " TWX_SLICE_FMT " would lose %" PRIu64 " of its %" PRIu64
                " documents that took part%s (guard.max_lost)",
                TWX_SLICE_ARG(l->name), l->before - l->now, l->before, reasons);
}

/* [R5] */
twx_rc twx_guard_first_check(twx_ctx *cx, const twx_guard *guard,
                             const uint64_t documents[TWX_ELIGIBILITIES],
                             twx_guard_findings *says) {
    char reasons[200];
    uint64_t all = 0;
    for (size_t e = 0; e < TWX_ELIGIBILITIES; e++) all += documents[e];
    const uint64_t out = all - documents[TWX_ELIGIBLE];
    if (all < SMALL_STORE || out * 1000000 <= all * guard->max_hidden_ppm) return TWX_OK;
    describe_reasons(documents, reasons);
    return stop(cx, says,
                "%" PRIu64 " of the %" PRIu64
                " documents would not take part%s (guard.max_hidden): check the mapping",
                out, all, reasons);
}

twx_rc twx_guard_group_check(twx_ctx *cx, const twx_guard *guard, size_t relation, uint64_t largest,
                             twx_guard_findings *says) {
    if (largest <= guard->max_group) return TWX_OK;
    return stop(cx, says, "a group of %s has %" PRIu64 " documents (guard.max_group)",
                twx_relation_at(relation)->name, largest);
}

/* ==== sites */

static twx_slice without_www(twx_slice host) {
    return twx_slice_starts(host, TWX_SLICE_LIT("www.")) ? twx_slice_sub(host, 4, host.n) : host;
}

twx_slice twx_site_name(const twx_doc_set *j, const twx_site *site) {
    return without_www(j->docs.hosts.at[site->host].name);
}

static twx_rc name_sites(twx_ctx *cx, const twx_doc_set *j, twx_sites *s) {
    const size_t hosts = j->docs.hosts.n;
    twx_map64 by_name = {0};
    s->of_host = twx_malloc(cx, (hosts + 1) * sizeof *s->of_host);
    twx_rc rc = s->of_host ? TWX_OK : TWX_E_NOMEM;
    for (uint32_t h = 0; rc == TWX_OK && h < hosts; h++) {
        uint64_t at = s->at.n;
        rc = twx_map64_add(cx, &by_name, twx_hash64(without_www(j->docs.hosts.at[h].name), 0), at,
                           &at);
        if (rc == TWX_OK && at == s->at.n && !TWX_VEC_PUSH(cx, &s->at, (twx_site){.host = h}))
            rc = TWX_E_NOMEM;
        s->of_host[h] = (uint32_t)at;
    }
    twx_map64_done(&by_name);
    return rc;
}

twx_rc twx_sites_make(twx_ctx *cx, const twx_doc_set *j, twx_sites *ret_sites) {
    twx_sites s = {0};
    twx_rc rc = name_sites(cx, j, &s);
    for (uint32_t i = 0; rc == TWX_OK && i < j->docs.at.n; i++) {
        twx_site *site = &s.at.at[s.of_host[j->docs.at.at[i].host]];
        const uint8_t why = j->links.eligibility[i];
        if (why == TWX_ELIGIBLE)
            site->documents++;
        else
            site->out[why]++;
    }
    TWX_HAND_OVER(rc, ret_sites, s, twx_sites_done(&s));
    return rc;
}

void twx_sites_done(twx_sites *s) {
    if (!s) return;
    TWX_VEC_DONE(&s->at);
    twx_free(s->of_host);
    *s = (twx_sites){0};
}

/* ==== guard */

typedef struct site {
    uint64_t hidden;
    /* clusters whose text another site still shows; counted when too much is hidden */
    uint64_t elsewhere;
    bool too_much;
} site;

typedef struct checking {
    twx_ctx *cx;
    const twx_doc_set *j;
    const twx_judge_options *o;
    const twx_guard *guard;
    twx_sites sites;
    site *at; /* by site */
    uint64_t documents[TWX_ELIGIBILITIES];
    twx_guard_findings *says;
} checking;

static uint32_t site_at(const checking *c, uint32_t document) {
    return c->sites.of_host[c->j->docs.at.at[document].host];
}

static void count_hidden(checking *c) {
    for (uint32_t i = 0; i < c->j->docs.at.n; i++)
        if (c->j->links.eligibility[i] == TWX_ELIGIBLE)
            c->at[site_at(c, i)].hidden += twx_is_hidden(c->j, i);
    for (uint32_t k = 0; k < c->sites.at.n; k++)
        c->at[k].too_much = guard_is_over(c->guard, c->sites.at.at[k].documents, c->at[k].hidden);
}

/* Is the document hidden by another site's document with its text? */
static bool is_shown_elsewhere(const checking *c, uint32_t i) {
    static const twx_relation_id TEXTS[] = {TWX_RELATION_EXACT, TWX_RELATION_COPY,
                                            TWX_RELATION_NEAR};
    const uint32_t survivor = twx_groups_rep(&c->j->clusters, i);
    if (!twx_is_hidden(c->j, i) || site_at(c, i) == site_at(c, survivor)) return false;
    for (size_t k = 0; k < TWX_COUNTOF(TEXTS); k++) {
        const twx_groups *g = &c->j->groups[TEXTS[k]];
        const uint32_t rep = twx_groups_rep(g, i);
        if (c->o->relations >> TEXTS[k] & 1 && rep != TWX_NO_DOCUMENT &&
            rep == twx_groups_rep(g, survivor))
            return true;
    }
    return false;
}

/* Counts each cluster once for a site. [R1] */
static twx_rc count_elsewhere(checking *c) {
    twx_map64 counted = {0}; /* mix(site, survivor) */
    twx_rc rc = TWX_OK;
    for (uint32_t i = 0; rc == TWX_OK && i < c->j->docs.at.n; i++) {
        const uint32_t at = site_at(c, i);
        uint64_t first = i;
        if (!c->at[at].too_much || !is_shown_elsewhere(c, i)) continue;
        rc = twx_map64_add(c->cx, &counted, twx_mix64(at, twx_groups_rep(&c->j->clusters, i)), i,
                           &first);
        c->at[at].elsewhere += rc == TWX_OK && first == i;
    }
    twx_map64_done(&counted);
    return rc;
}

/* The site that shows most of the documents of another one. */
static twx_rc find_main_site(const checking *c, uint32_t of, uint32_t *ret_site) {
    uint64_t *shows = twx_calloc(c->cx, c->sites.at.n, sizeof *shows);
    uint32_t best = of;
    if (!shows) return TWX_E_NOMEM;
    for (uint32_t i = 0; i < c->j->docs.at.n; i++) {
        if (site_at(c, i) != of || !is_shown_elsewhere(c, i)) continue;
        const uint32_t at = site_at(c, twx_groups_rep(&c->j->clusters, i));
        shows[at]++;
        if (shows[at] > shows[best] || (shows[at] == shows[best] && at < best)) best = at;
    }
    twx_free(shows);
    *ret_site = best;
    return TWX_OK;
}

static twx_slice name_of(const checking *c, uint32_t at) {
    return c->j->docs.hosts.at[c->sites.at.at[at].host].name;
}

static twx_rc check_sites(checking *c) {
    count_hidden(c);
    twx_rc rc = count_elsewhere(c);
    for (uint32_t k = 0; rc == TWX_OK && k < c->sites.at.n; k++) {
        uint32_t main_site = k;
        if (!c->at[k].too_much) continue;
        twx_guard_site facts = {.name = name_of(c, k),
                                .documents = c->sites.at.at[k].documents,
                                .hidden = c->at[k].hidden,
                                .elsewhere = c->at[k].elsewhere};
        if (guard_is_mirror(c->guard, &facts)) rc = find_main_site(c, k, &main_site);
        facts.main_site = name_of(c, main_site);
        if (rc == TWX_OK) rc = twx_guard_site_check(c->cx, c->guard, &facts, c->says);
    }
    return rc;
}

/* ---- losses: what took part in the published result and does no more ---- */

/* Compares the sites of the published result with the current ones. A site that is gone has none.
 * [R5] */
static twx_rc check_losses(checking *c) {
    static const twx_site NONE = {0};
    twx_map64 by_name = {0};
    for (size_t k = 0; k < c->sites.at.n; k++) {
        c->documents[TWX_ELIGIBLE] += c->sites.at.at[k].documents;
        for (size_t e = TWX_ELIGIBLE + 1; e < TWX_ELIGIBILITIES; e++)
            c->documents[e] += c->sites.at.at[k].out[e];
    }
    twx_rc rc = c->guard->n_before ? TWX_OK
                                   : twx_guard_first_check(c->cx, c->guard, c->documents, c->says);
    for (size_t k = 0; rc == TWX_OK && k < c->sites.at.n && c->guard->n_before; k++)
        rc = twx_map64_put(c->cx, &by_name, twx_hash64(twx_site_name(c->j, &c->sites.at.at[k]), 0),
                           k);
    for (size_t i = 0; rc == TWX_OK && i < c->guard->n_before; i++) {
        const twx_site_before *b = &c->guard->before[i];
        uint64_t at = 0;
        const bool is_there = twx_map64_get(&by_name, twx_hash64(b->name, 0), &at);
        const twx_site *now = is_there ? &c->sites.at.at[at] : &NONE;
        twx_guard_loss loss = {b->name, b->documents, now->documents, now->out};
        if (twx_slice_eq(b->name, TWX_WHOLE_STORE)) {
            loss.now = c->documents[TWX_ELIGIBLE];
            loss.out = c->documents;
        }
        rc = twx_guard_loss_check(c->cx, c->guard, &loss, c->says);
    }
    twx_map64_done(&by_name);
    return rc;
}

twx_rc twx_guard_check(twx_ctx *cx, const twx_doc_set *j, const twx_judge_options *o,
                       const twx_guard *guard, twx_guard_findings *ret_says) {
    checking c = {.cx = cx, .j = j, .o = o, .guard = guard, .says = ret_says};
    ret_says->n_stops = ret_says->n_notes = 0;
    twx_rc rc = twx_sites_make(cx, j, &c.sites);
    if (rc == TWX_OK) c.at = twx_calloc(cx, c.sites.at.n + 1, sizeof *c.at);
    if (rc == TWX_OK && !c.at) rc = TWX_E_NOMEM;
    if (rc == TWX_OK) rc = check_losses(&c);
    if (rc == TWX_OK) rc = check_sites(&c);
    for (size_t s = 0; rc == TWX_OK && s < TWX_RELATIONS; s++)
        if (o->relations >> s & 1 && j->groups[s].made)
            rc = twx_guard_group_check(cx, guard, s, j->groups[s].largest, ret_says);
    twx_sites_done(&c.sites);
    twx_free(c.at);
    return rc;
}
