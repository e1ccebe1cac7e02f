/* Fills the table `documents` of an empty store of `twindex init` with documents drawn from a seed:
 * make_documents STORE DOCUMENTS [SEED, default 1 [BYTES OF A TEXT, default 240]]
 *
 * Of 100 documents about 10 have the text of another one, 10 that text with words changed, 5 are
 * the http or www twin of the document before them, and 1 has one of 50 texts that many share; 30
 * have one of the titles of their host, 10 none. A host has 1 to 2 000 documents. Every document is
 * a function of the seed and its number, so any number of them is made in little memory, and the
 * first n are the same whatever their total. Texts have between half and one and a half times
 * BYTES; their words are made up, a few of them frequent and most rare, as in natural text.
 *
 * The change queue stays empty, as after a run. */
#include <inttypes.h>
#include <sqlite3.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { WORDS = 40000, WORD_MAX = 16, TEXT_MAX = 1 << 20, HOST_DOCUMENTS = 400, POPULAR = 50 };

typedef enum kind { ORIGINAL, COPY, NEAR_COPY, TWIN, POPULAR_TEXT } kind;

typedef struct maker {
    uint64_t seed;
    size_t text_bytes; /* mean */
    char words[WORDS][WORD_MAX];
    uint8_t word_n[WORDS];
    char url[200], title[200], text[TEXT_MAX];
    size_t text_n;
} maker;

static uint64_t mix(uint64_t z) { /* splitmix64 */
    z += UINT64_C(0x9E3779B97F4A7C15);
    z = (z ^ z >> 30) * UINT64_C(0xBF58476D1CE4E5B9);
    z = (z ^ z >> 27) * UINT64_C(0x94D049BB133111EB);
    return z ^ z >> 31;
}

/* The random number `what` of document i. */
static uint64_t draw(const maker *m, uint64_t i, uint64_t what) {
    return mix(mix(m->seed ^ mix(i)) + what);
}

static uint64_t next(uint64_t *state) {
    return *state = mix(*state);
}

static void make_words(maker *m) {
    static const char *const SYLLABLES[] = {"ba", "co",  "den", "fi",  "gu",  "hal", "in", "jo",
                                            "ka", "lem", "mo",  "nur", "o",   "pes", "ri", "sta",
                                            "te", "ul",  "ver", "wi",  "xan", "yo",  "ze", "tion"};
    for (uint64_t w = 0; w < WORDS; w++) {
        uint64_t state = mix(w);
        size_t n = 0;
        for (uint64_t left = 1 + next(&state) % 3 + (w > 100); left > 0; left--) {
            const char *s = SYLLABLES[next(&state) % (sizeof SYLLABLES / sizeof *SYLLABLES)];
            n += (size_t)snprintf(m->words[w] + n, WORD_MAX - n, "%s", s);
            if (n + 5 > WORD_MAX) break;
        }
        m->word_n[w] = (uint8_t)n;
    }
}

/* The share of a word falls with its number: the cube of a uniform number. */
static uint32_t word_of(uint64_t random) {
    const double u = (double)(random >> 11) / (double)(UINT64_C(1) << 53);
    return (uint32_t)(u * u * u * WORDS);
}

static kind kind_of(const maker *m, uint64_t i) {
    const uint64_t percent = draw(m, i, 0) % 100;
    if (i == 1 || percent < 74) return ORIGINAL;
    if (percent < 84) return COPY;
    if (percent < 94) return NEAR_COPY;
    if (percent == 99) return POPULAR_TEXT;
    return kind_of(m, i - 1) == ORIGINAL ? TWIN : ORIGINAL;
}

/* An earlier document whose text is its own. */
static uint64_t original_of(const maker *m, uint64_t i) {
    uint64_t root = 1 + draw(m, i, 1) % (i - 1);
    while (root > 1 && kind_of(m, root) != ORIGINAL) root--;
    return root;
}

/* The text of number `root`; with `edit` some of its words, 1 of 32 on average, are others. */
static void make_text(maker *m, uint64_t root, uint64_t edit) {
    uint64_t state = draw(m, root, 2), edits = mix(edit);
    const size_t bytes = m->text_bytes / 2 + next(&state) % (m->text_bytes + 1);
    size_t n = 0, sentence = 0;
    while (n < bytes && n + WORD_MAX + 2 < TEXT_MAX) {
        uint32_t w = word_of(next(&state));
        if (edit && next(&edits) % 32 == 0) w = word_of(next(&edits));
        memcpy(m->text + n, m->words[w], m->word_n[w]);
        if (sentence++ == 0 && m->text[n] >= 'a') m->text[n] -= 'a' - 'A';
        n += m->word_n[w];
        if (sentence > 6 && (w & 7) == 0) {
            m->text[n++] = '.';
            sentence = 0;
        }
        m->text[n++] = ' ';
    }
    m->text_n = n ? n - 1 : 0;
}

/* Sites of one size would not be seen in a crawl: the larger a host's number in its block of
 * documents, the smaller the host. */
static uint64_t host_of(const maker *m, uint64_t i) {
    const uint64_t block = i / (5 * HOST_DOCUMENTS), in_block = i % (5 * HOST_DOCUMENTS);
    uint64_t size = draw(m, block, 3) % (5 * HOST_DOCUMENTS) + 1;
    return block * 100 + (in_block < size ? 0 : 1 + in_block % 20);
}

static void make_names(maker *m, uint64_t i, kind k) {
    const uint64_t same = k == TWIN ? i - 1 : i, host = host_of(m, same),
                   style = draw(m, same, 4) % 100, title = draw(m, same, 5);
    bool https = style < 80, www = style % 5 == 0;
    if (k == TWIN && draw(m, i, 6) % 2)
        https = !https;
    else if (k == TWIN)
        www = !www;
    snprintf(m->url, sizeof m->url, "http%s://%shost%" PRIu64 ".example/%s/%s-%" PRIu64 ".html",
             https ? "s" : "", www ? "www." : "", host, m->words[title % 64],
             m->words[word_of(title)], same);
    if (title % 10 < 3)
        snprintf(m->title, sizeof m->title, "%s %s", m->words[host % WORDS],
                 m->words[title / 10 % 5]);
    else
        snprintf(m->title, sizeof m->title, "%s %s %s %" PRIu64, m->words[word_of(mix(title))],
                 m->words[word_of(mix(title + 1))], m->words[word_of(mix(title + 2))], same);
    if (title % 10 == 9) m->title[0] = '\0';
}

static void make_document(maker *m, uint64_t i) {
    const kind k = kind_of(m, i);
    make_names(m, i, k);
    switch (k) {
    case ORIGINAL: make_text(m, i, 0); break;
    case TWIN: make_text(m, i - 1, 0); break;
    case COPY: make_text(m, original_of(m, i), 0); break;
    case NEAR_COPY: make_text(m, original_of(m, i), i); break;
    case POPULAR_TEXT: make_text(m, UINT64_MAX - draw(m, i, 7) % POPULAR, 0); break;
    }
}

static void check(sqlite3 *db, bool good) {
    if (good) return;
    fprintf(stderr, "make_documents: %s\n", sqlite3_errmsg(db));
    exit(1);
}

static void insert(sqlite3 *db, maker *m, uint64_t count) {
    sqlite3_stmt *s = NULL;
    check(db, sqlite3_prepare_v2(db,
                                 "INSERT INTO documents(id, url, title, http_status, text) "
                                 "VALUES(?1, ?2, ?3, 200, ?4)",
                                 -1, &s, NULL) == SQLITE_OK);
    for (uint64_t i = 1; i <= count; i++) {
        make_document(m, i);
        sqlite3_bind_int64(s, 1, (sqlite3_int64)i);
        sqlite3_bind_text(s, 2, m->url, -1, SQLITE_STATIC);
        sqlite3_bind_text(s, 3, m->title[0] ? m->title : NULL, -1, SQLITE_STATIC);
        sqlite3_bind_text64(s, 4, m->text, m->text_n, SQLITE_STATIC, SQLITE_UTF8);
        check(db, sqlite3_step(s) == SQLITE_DONE);
        sqlite3_reset(s);
    }
    sqlite3_finalize(s);
}

int main(int argc, char **argv) {
    maker *m = calloc(1, sizeof *m);
    sqlite3 *db = NULL;
    const uint64_t count = argc > 2 ? strtoull(argv[2], NULL, 10) : 0;
    if (!m || argc < 3 || argc > 5 || count == 0) {
        fprintf(stderr, "usage: make_documents STORE DOCUMENTS [SEED [BYTES OF A TEXT]]\n");
        return 64;
    }
    m->seed = argc > 3 ? strtoull(argv[3], NULL, 10) : 1;
    m->text_bytes = argc > 4 ? strtoul(argv[4], NULL, 10) : 240;
    if (m->text_bytes > TEXT_MAX / 2) m->text_bytes = TEXT_MAX / 2;
    make_words(m);
    check(db, sqlite3_open_v2(argv[1], &db, SQLITE_OPEN_READWRITE, NULL) == SQLITE_OK);
    check(db, sqlite3_db_config(db, SQLITE_DBCONFIG_ENABLE_TRIGGER, 0, NULL) == SQLITE_OK);
    check(db, sqlite3_exec(db,
                           "PRAGMA cache_size = -1000000; PRAGMA synchronous = OFF;"
                           "PRAGMA journal_mode = OFF; BEGIN",
                           NULL, NULL, NULL) == SQLITE_OK);
    insert(db, m, count);
    check(db, sqlite3_exec(db, "COMMIT; PRAGMA journal_mode = WAL", NULL, NULL, NULL) == SQLITE_OK);
    sqlite3_close(db);
    free(m);
    return 0;
}
