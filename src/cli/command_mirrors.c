#include "cli/commands.h"
#include "cli/session.h"

static int mirrors(twx_session *s) {
    return twindex_mirrors(s->t, &s->sink);
}

static const twx_option OPTIONS[] = {
    {"ratio", 'r', "SHARE", TWX_OPTION_SETTING("mirrors.ratio", NULL),
     "treat two hosts as mirrors when this share of the documents of each is also on the other"},
    {"min-documents", 0, "N", TWX_OPTION_SETTING("mirrors.min_documents", NULL),
     "compare only hosts with N documents or more"},
    TWX_OPTION_WIDE,
    TWX_OPTION_END,
};

const twx_command twx_command_mirrors = {
    .name = "mirrors",
    .run = mirrors,
    .kind = TWX_CLI_WRITES,
    .several = true,
    .arguments = "STORE...",
    .least = 1,
    .most = -1,
    .options = OPTIONS,
};
