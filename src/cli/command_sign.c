#include "cli/commands.h"
#include "cli/session.h"

typedef struct sign_options {
    bool full;
} sign_options;

static const sign_options DEFAULTS = {.full = false};

static int sign(twx_session *s) {
    const sign_options *own = s->options.own;
    return twindex_sign(s->t, own->full, &s->sink);
}

static const twx_option OPTIONS[] = {
    {"full", 0, NULL, TWX_OPTION_OWN(FLAG, sign_options, full),
     "sign every document again, not only those that changed"},
    TWX_OPTIONS_OF_SIGNING,
    TWX_OPTION_END,
};

const twx_command twx_command_sign = {
    .name = "sign",
    .run = sign,
    .kind = TWX_CLI_WRITES,
    .arguments = "STORE",
    .least = 1,
    .most = 1,
    .options = OPTIONS,
    .defaults = &DEFAULTS,
    .own_bytes = sizeof DEFAULTS,
};
