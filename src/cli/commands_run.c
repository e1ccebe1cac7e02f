/* The commands of every day: of each what it alone does, and its row, in the order of 'twindex
 * help'. What all commands do is in session.c and options.c; their options are in options.tsv. */
#include "cli/cli.h"

#include <errno.h>
#include <limits.h>
#include <malloc.h>
#include <sys/stat.h>
#include <unistd.h>

/* ==== command_check */

typedef struct check_options {
    bool suggest;
} check_options;

static int check(twx_session *s) {
    const check_options *own = s->options.own;
    return own->suggest ? twindex_suggest(s->t, &s->sink) : twindex_check(s->t, &s->sink);
}

TWX_COMMAND(check, READS, "STORE...", .run = check,
            TWX_COMMAND_OPTIONS(TWX_CHECK_OPTIONS TWX_ACCEPT_MAPPING_OPTIONS),
            .own_bytes = sizeof(check_options));

/* ==== command_run */

typedef struct run_options {
    twindex_run_options library;
    const char *metrics; /* a file; NULL: none */
    bool csv;
} run_options;

static const run_options RUN_DEFAULTS = {.library = {.limit = 100}};

/* The file is replaced also after a run that failed, because the exit code is in it. */
static int run_with_metrics(twx_session *s, const char *path, twindex_run_options *how) {
    twx_output_file f;
    twx_ctx cx = {.rc = TWX_OK};
    twx_rc rc = twx_output_file_open(&s->cx, path, TWINDEX_TEXT, &f);
    if (rc != TWX_OK) return twx_rc_exit(rc);
    twx_output_file_set_readable(&f);
    f.out.patient = true; /* a full disk is reported at the end, by the name of the file */
    how->metrics = &f.sink;
    const int result = twindex_run(s->t, how, &s->sink);
    const int written = twx_output_file_finish(&cx, &f, TWINDEX_OK);
    if (result != TWINDEX_OK || written == TWINDEX_OK) return result;
    (void)twx_ctx_take(&s->cx, &cx);
    return written;
}

static int run(twx_session *s) {
    run_options *own = s->options.own;
    if (own->library.dry_run)
        s->out.muted = false; /* its output is its result, not a summary of work */
    if (own->csv) {
        twx_rc rc = own->library.dry_run
                        ? twx_session_csv(s)
                        : twx_fail(&s->cx, TWX_E_USAGE,
                                   "--csv prints what would change: give --dry-run, too; 'twindex "
                                   "diff --csv' prints what the last run changed");
        if (rc != TWX_OK) return twx_rc_exit(rc);
        own->library.list = true;
        own->library.limit = 0;
    }
    if (!own->metrics) return twindex_run(s->t, &own->library, &s->sink);
    if (own->library.dry_run)
        return twx_rc_exit(twx_fail(&s->cx, TWX_E_USAGE,
                                    "metrics are those of published flags: give --metrics or "
                                    "--dry-run, not both"));
    return run_with_metrics(s, own->metrics, &own->library);
}

TWX_COMMAND(run, WRITES, "STORE...", .run = run,
            TWX_COMMAND_OPTIONS(TWX_RUN_OPTIONS TWX_RUNS_OPTIONS TWX_SIGNING_OPTIONS),
            TWX_COMMAND_OWN(RUN_DEFAULTS));

/* ==== command_follow */

typedef struct following {
    twx_session *session;
    run_options how;
} following;

static int follow_once(void *arg) {
    following *f = arg;
    const int result = f->how.metrics
                           ? run_with_metrics(f->session, f->how.metrics, &f->how.library)
                           : twindex_run(f->session->t, &f->how.library, &f->session->sink);
    (void)fflush(f->session->out.file); /* read while it goes on; a failure is found at the end */
    return result;
}

/* Unless its memory is limited: what a run releases is for the next one. Getting it from the system
 * again is a quarter of the time of a run. */
static void keep_memory(twindex *t) {
    const char *limit = twindex_get(t, "run.memory");
    if (!limit || strcmp(limit, "0") != 0) return;
#ifdef M_MMAP_MAX
    (void)mallopt(M_MMAP_MAX, 0);
    (void)mallopt(M_TRIM_THRESHOLD, INT_MAX);
#endif
}

static int follow(twx_session *s) {
    following f = {.session = s, .how = *(const run_options *)s->options.own};
    s->out.muted = !s->options.verbose; /* a summary of each run */
    keep_memory(s->t);
    return twindex_follow(s->t, follow_once, &f);
}

TWX_COMMAND(follow, WRITES, "STORE", .run = follow,
            TWX_COMMAND_OPTIONS(TWX_FOLLOW_OPTIONS TWX_RUNS_OPTIONS TWX_SIGNING_OPTIONS),
            TWX_COMMAND_OWN(RUN_DEFAULTS));

/* ==== command_report */

enum { FOLDER_MODE = 0777 };

typedef struct report_options {
    const char *html; /* a file for the page; NULL: none */
    const char *csv;  /* a folder for the tables; NULL: none */
} report_options;

/* sheet: TWINDEX_SHEETS for the whole report. */
static int write_file(twx_session *s, twindex_sheet sheet, const char *path) {
    twx_output_file f;
    twx_rc rc = twx_output_file_open(&s->cx, path, TWINDEX_TEXT, &f);
    if (rc != TWX_OK) return twx_rc_exit(rc);
    return twx_output_file_finish(&s->cx, &f,
                                  sheet == TWINDEX_SHEETS
                                      ? twindex_report_page(s->t, &f.sink)
                                      : twindex_report_sheet(s->t, sheet, &f.sink));
}

typedef char sheet_path[PATH_MAX + 64]; /* a name that is too long fails when it is opened */

static const char *path_of(const char *folder, size_t sheet, sheet_path ret_path) {
    snprintf(ret_path, sizeof(sheet_path), "%s/%s.csv", folder,
             twindex_sheet_name((twindex_sheet)sheet));
    return ret_path;
}

/* The folder must be new, so that no file of another report stays among the tables. After a failure
 * neither tables nor the folder stay, so the command can be repeated. */
static int write_sheets(twx_session *s, const char *folder) {
    sheet_path path;
    int result = TWINDEX_OK;
    if (mkdir(folder, FOLDER_MODE) != 0)
        return twx_rc_exit(twx_fail(&s->cx, TWX_E_CREATE, "create the folder %.300s: %s%s", folder,
                                    strerror(errno),
                                    errno == EEXIST ? "; name one that does not exist" : ""));
    for (size_t i = 0; result == TWINDEX_OK && i < TWINDEX_SHEETS; i++)
        result = write_file(s, (twindex_sheet)i, path_of(folder, i, path));
    if (result == TWINDEX_OK) return result;
    for (size_t i = 0; i < TWINDEX_SHEETS; i++) unlink(path_of(folder, i, path));
    rmdir(folder);
    return result;
}

static int report(twx_session *s) {
    const report_options *own = s->options.own;
    int result = TWINDEX_OK;
    if (!own->html && !own->csv) return twindex_report(s->t, &s->sink);
    if (own->html) result = write_file(s, TWINDEX_SHEETS, own->html);
    return result == TWINDEX_OK && own->csv ? write_sheets(s, own->csv) : result;
}

TWX_COMMAND(report, READS, "STORE...", .run = report,
            TWX_COMMAND_OPTIONS(TWX_REPORT_OPTIONS TWX_WIDE_OPTIONS),
            .own_bytes = sizeof(report_options));

/* ==== command_explain */

static int explain(twx_session *s) {
    return twindex_explain(s->t, s->arguments[0], &s->sink);
}

TWX_COMMAND(explain, READS, "STORE... URL|ID", .run = explain);

/* ==== command_undo */

TWX_COMMAND(undo, WRITES, "STORE", .call = twindex_undo);
