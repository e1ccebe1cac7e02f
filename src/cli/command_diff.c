#include "cli/commands.h"
#include "cli/session.h"

typedef struct diff_options {
    size_t limit; /* documents of each kind */
} diff_options;

static const diff_options DEFAULTS = {.limit = 100};

static int diff(twx_session *s) {
    const diff_options *own = s->options.own;
    return twindex_diff(s->t, own->limit, &s->sink);
}

static const twx_option OPTIONS[] = {
    {"limit", 'l', "N", TWX_OPTION_OWN(NUMBER, diff_options, limit),
     "list at most N documents of each kind, 100 by default; 0: all"},
    TWX_OPTION_WIDE,
    TWX_OPTION_END,
};

const twx_command twx_command_diff = {
    .name = "diff",
    .run = diff,
    .kind = TWX_CLI_READS,
    .several = true,
    .arguments = "STORE...",
    .least = 1,
    .most = -1,
    .options = OPTIONS,
    .defaults = &DEFAULTS,
    .own_bytes = sizeof DEFAULTS,
};
