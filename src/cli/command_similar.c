#include "cli/commands.h"
#include "cli/session.h"

static const twindex_similar_options DEFAULTS = {.limit = TWINDEX_SIMILAR_LIMIT};

static int similar(twx_session *s) {
    return twindex_similar(s->t, s->arguments[0], s->options.own, &s->sink);
}

static const twx_option OPTIONS[] = {
    {"detector", 'd', "DETECTOR", TWX_OPTION_OWN(TEXT, twindex_similar_options, detector),
     "use the signatures of this detector (see 'twindex detectors') instead of near.detector"},
    {"limit", 'l', "N", TWX_OPTION_OWN(NUMBER, twindex_similar_options, limit),
     "list at most N documents, 10 by default; 0: all that have anything in common"},
    {"memory", 'm', "SIZE", TWX_OPTION_SETTING("run.memory", NULL),
     "use about SIZE bytes of memory (suffixes K, M, G)"},
    TWX_OPTION_ACCEPT_MAPPING,
    TWX_OPTION_WIDE,
    TWX_OPTION_END,
};

const twx_command twx_command_similar = {
    .name = "similar",
    .run = similar,
    .kind = TWX_CLI_READS,
    .arguments = "STORE URL|ID",
    .least = 2,
    .most = 2,
    .options = OPTIONS,
    .defaults = &DEFAULTS,
    .own_bytes = sizeof DEFAULTS,
};
