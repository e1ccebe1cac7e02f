#include "cli/commands.h"
#include "cli/session.h"

typedef struct check_options {
    bool suggest;
} check_options;

static const check_options DEFAULTS = {.suggest = false};

static int check(twx_session *s) {
    const check_options *own = s->options.own;
    return own->suggest ? twindex_suggest(s->t, &s->sink) : twindex_check(s->t, &s->sink);
}

static const twx_option OPTIONS[] = {
    {"suggest", 0, NULL, TWX_OPTION_OWN(FLAG, check_options, suggest),
     "write a configuration for a store filled by another program"},
    TWX_OPTION_ACCEPT_MAPPING,
    TWX_OPTION_END,
};

const twx_command twx_command_check = {
    .name = "check",
    .run = check,
    .kind = TWX_CLI_READS,
    .several = true,
    .arguments = "STORE...",
    .least = 1,
    .most = -1,
    .options = OPTIONS,
    .defaults = &DEFAULTS,
    .own_bytes = sizeof DEFAULTS,
};
