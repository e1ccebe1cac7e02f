#include "cli/commands.h"
#include "cli/session.h"

typedef struct groups_options {
    const char *detector; /* NULL: the verdict */
    size_t limit;
} groups_options;

static const groups_options DEFAULTS = {.limit = 20};

static int groups(twx_session *s) {
    const groups_options *own = s->options.own;
    return twindex_groups(s->t, own->detector, own->limit, &s->sink);
}

static const twx_option OPTIONS[] = {
    {"detector", 'd', "DETECTOR", TWX_OPTION_OWN(TEXT, groups_options, detector),
     "list the groups of this detector (see 'twindex detectors') instead of the clusters of the "
     "verdict"},
    {"limit", 'l', "N", TWX_OPTION_OWN(NUMBER, groups_options, limit),
     "list at most N groups, 20 by default; 0: all"},
    TWX_OPTION_WIDE,
    TWX_OPTION_END,
};

const twx_command twx_command_groups = {
    .name = "groups",
    .run = groups,
    .kind = TWX_CLI_READS,
    .several = true,
    .arguments = "STORE...",
    .least = 1,
    .most = -1,
    .options = OPTIONS,
    .defaults = &DEFAULTS,
    .own_bytes = sizeof DEFAULTS,
};
