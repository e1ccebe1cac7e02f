#include "cli/commands.h"
#include "cli/session.h"

static int digest(twx_session *s) {
    return twindex_digest(s->t, &s->sink);
}

const twx_command twx_command_digest = {
    .name = "digest",
    .run = digest,
    .kind = TWX_CLI_READS,
    .several = true,
    .arguments = "STORE...",
    .least = 1,
    .most = -1,
};
