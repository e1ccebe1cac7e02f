#include "cli/cli.h"

static int import(twx_session *s) {
    return twindex_import(s->t, (const char *const *)s->arguments, s->arguments_n, &s->sink);
}

static const twx_option OPTIONS[] = {
    {"links", 0, NULL, TWX_OPTION_SETTING("import.links", "yes"),
     "keep the links between pages; the detector content_links needs them"},
    {"jobs", 'j', "N", TWX_OPTION_SETTING("run.jobs", NULL),
     "read pages on N threads; 0, the default: one per processor"},
    TWX_OPTION_END,
};

TWX_COMMAND(import, FILLS, "STORE FILE...", .run = import, .options = OPTIONS);
