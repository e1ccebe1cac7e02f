#include "cli/commands.h"
#include "cli/session.h"

enum { LINES = 100 };

static int diff(twx_session *s) {
    size_t limit = 0;
    twx_rc rc = twx_options_limit(&s->cx, &s->options, LINES, &limit);
    return rc == TWX_OK ? twindex_diff(s->t, limit, &s->sink) : twx_rc_exit(rc);
}

static const twx_option OPTIONS[] = {
    {"limit", 'l', "N", TWX_OPTION_FIELD(limit),
     "list at most N documents of each kind, 100 by default; 0: all"},
    {NULL, 0, NULL, NULL, NULL, 0, NULL},
};

const twx_command twx_command_diff = {
    .name = "diff",
    .run = diff,
    .kind = TWX_CLI_READS,
    .arguments = "STORE",
    .least = 1,
    .most = 1,
    .options = OPTIONS,
    .summary = "show what the last run changed",
    .description = "Compares the current flags of STORE with those before the last run: which "
                   "documents were hidden, are shown, or have another representative, by URL and "
                   "with the reason, and how many documents changed in each flag. The exit code is "
                   "1 when there are differences, 0 when there are none.",
    .examples = {{"twindex diff pages.db", "Shows what changed."},
                 {"twindex diff --json --limit 0 pages.db",
                  "Lists all of it for another program."}},
};
