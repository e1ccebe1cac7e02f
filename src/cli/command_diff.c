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
};
