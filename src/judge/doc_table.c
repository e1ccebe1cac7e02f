#include "judge/doc_table.h"

#include "base/hash64.h"
#include "url/host_patterns.h"

void twx_doc_table_init(twx_doc_table *p) {
    *p = (twx_doc_table){0};
    twx_map64_init(&p->host_index, 0);
}

void twx_doc_table_done(twx_doc_table *p) {
    if (!p) return;
    for (size_t i = 0; i < p->hosts.n; i++) twx_free(p->hosts.at[i].name);
    TWX_VEC_DONE(&p->hosts);
    TWX_VEC_DONE(&p->at);
    for (size_t c = 0; c < TWX_DOC_COLUMNS; c++) TWX_VEC_DONE(&p->column[c]);
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
            .name_length = facts->host.n,
            .domain_key = facts->domain_key,
            .section = (uint8_t)twx_host_section_of(twx_slice_of(p->sections), facts->host, NULL)};
        if (!fresh.name || !TWX_VEC_PUSH(cx, &p->hosts, fresh)) {
            twx_free(fresh.name);
            return TWX_E_NOMEM;
        }
    }
    *ret_host = (uint32_t)found;
    return TWX_OK;
}

twx_rc twx_doc_table_set(twx_ctx *cx, twx_doc_table *p, twx_doc_column column, size_t i,
                         uint64_t value) {
    const size_t n = p->column[column].n;
    if (i >= n && value == 0) return TWX_OK;
    if (i >= n) {
        /* room for all documents at once, as in p->at */
        if (!TWX_VEC_RESERVE(cx, &p->column[column], p->at.cap > i ? p->at.cap : i + 1))
            return TWX_E_NOMEM;
        memset(p->column[column].at + n, 0, (i + 1 - n) * sizeof value);
        p->column[column].n = i + 1;
    }
    p->column[column].at[i] = value;
    return TWX_OK;
}

twx_rc twx_doc_table_add(twx_ctx *cx, twx_doc_table *p, const twx_doc_entry *entry) {
    const twx_facts *f = &entry->facts;
    const size_t i = p->at.n;
    twx_doc_row fresh = {.doc = entry->doc,
                         .url_key = f->url_key,
                         .url_length = f->url_length,
                         .bits = (uint16_t)(f->bits & ((1u << TWX_DOC_FORM) - 1)),
                         .member = entry->member,
                         .status = f->status};
    if (i >= TWX_NO_DOCUMENT - 1)
        return twx_fail(cx, TWX_E_LIMIT, "more than %u documents: split the store into shards",
                        TWX_NO_DOCUMENT - 1);
    twx_rc rc = host_of(cx, p, f, &fresh.host);
    if (rc != TWX_OK) return rc;
    if (!TWX_VEC_PUSH(cx, &p->at, fresh)) return TWX_E_NOMEM;
    const uint64_t values[TWX_DOC_COLUMNS] = {
        [TWX_DOC_LINK] = f->link_key,
        [TWX_DOC_HREFLANG] = f->hreflang_key,
        [TWX_DOC_LAYOUT] = f->layout_key,
        [TWX_DOC_FETCHED_AT] = (uint64_t)f->fetched_at,
        [TWX_DOC_SCORE] = f->score_order,
        [TWX_DOC_VERSION] = entry->version,
        [TWX_DOC_DOMAIN] = f->domain_key ^ p->hosts.at[fresh.host].domain_key,
    };
    for (size_t c = 0; rc == TWX_OK && c < TWX_DOC_COLUMNS; c++)
        rc = twx_doc_table_set(cx, p, (twx_doc_column)c, i, values[c]);
    return rc;
}

uint64_t twx_scope_key(const twx_facts *facts, twx_relation_scope scope) {
    switch (scope) {
    case TWX_SCOPE_HOST: return twx_host_key(facts);
    case TWX_SCOPE_DOMAIN: return facts->domain_key;
    default: return 0;
    }
}
