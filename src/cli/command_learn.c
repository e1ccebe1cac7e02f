#include "cli/commands.h"
#include "cli/session.h"

static int learn(twx_session *s) {
    return twindex_learn(s->t, &s->sink);
}

static const twx_option OPTIONS[] = {
    {"memory", 'm', "SIZE", "run.memory", NULL, 0,
     "use about SIZE bytes of memory (suffixes K, M, G)"},
    {"accept-mapping", 0, NULL, "store.accept_mapping", "yes", 0,
     "use the mapping that was found even if others fit, too"},
    {NULL, 0, NULL, NULL, NULL, 0, NULL},
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
