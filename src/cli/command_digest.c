#include "cli/commands.h"
#include "cli/session.h"

static int digest(twx_session *s) {
    return twindex_digest(s->t, &s->sink);
}

const twx_command twx_command_digest = {
    .name = "digest",
    .run = digest,
    .kind = TWX_CLI_READS,
    .arguments = "STORE",
    .least = 1,
    .most = 1,
    .summary = "print a checksum of all flags",
    .description =
        "Prints 32 hexadecimal digits that depend on the current flags of all documents of STORE, "
        "and on nothing else: not on their order, on the machine, or on how many runs led there. "
        "Two stores with the same documents and settings have the same digest.",
    .examples = {{"twindex digest pages.db", "Prints the checksum."}},
};
