#include "cli/commands.h"
#include "cli/session.h"

static const twindex_compare_options DEFAULTS = {.limit = TWINDEX_COMPARE_LIMIT};

static int compare(twx_session *s) {
    return twindex_compare(s->t, s->arguments[0], s->arguments[1], s->options.own, &s->sink);
}

static const twx_option OPTIONS[] = {
    {"all", 'a', NULL, TWX_OPTION_OWN(FLAG, twindex_compare_options, all),
     "also use the detectors that need statistics of the whole store; reads all of it"},
    {"limit", 'l', "N", TWX_OPTION_OWN(NUMBER, twindex_compare_options, limit),
     "show at most N passages, 20 by default; 0: all"},
    TWX_OPTION_ACCEPT_MAPPING,
    TWX_OPTION_END,
};

const twx_command twx_command_compare = {
    .name = "compare",
    .run = compare,
    .kind = TWX_CLI_READS,
    .arguments = "STORE URL|ID URL|ID",
    .least = 3,
    .most = 3,
    .options = OPTIONS,
    .defaults = &DEFAULTS,
    .own_bytes = sizeof DEFAULTS,
};
