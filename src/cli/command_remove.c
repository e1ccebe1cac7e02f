#include "cli/commands.h"
#include "cli/session.h"

typedef struct remove_options {
    bool dry_run;
} remove_options;

static const remove_options DEFAULTS = {.dry_run = false};

static int remove_all(twx_session *s) {
    const remove_options *own = s->options.own;
    if (own->dry_run) s->out.muted = false; /* its output is its result */
    return twindex_remove(s->t, own->dry_run, &s->sink);
}

static const twx_option OPTIONS[] = {
    {"dry-run", 'n', NULL, TWX_OPTION_OWN(FLAG, remove_options, dry_run),
     "list what would be removed; write nothing"},
    TWX_OPTION_END,
};

const twx_command twx_command_remove = {
    .name = "remove",
    .run = remove_all,
    .kind = TWX_CLI_WRITES,
    .arguments = "STORE",
    .least = 1,
    .most = 1,
    .options = OPTIONS,
    .defaults = &DEFAULTS,
    .own_bytes = sizeof DEFAULTS,
};
