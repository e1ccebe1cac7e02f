#include "cli/commands.h"
#include "cli/session.h"

static int detectors(twx_session *s) {
    return twindex_detectors(s->t, &s->sink);
}

static const twx_option OPTIONS[] = {
    {"json", 0, NULL, TWX_OPTION_COMMON(FLAG, json), "print JSON"},
    TWX_OPTION_END,
};

const twx_command twx_command_detectors = {
    .name = "detectors",
    .run = detectors,
    .kind = TWX_CLI_PURE,
    .arguments = "",
    .options = OPTIONS,
};
