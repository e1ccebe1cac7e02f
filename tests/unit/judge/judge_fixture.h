/* What the tests of src/judge share: document tables made of one line a document. */
#ifndef TWINDEX_TEST_JUDGE_FIXTURE_H
#define TWINDEX_TEST_JUDGE_FIXTURE_H

#include "support.h"

#include "judge/internal.h"

enum { IN = TWX_FACT_USABLE | TWX_FACT_WEB | TWX_FACT_HTTPS | TWX_FACT_WWW };

/* A document; zero means: nothing special. url and link are names: equal names are equal URLs. */
typedef struct entry {
    const char *url, *link, *host, *domain; /* host NULL: "h"; domain NULL: the host */
    uint32_t bits;                          /* on top of usable, web, https, www */
    uint32_t not_bits;                      /* taken away from them */
    int status;
    double score;
    int64_t fetched_at;
    uint32_t url_length;
    int64_t doc; /* 0: index + 1 */
    int hreflang, layout;
    uint64_t steps;
    uint8_t page;
    unsigned form; /* of the URL, as judging would set it */
} entry;

static inline uint64_t name_key(const char *name) {
    return name ? twx_hash64(twx_slice_of(name), 0) : 0;
}

static inline twx_facts facts_of(const entry *p) {
    const char *host = p->host ? p->host : "h", *domain = p->domain ? p->domain : host;
    uint32_t bits = (IN | p->bits) & ~p->not_bits;
    if (p->link && !(bits & TWX_FACT_REDIRECT)) bits |= TWX_FACT_CANONICAL;
    if (p->score != 0) bits |= TWX_FACT_SCORED;
    if (p->fetched_at != 0) bits |= TWX_FACT_DATED;
    return (twx_facts){.bits = bits,
                       .status = p->status ? p->status : TWX_STATUS_NONE,
                       .url_length = p->url_length,
                       .url_key = name_key(p->url),
                       .domain_key = name_key(domain),
                       .link_key = name_key(p->link),
                       .hreflang_key = (uint64_t)p->hreflang,
                       .layout_key = (uint64_t)p->layout,
                       .fetched_at = p->fetched_at,
                       .score_order = twx_score_order(p->score),
                       .page = p->page,
                       .host = twx_slice_of(host)};
}

static inline void populate_one(twx_ctx *cx, twx_doc_table *p, const entry *e, size_t i) {
    const twx_facts facts = facts_of(e);
    const int64_t doc = e->doc ? e->doc : (int64_t)i + 1;
    assert_ok(twx_doc_table_add(cx, p, doc, 0, &facts));
    if (e->steps) assert_ok(twx_doc_table_set(cx, p, TWX_DOC_EDITION, p->at.n - 1, e->steps));
    twx_doc_row_set_form(&p->at.at[p->at.n - 1], e->form);
}

static inline void populate(twx_ctx *cx, twx_doc_table *p, const entry *entries, size_t n) {
    for (size_t i = 0; i < n; i++) populate_one(cx, p, &entries[i], i);
}

static const twx_preference USUAL = {.https = true,
                                     .www = TWX_WWW_PREFIX,
                                     .criteria = {TWX_BY_FORM, TWX_BY_CLEAN, TWX_BY_PAGE,
                                                  TWX_BY_EDITION, TWX_BY_SCORE, TWX_BY_ORIGIN,
                                                  TWX_BY_URL_LENGTH, TWX_BY_FETCHED_AT}};

#endif
