#include "cli/commands.h"
#include "cli/session.h"

enum { LISTED = 100 };

static int run(twx_session *s) {
    const twx_options *o = &s->options;
    twindex_run_options how = {.full = o->full,
                               .force = o->force,
                               .dry_run = o->dry_run,
                               .list = o->list,
                               .rules = o->rules};
    twx_rc rc = twx_options_limit(&s->cx, o, LISTED, &how.limit);
    if (rc != TWX_OK) return twx_rc_exit(rc);
    return twindex_run(s->t, &how, &s->sink);
}

static const twx_option OPTIONS[] = {
    {"full", 0, NULL, TWX_OPTION_FIELD(full),
     "sign every document again, not only those that changed"},
    {"force", 0, NULL, TWX_OPTION_FIELD(force), "publish even if a guard would stop the run"},
    {"dry-run", 'n', NULL, TWX_OPTION_FIELD(dry_run),
     "print what would change, by flag and host; write nothing"},
    {"list", 0, NULL, TWX_OPTION_FIELD(list),
     "with --dry-run: list the documents that would be hidden, shown or moved, with the reason"},
    {"limit", 'l', "N", TWX_OPTION_FIELD(limit),
     "with --list: list at most N documents of each kind, 100 by default; 0: all"},
    {"rules", 'r', "FILE", TWX_OPTION_FIELD(rules),
     "with --dry-run: print what the filter of these ranking rules would hide, by host"},
    {"jobs", 'j', "N", "run.jobs", NULL, 0, "sign on N threads; 0, the default: one per processor"},
    {"memory", 'm', "SIZE", "run.memory", NULL, 0,
     "use SIZE bytes of memory (suffixes K, M, G) for grouping, and temporary files beyond that"},
    {"compat", 0, "NAME", "compat", NULL, 0, "use the defaults of another program: yacy"},
    {"accept-mapping", 0, NULL, "store.accept_mapping", "yes", 0,
     "use the mapping that was found even if others fit, too"},
    {"no-check", 0, NULL, "run.check", "no", 0, "do not check the file for damage first"},
    {NULL, 0, NULL, NULL, NULL, 0, NULL},
};

const twx_command twx_command_run = {
    .name = "run",
    .run = run,
    .kind = TWX_CLI_WRITES,
    .arguments = "STORE",
    .least = 1,
    .most = 1,
    .options = OPTIONS,
};
