#include "cli/commands.h"
#include "cli/session.h"

static int import(twx_session *s) {
    return twindex_import(s->t, (const char *const *)s->arguments, s->arguments_n, &s->sink);
}

static const twx_option OPTIONS[] = {
    {"links", 0, NULL, "import.links", "yes", 0,
     "keep the links between pages; the detector content_links needs them"},
    {"jobs", 'j', "N", "run.jobs", NULL, 0,
     "read pages on N threads; 0, the default: one per processor"},
    {NULL, 0, NULL, NULL, NULL, 0, NULL},
};

const twx_command twx_command_import = {
    .name = "import",
    .run = import,
    .kind = TWX_CLI_WRITES,
    .arguments = "STORE FILE...",
    .least = 2,
    .most = -1,
    .options = OPTIONS,
};
