/* wings: lab predict serve cluster */
/* The program from argv to exit code, with a library that prints what it was asked for. */
#include "fake_twindex.h"
#include "support.h"

#include <sys/wait.h>
#include <unistd.h>

#include "cli/internal.h"

enum { ARGUMENTS_MAX = 16, TEXT_BYTES = 1 << 16 };

/* What a run of the program left. */
static struct {
    int exit_code;
    char out[TEXT_BYTES], err[TEXT_BYTES];
} got;

static void read_back(const char *path, char *text) {
    FILE *f = fopen(path, "r");
    assert_non_null(f);
    text[fread(text, 1, TEXT_BYTES - 1, f)] = '\0';
    fclose(f);
}

static const char *in_folder(const char *name, char path[256]) {
    snprintf(path, 256, "%s/%s", test_folder(), name);
    return path;
}

static void write_file(const char *name, const char *text) {
    char path[256];
    test_write_file(in_folder(name, path), text, strlen(text));
}

/* The child's exit: without the parent's atexit(), which removes the folder of the test. */
static void leave(int exit_code) {
    fflush(NULL);
    _exit(exit_code);
}

/* Runs `twindex LINE` (words parted by blanks) in a child in the test's folder; out: where its
 * standard output goes, "-": the same as ours, NULL: a file that is read back. */
static void run_into(const char *out, const char *line) {
    char words[1024], out_path[256], err_path[256],
        *argv[ARGUMENTS_MAX + 1] = {(char *)(uintptr_t) "twindex"};
    int argc = 1, status = 0;
    snprintf(words, sizeof words, "%s", line);
    for (char *save = NULL, *w = strtok_r(words, " ", &save); w && argc < ARGUMENTS_MAX;
         w = strtok_r(NULL, " ", &save))
        argv[argc++] = w;
    in_folder("stdout", out_path);
    in_folder("stderr", err_path);
    fflush(NULL);
    pid_t child = fork();
    if (child == 0) {
        bool same = out && strcmp(out, "-") == 0;
        if (chdir(test_folder()) != 0 || !freopen(err_path, "w", stderr) ||
            (!same && !freopen(out ? out : out_path, "w", stdout)))
            _exit(99);
        leave(twx_program(argc, argv));
    }
    assert_int_equal(waitpid(child, &status, 0), child);
    got.exit_code = WIFEXITED(status) ? WEXITSTATUS(status) : 1000 + WTERMSIG(status);
    if (!out) read_back(out_path, got.out);
    read_back(err_path, got.err);
}

static void run(const char *line) {
    run_into(NULL, line);
}

static void expect(int exit_code, const char *out, const char *err) {
    if (got.exit_code != exit_code || !strstr(got.out, out) || !strstr(got.err, err))
        fail_msg("exit %d, wanted %d\nout %s\nwanted %s\nerr %s\nwanted %s", got.exit_code,
                 exit_code, got.out, out, got.err, err);
}

/* What a line of arguments prints, with exit code 0. */
typedef struct printed {
    const char *line, *out;
} printed;

static void expect_printed(const printed *cases, size_t n) {
    for (size_t i = 0; i < n; i++) {
        run(cases[i].line);
        expect(0, cases[i].out, "");
    }
}

TEST(options_reach_the_library) {
    static const printed CASES[] = {
        {"run --full --force --jobs 3 --memory 64M --no-check -v store --json",
         "run full=1 force=1 dry=0 check=2 notify=1 json=1 quant=10000 jobs=3 memory=67108864"},
        {"run -n -j2 store", "dry=1 check=0 notify=0 json=0 quant=10000 jobs=2"},
        {"groups -d exact --limit=7 store", "groups exact 7 "},
        {"groups store", "groups - 20 "},
        {"evaluate store", "evaluate - - 20000 0 "},
        {"sweep store a.b=1..2 --csv", "sweep a.b=1..2 - 12 1 "},
        {"evaluate -d exact,profile --truth t.tsv --sample 0 --html store",
         "evaluate exact,profile t.tsv 0 1 "},
        {"diff --limit 0 store", "diff 0 "},
        {"explain store http://a.de/", "explain http://a.de/ "},
        {"compare store 1 http://a.de/", "compare 1 http://a.de/ 0 20 "},
        {"compare --all --limit 0 --json store 1 2", "compare 1 2 1 0 json=1"},
        {"similar store 1", "similar 1 - 10 "},
        {"similar -d simhash -l 3 store http://a.de/", "similar http://a.de/ simhash 3 "},
        {"mirrors store", "mirrors 800000 10 "},
        {"mirrors --ratio 0.5 --min-documents=3 store", "mirrors 500000 3 "},
        {"import store a b c -", "import 4 a - "},
        {"import store -- --odd", "import 1 --odd --odd"},
        {"check --suggest store", "suggest "},
        {"check --accept-mapping store", "check accept "},
        {"init store", "init store"},
        {"serve store", "serve store 0 0 - - - 0\n"},
        {"serve store -p 8040 -r a.rules --rules=b.rules --queries q --judgements j --read-only",
         "serve store 8040 2 b.rules q j 1\n"},
    };
    expect_printed(CASES, TWX_COUNTOF(CASES));
}

TEST(options_beat_environment_beats_config_beats_defaults) {
    write_file("twindex.conf",
               "[fuzzy]\nquant_rate = 0.2\nscope = host\n[run]\njobs = 5\n[url]\nrules = r.txt\n");
    run("run store");
    expect(0, "quant=200000 jobs=5 memory=0 fuzzy=2 flags=- rules=r.txt", "");
    setenv("TWINDEX_FUZZY_QUANT_RATE", "0.3", 1);
    run("run store");
    expect(0, "quant=300000 jobs=5", "");
    run("run store --set fuzzy.quant_rate=0.4 --set run.jobs=6 --flags f.db");
    expect(0, "quant=400000 jobs=6 memory=0 fuzzy=2 flags=f.db", "");
    run("run store --set fuzzy.quant_rate=0.4 --compat yacy");
    expect(0, "quant=500000", "");
    run("run store --compat yacy --set fuzzy.quant_rate=0.4");
    expect(0, "quant=400000", "");
    unsetenv("TWINDEX_FUZZY_QUANT_RATE");
    char path[256], line[600];
    snprintf(line, sizeof line, "run %s", in_folder("store", path));
    run(line);
    snprintf(line, sizeof line, "quant=200000 jobs=5 memory=0 fuzzy=2 flags=- rules=%s/r.txt",
             test_folder());
    expect(0, line, "");
    write_file("other.conf", "run.jobs = 7\n");
    run("run --config other.conf store");
    expect(0, "quant=10000 jobs=7", "");
    unlink(in_folder("twindex.conf", path));
    unlink(in_folder("other.conf", path));
}

TEST(what_is_wrong_is_named) {
    static const struct {
        const char *line;
        int exit_code;
        const char *err;
    } CASES[] = {
        {"", 64, "twindex: a command is missing\n\nEvery day:\n"},
        {"rnu store", 64, "twindex: no command 'rnu'; did you mean 'run'? See 'twindex --help'\n"},
        {"frobnicate", 64, "twindex: no command 'frobnicate'; see 'twindex --help'\n"},
        {"run", 64,
         "twindex run: an argument is missing; expected STORE...; see 'twindex run --help'\n"},
        {"undo a b", 64, "twindex undo: 'b' is one argument too many; see"},
        {"run --jbos 3 a", 64,
         "twindex run: no option --jbos; did you mean --jobs?; see 'twindex run --help'\n"},
        {"run --wobble=3 a", 64, "twindex run: no option --wobble; see"},
        {"run -z a", 64, "twindex run: no option -z; see"},
        {"run a --jobs", 64, "twindex run: --jobs needs N; see"},
        {"run a -j", 64, "twindex run: --jobs needs N; see"},
        {"run --full=3 a", 64, "twindex run: --full takes no argument; see"},
        {"run --jobs x a", 64, "twindex run: --jobs: run.jobs: 'x' is not in 0..256; see"},
        {"run --set a", 64, "--set takes NAME=VALUE, not 'a'"},
        {"run --set =a", 64, "--set takes NAME=VALUE, not '=a'"},
        {"run --set run.jbos=1 a", 64,
         "--set: no setting 'run.jbos'; did you mean 'run.jobs'?; see"},
        {"diff --limit x a", 64, "--limit: 'x' is not a number"},
        {"diff --limit 99999999999999999999 a", 64, "--limit: "},
        {"run --config none.conf a", 66, "twindex run: cannot read 'none.conf': "},
        {"serve --port 65536 a", 64, "twindex serve: --port is at most 65535; see"},
        {"run busy", 75, "twindex run: another run holds it\n"},
        {"run missing", 66, "twindex run: no such store\n"},
        {"help rnu", 64, "no command or topic 'rnu'; did you mean 'run'?"},
        {"help --man rnu", 64, "no manual page 'rnu'"},
    };
    for (size_t i = 0; i < TWX_COUNTOF(CASES); i++) {
        run(CASES[i].line);
        expect(CASES[i].exit_code, "", CASES[i].err);
        assert_string_equal(got.out, "");
    }
    write_file("bad.conf", "\n[run]\njbos = 3\n");
    run("run --config bad.conf a");
    expect(65, "", "twindex run: bad.conf:3: no setting 'run.jbos'; did you mean 'run.jobs'?\n");
    setenv("TWINDEX_RUN_JOBS", "x", 1);
    run("run a");
    expect(65, "",
           "twindex run: environment variable TWINDEX_RUN_JOBS: run.jobs: 'x' is not in 0..256\n");
    unsetenv("TWINDEX_RUN_JOBS");
    setenv("TWINDEX_RUN_JBOS", "x", 1);
    run("run a");
    expect(0, "run full=0",
           "warning: TWINDEX_RUN_JBOS is not a setting; did you mean TWINDEX_RUN_JOBS?");
    unsetenv("TWINDEX_RUN_JBOS");
}

TEST(doubt_is_an_exit_code_without_a_message) {
    run("diff -q doubt");
    expect(1, "diff 100", "twindex diff: warning: a warning\n");
    assert_string_equal(got.err, "twindex diff: warning: a warning\n");
}

TEST(quiet_drops_notes_and_summaries) {
    run("run store");
    expect(0, "run full", "twindex run: warning: a warning\ntwindex run: a note\n");
    assert_null(strstr(got.err, "detail"));
    assert_null(strstr(got.err, "documents")); /* no progress: this is no terminal */
    run("run -v store");
    expect(0, "run full", "twindex run: a detail\n");
    run("run -q store");
    expect(0, "", "a warning");
    assert_string_equal(got.out, "");
    assert_null(strstr(got.err, "note"));
    run("run -q --json store");
    expect(0, "run full", "");
    run("run -q --dry-run store");
    expect(0, "run full", "");
    run("groups -q store");
    expect(0, "groups", "");
}

TEST(an_output_that_fails_gives_74) {
    if (access("/dev/full", W_OK) != 0) skip();
    static const struct {
        const char *line;
        int exit_code;
        const char *err;
    } CASES[] = {
        {"groups store", 74, "twindex groups: cannot write to standard output: No space"},
        {"groups endless", 74, "twindex groups: cannot write to standard output: No space"},
        {"run endless", 74, "cannot write to standard output: No space left"},
        {"run busy", 75, "another run holds it"},
        {"help", 74, "cannot write to standard output: No space left"}};
    for (size_t i = 0; i < TWX_COUNTOF(CASES); i++) {
        run_into("/dev/full", CASES[i].line);
        expect(CASES[i].exit_code, "", CASES[i].err);
    }
}

TEST(a_reader_that_went_away_ends_output_quietly) {
    static const char *const LINES[] = {"groups endless", "run --json endless", "help", "settings"};
    for (size_t i = 0; i < TWX_COUNTOF(LINES); i++) {
        int ends[2], out = dup(STDOUT_FILENO);
        assert_int_equal(pipe(ends), 0);
        close(ends[0]);
        fflush(NULL);
        dup2(ends[1], STDOUT_FILENO); /* the child inherits it */
        run_into("-", LINES[i]);
        dup2(out, STDOUT_FILENO);
        close(ends[1]);
        close(out);
        assert_int_equal(got.exit_code, 0);
        assert_null(strstr(got.err, "output"));
    }
}

TEST(a_signal_stops_the_call) {
    run("run signal");
    expect(143, "", "twindex run: terminated\n");
}

TEST(help_is_everywhere) {
    static const printed CASES[] = {
        {"--help", "Every day:\n  check "},
        {"-h", "Every day:"},
        {"help", "Every day:"},
        {"--version", "twindex 9.8.7\n"},
        {"run --help", "Usage: twindex run [OPTION]... STORE...\n"},
        {"help run", "Usage: twindex run [OPTION]... STORE...\n"},
        {"help --completion bash", "complete -F _twindex twindex\n"},
        {"help --complete -- run --", "--dry-run\tprint what would change"},
        {"settings", "fuzzy.quant_rate = 0.01\n"},
        {"settings --json",
         "{\"name\": \"fuzzy.quant_rate\", \"default\": \"0.01\", \"values\": \"0..1\", "
         "\"help\": \""},
    };
    expect_printed(CASES, TWX_COUNTOF(CASES));
}
