#include "cli/commands.h"
#include "cli/session.h"

static int learn(twx_session *s) {
    return twindex_learn(s->t, &s->sink);
}

static const twx_option OPTIONS[] = {
    {"memory", 'm', "SIZE", TWX_OPTION_SETTING("run.memory", NULL),
     "use about SIZE bytes of memory (suffixes K, M, G)"},
    TWX_OPTION_ACCEPT_MAPPING,
    TWX_OPTION_END,
};

const twx_command twx_command_learn = {
    .name = "learn",
    .run = learn,
    .kind = TWX_CLI_WRITES,
    .arguments = "STORE",
    .least = 1,
    .most = 1,
    .options = OPTIONS,
};
