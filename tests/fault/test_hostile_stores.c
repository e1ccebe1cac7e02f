/* wings: import predict lab cluster */
/* Stores that are corrupted and stores that others have tampered with, at random, and stores of
 * which one column was overwritten, each in its turn: no command crashes, hangs or leaks; each ends
 * with an exit code that is documented for such a store, an error has a message that names the
 * store, and the user's tables keep their rows.
 *
 *   test_hostile_stores [corrupted|tampered|overwritten [COUNT [FIRST]]]
 *
 * A trial is determined by its number. Trials run in child processes, so that one that crashes is
 * counted and the others go on. Without arguments as many as usual() says, or 80 of each kind (20
 * unless all tests are long) in a build without the address sanitizer, which sees less. A single
 * number prints what was done to the store and how each command ended; TWX_KEEP_STORE is the file
 * it is copied to. */
#include "fault_calls.h"
#include "store_damage.h"
#include "table_hash.h"

#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

enum {
    PAGES = 16,
    CHUNK = 250,        /* trials of a child; leaks are looked for when it ends */
    CPU_SECONDS = 20,   /* of one command; an ordinary one takes 20 ms */
    WALL_SECONDS = 120, /* the same, including waits */
    EXIT_LATE = 98,     /* of a child: a command did not end in time */
    EXIT_LEAK = 97,     /* of a child: memory was lost */
    CODES = 256,
    DAMAGED_SIZE = 11589 /* a trial that SQLite takes for a lack of memory */
};

/* A trial is some ten thousand small allocations. Recording their stacks is not worth the time: a
 * failure can be run again without this. What was freed is kept from reuse for as long as a command
 * needs, but no longer, so that memory stays in the processor's cache: a third of the time. */
const char *__asan_default_options(void);
__attribute__((visibility("default"))) const char *__asan_default_options(void) {
    return "malloc_context_size=2:max_malloc_fill_size=0:quarantine_size_mb=1:"
           "thread_local_quarantine_size_kb=64";
}

/* ---- the stores --------------------------------------------------------- */

typedef struct base_store {
    test_shape shape;
    bool wal;
    const char *table; /* the user's */
    test_world *w;
    const char *path;
    char id[TEST_ID_BYTES], other[TEST_ID_BYTES];
} base_store;

static base_store BASES[] = {{TEST_OWN, true, "documents", NULL, NULL, "", ""},
                             {TEST_OWN, false, "documents", NULL, NULL, "", ""},
                             {TEST_TEXT_KEYS, false, "articles", NULL, NULL, "", ""},
                             {TEST_WITHOUT_ROWID, true, "items", NULL, NULL, "", ""}};
enum { BASES_N = 4 };

static const twindex_sink NOWHERE = {.write = test_discard};

static twindex *handle_of(const base_store *b) {
    twindex *t = test_twindex(b->w, b->path, NULL, false);
    test_set(t, "run.jobs", "1");
    test_set(t, "run.busy_ms", "50");
    return t;
}

static void must(twindex *t, int result) {
    if (result != TWINDEX_OK) fail_msg("%d: %s", result, twindex_message(t));
}

/* Every table of Twindex has rows: two generations, mirrors, a text index and a model of URLs. */
static void fill_tables(base_store *b) {
    for (int round = 0; round < 2; round++) {
        test_store_sync(b->w, b->path);
        twindex *t = handle_of(b);
        test_run(t, NULL, TWINDEX_OK);
        test_set(t, "mirrors.ratio", "0.1");
        test_set(t, "mirrors.min_documents", "1");
        if (round) must(t, twindex_index(t, false, &NOWHERE));
        if (round) must(t, twindex_learn(t, &NOWHERE));
        if (round) must(t, twindex_mirrors(t, &NOWHERE));
        twindex_free(t);
        test_world_change(b->w, 6);
    }
    test_store_sync(b->w, b->path); /* changes that wait for the next run */
}

/* Small pages make a file of many; deleted rows leave free ones. */
static void set_format(base_store *b) {
    sqlite3 *db = test_open(b->path);
    test_exec(db, "PRAGMA journal_mode = DELETE; PRAGMA page_size = 1024; VACUUM;"
                  "CREATE TABLE waste(x); INSERT INTO waste VALUES (zeroblob(12000)); "
                  "DROP TABLE waste");
    if (b->wal) test_exec(db, "PRAGMA journal_mode = WAL");
    sqlite3_close(db);
}

static void make_base(base_store *b, size_t number) {
    char name[40];
    const test_page *const *pages = NULL;
    snprintf(name, sizeof name, "hostile-base-%zu.db", number);
    b->w = test_world_new(2 * number + 5, b->shape);
    b->path = test_file(name);
    test_world_grow(b->w, PAGES);
    test_store_make(b->w, b->path);
    fill_tables(b);
    set_format(b);
    const size_t n = test_world_pages(b->w, &pages);
    test_page_id(b->shape, pages[0]->key, b->id);
    test_page_id(b->shape, pages[n / 2]->key, b->other);
}

/* ---- what belongs to the user ------------------------------------------- */

/* SQLite then does not check the list of free pages, and what store/schema.c does instead does
 * not find a page of a table in the place of a free one. */
static bool is_view_first(const char *path) {
    sqlite3 *db = NULL;
    sqlite3_stmt *stmt = NULL;
    bool is = false;
    assert_int_equal(sqlite3_open(path, &db), SQLITE_OK);
    if (sqlite3_prepare_v2(db, "SELECT type = 'view' FROM pragma_table_list WHERE schema = 'main'",
                           -1, &stmt, NULL) == SQLITE_OK &&
        sqlite3_step(stmt) == SQLITE_ROW)
        is = sqlite3_column_int(stmt, 0) != 0;
    sqlite3_finalize(stmt);
    sqlite3_close(db);
    return is;
}

/* ---- commands ----------------------------------------------------------- */

/* The store whose commands are tried. */
static const base_store *base;

static int call_full(twindex *t, const twindex_sink *sink) {
    return twindex_run(t, &(twindex_run_options){.full = true, .force = true}, sink);
}

/* The page and the tables. */
static int call_report_page(twindex *t, const twindex_sink *sink) {
    int result = twindex_report_page(t, sink);
    for (int i = 0; result == TWINDEX_OK && i < TWINDEX_SHEETS; i++)
        result = twindex_report_sheet(t, (twindex_sheet)i, sink);
    return result;
}

static int call_explain(twindex *t, const twindex_sink *sink) {
    return twindex_explain(t, base->id, sink);
}

static int call_similar(twindex *t, const twindex_sink *sink) {
    const twindex_similar_options how = {.limit = 3};
    return twindex_similar(t, base->id, &how, sink);
}

static int call_compare(twindex *t, const twindex_sink *sink) {
    const twindex_compare_options how = {.limit = 3};
    return twindex_compare(t, base->id, base->other, &how, sink);
}

static int call_search(twindex *t, const twindex_sink *sink) {
    const twindex_search_options how = {.query = "a* OR b* OR c* OR t* OR w*", .limit = 3};
    return twindex_search(t, &how, sink);
}

/* Those that write come last, in an order of the trial's own. */
static const struct {
    const char *name;
    fault_call_fn *call;
    bool always;
} COMMANDS[] = {{"check", twindex_check, true},      {"report", twindex_report, true},
                {"digest", twindex_digest, true},    {"diff", call_diff, false},
                {"groups", call_clusters, false},    {"explain", call_explain, true},
                {"similar", call_similar, true},     {"compare", call_compare, true},
                {"search", call_search, true},       {"predict", call_predict, false},
                {"suggest", twindex_suggest, false}, {"run --dry-run", call_dry_run, false},
                {"page", call_report_page, true},    {"index", call_index, true},
                {"learn", twindex_learn, false},     {"mirrors", call_mirrors, false},
                {"undo", twindex_undo, true},        {"run", call_run, true},
                {"run --full", call_full, false}};
enum { COMMANDS_N = 19, READERS_N = 13 };

/* ---- a trial ------------------------------------------------------------ */

/* Shared with the children. */
typedef struct progress {
    uint64_t trial; /* the one that is running */
    size_t command;
    uint64_t calls, wrong;
    uint64_t unseen;       /* stores whose damage no check of SQLite finds */
    uint64_t erratic;      /* comparisons that say nothing: see is_erratic() */
    uint64_t ended[CODES]; /* calls by exit code */
    char note[DAMAGE_NOTE_BYTES];
} progress;

static progress *now;
static bool verbose;

static void wrong(const char *what, const char *message) {
    now->wrong++;
    printf("# trial %" PRIu64 ", %s: %s: %s\n#   %s\n", now->trial, COMMANDS[now->command].name,
           what, message, now->note);
    fflush(stdout);
}

/* Only what is async-signal-safe: the parent reports it. */
static void late(int number) {
    (void)number;
    _exit(EXIT_LATE);
}

static void set_deadline(bool on) {
    const struct itimerval cpu = {.it_value.tv_sec = on ? CPU_SECONDS : 0};
    setitimer(ITIMER_PROF, &cpu, NULL);
    alarm(on ? WALL_SECONDS : 0);
}

/* Exit codes that a store in any state may lead to. 64 would blame the caller, 70 is an error of
 * the program, 130 and 143 are signals. */
static bool documented(int result) {
    static const int CODES_OF_A_STORE[] = {TWINDEX_OK,       TWINDEX_DOUBT,    TWINDEX_GUARD,
                                           TWINDEX_BAD_DATA, TWINDEX_NO_STORE, TWINDEX_NO_CREATE,
                                           TWINDEX_IO,       TWINDEX_BUSY};
    for (size_t i = 0; i < sizeof CODES_OF_A_STORE / sizeof *CODES_OF_A_STORE; i++)
        if (result == CODES_OF_A_STORE[i]) return true;
    return false;
}

static void call_command(const base_store *b, const char *path, size_t command) {
    const twindex_sink sink = {.write = test_discard,
                               .format = command % 2 ? TWINDEX_JSON : TWINDEX_TEXT};
    twindex *t = handle_of(b);
    now->command = command;
    base = b;
    set_deadline(true);
    int result = twindex_open(t, path);
    if (result == TWINDEX_OK) result = COMMANDS[command].call(t, &sink);
    set_deadline(false);
    const char *message = twindex_message(t);
    char what[80];
    snprintf(what, sizeof what, "exit code %d", result);
    now->calls++;
    now->ended[(unsigned)result % CODES]++;
    if (verbose) printf("  %-14s %3d  %s\n", COMMANDS[command].name, result, message);
    /* SQLite takes a size of almost 4 GiB for a lack of memory: DAMAGED_SIZE */
    const bool damaged_size = result == TWINDEX_INTERNAL && strstr(message, "a row is damaged");
    if (!documented(result) && !damaged_size) wrong(what, message);
    if (result != TWINDEX_OK && result != TWINDEX_DOUBT && !strstr(message, path))
        wrong("the message does not name the store", message[0] ? message : "(none)");
    twindex_free(t);
}

/* The commands that are not always tried resemble one that is. */
static void try_command(test_rng *rng, const base_store *b, const char *path, size_t i) {
    if (COMMANDS[i].always || test_rng_below(rng, 4) == 0) call_command(b, path, i);
}

/* At most 16 MiB: a left-over journal may have made a store of terabytes without content. */
static void copy_file(const char *from, const char *to) {
    /* The record of a check (run/lock.c) would be another trial's: the file and its inode stay. */
    static char buffer[1 << 20];
    test_remove_leftovers(to);
    FILE *in = fopen(from, "rb"), *out = fopen(to, "wb");
    assert_true(in && out);
    for (size_t n, i = 0; i < 16 && (n = fread(buffer, 1, sizeof buffer, in)) > 0; i++)
        assert_int_equal(fwrite(buffer, 1, n, out), n);
    fclose(in);
    assert_int_equal(fclose(out), 0);
}

/* SQLite reads memory beyond some damaged rows; then two readings of the same bytes differ, or all
 * later ones differ from the first, because something else lies there now. `damaged` is a copy of
 * what `hash` was read from. */
static bool is_erratic(const base_store *b, const char *damaged, uint64_t hash) {
    for (int i = 0; i < 100; i++)
        if (test_hash_table(b->table, damaged) != hash) return true;
    return false;
}

/* Have the user's rows changed from what `hash` and the copy of the damaged store say? */
static bool changed(const base_store *b, const char *path, const char *damaged, uint64_t hash) {
    if (test_hash_table(b->table, path) == hash) return false;
    if (!is_erratic(b, damaged, hash)) return true;
    now->erratic++;
    return false;
}

typedef enum damage { CORRUPTED, TAMPERED, OVERWRITTEN, DAMAGES } damage;
static const char *const DAMAGE_NAMES[DAMAGES] = {"corrupted", "tampered", "overwritten"};
/* Each of some 133 columns is overwritten at least once. */
static uint64_t usual(damage kind) {
    return kind == OVERWRITTEN ? 140 : test_share_of(100, 4);
}

static void damage_store(test_rng *rng, damage kind, const char *path) {
    if (kind == CORRUPTED) damage_corrupt(rng, path, now->note);
    if (kind == TAMPERED) damage_tamper(rng, path, now->note);
    if (kind == OVERWRITTEN) damage_column(now->trial, path, now->note);
}

static void try_store(uint64_t trial, damage kind, const char *path) {
    char damaged[4400];
    test_rng rng = test_rng_seed(trial * 2 + (kind != CORRUPTED));
    const base_store *b = &BASES[test_rng_below(&rng, BASES_N)];
    now->trial = trial;
    now->note[0] = '\0';
    copy_file(b->path, path);
    damage_store(&rng, kind, path);
    if (verbose) printf("trial %" PRIu64 ", %s: %s\n", trial, b->path, now->note);
    if (getenv("TWX_KEEP_STORE")) copy_file(path, getenv("TWX_KEEP_STORE"));
    snprintf(damaged, sizeof damaged, "%s.damaged", path);
    const uint64_t before = test_hash_table(b->table,
                                            path); /* a left-over journal is played back */
    copy_file(path, damaged);
    const bool blind = kind == CORRUPTED && is_view_first(path);
    for (size_t i = 0; i < READERS_N; i++) try_command(&rng, b, path, i);
    if (changed(b, path, damaged, before))
        wrong("a command that reads changed the user's rows", b->table);
    uint64_t order[COMMANDS_N - READERS_N];
    for (size_t i = 0; i < COMMANDS_N - READERS_N; i++) order[i] = READERS_N + i;
    test_rng_shuffle(&rng, order, COMMANDS_N - READERS_N);
    for (size_t i = 0; i < COMMANDS_N - READERS_N; i++) {
        try_command(&rng, b, path, order[i]);
        if (!changed(b, path, damaged, before)) continue;
        if (blind)
            now->unseen++;
        else
            wrong("the user's rows changed", b->table);
        break;
    }
    call_command(b, path, 2);
}

/* ---- all trials --------------------------------------------------------- */

/* exit() would remove the folder of the parent's files. */
static _Noreturn void end_child(void) {
#if defined(__SANITIZE_ADDRESS__)
    extern int __lsan_do_recoverable_leak_check(void);
    const bool leaked = __lsan_do_recoverable_leak_check() != 0;
#else
    const bool leaked = false;
#endif
    fflush(stdout);
    _exit(leaked ? EXIT_LEAK : 0);
}

static pid_t start(uint64_t from, uint64_t to, damage kind, const char *path) {
    fflush(stdout);
    const pid_t child = fork();
    assert_true(child >= 0);
    if (child > 0) return child;
    signal(SIGPROF, late);
    signal(SIGALRM, late);
    for (uint64_t i = from; i < to; i++) try_store(i, kind, path);
    for (size_t i = 0; i < BASES_N; i++) test_world_free(BASES[i].w);
    end_child();
}

/* Returns the trial to go on with. */
static uint64_t finish(pid_t child, uint64_t to) {
    int status = 0;
    assert_int_equal(waitpid(child, &status, 0), child);
    if (WIFEXITED(status) && WEXITSTATUS(status) == 0) return to;
    char what[80];
    if (WIFSIGNALED(status))
        snprintf(what, sizeof what, "killed by signal %d", WTERMSIG(status));
    else if (WEXITSTATUS(status) == EXIT_LATE)
        snprintf(what, sizeof what, "not over after %d s", CPU_SECONDS);
    else if (WEXITSTATUS(status) == EXIT_LEAK)
        snprintf(what, sizeof what, "memory leaked in the trials up to this one");
    else
        snprintf(what, sizeof what, "the process ended with %d", WEXITSTATUS(status));
    wrong(what, "");
    return now->trial + 1;
}

static bool try_stores(damage kind, uint64_t count, uint64_t first) {
    struct rusage used;
    const char *path = test_file("hostile.db");
    memset(now, 0, sizeof *now);
    for (uint64_t i = first; i < first + count;) {
        const uint64_t to = i + CHUNK < first + count ? i + CHUNK : first + count;
        i = finish(start(i, to, kind, path), to);
    }
    getrusage(RUSAGE_CHILDREN, &used);
    printf("%s - %" PRIu64 " %s stores, %" PRIu64 " commands, %" PRIu64 " wrong;",
           now->wrong ? "not ok" : "ok", count, DAMAGE_NAMES[kind], now->calls, now->wrong);
    for (size_t i = 0; i < CODES; i++)
        if (now->ended[i]) printf(" %zu: %" PRIu64, i, now->ended[i]);
    if (now->erratic) printf("; %" PRIu64 " read differently each time", now->erratic);
    if (now->unseen) printf("; %" PRIu64 " whose free list names used pages, unseen", now->unseen);
    printf("; at most %ld MB\n", used.ru_maxrss / 1024);
    /* such comparisons prove nothing, so they have to be rare */
    return now->wrong == 0 && now->erratic * 50 <= count + 200;
}

int main(int argc, char **argv) {
    const uint64_t count = argc > 2 ? strtoull(argv[2], NULL, 10) : 0;
    const uint64_t first = argc > 3 ? strtoull(argv[3], NULL, 10) : 1;
    bool good = true;
    now = mmap(NULL, sizeof *now, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    assert_true(now != MAP_FAILED);
    verbose = count == 1;
    sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0); /* has a global lock */
    for (size_t i = 0; i < BASES_N; i++) make_base(&BASES[i], i);
    for (damage kind = 0; kind < DAMAGES; kind++)
        if (argc < 2 || strcmp(argv[1], DAMAGE_NAMES[kind]) == 0)
            good = try_stores(kind,
                              count            ? count
                              : TEST_SANITIZED ? usual(kind)
                                               : test_share_of(80, 4),
                              first) &&
                   good;
    if (argc < 2) good = try_stores(CORRUPTED, 1, DAMAGED_SIZE) && good;
    for (size_t i = 0; i < BASES_N; i++) test_world_free(BASES[i].w);
    return good ? 0 : 1;
}
