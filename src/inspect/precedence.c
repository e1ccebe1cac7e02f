#include "inspect/internal.h"

struct twx_precedence {
    const twx_job *job;
    twx_store_set *set;
    const twx_load_store *stores;
    const twx_pins *pins;
    twx_preference preference;
    bool counted;
    twx_doc_set j; /* exact digests of all stores, and origins of their hosts */
};

twx_rc twx_precedence_open(const twx_job *job, twx_store_set *set, const twx_load_store *stores,
                           const twx_pins *pins, twx_precedence **ret_precedence) {
    twx_precedence *p = twx_calloc(job->cx, 1, sizeof *p);
    if (!p) return TWX_E_NOMEM;
    p->job = job;
    p->set = set;
    p->stores = stores;
    p->pins = pins;
    twx_doc_set_init(&p->j);
    const twx_rc rc = twx_preference_of(job->cx, job->settings, &p->preference);
    TWX_HAND_OVER(rc, ret_precedence, p, twx_precedence_close(p));
    return rc;
}

void twx_precedence_close(twx_precedence *p) {
    if (!p) return;
    twx_doc_set_done(&p->j);
    twx_free(p);
}

/* Reads only what origins are made of. */
static twx_rc count_origins(twx_precedence *p) {
    twx_sign_plan sign = {0};
    twx_judge_plan plan = {0};
    size_t failed = 0;
    twx_ctx *cx = p->job->cx;
    if (p->counted) return TWX_OK;
    twx_rc rc = twx_sign_plan_of_settings(p->job, &sign);
    plan.options = (twx_judge_options){.params = &sign.params,
                                       .threads = 1,
                                       .preference = p->preference,
                                       .hosts = p->job->settings->hosts,
                                       .collapse_min = p->job->settings->canonical_collapse_min};
    plan.options.detectors[TWX_RELATION_EXACT] = sign.detectors[TWX_RELATION_EXACT];
    if (rc == TWX_OK) rc = twx_load(cx, p->stores, p->set->n, &plan, &failed, &p->j);
    if (rc == TWX_OK)
        rc = twx_links_resolve(cx, &p->j.docs, &p->preference, plan.options.collapse_min,
                               &p->j.links);
    if (rc == TWX_OK) rc = twx_find_origins(cx, &p->j);
    p->j.options = NULL;
    twx_sign_plan_done(&sign);
    p->counted = rc == TWX_OK;
    return rc;
}

static uint8_t origin_of(const twx_precedence *p, const twx_host *h) {
    const twx_facts named = {.host = h->name};
    uint64_t host = 0;
    const bool known = twx_map64_get(&p->j.docs.host_index, twx_host_key(&named), &host);
    return known ? p->j.docs.hosts.at[host].origin : 0;
}

/* The form of a URL, as the flags show it. With TWX_WWW_AUTO, which form a site prefers is not
 * stored: a URL without a better one in its scheme is taken to have it. */
static unsigned form_of(const twx_precedence *p, const twx_facts *f, const twx_flag_row *row) {
    const bool http = row->v[TWX_FLAG_http_unique] != 0, www = row->v[TWX_FLAG_www_unique] != 0;
    const unsigned form = twx_form_of(f->bits, &p->preference);
    if (!twx_flag_known(row, TWX_FLAG_http_unique) || (http && www)) return 0;
    if (p->preference.www != TWX_WWW_AUTO) return form;
    return (form & TWX_FORM_SCHEME) | (www ? 0 : TWX_FORM_WWW);
}

twx_rc twx_set_facts(const twx_store_set *set, twx_set_document document, twx_buf *room,
                     twx_facts *ret_facts) {
    const twx_set_store *m = &set->at[document.store];
    twx_stored stored;
    twx_rc rc = twx_signatures_get(m->o.signatures, document.doc, &stored);
    twx_buf_clear(room);
    if (rc == TWX_OK) rc = twx_buf_add_slice(m->job.cx, room, stored.facts);
    twx_signatures_release(m->o.signatures);
    if (rc == TWX_OK) rc = twx_facts_unpack(m->job.cx, twx_buf_slice(room), ret_facts);
    return rc == TWX_DONE
               ? twx_fail(m->job.cx, TWX_E_DATA,
                          "%s: the signature of a document is missing: 'twindex run' makes it "
                          "again",
                          twx_own_path(&m->job))
               : rc;
}

twx_rc twx_parameters_why(const twx_store_set *set, twx_parameters *m, twx_set_document a,
                          twx_set_document b, twx_buf *line) {
    const twx_context *why[TWX_PARAMETERS_WHY];
    const twx_set_document of[] = {a, b};
    twx_ctx *cx = set->at[a.store].job.cx;
    twx_rc rc = TWX_OK;
    twx_facts facts;
    twx_buf room = {.max = TWX_URL_MAX};
    size_t n = 0;
    for (int k = 0; rc == TWX_OK && n == 0 && k < 2 && of[k].store != TWX_SET_OUTSIDE; k++) {
        rc = twx_set_facts(set, of[k], &room, &facts);
        if (rc == TWX_OK && facts.url.n && facts.url.n < TWX_FACTS_URL_MAX)
            (void)twx_parameters_key(m, facts.url, why, &n);
    }
    for (size_t i = 0; rc == TWX_OK && i < n; i++) {
        rc = twx_buf_add_text(cx, line, i ? "; " : " but for: ");
        if (rc == TWX_OK) rc = twx_parameters_reason(cx, why[i], line);
    }
    twx_buf_done(&room);
    return rc;
}

static twx_rc add(twx_precedence *p, twx_doc_table *docs, twx_set_document document,
                  uint32_t *ret_preferred) {
    const twx_set_store *m = &p->set->at[document.store];
    const size_t i = docs->at.n;
    twx_ctx *cx = p->job->cx;
    twx_facts facts = {0};
    twx_flag_row row = {0};
    twx_buf room = {.max = TWX_URL_MAX};
    twx_rc rc = twx_flags_get(m->o.generations, m->state.generation, document.doc, &row);
    if (rc == TWX_OK || rc == TWX_DONE) rc = twx_set_facts(p->set, document, &room, &facts);
    if (rc == TWX_OK) rc = twx_doc_table_add(cx, docs, document.doc, 0, &facts);
    if (rc == TWX_OK)
        rc = twx_doc_table_set(cx, docs, TWX_DOC_EDITION, i,
                               (uint64_t)row.v[TWX_FLAG_edition_steps]);
    if (rc == TWX_OK) {
        twx_doc_row_set_form(&docs->at.at[i], form_of(p, &facts, &row));
        if (p->pins) *ret_preferred = twx_pins_match(p->pins, facts.url_key, facts.url).preferred;
    }
    twx_buf_done(&room);
    return rc;
}

/* Does the criterion follow `origin` in the list, so that origins may decide? */
static bool follows_origin(const twx_criterion *list, twx_criterion by) {
    if (by == TWX_BY_PIN) return false;
    for (size_t k = 0; k < TWX_CRITERIA && list[k] != by; k++)
        if (list[k] == TWX_BY_ORIGIN) return true;
    return false;
}

twx_rc twx_precedence_ask(twx_precedence *p, twx_set_document first, twx_set_document second,
                          twx_criterion *ret_by) {
    uint32_t preferred[2] = {0};
    twx_doc_table docs = {.sections = p->job->settings->hosts};
    int place = 0;
    twx_rc rc = add(p, &docs, first, &preferred[0]);
    if (rc == TWX_OK) rc = add(p, &docs, second, &preferred[1]);
    if (rc == TWX_OK && p->pins) docs.preferred = preferred;
    if (rc == TWX_OK) place = twx_order_compare(&docs, &p->preference, 0, 1, ret_by);
    if (rc == TWX_OK && follows_origin(twx_order_list(&docs, &p->preference, 0, 1), *ret_by) &&
        twx_doc_domain(&docs, 0) != twx_doc_domain(&docs, 1)) {
        rc = count_origins(p);
        for (size_t h = 0; rc == TWX_OK && h < docs.hosts.n; h++)
            docs.hosts.at[h].origin = origin_of(p, &docs.hosts.at[h]);
        if (rc == TWX_OK) place = twx_order_compare(&docs, &p->preference, 0, 1, ret_by);
    }
    /* the values say the contrary: others of the section have lent the first its place */
    if (rc == TWX_OK && place > 0 && twx_order_is_placed(&docs, &p->preference, 0, 1))
        *ret_by = TWX_BY_SECTION;
    docs.preferred = NULL; /* not of the table */
    twx_doc_table_done(&docs);
    return rc;
}
