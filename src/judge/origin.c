#include "judge/origin.h"

#include "base/alloc.h"

enum { SEVERAL = UINT32_MAX };

uint8_t twx_origin_of(uint64_t texts) {
    uint8_t origin = 0;
    for (; texts; texts >>= 1) origin++;
    return origin;
}

/* Numbers the domains of the hosts. */
static twx_rc number_domains(twx_ctx *cx, const twx_doc_table *docs, uint32_t *ret_domain) {
    twx_map64 numbers;
    twx_map64_init(&numbers, 0);
    twx_rc rc = TWX_OK;
    for (size_t h = 0; rc == TWX_OK && h < docs->hosts.n; h++) {
        uint64_t number = h;
        rc = twx_map64_add(cx, &numbers, docs->hosts.at[h].domain_key, h, &number);
        ret_domain[h] = (uint32_t)number;
    }
    twx_map64_done(&numbers);
    return rc;
}

/* own: by number of the domain, the texts that no other one has. */
static twx_rc count_texts(twx_ctx *cx, const twx_judgement *j, const uint32_t *domain,
                          uint64_t *own) {
    twx_map64 domain_of; /* text -> the number of its domain, or SEVERAL */
    twx_map64_init(&domain_of, 0);
    twx_rc rc = TWX_OK;
    for (uint32_t i = 0; rc == TWX_OK && i < j->docs.at.n; i++) {
        if (j->links.eligibility[i] != TWX_ELIGIBLE) continue;
        const twx_signed_as s = twx_signed_as_of(j, i);
        const uint64_t text = s.sig[TWX_RELATION_EXACT], here = domain[j->docs.at.at[i].host];
        uint64_t held = SEVERAL;
        if (!(s.known >> TWX_RELATION_EXACT & 1)) continue;
        if (!twx_map64_get(&domain_of, text, &held)) {
            rc = twx_map64_put(cx, &domain_of, text, here);
            own[here]++;
        } else if (held != here && held != SEVERAL) {
            rc = twx_map64_put(cx, &domain_of, text, SEVERAL);
            own[held]--;
        }
    }
    twx_map64_done(&domain_of);
    return rc;
}

twx_rc twx_find_origins(twx_ctx *cx, twx_judgement *j) {
    twx_doc_table *docs = &j->docs;
    uint32_t *domain = twx_malloc(cx, (docs->hosts.n + 1) * sizeof *domain);
    uint64_t *own = twx_calloc(cx, docs->hosts.n + 1, sizeof *own);
    twx_rc rc = domain && own ? number_domains(cx, docs, domain) : TWX_E_NOMEM;
    if (rc == TWX_OK) rc = count_texts(cx, j, domain, own);
    for (size_t h = 0; rc == TWX_OK && h < docs->hosts.n; h++)
        docs->hosts.at[h].origin = twx_origin_of(own[domain[h]]);
    twx_free(domain);
    twx_free(own);
    return rc == TWX_OK ? twx_judgement_error(cx, j) : rc;
}
