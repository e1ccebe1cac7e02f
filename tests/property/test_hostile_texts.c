/* Stores made by an attacker: `twindex run` finishes on them, within a time and memory that depend
 * on the amount of data, not on its content. Time and memory are those of the program as a separate
 * process; they are printed. */
#include "store_maker.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

/* Sanitizers take time and memory: then there are fewer pages, and memory is not checked. */
enum { MIB = 1 << 20 };
static size_t slower, many, long_bytes; /* set by choose_sizes() */

typedef struct store {
    const char *path;
    sqlite3 *db;
    sqlite3_stmt *insert;
    int64_t pages;
    size_t longest, second; /* texts: two may be signed at a time */
    uint64_t bytes;
} store;

static store make_store(void) {
    store s = {.path = test_file("hostile.db")};
    s.db = test_open(s.path);
    test_exec(s.db, "PRAGMA synchronous=OFF; PRAGMA journal_mode=WAL;CREATE TABLE pages(id INTEGER "
                    "PRIMARY KEY, url TEXT, content); BEGIN");
    if (sqlite3_prepare_v2(
            s.db, "INSERT INTO pages(url, content) VALUES ('https://h.example/' || ?1, ?2)", -1,
            &s.insert, NULL) != SQLITE_OK)
        fail_msg("%s", sqlite3_errmsg(s.db));
    return s;
}

static void add_page(store *s, const char *bytes, size_t n, bool blob) {
    sqlite3_bind_int64(s->insert, 1, ++s->pages);
    if (blob)
        sqlite3_bind_blob64(s->insert, 2, bytes, n, SQLITE_STATIC);
    else
        sqlite3_bind_text64(s->insert, 2, bytes, n, SQLITE_STATIC, SQLITE_UTF8);
    if (sqlite3_step(s->insert) != SQLITE_DONE) fail_msg("%s", sqlite3_errmsg(s->db));
    sqlite3_reset(s->insert);
    s->bytes += n;
    if (n > s->longest) {
        s->second = s->longest;
        s->longest = n;
    } else if (n > s->second) {
        s->second = n;
    }
}

/* ---- running ------------------------------------------------------------ */

/* Seconds to read every byte of the texts. */
static double read_plainly(const store *s) {
    const double begin = test_seconds(CLOCK_MONOTONIC);
    assert_int_equal(
        test_integer_in(s->path,
                        "SELECT count(*) FROM pages WHERE instr(content, 'no such text') = 0"),
        s->pages);
    return test_seconds(CLOCK_MONOTONIC) - begin;
}

typedef struct spent {
    double seconds;
    int64_t bytes; /* peak memory */
} spent;

static spent run_program(const char *path) {
    struct rusage usage;
    int status = 0;
    const double begin = test_seconds(CLOCK_MONOTONIC);
    const pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        execl(test_program(), "twindex", "run", "--quiet", "--force", "--memory", "16M", "--jobs",
              "2", path, (char *)NULL);
        _exit(127);
    }
    while (wait4(child, &status, 0, &usage) < 0)
        if (errno != EINTR) fail_msg("wait: %s", strerror(errno));
    if (!WIFEXITED(status) || WEXITSTATUS(status) != 0)
        fail_msg("the run ended with status %d", status);
    return (spent){test_seconds(CLOCK_MONOTONIC) - begin, (int64_t)usage.ru_maxrss * 1024};
}

/* Runs over the store. Comparing all pairs, or keeping texts, would far exceed the bounds. */
static void endure(store *s, const char *what) {
    test_exec(s->db, "COMMIT");
    sqlite3_finalize(s->insert);
    sqlite3_close(s->db);
    const double plain = read_plainly(s);
    const spent run = run_program(s->path);
    const double seconds = (double)slower * (15 + 0.0015 * (double)s->pages + 180 * plain);
    const int64_t bytes = 64 * MIB + 2048 * s->pages + 12 * (int64_t)(s->longest + s->second);
    print_message(
        "%s: %" PRId64
        " pages, %.1f MB: %.2f s (plainly read: %.2f s, bound %.1f s), %.1f MB (bound %.1f MB)\n",
        what, s->pages, 1e-6 * (double)s->bytes, run.seconds, plain, seconds,
        1e-6 * (double)run.bytes, 1e-6 * (double)bytes);
    if (run.seconds > seconds) fail_msg("%s: %.2f s", what, run.seconds);
    if (slower <= 4 && run.bytes > bytes) fail_msg("%s: %.1f MB", what, 1e-6 * (double)run.bytes);
}

/* ---- texts -------------------------------------------------------------- */

static char *room(size_t n) {
    char *p = malloc(n);
    assert_non_null(p);
    return p;
}

/* Random words of six letters, some of which end a sentence. 8 bytes a word at most. */
static size_t put_words(test_rng *rng, size_t words, char *out) {
    size_t n = 0;
    for (size_t i = 0; i < words; i++) {
        uint64_t letters = test_rng_next(rng);
        for (size_t k = 0; k < 6; k++, letters >>= 5) out[n++] = (char)('a' + letters % 26);
        if (letters % 9 == 0) out[n++] = '.';
        out[n++] = ' ';
    }
    return n;
}

static size_t put_again(const char *word, size_t bytes, char *out) {
    const size_t n = strlen(word);
    for (size_t i = 0; i < bytes; i++) out[i] = word[i % n];
    return bytes;
}

TEST(pages_of_one_repeated_word) {
    static const char *const WORDS[] = {"spam ", "a ", "spam. ", "\xC3\xA4\xC3\xA4\n",
                                        "A b ",  "0 "};
    store s = make_store();
    char *text = room(20 * MIB);
    for (size_t i = 0; i < 60 / slower; i++)
        add_page(&s, text, put_again(WORDS[i % 6], MIB / 4 + i * 1000, text), false);
    add_page(&s, text, put_again("spam ", 20 * MIB / slower, text), false);
    endure(&s, "one repeated word");
    free(text);
}

TEST(a_page_of_one_endless_word) {
    store s = make_store();
    char *text = room(20 * MIB);
    add_page(&s, text, put_again("abcdefghijklm", 20 * MIB / slower, text), false);
    add_page(&s, text, put_again("\xF0\x9F\x98\x80", 4 * MIB / slower, text), false);
    endure(&s, "one endless word");
    free(text);
}

TEST(a_very_long_page) {
    store s = make_store();
    test_rng rng = test_rng_seed(2);
    char *text = room(long_bytes + 64);
    const size_t n = put_words(&rng, long_bytes / 8, text);
    add_page(&s, text, n, false);
    add_page(&s, text, n / 2, false);
    for (size_t i = 0; i < 100; i++) add_page(&s, text + 100 * i, 300, false);
    endure(&s, "a page of many megabytes");
    free(text);
}

TEST(binary_junk) {
    store s = make_store();
    test_rng rng = test_rng_seed(3);
    char *bytes = room(MIB);
    for (size_t i = 0; i < 60 / slower; i++) {
        for (size_t k = 0; k < MIB / 8; k++)
            bytes[k] = (char)(test_rng_next(&rng) >> (i % 4 == 0 ? 56 : 60));
        add_page(&s, bytes, MIB / 8, i % 2);
    }
    endure(&s, "binary junk");
    free(bytes);
}

TEST(very_many_equal_pages) {
    store s = make_store();
    test_rng rng = test_rng_seed(4);
    char text[1024];
    const size_t n = put_words(&rng, 40, text);
    for (size_t i = 0; i < many; i++) add_page(&s, text, n, false);
    endure(&s, "equal pages");
}

/* `common` words that all pages have, followed by `own` ones. */
static void make_alike(store *s, size_t pages, size_t common, size_t own) {
    test_rng rng = test_rng_seed(5);
    char text[4096];
    const size_t n = put_words(&rng, common, text);
    for (size_t i = 0; i < pages; i++) add_page(s, text, n + put_words(&rng, own, text + n), false);
}

TEST(very_many_pages_that_share_all_but_a_sentence) {
    store s = make_store();
    make_alike(&s, many, 60, 8);
    endure(&s, "all but a sentence");
}

/* Too few common words for near-duplicates, enough to be candidates. */
TEST(many_pages_that_share_half) {
    store s = make_store();
    make_alike(&s, many / 10, 100, 80);
    endure(&s, "half in common");
}

static void choose_sizes(void) {
    slower = TEST_SANITIZED ? 10 : 4 / test_share_of(4, 4);
    many = 100000 / slower;
    long_bytes = 50 * MIB / slower;
}

TESTS_IN(choose_sizes, TEST_NOTHING);
