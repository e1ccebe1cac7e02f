#include "cli/commands.h"
#include "cli/session.h"

enum { GROUPS = 20 };

static int groups(twx_session *s) {
    size_t limit = 0;
    twx_rc rc = twx_options_limit(&s->cx, &s->options, GROUPS, &limit);
    return rc == TWX_OK ? twindex_groups(s->t, s->options.detector, limit, &s->sink)
                        : twx_rc_exit(rc);
}

static const twx_option OPTIONS[] = {
    {"detector", 'd', "NAME", TWX_OPTION_FIELD(detector),
     "list the groups of this detector (see 'twindex detectors') instead of the clusters of the "
     "verdict"},
    {"limit", 'l', "N", TWX_OPTION_FIELD(limit), "list at most N groups, 20 by default; 0: all"},
    {NULL, 0, NULL, NULL, NULL, 0, NULL},
};

const twx_command twx_command_groups = {
    .name = "groups",
    .run = groups,
    .kind = TWX_CLI_READS,
    .arguments = "STORE",
    .least = 1,
    .most = 1,
    .options = OPTIONS,
};
