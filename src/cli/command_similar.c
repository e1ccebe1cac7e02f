#include "cli/commands.h"
#include "cli/session.h"

static int similar(twx_session *s) {
    size_t limit = 0;
    twx_rc rc = twx_options_limit(&s->cx, &s->options, TWINDEX_SIMILAR_LIMIT, &limit);
    const twindex_similar_options how = {.detector = s->options.detector, .limit = limit};
    return rc == TWX_OK ? twindex_similar(s->t, s->arguments[0], &how, &s->sink) : twx_rc_exit(rc);
}

static const twx_option OPTIONS[] = {
    {"detector", 'd', "NAME", TWX_OPTION_FIELD(detector),
     "use the signatures of this detector (see 'twindex detectors') instead of near.detector"},
    {"limit", 'l', "N", TWX_OPTION_FIELD(limit),
     "list at most N documents, 10 by default; 0: all that have anything in common"},
    {"memory", 'm', "SIZE", "run.memory", NULL, 0,
     "use about SIZE bytes of memory (suffixes K, M, G)"},
    {"accept-mapping", 0, NULL, "store.accept_mapping", "yes", 0,
     "use the mapping that was found even if others fit, too"},
    {NULL, 0, NULL, NULL, NULL, 0, NULL},
};

const twx_command twx_command_similar = {
    .name = "similar",
    .run = similar,
    .kind = TWX_CLI_READS,
    .arguments = "STORE URL|ID",
    .least = 2,
    .most = 2,
    .options = OPTIONS,
};
