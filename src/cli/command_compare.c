#include "cli/commands.h"
#include "cli/session.h"

static int compare(twx_session *s) {
    size_t limit = 0;
    twx_rc rc = twx_options_limit(&s->cx, &s->options, TWINDEX_COMPARE_LIMIT, &limit);
    const twindex_compare_options how = {.all = s->options.all, .limit = limit};
    return rc == TWX_OK ? twindex_compare(s->t, s->arguments[0], s->arguments[1], &how, &s->sink)
                        : twx_rc_exit(rc);
}

static const twx_option OPTIONS[] = {
    {"all", 'a', NULL, TWX_OPTION_FIELD(all),
     "also use the detectors that need statistics of the whole store; reads all of it"},
    {"limit", 'l', "N", TWX_OPTION_FIELD(limit), "show at most N passages, 20 by default; 0: all"},
    {"accept-mapping", 0, NULL, "store.accept_mapping", "yes", 0,
     "use the mapping that was found even if others fit, too"},
    {NULL, 0, NULL, NULL, NULL, 0, NULL},
};

const twx_command twx_command_compare = {
    .name = "compare",
    .run = compare,
    .kind = TWX_CLI_READS,
    .arguments = "STORE URL|ID URL|ID",
    .least = 3,
    .most = 3,
    .options = OPTIONS,
};
