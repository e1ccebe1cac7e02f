#include "cli/cli.h"

static int import(twx_session *s) {
    return twindex_import(s->t, (const char *const *)s->arguments, s->arguments_n, &s->sink);
}

static const twx_option OPTIONS[] = {TWX_IMPORT_OPTIONS TWX_OPTION_END};

TWX_COMMAND(import, FILLS, "STORE FILE...", .run = import, .options = OPTIONS);
