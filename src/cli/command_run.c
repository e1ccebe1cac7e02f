#include "cli/commands.h"
#include "cli/output_file.h"
#include "cli/session.h"

typedef struct run_options {
    twindex_run_options library;
    const char *metrics; /* a file; NULL: none */
} run_options;

static const run_options DEFAULTS = {.library = {.limit = 100}};

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
    if (!own->metrics) return twindex_run(s->t, &own->library, &s->sink);
    if (own->library.dry_run)
        return twx_rc_exit(twx_fail(&s->cx, TWX_E_USAGE,
                                    "metrics are those of published flags: give --metrics or "
                                    "--dry-run, not both"));
    return run_with_metrics(s, own->metrics, &own->library);
}

static const twx_option OPTIONS[] = {
    {"full", 0, NULL, TWX_OPTION_OWN(FLAG, run_options, library.full),
     "sign every document again, not only those that changed"},
    {"force", 0, NULL, TWX_OPTION_OWN(FLAG, run_options, library.force),
     "publish even if a guard would stop the run"},
    {"verify", 0, NULL, TWX_OPTION_OWN(FLAG, run_options, library.verify),
     "judge all documents also if none has changed, and fail if the result differs from the "
     "published flags"},
    {"skip-broken", 0, NULL, TWX_OPTION_OWN(FLAG, run_options, library.skip_broken),
     "with several stores: leave out those that cannot be locked, opened or read, and exit with 1"},
    {"dry-run", 'n', NULL, TWX_OPTION_OWN(FLAG, run_options, library.dry_run),
     "print what would change, by flag and host; write nothing"},
    {"stored", 0, NULL, TWX_OPTION_OWN(FLAG, run_options, library.stored),
     "with --dry-run: judge the stored signatures, and do not look for changed documents"},
    {"list", 0, NULL, TWX_OPTION_OWN(FLAG, run_options, library.list),
     "with --dry-run: list the documents that would be hidden, shown or moved, with the reason"},
    {"limit", 'l', "N", TWX_OPTION_OWN(NUMBER, run_options, library.limit),
     "with --list: list at most N documents of each kind, 100 by default; 0: all"},
    {"rules", 'r', "FILE", TWX_OPTION_OWN(TEXT, run_options, library.rules),
     "with --dry-run: print what the filter of these ranking rules would hide, by host"},
    {"metrics", 0, "FILE", TWX_OPTION_OWN(TEXT, run_options, metrics),
     "write the figures of the run to FILE for Prometheus, also after a failure"},
    {"label", 0, "NAME", TWX_OPTION_OWN(TEXT, run_options, library.label),
     "with --metrics: name the store NAME there, not by its path"},
    {"memory", 'm', "SIZE", TWX_OPTION_SETTING("run.memory", NULL),
     "use SIZE bytes of memory (suffixes K, M, G) for grouping, and temporary files beyond that"},
    TWX_OPTIONS_OF_SIGNING,
    TWX_OPTION_END,
};

const twx_command twx_command_run = {
    .name = "run",
    .run = run,
    .kind = TWX_CLI_WRITES,
    .several = true,
    .arguments = "STORE...",
    .least = 1,
    .most = -1,
    .options = OPTIONS,
    .defaults = &DEFAULTS,
    .own_bytes = sizeof DEFAULTS,
};
