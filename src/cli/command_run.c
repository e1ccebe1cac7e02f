#include "cli/commands.h"
#include "cli/session.h"

static const twindex_run_options DEFAULTS = {.limit = 100};

static int run(twx_session *s) {
    const twindex_run_options *how = s->options.own;
    if (how->dry_run) s->out.muted = false; /* its output is its result, not a summary of work */
    return twindex_run(s->t, how, &s->sink);
}

static const twx_option OPTIONS[] = {
    {"full", 0, NULL, TWX_OPTION_OWN(FLAG, twindex_run_options, full),
     "sign every document again, not only those that changed"},
    {"force", 0, NULL, TWX_OPTION_OWN(FLAG, twindex_run_options, force),
     "publish even if a guard would stop the run"},
    {"verify", 0, NULL, TWX_OPTION_OWN(FLAG, twindex_run_options, verify),
     "judge all documents also if none has changed, and fail if the result differs from the "
     "published flags"},
    {"dry-run", 'n', NULL, TWX_OPTION_OWN(FLAG, twindex_run_options, dry_run),
     "print what would change, by flag and host; write nothing"},
    {"stored", 0, NULL, TWX_OPTION_OWN(FLAG, twindex_run_options, stored),
     "with --dry-run: judge the stored signatures, and do not look for changed documents"},
    {"list", 0, NULL, TWX_OPTION_OWN(FLAG, twindex_run_options, list),
     "with --dry-run: list the documents that would be hidden, shown or moved, with the reason"},
    {"limit", 'l', "N", TWX_OPTION_OWN(NUMBER, twindex_run_options, limit),
     "with --list: list at most N documents of each kind, 100 by default; 0: all"},
    {"rules", 'r', "FILE", TWX_OPTION_OWN(TEXT, twindex_run_options, rules),
     "with --dry-run: print what the filter of these ranking rules would hide, by host"},
    {"jobs", 'j', "N", TWX_OPTION_SETTING("run.jobs", NULL),
     "sign on N threads; 0, the default: one per processor"},
    {"memory", 'm', "SIZE", TWX_OPTION_SETTING("run.memory", NULL),
     "use SIZE bytes of memory (suffixes K, M, G) for grouping, and temporary files beyond that"},
    {"compat", 0, "NAME", TWX_OPTION_SETTING("compat", NULL),
     "use the defaults of another program: yacy"},
    {"accept-mapping", 0, NULL, TWX_OPTION_SETTING("store.accept_mapping", "yes"),
     "use the mapping that was found even if others fit too"},
    {"no-check", 0, NULL, TWX_OPTION_SETTING("run.check", "no"),
     "do not check the file for damage first"},
    TWX_OPTION_END,
};

const twx_command twx_command_run = {
    .name = "run",
    .run = run,
    .kind = TWX_CLI_WRITES,
    .arguments = "STORE",
    .least = 1,
    .most = 1,
    .options = OPTIONS,
    .defaults = &DEFAULTS,
    .own_bytes = sizeof DEFAULTS,
};
