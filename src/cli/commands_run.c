#include "cli/cli.h"

/* ==== command_init */

static int make(twx_session *s) {
    return twindex_init(s->t, s->store);
}

const twx_command twx_command_init = {
    .name = "init",
    .run = make,
    .kind = TWX_CLI_MAKES,
    .arguments = "STORE",
    .least = 1,
    .most = 1,
};

/* ==== command_check */

typedef struct check_options {
    bool suggest;
} check_options;

static const check_options CHECK_DEFAULTS = {.suggest = false};

static int check(twx_session *s) {
    const check_options *own = s->options.own;
    return own->suggest ? twindex_suggest(s->t, &s->sink) : twindex_check(s->t, &s->sink);
}

static const twx_option CHECK_OPTIONS[] = {
    {"suggest", 0, NULL, TWX_OPTION_OWN(FLAG, check_options, suggest),
     "write a configuration for a store filled by another program"},
    TWX_OPTION_ACCEPT_MAPPING,
    TWX_OPTION_END,
};

const twx_command twx_command_check = {TWX_COMMAND_ROW(check, READS, "STORE...", 1, -1),
                                       TWX_COMMAND_OWN(CHECK_OPTIONS, CHECK_DEFAULTS),
                                       .several = true};

/* ==== command_doctor */

static int doctor(twx_session *s) {
    return twindex_doctor(s->t, &s->sink);
}

const twx_command twx_command_doctor = {TWX_COMMAND_ROW(doctor, READS, "STORE...", 1, -1),
                                        .several = true};

/* ==== command_run */

typedef struct run_options {
    twindex_run_options library;
    const char *metrics; /* a file; NULL: none */
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
    if (!own->metrics) return twindex_run(s->t, &own->library, &s->sink);
    if (own->library.dry_run)
        return twx_rc_exit(twx_fail(&s->cx, TWX_E_USAGE,
                                    "metrics are those of published flags: give --metrics or "
                                    "--dry-run, not both"));
    return run_with_metrics(s, own->metrics, &own->library);
}

static const twx_option RUN_OPTIONS[] = {
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

const twx_command twx_command_run = {TWX_COMMAND_ROW(run, WRITES, "STORE...", 1, -1),
                                     TWX_COMMAND_OWN(RUN_OPTIONS, RUN_DEFAULTS), .several = true};

/* ==== command_follow */

typedef struct following {
    twx_session *session;
    run_options how;
} following;

static int follow_once(void *arg) {
    following *f = arg;
    return f->how.metrics ? run_with_metrics(f->session, f->how.metrics, &f->how.library)
                          : twindex_run(f->session->t, &f->how.library, &f->session->sink);
}

static int follow(twx_session *s) {
    following f = {.session = s, .how = *(const run_options *)s->options.own};
    s->out.muted = !s->options.verbose; /* a summary of each run */
    return twindex_follow(s->t, follow_once, &f);
}

static const twx_option FOLLOW_OPTIONS[] = {
    {"every", 0, "SECONDS", TWX_OPTION_SETTING("follow.every", NULL),
     "publish at most once in SECONDS (2)"},
    {"metrics", 0, "FILE", TWX_OPTION_OWN(TEXT, run_options, metrics),
     "write the figures of the last run to FILE for Prometheus, also after a failure"},
    {"label", 0, "NAME", TWX_OPTION_OWN(TEXT, run_options, library.label),
     "with --metrics: name the store NAME there, not by its path"},
    {"memory", 'm', "SIZE", TWX_OPTION_SETTING("run.memory", NULL),
     "use SIZE bytes of memory (suffixes K, M, G) for grouping, and temporary files beyond that"},
    TWX_OPTIONS_OF_SIGNING,
    TWX_OPTION_END,
};

const twx_command twx_command_follow = {
    .name = "follow",
    .run = follow,
    .kind = TWX_CLI_WRITES,
    .arguments = "STORE",
    .least = 1,
    .most = 1,
    .options = FOLLOW_OPTIONS,
    .defaults = &RUN_DEFAULTS,
    .own_bytes = sizeof RUN_DEFAULTS,
};

/* ==== command_sign */

typedef struct sign_options {
    bool full;
} sign_options;

static const sign_options SIGN_DEFAULTS = {.full = false};

static int sign(twx_session *s) {
    const sign_options *own = s->options.own;
    return twindex_sign(s->t, own->full, &s->sink);
}

static const twx_option SIGN_OPTIONS[] = {
    {"full", 0, NULL, TWX_OPTION_OWN(FLAG, sign_options, full),
     "sign every document again, not only those that changed"},
    TWX_OPTIONS_OF_SIGNING,
    TWX_OPTION_END,
};

const twx_command twx_command_sign = {TWX_COMMAND_ROW(sign, WRITES, "STORE", 1, 1),
                                      TWX_COMMAND_OWN(SIGN_OPTIONS, SIGN_DEFAULTS)};

/* ==== command_diff */

typedef struct diff_options {
    size_t limit; /* documents of each kind */
} diff_options;

static const diff_options DIFF_DEFAULTS = {.limit = 100};

static int diff(twx_session *s) {
    const diff_options *own = s->options.own;
    return twindex_diff(s->t, own->limit, &s->sink);
}

static const twx_option DIFF_OPTIONS[] = {
    {"limit", 'l', "N", TWX_OPTION_OWN(NUMBER, diff_options, limit),
     "list at most N documents of each kind, 100 by default; 0: all"},
    TWX_OPTION_WIDE,
    TWX_OPTION_END,
};

const twx_command twx_command_diff = {TWX_COMMAND_ROW(diff, READS, "STORE...", 1, -1),
                                      TWX_COMMAND_OWN(DIFF_OPTIONS, DIFF_DEFAULTS),
                                      .several = true};

/* ==== command_digest */

static int digest(twx_session *s) {
    return twindex_digest(s->t, &s->sink);
}

const twx_command twx_command_digest = {TWX_COMMAND_ROW(digest, READS, "STORE...", 1, -1),
                                        .several = true};

/* ==== command_undo */

static int undo(twx_session *s) {
    return twindex_undo(s->t, &s->sink);
}

const twx_command twx_command_undo = {TWX_COMMAND_ROW(undo, WRITES, "STORE", 1, 1)};

/* ==== command_remove */

typedef struct remove_options {
    bool dry_run;
} remove_options;

static const remove_options REMOVE_DEFAULTS = {.dry_run = false};

static int remove_all(twx_session *s) {
    const remove_options *own = s->options.own;
    if (own->dry_run) s->out.muted = false; /* its output is its result */
    return twindex_remove(s->t, own->dry_run, &s->sink);
}

static const twx_option REMOVE_OPTIONS[] = {
    {"dry-run", 'n', NULL, TWX_OPTION_OWN(FLAG, remove_options, dry_run),
     "list what would be removed; write nothing"},
    TWX_OPTION_END,
};

const twx_command twx_command_remove = {
    .name = "remove",
    .run = remove_all,
    .kind = TWX_CLI_WRITES,
    .arguments = "STORE",
    .least = 1,
    .most = 1,
    .options = REMOVE_OPTIONS,
    .defaults = &REMOVE_DEFAULTS,
    .own_bytes = sizeof REMOVE_DEFAULTS,
};
