#include "cli/commands.h"
#include "cli/session.h"

static int version(twx_session *s) {
    int result = twx_stdout_print(&s->out, "twindex ");
    if (result == TWINDEX_OK) result = twx_stdout_print(&s->out, twindex_version());
    return result == TWINDEX_OK ? twx_stdout_print(&s->out, "\n") : result;
}

const twx_command twx_command_version = {
    .name = "version",
    .run = version,
    .kind = TWX_CLI_PURE,
    .arguments = "",
};
