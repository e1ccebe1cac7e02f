#include "cli/commands.h"
#include "cli/session.h"

static int learn(twx_session *s) {
    return twindex_learn(s->t, &s->sink);
}

static const twx_option OPTIONS[] = {
    {"memory", 'm', "SIZE", TWX_OPTION_SETTING("run.memory", NULL),
     "use about SIZE bytes of memory (suffixes K, M, G)"},
    {"accept-mapping", 0, NULL, TWX_OPTION_SETTING("store.accept_mapping", "yes"),
     "use the mapping that was found even if others fit too"},
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
