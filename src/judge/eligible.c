#include "judge/internal.h"

/* ==== pages */

enum { PAGE_NAMES = 5, PAGE_FOLDERS = 3, ECHOES = 10 /* at most a tenth */, STATUS_ERROR = 400 };

/* What the documents with one short text have in common. */
typedef struct text_figures {
    size_t names, folders, echoed, later; /* later: with another capture that is no short text */
    bool is_answer;                       /* one has an error status */
} text_figures;

typedef struct short_page {
    uint64_t text;
    uint32_t name, folder, document;
} short_page;

TWX_ORDER_2(by_name, short_page, name, document)

TWX_ORDER_1(by_folder, short_page, folder)

/* The first page of a host is looked for, whatever it has in common with others. */
static bool is_home_page(const twx_doc_table *docs, uint32_t i) {
    const twx_doc_row *d = &docs->at.at[i];
    const size_t scheme = strlen(d->bits & TWX_FACT_HTTPS ? "https://" : "http://");
    return d->url_length <= scheme + docs->hosts.at[d->host].name.n + strlen("/");
}

/* page[0..n): one text, in any order. long_urls: keys of URLs. */
static text_figures measure(const twx_doc_table *docs, const twx_map64 *long_urls, short_page *page,
                            size_t n) {
    text_figures f = {0};
    qsort(page, n, sizeof *page, by_name);
    for (size_t i = 0; i < n; i++) {
        const twx_doc_row *d = &docs->at.at[page[i].document];
        f.names += (i == 0 || page[i].name != page[i - 1].name) &&
                   !is_home_page(docs, page[i].document);
        f.echoed += (d->page & TWX_PAGE_ECHOED) != 0;
        f.is_answer |= d->status >= STATUS_ERROR;
        f.later += twx_map64_has(long_urls, d->url_key);
    }
    qsort(page, n, sizeof *page, by_folder);
    for (size_t i = 0; i < n; i++) f.folders += i == 0 || page[i].folder != page[i - 1].folder;
    return f;
}

static bool is_no_page(const text_figures *f, size_t n) {
    return f->is_answer ||
           (f->names >= PAGE_NAMES && f->folders >= PAGE_FOLDERS && f->echoed * ECHOES <= n) ||
           (f->names > 1 && f->later * 2 >= n);
}

static void judge_text(twx_doc_set *j, const twx_map64 *long_urls, short_page *page, size_t n) {
    if (n == 1 && j->docs.at.at[page->document].status < STATUS_ERROR) return; /* the usual case */
    const text_figures f = measure(&j->docs, long_urls, page, n);
    for (size_t i = 0; i < n && is_no_page(&f, n); i++) {
        uint8_t *bits = &j->docs.at.at[page[i].document].page;
        if ((*bits & TWX_PAGE_CLASS) == TWX_PAGE_PAGE && !is_home_page(&j->docs, page[i].document))
            *bits |= TWX_PAGE_ERROR | TWX_PAGE_FOUND;
    }
}

/* The URLs of several documents of which one has a text that is not short, and a few others. */
static twx_rc list_long_urls(twx_ctx *cx, const twx_doc_set *j, twx_map64 *ret_urls) {
    const size_t n = j->docs.at.n, words = n / 4 + 1;
    uint64_t *is_short = twx_calloc(cx, words, sizeof *is_short); /* by remainder of the key */
    twx_rc rc = is_short ? TWX_OK : TWX_E_NOMEM;
    for (size_t i = 0; rc == TWX_OK && i < n; i++) {
        const twx_doc_row *d = &j->docs.at.at[i];
        if (d->page & TWX_PAGE_SHORT)
            is_short[d->url_key / 64 % words] |= UINT64_C(1) << d->url_key % 64;
    }
    for (size_t i = 0; rc == TWX_OK && i < n; i++) {
        const twx_doc_row *d = &j->docs.at.at[i];
        if (d->page == 0 && (d->bits & TWX_FACT_USABLE) && d->status < STATUS_ERROR &&
            is_short[d->url_key / 64 % words] >> d->url_key % 64 & 1)
            rc = twx_map64_put(cx, ret_urls, d->url_key, i);
    }
    twx_free(is_short);
    return rc;
}

twx_rc twx_pages_find(twx_ctx *cx, twx_doc_set *j) {
    TWX_VEC(short_page) text = {0};
    twx_map64 long_urls = {0};
    twx_entry e = {0};
    const twx_entries *before = j->before ? &j->before->short_pages : NULL;
    twx_rc rc = twx_entries_sort_with(cx, &j->short_pages, before, j->moved);
    if (rc == TWX_OK && j->docs.left_out >> TWX_PAGE_ERROR & 1)
        rc = list_long_urls(cx, j, &long_urls);
    for (bool more = true; rc == TWX_OK && more;) {
        rc = twx_entries_next(&j->short_pages, &e);
        more = rc == TWX_OK;
        if (rc == TWX_DONE) rc = TWX_OK;
        if (text.n && (!more || text.at[0].text != e.key)) {
            judge_text(j, &long_urls, text.at, text.n);
            text.n = 0;
        }
        const short_page page = {e.key, (uint32_t)(e.check >> 32), (uint32_t)e.check, e.index};
        if (more && !TWX_VEC_PUSH(cx, &text, page)) rc = TWX_E_NOMEM;
    }
    TWX_VEC_DONE(&text);
    twx_map64_done(&long_urls);
    if (!j->near.keeps_documents) twx_entries_done(&j->short_pages);
    return rc;
}

/* ==== eligible */

enum { HTTP_OK = 200 };

static const char *const ELIGIBILITY_TEXT[TWX_ELIGIBILITIES] = {
    [TWX_ELIGIBLE] = "takes part",
    [TWX_BAD_URL] = "the URL is not an absolute URL",
    [TWX_LOAD_FAILED] = "loading failed",
    [TWX_REDIRECTED] = "redirects to another document",
    [TWX_BAD_STATUS] = "the HTTP status is not 200",
    [TWX_NOINDEX] = "the robots directives contain noindex",
    [TWX_CANONICALISED] = "names another document as canonical",
    [TWX_IS_ERROR] = "error page",
    [TWX_IS_CHALLENGE] = "check for robots",
    [TWX_IS_LOGIN] = "login page",
    [TWX_IS_CONSENT] = "question for consent",
};

static const char *const LINK_TEXT[TWX_LINK_STATES] = {
    [TWX_LINK_NONE] = "no link",
    [TWX_LINK_HONOURED] = "honoured",
    [TWX_LINK_MISSING] = "ignored: the target is not in the store",
    [TWX_LINK_FOREIGN] = "ignored: the target is on another registrable domain",
    [TWX_LINK_LOOP] = "ignored: the links form a loop",
    [TWX_LINK_DEAD_END] = "ignored: it leads to no document that takes part",
    [TWX_LINK_COLLAPSE] = "ignored: all pages of the host link to this one page",
    [TWX_LINK_PINNED] = "ignored: a pin keeps or separates the document",
};

const char *twx_eligibility_text(size_t e) {
    return (unsigned)e < TWX_ELIGIBILITIES ? ELIGIBILITY_TEXT[e] : "unknown";
}

const char *twx_link_state_text(size_t s) {
    return (unsigned)s < TWX_LINK_STATES ? LINK_TEXT[s] : "unknown";
}

static bool has_link(uint32_t bits, uint64_t url_key, uint64_t link_key) {
    return (bits & (TWX_FACT_REDIRECT | TWX_FACT_CANONICAL)) != 0 && (bits & TWX_FACT_USABLE) &&
           link_key != url_key;
}

/* Why a document does not take part, whatever its link says: an unusable URL, a failed load, a
 * status such as 404, noindex, a page without content. */
static twx_eligibility by_itself(uint32_t bits, int32_t status, unsigned page, unsigned left_out) {
    if (!(bits & TWX_FACT_USABLE)) return TWX_BAD_URL;
    if (bits & TWX_FACT_FAILED) return TWX_LOAD_FAILED;
    if (status != TWX_STATUS_NONE && status != HTTP_OK) return TWX_BAD_STATUS;
    if (bits & TWX_FACT_NOINDEX) return TWX_NOINDEX;
    page &= TWX_PAGE_CLASS;
    return left_out >> page & 1 ? (twx_eligibility)(TWX_IS_ERROR - TWX_PAGE_ERROR + page)
                                : TWX_ELIGIBLE;
}

bool twx_has_link(const twx_facts *f) {
    return has_link(f->bits, f->url_key, f->link_key);
}

twx_eligibility twx_eligible_by_itself(const twx_facts *f, unsigned left_out) {
    return by_itself(f->bits, f->status, f->page, left_out);
}

typedef struct resolver {
    twx_ctx *cx;
    const twx_doc_table *p;
    const twx_preference *preference;
    twx_links *out;
    /* where following links from here ends; TWX_NO_DOCUMENT: at no document that takes part */
    uint32_t *end;
    /* of the traversals: 0 new, 1 on the current path, 2 searched for loops, 3 `end` is known */
    uint8_t *colour;
} resolver;

static const twx_doc_row *row(const resolver *r, uint32_t i) {
    return &r->p->at.at[i];
}

static twx_eligibility own_eligibility(const resolver *r, uint32_t i) {
    const twx_doc_row *d = row(r, i);
    return by_itself(d->bits, d->status, d->page, r->p->left_out);
}

static bool is_linked(const resolver *r, uint32_t i) {
    return has_link(row(r, i)->bits, row(r, i)->url_key, twx_doc_value(r->p, TWX_DOC_LINK, i));
}

/* Of several documents with the same URL, the target is the best one that takes part; if none does,
 * the best one. */
static bool better_target(const resolver *r, uint32_t a, uint32_t b) {
    bool a_in = own_eligibility(r, a) == TWX_ELIGIBLE, b_in = own_eligibility(r, b) == TWX_ELIGIBLE;
    twx_criterion unused;
    return a_in != b_in ? a_in : twx_order_compare(r->p, r->preference, a, b, &unused) < 0;
}

/* Finds the target of each link. TWX_LINK_HONOURED is provisional: later steps may reject it. */
static twx_rc find_targets(resolver *r) {
    twx_map64 by_url = {0};
    uint32_t first = 0;
    while (first < r->p->at.n && !is_linked(r, first)) first++;
    if (first == r->p->at.n) return TWX_OK; /* no document has a link: no URL is looked up */
    twx_rc rc = TWX_OK;
    for (uint32_t i = 0; rc == TWX_OK && i < r->p->at.n; i++) {
        if (!(row(r, i)->bits & TWX_FACT_USABLE)) continue;
        uint64_t held = i;
        rc = twx_map64_add(r->cx, &by_url, row(r, i)->url_key, i, &held);
        if (rc == TWX_OK && held != i && better_target(r, i, (uint32_t)held))
            rc = twx_map64_put(r->cx, &by_url, row(r, i)->url_key, i);
    }
    for (uint32_t i = first; rc == TWX_OK && i < r->p->at.n; i++) {
        uint64_t target = TWX_NO_DOCUMENT;
        if (!is_linked(r, i)) continue;
        if (!twx_map64_get(&by_url, twx_doc_value(r->p, TWX_DOC_LINK, i), &target)) {
            r->out->state[i] = TWX_LINK_MISSING;
            continue;
        }
        r->out->target[i] = (uint32_t)target;
        bool home = twx_doc_domain(r->p, i) == twx_doc_domain(r->p, (size_t)target);
        r->out->state[i] = home ? TWX_LINK_HONOURED : TWX_LINK_FOREIGN;
    }
    twx_map64_done(&by_url);
    return rc;
}

/* The links of a host while [R3] is checked. */
typedef struct host_links {
    uint32_t target; /* the one target so far */
    uint32_t pages;  /* documents that link to it */
    bool mixed;      /* there are other targets, or documents that take part without a link */
} host_links;

static twx_rc disbelieve_hosts(resolver *r, uint32_t collapse_min) {
    host_links *hosts = twx_calloc(r->cx, r->p->hosts.n, sizeof *hosts);
    twx_rc rc = hosts ? TWX_OK : TWX_E_NOMEM;
    for (uint32_t i = 0; rc == TWX_OK && i < r->p->at.n; i++) {
        host_links *h = &hosts[r->p->at.at[i].host];
        if (r->out->state[i] != TWX_LINK_HONOURED) continue;
        if (h->pages && h->target != r->out->target[i]) h->mixed = true;
        h->target = r->out->target[i];
        h->pages++;
    }
    for (uint32_t i = 0; rc == TWX_OK && i < r->p->at.n; i++) {
        host_links *h = &hosts[r->p->at.at[i].host];
        bool linked = r->out->state[i] == TWX_LINK_HONOURED;
        if (!linked && h->target != i && own_eligibility(r, i) == TWX_ELIGIBLE) h->mixed = true;
    }
    for (uint32_t k = 0; rc == TWX_OK && k < r->p->hosts.n; k++)
        if (hosts[k].pages >= collapse_min && !hosts[k].mixed &&
            !TWX_VEC_PUSH(r->cx, &r->out->collapsed, k))
            rc = TWX_E_NOMEM;
    for (uint32_t i = 0; rc == TWX_OK && i < r->p->at.n; i++) {
        const host_links *h = &hosts[r->p->at.at[i].host];
        if (r->out->state[i] == TWX_LINK_HONOURED && h->pages >= collapse_min && !h->mixed)
            r->out->state[i] = TWX_LINK_COLLAPSE;
    }
    twx_free(hosts);
    return rc;
}

/* [R2] Follows links from `start` until it meets a document that was visited before. If it was
 * visited on this path, the path from there on is a loop. */
static void break_loop(resolver *r, uint32_t start) {
    uint32_t i = start;
    while (r->colour[i] == 0 && r->out->state[i] == TWX_LINK_HONOURED) {
        r->colour[i] = 1;
        i = r->out->target[i];
    }
    if (r->colour[i] == 1) {
        for (uint32_t k = i; r->out->state[k] == TWX_LINK_HONOURED; k = r->out->target[k])
            r->out->state[k] = TWX_LINK_LOOP;
    }
    for (i = start; r->colour[i] == 1; i = r->out->target[i]) r->colour[i] = 2;
    if (r->colour[i] == 0) r->colour[i] = 2;
}

/* [R1] Follows links from `start` to the end of the chain, and records it for all on the way. */
static twx_rc follow(resolver *r, uint32_t start) {
    TWX_VEC(uint32_t) way = {0};
    twx_rc rc = TWX_OK;
    uint32_t i = start;
    while (rc == TWX_OK && r->colour[i] != 3 && r->out->state[i] == TWX_LINK_HONOURED) {
        if (!TWX_VEC_PUSH(r->cx, &way, i)) rc = TWX_E_NOMEM;
        i = r->out->target[i];
    }
    if (r->colour[i] != 3) {
        r->end[i] = own_eligibility(r, i) == TWX_ELIGIBLE ? i : TWX_NO_DOCUMENT;
        r->colour[i] = 3;
    }
    for (uint32_t end = r->end[i]; rc == TWX_OK && way.n > 0; way.n--) {
        uint32_t at = way.at[way.n - 1];
        if (end == TWX_NO_DOCUMENT) {
            r->out->state[at] = TWX_LINK_DEAD_END;
            end = own_eligibility(r, at) == TWX_ELIGIBLE ? at : TWX_NO_DOCUMENT;
        } else {
            r->out->target[at] = end;
        }
        r->end[at] = end;
        r->colour[at] = 3;
    }
    TWX_VEC_DONE(&way);
    return rc;
}

static twx_eligibility verdict_of(const resolver *r, uint32_t i) {
    twx_eligibility own = own_eligibility(r, i);
    if (r->out->state[i] != TWX_LINK_HONOURED || own == TWX_BAD_URL || own == TWX_LOAD_FAILED)
        return own;
    if (row(r, i)->bits & TWX_FACT_REDIRECT) return TWX_REDIRECTED;
    return own == TWX_ELIGIBLE ? TWX_CANONICALISED : own;
}

twx_rc twx_links_resolve(twx_ctx *cx, const twx_doc_table *p, const twx_preference *preference,
                         uint32_t collapse_min, twx_links *ret_links) {
    size_t n = p->at.n;
    twx_links out = {.eligibility = twx_calloc(cx, n, 1),
                     .state = twx_calloc(cx, n, 1),
                     .target = twx_malloc(cx, n * sizeof(uint32_t))};
    resolver r = {.cx = cx, .p = p, .preference = preference, .out = &out};
    r.end = twx_malloc(cx, n * sizeof *r.end);
    r.colour = twx_calloc(cx, n, 1);
    twx_rc rc = out.eligibility && out.state && out.target && r.end && r.colour ? TWX_OK
                                                                                : TWX_E_NOMEM;
    for (uint32_t i = 0; rc == TWX_OK && i < n; i++) out.target[i] = TWX_NO_DOCUMENT;
    if (rc == TWX_OK) rc = find_targets(&r);
    if (rc == TWX_OK) rc = disbelieve_hosts(&r, collapse_min);
    for (uint32_t i = 0; rc == TWX_OK && p->pinned && i < n; i++) /* [R4] */
        if (p->pinned[i] && out.state[i] == TWX_LINK_HONOURED) out.state[i] = TWX_LINK_PINNED;
    for (uint32_t i = 0; rc == TWX_OK && i < n; i++) break_loop(&r, i);
    for (uint32_t i = 0; rc == TWX_OK && i < n; i++)
        if (r.colour[i] != 3) rc = follow(&r, i);
    for (uint32_t i = 0; rc == TWX_OK && i < n; i++)
        out.eligibility[i] = (uint8_t)verdict_of(&r, i);
    twx_free(r.end);
    twx_free(r.colour);
    TWX_HAND_OVER(rc, ret_links, out, twx_links_done(&out));
    return rc;
}

void twx_links_done(twx_links *l) {
    if (!l) return;
    twx_free(l->eligibility);
    twx_free(l->state);
    twx_free(l->target);
    TWX_VEC_DONE(&l->collapsed);
    *l = (twx_links){0};
}
