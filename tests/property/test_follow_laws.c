/* A law of what `follow` keeps from run to run: it does not show. After each of many changes the
 * flags are those of a whole judgement, which a handle of its own makes.
 * The pages are of families, which sites show with their name in titles, with boilerplate in texts,
 * in folders, with other words, numbers or parameters: as much as possible is learned of them. */
#include "store_maker.h"

#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum {
    HISTORIES = TEST_RACES_ONLY  ? 1
                : TEST_SANITIZED ? 4
                                 : 24,
    ROUNDS = TEST_SANITIZED ? 10 : 25,
    PAGES = 400,
    CHANGES = 10,
    WORDS = 300,
    FAMILIES = 12,
    SITES = 10, /* of which few have most pages */
    LARGE = 4,
    SENTENCES = 5,
    SENTENCE_WORDS = 9,
    LINE = 256,
    TEXT = 4096,
    SQL = 2 * TEXT
};

typedef struct family {
    char title[3][16], sentence[SENTENCES][LINE];
} family;

typedef struct site {
    char host[24], name[40], around[3][LINE];
    size_t menu; /* how often the first of these is repeated: more than most pages have to say */
} site;

typedef struct page {
    char url[LINE], title[LINE], text[TEXT];
} page;

typedef struct history {
    uint64_t seed;
    test_rng rng;
    const char *store;
    twindex *t, *whole;
    sqlite3 *db;
    sqlite3_stmt *put;
    char word[WORDS][16];
    family families[FAMILIES];
    site sites[SITES];
    uint64_t decided, all; /* items, after the first run, and if nothing were kept */
    size_t stopped;        /* runs that had written flags */
} history;

static size_t below(history *h, size_t limit) {
    return test_rng_below(&h->rng, limit);
}

static const char *draw_word(history *h, size_t among) {
    return h->word[below(h, among)];
}

static void add(char *text, size_t size, const char *more) {
    snprintf(text + strlen(text), size - strlen(text), "%s", more);
}

/* With the family's word in the middle, which its pages repeat. */
static void write_sentence(history *h, const char *word, char ret_text[LINE]) {
    ret_text[0] = '\0';
    for (size_t i = 0; i < SENTENCE_WORDS; i++) {
        add(ret_text, LINE, i == SENTENCE_WORDS / 2 ? word : draw_word(h, WORDS));
        add(ret_text, LINE, i + 1 < SENTENCE_WORDS ? " " : ". ");
    }
}

static void draw_names(history *h) {
    static const char *const HOSTS[LARGE] = {"a.example", "b.example", "www.b.example",
                                             "x.c.example"};
    for (size_t i = 0; i < WORDS; i++)
        for (size_t k = 0; k < 6; k++) h->word[i][k] = (char)('a' + below(h, 16));
    for (family *f = h->families; f < h->families + FAMILIES; f++) {
        for (size_t i = 0; i < 3; i++) strcpy(f->title[i], draw_word(h, WORDS));
        for (size_t i = 0; i < SENTENCES; i++) write_sentence(h, f->title[0], f->sentence[i]);
    }
    for (size_t k = 0; k < SITES; k++) {
        site *s = &h->sites[k];
        snprintf(s->host, sizeof s->host, "m%zu.example", k);
        if (k < LARGE) strcpy(s->host, HOSTS[k]);
        s->menu = k == 1 || k == 5 ? 12 : 1;
        snprintf(s->name, sizeof s->name, "%s %s", draw_word(h, WORDS), draw_word(h, WORDS));
        for (size_t i = 0; i < 3; i++) write_sentence(h, s->name, s->around[i]);
    }
}

static void draw_title(history *h, const family *f, const site *s, char ret_title[LINE]) {
    const size_t what = below(h, 10);
    ret_title[0] = '\0';
    for (size_t i = 0; i < 2 + (below(h, 4) > 0); i++) {
        add(ret_title, LINE, f->title[i]);
        add(ret_title, LINE, " ");
    }
    if (what < 2) add(ret_title, LINE, draw_word(h, 8));
    if (what == 2) snprintf(ret_title, LINE, "home %zu", below(h, 15));
    if (below(h, 5) < 3) {
        add(ret_title, LINE, " | ");
        add(ret_title, LINE, s->name);
    }
}

static void draw_text(history *h, const family *f, const site *s, char ret_text[TEXT]) {
    const bool is_plain = below(h, 3) == 0;
    const size_t changed = is_plain ? 0 : below(h, 2) * (1 + below(h, 2)),
                 frame = is_plain ? 0 : below(h, 4);
    char line[2 * LINE];
    ret_text[0] = '\0';
    for (size_t i = 0; frame && i < s->menu; i++) add(ret_text, TEXT, s->around[0]);
    for (size_t i = 1; i < frame && i < 3; i++) add(ret_text, TEXT, s->around[i]);
    for (size_t i = 0; i < SENTENCES; i++) {
        const size_t how = (i + below(h, SENTENCES)) % SENTENCES < changed ? 1 + below(h, 4) : 0;
        strcpy(line, f->sentence[i]);
        if (how == 1) write_sentence(h, draw_word(h, 8), line);
        if (how == 2) snprintf(line, sizeof line, "%zu %s", below(h, 90), f->sentence[i]);
        if (how == 3) snprintf(line, sizeof line, "%s %s", draw_word(h, 8), f->sentence[i]);
        if (how != 4) add(ret_text, TEXT, line);
    }
    snprintf(line, sizeof line, "Seen %zu times. ", below(h, 50));
    if (!is_plain && below(h, 3) == 0) add(ret_text, TEXT, line);
    if (!is_plain && below(h, 3) == 0) add(ret_text, TEXT, s->around[2]);
}

/* A page of a manual, of which each edition says more; the newest one needs no number. */
static void draw_edition(history *h, size_t number, page *ret_page) {
    const family *f = &h->families[number];
    const site *s = &h->sites[0];
    const size_t edition = 1 + below(h, 3);
    char end[40] = "";
    if (edition < 3 || below(h, 2)) snprintf(end, sizeof end, "/%zu.0", edition);
    snprintf(ret_page->url, LINE, "https://%s/manual%s/page%zu", s->host, end, number);
    snprintf(ret_page->title, LINE, "%s %s", f->title[0], f->title[1]);
    ret_page->text[0] = '\0';
    for (size_t i = 0; i < SENTENCES; i++) add(ret_page->text, TEXT, f->sentence[i]);
    for (size_t i = 1; i <= 4 * edition; i++) /* it takes that much to be seen as edited */
        add(ret_page->text, TEXT, h->families[(number + i) % FAMILIES].sentence[i % SENTENCES]);
}

/* A page stays in its family. */
static void draw_page(history *h, size_t id, page *ret_page) {
    const size_t number = id % FAMILIES, kind = below(h, 6),
                 folder = below(h, 2) ? number % 5 : 5 + below(h, 40);
    const site *s = &h->sites[below(h, 12) ? below(h, 12) / 4 + below(h, 2) : below(h, SITES)];
    char end[40] = "";
    if (kind == 0) snprintf(end, sizeof end, "?session=%zu", below(h, 20));
    if (kind == 1) snprintf(end, sizeof end, "?print=1");
    if (kind == 2) snprintf(end, sizeof end, "-%zu", below(h, 3));
    snprintf(ret_page->url, LINE, "http%s://%s/%s/page%zu%s", below(h, 2) ? "s" : "", s->host,
             h->word[folder], number * 50 + below(h, 12), end);
    draw_title(h, &h->families[number], s, ret_page->title);
    draw_text(h, &h->families[number], s, ret_page->text);
    if (kind == 3) draw_edition(h, number, ret_page);
    if (kind == 3 || below(h, 8) > 0) return;
    /* what a site says where it has no page, or a short page */
    strcpy(ret_page->title, s->name);
    snprintf(ret_page->text, TEXT, "%s is not here %zu", s->name, below(h, 4));
}

static void put(history *h, size_t id) {
    page p;
    draw_page(h, id, &p);
    sqlite3_bind_int64(h->put, 1, (int64_t)id);
    sqlite3_bind_text(h->put, 2, p.url, -1, SQLITE_TRANSIENT);
    sqlite3_bind_text(h->put, 3, p.title, -1, SQLITE_TRANSIENT);
    sqlite3_bind_text(h->put, 4, p.text, -1, SQLITE_TRANSIENT);
    assert_int_equal(sqlite3_step(h->put), SQLITE_DONE);
    sqlite3_reset(h->put);
}

static void change_one(history *h) {
    char sql[SQL];
    page p;
    const size_t id = below(h, PAGES + 40), what = below(h, 9);
    draw_page(h, id, &p);
    if (what < 2) {
        put(h, id);
        return;
    }
    if (what == 2) snprintf(sql, sizeof sql, "DELETE FROM documents WHERE id = %zu", id);
    if (what == 3)
        snprintf(sql, sizeof sql, "UPDATE documents SET title = '%s' WHERE id = %zu", p.title, id);
    if (what == 4)
        snprintf(sql, sizeof sql,
                 "UPDATE documents SET http_status = 604 - http_status WHERE id = %zu", id);
    if (what == 5)
        snprintf(sql, sizeof sql,
                 "UPDATE OR IGNORE documents SET url = url || '?print=1' WHERE id = %zu", id);
    if (what == 6)
        snprintf(sql, sizeof sql, "UPDATE documents SET title = '%s', text = '%s' WHERE id = %zu",
                 p.title, p.text, id);
    if (what == 7)
        snprintf(sql, sizeof sql, "UPDATE documents SET text = text || ' %s' WHERE id = %zu",
                 draw_word(h, 8), id);
    if (what == 8)
        snprintf(sql, sizeof sql,
                 "UPDATE documents SET canonical_url = '%s', fetched_at = %zu WHERE id = %zu",
                 p.url, below(h, 99), id);
    test_exec(h->db, sql);
}

typedef struct output {
    char bytes[1 << 16];
    size_t n;
} output;

static int collect(void *arg, const char *bytes, size_t n) {
    output *o = arg;
    if (n >= sizeof o->bytes - o->n) return 1;
    memcpy(o->bytes + o->n, bytes, n);
    o->n += n;
    return 0;
}

/* The number of items that a run has decided, as its summary says. */
static uint64_t decided_of(const output *o) {
    static const char NAME[] = "\"near_decided\": ";
    const char *at = memmem(o->bytes, o->n, NAME, sizeof NAME - 1);
    assert_non_null(at);
    return strtoull(at + sizeof NAME - 1, NULL, 10);
}

static void open_store(history *h, const char *store) {
    h->db = test_open(store);
    assert_int_equal(sqlite3_busy_timeout(h->db, 10000), SQLITE_OK);
    assert_int_equal(sqlite3_prepare_v2(h->db,
                                        "INSERT OR REPLACE INTO documents(id, url, title, text, "
                                        "http_status) VALUES (?, ?, ?, ?, 200)",
                                        -1, &h->put, NULL),
                     SQLITE_OK);
}

static void close_store(history *h) {
    sqlite3_finalize(h->put);
    sqlite3_close(h->db);
}

/* A crawler that writes while a run judges and publishes: representatives are withdrawn. */
typedef struct crawler {
    history h; /* of the same names */
    atomic_bool stop;
} crawler;

static void *crawl(void *arg) {
    crawler *c = arg;
    for (size_t i = 0; i < CHANGES && !atomic_load(&c->stop); i++) {
        change_one(&c->h);
        (void)nanosleep(&(struct timespec){.tv_nsec = 2000000}, NULL);
    }
    return NULL;
}

static void run_beside_crawler(history *h, const twindex_run_options *options) {
    static crawler c;
    pthread_t thread;
    c.h = *h;
    c.h.rng = test_rng_seed(test_rng_next(&h->rng));
    open_store(&c.h, h->store);
    atomic_store(&c.stop, false);
    assert_int_equal(pthread_create(&thread, NULL, crawl, &c), 0);
    test_run(h->t, options, TWINDEX_OK);
    atomic_store(&c.stop, true);
    assert_int_equal(pthread_join(thread, NULL), 0);
    close_store(&c.h);
}

/* Done twice, it changes nothing. */
static const char DISTURB[] = "UPDATE documents SET http_status = 604 - http_status "
                              "WHERE id % 29 = 3";

static void stop_when_written(void *arg, const twindex_progress *progress) {
    if (strcmp(progress->stage, "write flags") == 0) twindex_stop(arg, SIGTERM);
}

/* A run that has written flags, and does not publish them. */
static void stop_run(history *h, twindex *t) {
    const twindex_sink nowhere = {.write = test_discard};
    twindex_on_progress(t, stop_when_written, t);
    const int result = twindex_run(t, &(twindex_run_options){.force = true}, &nowhere);
    assert_int_equal(result, twindex_stopped(t) ? TWINDEX_TERMINATED : TWINDEX_OK);
    h->stopped += twindex_stopped(t) != 0;
    twindex_on_progress(t, NULL, NULL);
    twindex_stop(t, 0);
}

/* A run is stopped when it has written: one here, whose changes are then taken back, or one of
 * another handle with other settings. What it wrote must not show in what is published next. */
static void leave_unpublished(history *h, bool here) {
    twindex *other = test_open_store(h->store);
    test_run(h->t, NULL, TWINDEX_OK);
    test_set(other, "verdict.relations", "exact");
    if (here) test_exec(h->db, DISTURB);
    stop_run(h, here ? h->t : other);
    if (here) test_exec(h->db, DISTURB);
    for (size_t i = 0; i < CHANGES; i++) change_one(h);
    twindex_free(other);
}

/* The only run that `follow` asks for: the whole history, with what is kept meanwhile. */
static int live(void *arg) {
    history *h = arg;
    const twindex_run_options plain = {0}, verify = {.verify = true};
    static output o;
    const twindex_sink sink = {collect, &o, TWINDEX_JSON, 0}, nowhere = {.write = test_discard};
    for (size_t round = 0; round <= ROUNDS; round++) {
        o.n = 0;
        if (round % 5 == 2) /* somebody else signs what has changed, or judges it, too */
            assert_int_equal(twindex_sign(h->whole, false, &nowhere), TWINDEX_OK);
        if (round % 5 == 4) assert_int_equal(twindex_run(h->whole, &plain, &nowhere), TWINDEX_OK);
        for (size_t k = 0; k < round % 4 && k < 2; k++) run_beside_crawler(h, &plain);
        if (round && round % 3 == 0) leave_unpublished(h, round % 2);
        if (twindex_run(h->t, &plain, &sink) != TWINDEX_OK) fail_msg("%s", twindex_message(h->t));
        if (round == 0)
            h->all += ROUNDS * decided_of(&o);
        else
            h->decided += decided_of(&o);
        if (twindex_run(h->whole, &verify, &nowhere) != TWINDEX_OK)
            fail_msg("seed %" PRIu64 ", round %zu: %s", h->seed, round, twindex_message(h->whole));
        test_exec(h->db, "BEGIN");
        for (size_t i = 1 + below(h, CHANGES); i > 0; i--) change_one(h);
        if (h->seed % 2 == 0 && round % 6 == 3) /* translations come, for a while */
            test_exec(h->db, "UPDATE documents SET hreflang_group = 'g' WHERE id % 12 = 7");
        if (h->seed % 2 == 0 && round % 6 == 5)
            test_exec(h->db, "UPDATE documents SET hreflang_group = NULL");
        test_exec(h->db, "COMMIT");
    }
    return TWINDEX_INTERRUPTED;
}

TEST(what_is_kept_does_not_show) {
    static history h;
    uint64_t decided = 0, all = 0;
    for (uint64_t seed = 1; seed <= test_share_of(HISTORIES, 4); seed++) {
        const char *store = test_file("followed.db");
        h = (history){.seed = seed, .rng = test_rng_seed(seed), .store = store};
        draw_names(&h);
        twindex *t = twindex_new();
        assert_int_equal(twindex_init(t, store), TWINDEX_OK);
        twindex_free(t);
        h.t = test_open_store(store);
        h.whole = test_open_store(store);
        for (size_t k = 0; seed % 2 && k < 2; k++)
            assert_int_equal(
                twindex_set(k ? h.t : h.whole, "verdict.order", "fetched_at url_length"),
                TWINDEX_OK);
        open_store(&h, store);
        test_exec(h.db, "BEGIN");
        for (size_t i = 0; i < PAGES; i++) put(&h, i);
        test_exec(h.db, "COMMIT");
        assert_int_equal(twindex_follow(h.t, live, &h), TWINDEX_OK);
        close_store(&h);
        twindex_free(h.t);
        twindex_free(h.whole);
        assert_true(h.stopped > 0);
        decided += h.decided;
        all += h.all;
    }
    print_message("%" PRIu64 " of %" PRIu64 " items were decided again\n", decided, all);
    assert_true(decided < all);
}
