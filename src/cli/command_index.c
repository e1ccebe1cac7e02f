#include "cli/commands.h"
#include "cli/session.h"

static int make_index(twx_session *s) {
    return twindex_index(s->t, s->options.drop, &s->sink);
}

static const twx_option OPTIONS[] = {
    {"drop", 0, NULL, TWX_OPTION_FIELD(drop), "remove the index"},
    {"accept-mapping", 0, NULL, "store.accept_mapping", "yes", 0,
     "use the mapping that was found even if others fit, too"},
    {NULL, 0, NULL, NULL, NULL, 0, NULL},
};

const twx_command twx_command_index = {
    .name = "index",
    .run = make_index,
    .kind = TWX_CLI_WRITES,
    .arguments = "STORE",
    .least = 1,
    .most = 1,
    .options = OPTIONS,
};
