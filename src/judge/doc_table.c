#include "judge/doc_table.h"

#include "base/hash64.h"

void twx_doc_table_init(twx_doc_table *p) {
    *p = (twx_doc_table){0};
    twx_map64_init(&p->host_index, 0);
}

void twx_doc_table_done(twx_doc_table *p) {
    if (!p) return;
    for (size_t i = 0; i < p->hosts.n; i++) twx_free(p->hosts.at[i].name);
    TWX_VEC_DONE(&p->hosts);
    TWX_VEC_DONE(&p->at);
    twx_free(p->pinned);
    twx_free(p->preferred);
    p->pinned = p->preferred = NULL;
    twx_map64_done(&p->host_index);
}

uint64_t twx_host_key(const twx_facts *facts) {
    return twx_hash64(facts->host, 0x686f7374 /* "host" */);
}

static twx_rc host_of(twx_ctx *cx, twx_doc_table *p, const twx_facts *facts, uint32_t *ret_host) {
    uint64_t found = p->hosts.n;
    twx_rc rc = twx_map64_add(cx, &p->host_index, twx_host_key(facts), p->hosts.n, &found);
    if (rc != TWX_OK) return rc;
    if (found == p->hosts.n) {
        twx_host fresh = {
            .name = twx_strndup(cx, facts->host.p ? facts->host.p : "", facts->host.n),
            .name_length = facts->host.n};
        if (!fresh.name || !TWX_VEC_PUSH(cx, &p->hosts, fresh)) {
            twx_free(fresh.name);
            return TWX_E_NOMEM;
        }
    }
    *ret_host = (uint32_t)found;
    return TWX_OK;
}

twx_rc twx_doc_table_add(twx_ctx *cx, twx_doc_table *p, const twx_doc_entry *entry) {
    twx_doc_entry fresh = *entry;
    if (p->at.n >= TWX_NO_DOCUMENT - 1)
        return twx_fail(cx, TWX_E_LIMIT, "more than %u documents: split the store into shards",
                        TWX_NO_DOCUMENT - 1);
    twx_rc rc = host_of(cx, p, &entry->facts, &fresh.host);
    if (rc != TWX_OK) return rc;
    fresh.facts.host = (twx_slice){p->hosts.at[fresh.host].name,
                                   p->hosts.at[fresh.host].name_length};
    return TWX_VEC_PUSH(cx, &p->at, fresh) ? TWX_OK : TWX_E_NOMEM;
}
