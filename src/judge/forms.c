#include "judge/forms.h"

#include "base/alloc.h"
#include "base/hash64.h"
#include "judge/twin_keys.h"

_Static_assert(TWX_RELATION_SCHEME == 0 && TWX_RELATION_WWW == 1, "places in twx_forms.of");

unsigned twx_form_of(uint32_t bits, const twx_preference *preference) {
    if (!(bits & TWX_FACT_WEB)) return 0;
    const bool https = (bits & TWX_FACT_HTTPS) != 0, www = (bits & TWX_FACT_WWW) != 0;
    return (https != preference->https ? TWX_FORM_SCHEME : 0) |
           (www != (preference->www != TWX_WWW_BARE) ? TWX_FORM_WWW : 0);
}

static unsigned form_of(const twx_doc_table *docs, const twx_preference *preference, uint32_t i) {
    const twx_doc_row *row = &docs->at.at[i];
    const unsigned form = twx_form_of(row->bits, preference);
    return docs->hosts.at[row->host].bare && row->bits & TWX_FACT_WEB ? form ^ TWX_FORM_WWW : form;
}

twx_slice twx_site_of_host(twx_slice host, uint32_t bits) {
    return twx_slice_sub(host, bits & TWX_FACT_WWW ? strlen("www.") : 0, host.n);
}

static uint64_t site_key(const twx_doc_table *docs, uint32_t i) {
    const twx_host *h = &docs->hosts.at[docs->at.at[i].host];
    const twx_slice name = {h->name, h->name_length};
    return twx_hash64(twx_site_of_host(name, docs->at.at[i].bits), 0);
}

/* [R2] Documents with www. and without it, by site */
typedef struct votes {
    uint32_t www, bare;
} votes;

static twx_rc count_votes(twx_ctx *cx, const twx_grouping *how, twx_doc_table *docs) {
    TWX_VEC(votes) sites = {0};
    uint32_t *site = twx_malloc(cx, (docs->hosts.n + 1) * sizeof *site);
    twx_rc rc = site ? TWX_OK : TWX_E_NOMEM;
    twx_map64 places;
    twx_map64_init(&places, 0);
    for (size_t h = 0; rc == TWX_OK && h < docs->hosts.n; h++) site[h] = UINT32_MAX;
    for (uint32_t i = 0; rc == TWX_OK && i < docs->at.n; i++) {
        const twx_doc_row *row = &docs->at.at[i];
        uint64_t place = sites.n;
        if (!(row->bits & TWX_FACT_WEB)) continue;
        rc = twx_map64_add(cx, &places, site_key(docs, i), place, &place);
        if (rc == TWX_OK && place == sites.n && !TWX_VEC_PUSH(cx, &sites, (votes){0, 0}))
            rc = TWX_E_NOMEM;
        if (rc != TWX_OK) break;
        site[row->host] = (uint32_t)place;
        if (how->eligibility[i] != TWX_ELIGIBLE) continue;
        sites.at[place].www += (row->bits & TWX_FACT_WWW) != 0;
        sites.at[place].bare += !(row->bits & TWX_FACT_WWW);
    }
    for (size_t h = 0; rc == TWX_OK && h < docs->hosts.n; h++)
        docs->hosts.at[h].bare = site[h] != UINT32_MAX &&
                                 sites.at[site[h]].bare > sites.at[site[h]].www;
    twx_map64_done(&places);
    TWX_VEC_DONE(&sites);
    twx_free(site);
    return rc;
}

/* Marks the documents of the other form in whose set a document that takes part has the preferred
 * one. beaten: by index. */
static twx_rc find_beaten(twx_ctx *cx, const twx_grouping *how, const twx_preference *preference,
                          twx_union_find *sets, unsigned bit, uint8_t *beaten) {
    const uint32_t n = (uint32_t)how->p->at.n;
    uint8_t *preferred = twx_calloc(cx, n, 1); /* by root */
    if (!preferred) return TWX_E_NOMEM;
    for (uint32_t i = 0; i < n; i++)
        if (how->eligibility[i] == TWX_ELIGIBLE && !(form_of(how->p, preference, i) & bit))
            preferred[twx_union_find_root(sets, i)] = 1;
    for (uint32_t i = 0; i < n; i++)
        if (form_of(how->p, preference, i) & bit && preferred[twx_union_find_root(sets, i)])
            beaten[i] = 1;
    twx_free(preferred);
    return TWX_OK;
}

twx_rc twx_forms_find(twx_ctx *cx, const twx_grouping *how, twx_doc_table *docs,
                      const twx_preference *preference, twx_grouper *const groupers[2],
                      twx_forms *ret_forms) {
    static const unsigned BITS[] = {TWX_FORM_SCHEME, TWX_FORM_WWW};
    twx_forms forms = {0};
    uint8_t *beaten = twx_calloc(cx, docs->at.n, 1);
    twx_rc rc = beaten ? TWX_OK : TWX_E_NOMEM;
    if (rc == TWX_OK && preference->www == TWX_WWW_AUTO) rc = count_votes(cx, how, docs);
    for (size_t s = 0; rc == TWX_OK && s < TWX_COUNTOF(BITS); s++) {
        if (!groupers[s]) continue;
        rc = twx_groups_sets(cx, how, groupers[s], &forms.of[s].sets);
        forms.of[s].made = true;
        if (rc == TWX_OK) rc = find_beaten(cx, how, preference, &forms.of[s].sets, BITS[s], beaten);
    }
    for (uint32_t i = 0; rc == TWX_OK && i < docs->at.n; i++)
        twx_doc_set_form(&docs->at.at[i], beaten[i] ? form_of(docs, preference, i) : 0);
    twx_free(beaten);
    if (rc == TWX_OK)
        *ret_forms = forms;
    else
        twx_forms_done(&forms);
    return rc;
}

void twx_forms_done(twx_forms *forms) {
    for (size_t s = 0; s < TWX_COUNTOF(forms->of); s++) twx_union_find_done(&forms->of[s].sets);
    *forms = (twx_forms){0};
}
