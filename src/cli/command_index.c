#include "cli/commands.h"
#include "cli/session.h"

typedef struct index_options {
    bool drop;
} index_options;

static const index_options DEFAULTS = {.drop = false};

static int make_index(twx_session *s) {
    const index_options *own = s->options.own;
    return twindex_index(s->t, own->drop, &s->sink);
}

static const twx_option OPTIONS[] = {
    {"drop", 0, NULL, TWX_OPTION_OWN(FLAG, index_options, drop), "remove the index"},
    {"language", 0, "CODE", TWX_OPTION_SETTING("index.language", NULL),
     "the language of documents that declare none"},
    TWX_OPTION_ACCEPT_MAPPING,
    TWX_OPTION_END,
};

const twx_command twx_command_index = {
    .name = "index",
    .run = make_index,
    .kind = TWX_CLI_WRITES,
    .arguments = "STORE",
    .least = 1,
    .most = 1,
    .options = OPTIONS,
    .defaults = &DEFAULTS,
    .own_bytes = sizeof DEFAULTS,
};
