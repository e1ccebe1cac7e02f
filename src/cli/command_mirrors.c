#include "cli/commands.h"
#include "cli/session.h"

static int mirrors(twx_session *s) {
    return twindex_mirrors(s->t, &s->sink);
}

static const twx_option OPTIONS[] = {
    {"ratio", 'r', "SHARE", "mirrors.ratio", NULL, 0,
     "treat two hosts as mirrors when this share of the documents of each is also on the other"},
    {"min-documents", 0, "N", "mirrors.min_documents", NULL, 0,
     "compare only hosts with N documents or more"},
    {NULL, 0, NULL, NULL, NULL, 0, NULL},
};

const twx_command twx_command_mirrors = {
    .name = "mirrors",
    .run = mirrors,
    .kind = TWX_CLI_WRITES,
    .arguments = "STORE",
    .least = 1,
    .most = 1,
    .options = OPTIONS,
};
