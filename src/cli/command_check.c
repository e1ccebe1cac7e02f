#include "cli/commands.h"
#include "cli/session.h"

static int check(twx_session *s) {
    return s->options.suggest ? twindex_suggest(s->t, &s->sink) : twindex_check(s->t, &s->sink);
}

static const twx_option OPTIONS[] = {
    {"suggest", 0, NULL, TWX_OPTION_FIELD(suggest),
     "write a configuration for a store filled by another program"},
    {"accept-mapping", 0, NULL, "store.accept_mapping", "yes", 0,
     "use the mapping that was found even if others fit, too"},
    {NULL, 0, NULL, NULL, NULL, 0, NULL},
};

const twx_command twx_command_check = {
    .name = "check",
    .run = check,
    .kind = TWX_CLI_READS,
    .arguments = "STORE",
    .least = 1,
    .most = 1,
    .options = OPTIONS,
};
