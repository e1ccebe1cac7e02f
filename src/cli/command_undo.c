#include "cli/commands.h"
#include "cli/session.h"

static int undo(twx_session *s) {
    return twindex_undo(s->t, &s->sink);
}

const twx_command twx_command_undo = {
    .name = "undo",
    .run = undo,
    .kind = TWX_CLI_WRITES,
    .arguments = "STORE",
    .least = 1,
    .most = 1,
};
