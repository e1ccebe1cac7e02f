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
    {"jobs", 'j', "N", TWX_OPTION_SETTING("run.jobs", NULL),
     "sign on N threads; 0, the default: one per processor"},
    {"compat", 0, "NAME", TWX_OPTION_SETTING("compat", NULL),
     "use the defaults of another program: yacy"},
    {"accept-mapping", 0, NULL, TWX_OPTION_SETTING("store.accept_mapping", "yes"),
     "use the mapping that was found even if others fit too"},
    {"no-check", 0, NULL, TWX_OPTION_SETTING("run.check", "no"),
     "do not check the file for damage first"},
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
