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
    {"full", 0, NULL, TWX_OPTION_FIELD(full), "sign every document anew, not only what changed"},
    {"force", 0, NULL, TWX_OPTION_FIELD(force), "publish although a guard says stop"},
    {"dry-run", 'n', NULL, TWX_OPTION_FIELD(dry_run),
     "print what would change, per flag and host; write nothing"},
    {"list", 0, NULL, TWX_OPTION_FIELD(list),
     "with --dry-run: name the documents that would be hidden, shown or moved, and why"},
    {"limit", 'l', "N", TWX_OPTION_FIELD(limit),
     "with --list: at most N documents of each kind, 100 by default; 0: all"},
    {"rules", 'r', "FILE", TWX_OPTION_FIELD(rules),
     "with --dry-run: print what the filter of these ranking rules would hide, per host"},
    {"jobs", 'j', "N", "run.jobs", NULL, 0, "sign on N threads; 0, the default: one a processor"},
    {"memory", 'm', "SIZE", "run.memory", NULL, 0,
     "group in SIZE bytes of memory (K, M, G), beyond in temporary files"},
    {"compat", 0, "NAME", "compat", NULL, 0, "take the defaults of another program: yacy"},
    {"accept-mapping", 0, NULL, "store.accept_mapping", "yes", 0,
     "take the mapping that was found although others fit"},
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
    .summary = "find the doubles of a store and write the flags",
    .description =
        "Reads the documents of STORE that changed since the last run, finds which documents are "
        "doubles of each other, and writes the flags: the view document_flags, and others on top "
        "of it. No table of the crawler is changed, and no document is deleted.\n\n"
        "Others may read and write STORE meanwhile. Readers see the flags of the last run until "
        "those of this one are published, all at once. The flags depend on the documents and the "
        "settings alone, not on how many runs led there; a run that finds nothing new writes "
        "nothing. A run that was killed goes on where it was.\n\n"
        "Before it publishes, a run stops with exit code 3 when a host would lose more than "
        "guard.max_hidden of its documents, when a group has more than guard.max_group, or "
        "when more than guard.max_lost of the documents of a host or of the store that took part "
        "before are gone or take part no more. 'twindex diff' shows what a run changed, 'twindex "
        "undo' takes it back.\n\n"
        "Of two runs on one store the second ends at once with exit code 75.",
    .examples =
        {{"twindex run pages.db", "Brings the flags up to date, by hand or after a crawl."},
         {"twindex run --dry-run --list --set verdict.pins=pins.txt pages.db",
          "Tries a setting without writing: which documents would be hidden or shown, and why."},
         {"twindex run --dry-run --rules hide-duplicates.rules pages.db",
          "How many documents a filter would hide."},
         {"twindex run --quiet --flags flags.db pages.db",
          "For cron, with a store that stays as it is."}},
};
