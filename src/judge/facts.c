#include "judge/internal.h"

/* ==== facts */

enum {
    YACY_META_NOINDEX = 8,    /* robots_i, bit 3 */
    YACY_HEADER_NOINDEX = 512 /* robots_i, bit 9: noindex or none in X-Robots-Tag */
};

/* The bits of IEEE doubles, taken as integers, are in the order of the numbers if all bits of
 * negative numbers are inverted, and only the sign bit of the others. */
uint64_t twx_score_order(double score) {
    uint64_t bits = 0;
    if (score == 0) score = 0; /* -0.0 becomes 0 */
    memcpy(&bits, &score, sizeof bits);
    return bits >> 63 ? ~bits : bits | UINT64_C(1) << 63;
}

static bool is_word_byte(unsigned char c) {
    return twx_is_alpha(c) || twx_is_digit(c) || c == '_' || c == '-';
}

/* "8" and " 520 " are bit fields, "max-snippet:-1" is not. */
static bool bit_field(twx_slice text, uint64_t *ret_bits) {
    uint64_t bits = 0;
    text = twx_slice_trim(text);
    if (text.n == 0 || text.n > 10) return false;
    for (size_t i = 0; i < text.n; i++) {
        if (!twx_is_digit((unsigned char)text.p[i])) return false;
        bits = bits * 10 + (uint64_t)(text.p[i] - '0');
    }
    *ret_bits = bits;
    return true;
}

static bool follows_colon(twx_slice text, size_t at) {
    while (at > 0 && twx_is_space((unsigned char)text.p[at - 1])) at--;
    return at > 0 && text.p[at - 1] == ':';
}

bool twx_robots_bits_noindex(int64_t bits) {
    return (bits & (YACY_META_NOINDEX | YACY_HEADER_NOINDEX)) != 0;
}

bool twx_robots_noindex(twx_slice robots) {
    uint64_t bits = 0;
    if (bit_field(robots, &bits)) return twx_robots_bits_noindex((int64_t)bits);
    for (size_t i = 0, end; i < robots.n; i = end) {
        for (end = i; end < robots.n && is_word_byte((unsigned char)robots.p[end]); end++) continue;
        twx_slice word = twx_slice_sub(robots, i, end);
        if (twx_slice_eq_nocase(word, TWX_SLICE_LIT("noindex"))) return true;
        /* "max-image-preview: none" concerns images only */
        if (twx_slice_eq_nocase(word, TWX_SLICE_LIT("none")) && !follows_colon(robots, i))
            return true;
        if (end == i) end++;
    }
    return false;
}

/* ---- the packed form -----------------------------------------------------
 *
 *     bits v | has v | the values that `has` names, in the order of its bits | URL
 * v is a number in groups of 7 bits, low ones first, with 0x80 set in all bytes but the last. Keys
 * are 8 bytes, little-endian. An absent value is 0 or is derived from the URL, which most keys can
 * be, so usual facts take no bytes. A value that could be absent is not stored: each set of facts
 * has one form. */

enum {
    HAS_STATUS = 1 << 0, /* v; else none */
    HAS_LINK = 1 << 1,   /* key; else 0 */
    HAS_HREFLANG = 1 << 2,
    HAS_LAYOUT = 1 << 3,
    HAS_DATE = 1 << 4,   /* 8 bytes; else 0 */
    HAS_SCORE = 1 << 5,  /* 8 bytes; else 0 */
    HAS_LENGTH = 1 << 6, /* v; else the number of stored bytes of the URL */
    HAS_KEY = 1 << 7,    /* of the URL; else its hash */
    HAS_DOMAIN = 1 << 8, /* key; else: v, the length of the domain, which the host ends with */
    HAS_HOST = 1 << 9,   /* length v and bytes; else: v, its place in the URL, and its length v */
    HAS_NO_HOST = 1 << 10,
    HAS_PAGE = 1 << 11, /* v; else 0 */
    HAS_ALL = (1 << 12) - 1,
    HOST_WITHIN = 256 /* a host is looked for in so many bytes of the URL */
};

static twx_rc put_key(twx_ctx *cx, twx_buf *out, uint64_t v) {
    char bytes[8];
    twx_store_le64(bytes, v);
    return twx_buf_add(cx, out, bytes, sizeof bytes);
}

/* The length of the domain, which the host ends with: the suffix whose hash is the key. The length
 * of the host plus 1: there is none. */
static size_t domain_bytes(twx_slice host, uint64_t key) {
    for (size_t at = 0; at <= host.n; at++)
        if ((at == 0 || at == host.n || host.p[at - 1] == '.') &&
            twx_hash64(twx_slice_sub(host, at, host.n), 1) == key)
            return host.n - at;
    return host.n + 1;
}

/* The first place of the host in the URL; SIZE_MAX: it is not in the first HOST_WITHIN bytes. */
static size_t host_at(twx_slice url, twx_slice host) {
    const char *found = memmem(url.p, url.n < HOST_WITHIN ? url.n : HOST_WITHIN, host.p, host.n);
    return found ? (size_t)(found - url.p) : SIZE_MAX;
}

twx_rc twx_facts_pack(twx_ctx *cx, const twx_facts *f, twx_buf *out) {
    const twx_slice kept = twx_slice_sub(f->url, 0, TWX_FACTS_URL_MAX);
    const size_t domain = domain_bytes(f->host, f->domain_key),
                 at = f->host.n ? host_at(kept, f->host) : 0;
    const struct {
        unsigned bit;
        bool has, is_key;
        uint64_t value;
    } values[] = {
        {HAS_STATUS, f->status != TWX_STATUS_NONE, false, (uint32_t)f->status},
        {HAS_LINK, f->link_key != 0, true, f->link_key},
        {HAS_HREFLANG, f->hreflang_key != 0, true, f->hreflang_key},
        {HAS_LAYOUT, f->layout_key != 0, true, f->layout_key},
        {HAS_DATE, f->fetched_at != 0, true, (uint64_t)f->fetched_at},
        {HAS_SCORE, f->score_order != 0, true, f->score_order},
        {HAS_LENGTH, f->url_length != kept.n, false, f->url_length},
        {HAS_KEY, f->url_key != twx_hash64(kept, 0), true, f->url_key},
        {HAS_DOMAIN, domain > f->host.n, true, f->domain_key},
        {HAS_PAGE, f->page != 0, false, f->page},
        {HAS_HOST, at == SIZE_MAX, false, f->host.n},
        {HAS_NO_HOST, f->host.n == 0, false, 0},
    };
    unsigned has = 0;
    for (size_t i = 0; i < TWX_COUNTOF(values); i++)
        if (values[i].has) has |= values[i].bit;
    twx_rc rc = twx_buf_add_number(cx, out, f->bits);
    if (rc == TWX_OK) rc = twx_buf_add_number(cx, out, has);
    for (size_t i = 0; rc == TWX_OK && i + 1 < TWX_COUNTOF(values); i++)
        if (values[i].has)
            rc = values[i].is_key ? put_key(cx, out, values[i].value)
                                  : twx_buf_add_number(cx, out, values[i].value);
    if (rc == TWX_OK && has & HAS_HOST) rc = twx_buf_add_slice(cx, out, f->host);
    if (rc == TWX_OK && !(has & (HAS_HOST | HAS_NO_HOST))) {
        rc = twx_buf_add_number(cx, out, at);
        if (rc == TWX_OK) rc = twx_buf_add_number(cx, out, f->host.n);
    }
    if (rc == TWX_OK && !(has & HAS_DOMAIN)) rc = twx_buf_add_number(cx, out, domain);
    return rc == TWX_OK ? twx_buf_add_slice(cx, out, kept) : rc;
}

typedef struct reader {
    twx_slice rest;
    const char *damage; /* the first one found; NULL: none */
} reader;

static void note_damage(reader *r, const char *what) {
    if (!r->damage) r->damage = what;
}

static uint64_t get_number(reader *r, uint64_t most) {
    uint64_t v = 0;
    const char *wrong = twx_take_number(&r->rest, most, &v);
    if (wrong) note_damage(r, wrong);
    return v;
}

/* A key is stored only if it is not 0, apart from those that are otherwise derived from the URL. */
static uint64_t get_key(reader *r, bool may_be_0) {
    if (r->rest.n < 8) {
        note_damage(r, "ends within a key");
        return 0;
    }
    const uint64_t v = twx_load_le64(r->rest.p);
    r->rest = twx_slice_sub(r->rest, 8, r->rest.n);
    if (!v && !may_be_0) note_damage(r, "has a key of 0");
    return v;
}

/* n bytes of s at `at`; empty after any damage. */
static twx_slice part_of(reader *r, twx_slice s, uint64_t at, uint64_t n) {
    if (at > s.n || n > s.n - at) note_damage(r, "has a host that is not in the URL");
    return r->damage ? (twx_slice){s.p, 0} : twx_slice_sub(s, (size_t)at, (size_t)(at + n));
}

static void get_host(reader *r, uint64_t has, twx_facts *f, uint64_t *ret_at, uint64_t *ret_n) {
    if ((has & HAS_HOST) && (has & HAS_NO_HOST)) note_damage(r, "has a host and none");
    if (has & HAS_NO_HOST) return;
    if (!(has & HAS_HOST)) *ret_at = get_number(r, HOST_WITHIN);
    *ret_n = get_number(r, UINT32_MAX);
    if (*ret_n == 0) note_damage(r, "has a host without a name");
    if (!(has & HAS_HOST)) return;
    f->host = part_of(r, r->rest, 0, *ret_n);
    r->rest = twx_slice_sub(r->rest, f->host.n, r->rest.n);
}

/* Whether twx_facts_pack() would have left out the same values. at: of the host in the URL. */
static bool is_shortest(const twx_facts *f, uint64_t has, twx_slice url, uint64_t at) {
    if (url.n > TWX_FACTS_URL_MAX) return false;
    if ((has & HAS_STATUS) && f->status == TWX_STATUS_NONE) return false;
    if ((has & HAS_LENGTH) && f->url_length == url.n) return false;
    if ((has & HAS_KEY) && f->url_key == twx_hash64(url, 0)) return false;
    if ((has & HAS_DOMAIN) && domain_bytes(f->host, f->domain_key) <= f->host.n) return false;
    if (has & HAS_NO_HOST) return true;
    if (has & HAS_HOST) return host_at(url, f->host) == SIZE_MAX;
    return at + f->host.n <= HOST_WITHIN &&
           host_at(twx_slice_sub(url, 0, (size_t)at + f->host.n - 1), f->host) == SIZE_MAX;
}

/* Returns what is wrong with the bytes; NULL: nothing. */
static const char *read_facts(twx_slice bytes, twx_facts *f) {
    reader r = {.rest = bytes};
    uint64_t at = 0, n = 0, domain = 0;
    *f = (twx_facts){.bits = (uint32_t)get_number(&r, UINT32_MAX)};
    const uint64_t has = get_number(&r, HAS_ALL);
    f->status = has & HAS_STATUS ? (int32_t)get_number(&r, UINT32_MAX) : TWX_STATUS_NONE;
    if (has & HAS_LINK) f->link_key = get_key(&r, false);
    if (has & HAS_HREFLANG) f->hreflang_key = get_key(&r, false);
    if (has & HAS_LAYOUT) f->layout_key = get_key(&r, false);
    if (has & HAS_DATE) f->fetched_at = (int64_t)get_key(&r, false);
    if (has & HAS_SCORE) f->score_order = get_key(&r, false);
    if (has & HAS_LENGTH) f->url_length = (uint32_t)get_number(&r, UINT32_MAX);
    if (has & HAS_KEY) f->url_key = get_key(&r, true);
    if (has & HAS_DOMAIN) f->domain_key = get_key(&r, true);
    if (has & HAS_PAGE) f->page = (uint8_t)get_number(&r, TWX_PAGE_BITS);
    if ((has & HAS_PAGE) && (!f->page || (f->page & TWX_PAGE_CLASS) >= TWX_PAGE_CLASSES))
        note_damage(&r, "has no class of a page");
    get_host(&r, has, f, &at, &n);
    if (!(has & HAS_DOMAIN)) domain = get_number(&r, UINT32_MAX);
    if (!(has & HAS_HOST)) f->host = part_of(&r, r.rest, at, n);
    if (!(has & HAS_LENGTH)) f->url_length = (uint32_t)r.rest.n;
    if (!(has & HAS_KEY)) f->url_key = twx_hash64(r.rest, 0);
    const size_t before = domain > f->host.n ? 0 : f->host.n - (size_t)domain;
    if (domain > f->host.n || (domain && before && f->host.p[before - 1] != '.'))
        note_damage(&r, "has a domain that is not the end of the host");
    if (!(has & HAS_DOMAIN))
        f->domain_key = twx_hash64(twx_slice_sub(f->host, before, f->host.n), 1);
    if (!r.damage && !is_shortest(f, has, r.rest, at)) note_damage(&r, "is in another form");
    f->url = r.rest;
    return r.damage;
}

twx_rc twx_facts_unpack(twx_ctx *cx, twx_slice bytes, twx_facts *ret_facts) {
    twx_facts facts;
    const char *damage = read_facts(bytes, &facts);
    if (damage) return twx_fail(cx, TWX_E_CORRUPT, TWX_DAMAGED_ROW "facts %s", damage);
    *ret_facts = facts;
    return TWX_OK;
}

/* ==== doc_table */

void twx_doc_table_done(twx_doc_table *p) {
    if (!p) return;
    for (size_t i = 0; i < p->hosts.n; i++) twx_free((char *)(uintptr_t)p->hosts.at[i].name.p);
    TWX_VEC_DONE(&p->hosts);
    TWX_VEC_DONE(&p->at);
    for (size_t c = 0; c < TWX_DOC_COLUMNS; c++) TWX_VEC_DONE(&p->column[c]);
    twx_parked_done(&p->parked);
    twx_free(p->host);
    twx_free(p->pinned);
    twx_free(p->preferred);
    p->pinned = p->preferred = NULL;
    twx_map64_done(&p->host_index);
}

twx_rc twx_doc_table_park(twx_ctx *cx, twx_doc_table *p) {
    p->host = twx_malloc(cx, (p->at.n + 1) * sizeof *p->host);
    if (!p->host) return TWX_E_NOMEM;
    for (size_t i = 0; i < p->at.n; i++) p->host[i] = p->at.at[i].host;
    return twx_park(cx, &p->parked, &p->at.at, p->at.n * sizeof *p->at.at);
}

twx_rc twx_doc_table_take(twx_ctx *cx, twx_doc_table *p) {
    const twx_rc rc = twx_parked_take(cx, &p->parked);
    if (rc != TWX_OK) return rc;
    if (p->host) p->at.cap = p->at.n;
    twx_free(p->host);
    p->host = NULL;
    return TWX_OK;
}

twx_rc twx_doc_row_of(twx_ctx *cx, const twx_doc_table *p, size_t i, twx_doc_row *ret_row) {
    if (p->at.at) {
        *ret_row = p->at.at[i];
        return TWX_OK;
    }
    const int error = twx_temporary_file_read(p->parked.fd, ret_row, sizeof *ret_row,
                                              (off_t)(i * sizeof *ret_row));
    return error ? twx_temporary_file_failed(cx, error) : TWX_OK;
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
            .name = {twx_strndup(cx, facts->host.p ? facts->host.p : "", facts->host.n),
                     facts->host.n},
            .domain_key = facts->domain_key,
            .section = (uint8_t)twx_host_section_of(twx_slice_of(p->sections), facts->host, NULL)};
        if (!fresh.name.p || !TWX_VEC_PUSH(cx, &p->hosts, fresh)) {
            twx_free((char *)(uintptr_t)fresh.name.p);
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

twx_rc twx_doc_table_add(twx_ctx *cx, twx_doc_table *p, int64_t doc, uint16_t store,
                         const twx_facts *f) {
    const size_t i = p->at.n;
    twx_doc_row fresh = {.doc = doc,
                         .url_key = f->url_key,
                         .url_length = f->url_length,
                         .bits = (uint16_t)(f->bits & ((1u << TWX_DOC_FORM) - 1)),
                         .store = store,
                         .status = (int16_t)(f->status > INT16_MAX ? 0 : f->status),
                         .page = f->page};
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
        [TWX_DOC_DOMAIN] = f->domain_key ^ p->hosts.at[fresh.host].domain_key,
    };
    for (size_t c = 0; rc == TWX_OK && c < TWX_DOC_COLUMNS; c++)
        rc = twx_doc_table_set(cx, p, (twx_doc_column)c, i, values[c]);
    return rc;
}

twx_rc twx_doc_table_carry(twx_ctx *cx, twx_doc_table *p, const twx_doc_table *from, size_t first,
                           size_t n, uint32_t *hosts) {
    static const twx_doc_column SIGNED[] = {TWX_DOC_LINK,       TWX_DOC_HREFLANG, TWX_DOC_LAYOUT,
                                            TWX_DOC_FETCHED_AT, TWX_DOC_SCORE,    TWX_DOC_PAGE};
    twx_rc rc = TWX_OK;
    for (size_t was = first; rc == TWX_OK && was < first + n; was++) {
        const size_t i = p->at.n;
        twx_doc_row row = from->at.at[was];
        const twx_host *host = &from->hosts.at[row.host];
        if (!hosts[row.host]) {
            const twx_facts of = {.host = host->name, .domain_key = twx_doc_domain(from, was)};
            rc = host_of(cx, p, &of, &hosts[row.host]);
            hosts[row.host]++;
        }
        row.host = hosts[row.host] - 1;
        row.bits &= (1u << TWX_DOC_FORM) - 1;
        if (row.page & TWX_PAGE_FOUND) row.page &= (uint8_t) ~(TWX_PAGE_FOUND | TWX_PAGE_CLASS);
        if (rc == TWX_OK && !TWX_VEC_PUSH(cx, &p->at, row)) rc = TWX_E_NOMEM;
        if (rc == TWX_OK)
            rc = twx_doc_table_set(cx, p, TWX_DOC_DOMAIN, i,
                                   twx_doc_domain(from, was) ^ p->hosts.at[row.host].domain_key);
        for (size_t c = 0; rc == TWX_OK && c < TWX_COUNTOF(SIGNED); c++)
            if (was < from->column[SIGNED[c]].n)
                rc = twx_doc_table_set(cx, p, SIGNED[c], i, from->column[SIGNED[c]].at[was]);
    }
    return rc;
}

uint64_t twx_scope_key(const twx_facts *facts, twx_relation_scope scope) {
    switch (scope) {
    case TWX_SCOPE_HOST: return twx_host_key(facts);
    case TWX_SCOPE_DOMAIN: return facts->domain_key;
    default: return 0;
    }
}
