/* For each host only the hashes of the texts in its sample are kept. The shingles of a page that
 * enters the sample are added to one list for all hosts, as (shingle, text, host). The entries of a
 * page that leaves the sample stay until the list is full, or to the end: an entry still counts if
 * its text's hash is not above the largest of the sample. Sorted by shingle, the list gives the
 * sites of each shingle, and the pages of each site are counted. */
#include "lab/lab.h"

enum { BYTES_MIN = 1 << 20, HUNDRED = 100, SAMPLE_MIN = 20, PERCENT = 5 };

typedef struct site {
    TWX_VEC(uint64_t) texts; /* the sample: hashes, ascending, at most TWX_BOILERPLATE_SAMPLE */
    uint64_t run;            /* the shingle that `pages` counts, numbered from 1 */
    uint32_t pages;          /* that contain it */
} site;

struct twx_boilerplate_maker {
    twx_ctx *cx;
    size_t max_bytes;
    twx_map64 hosts; /* hash of the host -> its index in sites */
    TWX_VEC(site) sites;
    twx_entries entries; /* key: shingle, check: hash of the text, index: site */
};

twx_rc twx_boilerplate_maker_open(twx_ctx *cx, size_t max_bytes, const char *folder,
                                  twx_boilerplate_maker **ret_maker) {
    twx_boilerplate_maker *m = twx_calloc(cx, 1, sizeof *m);
    if (!m) return TWX_E_NOMEM;
    m->cx = cx;
    m->max_bytes = max_bytes < BYTES_MIN ? BYTES_MIN : max_bytes;
    m->entries.limit = m->max_bytes / (2 * sizeof(twx_entry));
    m->entries.folder = folder;
    twx_map64_init(&m->hosts, 0); /* the keys are hashes, and a crawl has few hosts */
    *ret_maker = m;
    return TWX_OK;
}

void twx_boilerplate_maker_close(twx_boilerplate_maker *m) {
    if (!m) return;
    for (size_t i = 0; i < m->sites.n; i++) TWX_VEC_DONE(&m->sites.at[i].texts);
    TWX_VEC_DONE(&m->sites);
    twx_entries_done(&m->entries);
    twx_map64_done(&m->hosts);
    twx_free(m);
}

size_t twx_boilerplate_maker_sorted_bytes(const twx_boilerplate_maker *m) {
    return m->entries.on_disk ? twx_external_sort_parts(m->entries.on_disk) : 0;
}

static twx_rc find_site(twx_boilerplate_maker *m, twx_slice host, uint32_t *ret_site) {
    uint64_t number = 0;
    if (m->sites.n == UINT32_MAX)
        return twx_fail(m->cx, TWX_E_LIMIT, "more than %u hosts", UINT32_MAX);
    twx_rc rc = twx_map64_add(m->cx, &m->hosts, twx_hash64(host, 0), m->sites.n, &number);
    if (rc == TWX_OK && number == m->sites.n && !TWX_VEC_PUSH(m->cx, &m->sites, (site){0}))
        rc = TWX_E_NOMEM;
    if (rc == TWX_OK) *ret_site = (uint32_t)number;
    return rc;
}

/* Does the text enter the sample? If so, adds it. */
static twx_rc take_text(twx_ctx *cx, site *s, uint64_t text, bool *ret_taken) {
    size_t at = s->texts.n;
    while (at > 0 && s->texts.at[at - 1] >= text) at--;
    *ret_taken = at < TWX_BOILERPLATE_SAMPLE && (at == s->texts.n || s->texts.at[at] != text);
    if (!*ret_taken) return TWX_OK;
    if (s->texts.n == TWX_BOILERPLATE_SAMPLE) s->texts.n--; /* the largest one leaves */
    if (!TWX_VEC_RESERVE(cx, &s->texts, s->texts.n + 1)) return TWX_E_NOMEM;
    memmove(s->texts.at + at + 1, s->texts.at + at, (s->texts.n - at) * sizeof *s->texts.at);
    s->texts.at[at] = text;
    s->texts.n++;
    return TWX_OK;
}

/* Is the page of an entry in the sample so far? A page that has left never returns. */
static bool is_sampled(const twx_boilerplate_maker *m, const twx_entry *entry) {
    const site *s = &m->sites.at[entry->index];
    return entry->check <= s->texts.at[s->texts.n - 1];
}

static void drop_old(twx_boilerplate_maker *m) {
    size_t kept = 0;
    twx_entry *at = m->entries.at.at;
    for (size_t i = 0; i < m->entries.at.n; i++)
        if (is_sampled(m, &at[i])) at[kept++] = at[i];
    m->entries.at.n = kept;
}

static twx_rc add_entry(twx_boilerplate_maker *m, twx_entry entry) {
    twx_rc rc = TWX_OK;
    if (m->entries.at.n == m->entries.limit) {
        drop_old(m);
        if (m->entries.at.n > m->entries.limit / 2) rc = twx_entries_write(m->cx, &m->entries);
    }
    return rc == TWX_OK ? twx_entries_add(m->cx, &m->entries, entry) : rc;
}

twx_rc twx_page_shingles(twx_ctx *cx, twx_arena *scratch, twx_slice text,
                         twx_shingles *ret_shingles) {
    static const twx_shingling HOW = {.words = TWX_PAGE_SHINGLE_WORDS, .within_lines = true};
    return twx_shingles_of(cx, scratch, &HOW, text, ret_shingles);
}

twx_rc twx_boilerplate_maker_add(twx_boilerplate_maker *m, twx_arena *scratch, twx_slice host,
                                 twx_slice text) {
    uint32_t number = 0;
    bool taken = false;
    twx_shingles shingles = {0};
    if (text.n == 0) return TWX_OK;
    const uint64_t hash = twx_hash64(text, 0);
    twx_rc rc = find_site(m, host, &number);
    if (rc == TWX_OK) rc = take_text(m->cx, &m->sites.at[number], hash, &taken);
    if (rc != TWX_OK || !taken) return rc;
    rc = twx_page_shingles(m->cx, scratch, text, &shingles);
    if (rc == TWX_OK) rc = twx_shingles_unique(m->cx, scratch, &shingles);
    for (size_t i = 0; i < shingles.n && rc == TWX_OK; i++)
        rc = add_entry(m, (twx_entry){.key = shingles.at[i], .check = hash, .index = number});
    return rc;
}

/* Counts a page of the entry's site for the run-th shingle. Are there enough now? */
static bool count_page(twx_boilerplate_maker *m, const twx_entry *entry, uint64_t run) {
    site *s = &m->sites.at[entry->index];
    if (s->texts.n < SAMPLE_MIN || !is_sampled(m, entry)) return false;
    if (s->run != run) s->pages = 0;
    s->run = run;
    s->pages++;
    return (size_t)s->pages * HUNDRED > s->texts.n * PERCENT;
}

static twx_rc find_boilerplate(twx_boilerplate_maker *m, twx_boilerplate *c) {
    const size_t most = m->max_bytes / 2 / (sizeof *c->found.at + sizeof *c->start);
    uint64_t run = 0, shingle = 0;
    twx_entry entry;
    twx_rc rc;
    while ((rc = twx_entries_next(&m->entries, &entry)) == TWX_OK) {
        if (run == 0 || entry.key != shingle) {
            run++;
            shingle = entry.key;
            rc = twx_cancelled(m->cx);
            if (rc != TWX_OK) return rc;
        }
        if (!count_page(m, &entry, run)) continue;
        if (c->found.n > 0 && c->found.at[c->found.n - 1] == shingle) continue;
        if (c->found.n == most)
            return twx_fail(
                m->cx, TWX_E_LIMIT,
                "the boilerplate of the sites takes more than %zu MiB: raise run.memory",
                m->max_bytes / 2 >> 20);
        if (!TWX_VEC_PUSH(m->cx, &c->found, shingle)) return TWX_E_NOMEM;
    }
    return rc == TWX_DONE ? TWX_OK : rc;
}

static twx_rc make_index(twx_ctx *cx, twx_boilerplate *c) {
    unsigned bits = 1;
    size_t at = 0;
    if (c->found.n == 0) return TWX_OK;
    if (c->found.n >= UINT32_MAX)
        return twx_fail(cx, TWX_E_LIMIT, "the sites have too much boilerplate");
    while ((size_t)1 << bits < c->found.n) bits++;
    const size_t buckets = (size_t)1 << bits;
    c->shift = 64 - bits;
    c->start = twx_calloc(cx, buckets + 1, sizeof *c->start);
    if (!c->start) return TWX_E_NOMEM;
    for (size_t b = 0; b < buckets; b++) {
        c->start[b] = (uint32_t)at;
        while (at < c->found.n && c->found.at[at] >> c->shift == b) at++;
    }
    c->start[buckets] = (uint32_t)at;
    for (size_t i = 0; i < c->found.n; i++)
        c->fingerprint = twx_mix64(c->fingerprint, c->found.at[i]);
    return TWX_OK;
}

twx_rc twx_boilerplate_make(twx_boilerplate_maker *m, twx_boilerplate **ret_boilerplate) {
    twx_boilerplate *c = twx_calloc(m->cx, 1, sizeof *c);
    if (!c) return TWX_E_NOMEM;
    drop_old(m);
    twx_rc rc = twx_entries_sort(m->cx, &m->entries);
    if (rc == TWX_OK) rc = find_boilerplate(m, c);
    if (rc == TWX_OK) rc = make_index(m->cx, c);
    TWX_HAND_OVER(rc, ret_boilerplate, c, twx_boilerplate_close(c));
    return rc;
}

void twx_boilerplate_close(twx_boilerplate *c) {
    if (!c) return;
    TWX_VEC_DONE(&c->found);
    twx_free(c->start);
    twx_free(c);
}

/* Binary search within the bucket, so that crafted shingles of one bucket cost little. */
bool twx_boilerplate_has(const twx_boilerplate *c, uint64_t shingle) {
    if (!c->start) return false;
    const uint64_t bucket = shingle >> c->shift;
    size_t from = c->start[bucket], to = c->start[bucket + 1];
    TWX_BISECT(from, to, c->found.at[middle] < shingle);
    return from < c->start[bucket + 1] && c->found.at[from] == shingle;
}
