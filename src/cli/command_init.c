#include "cli/commands.h"
#include "cli/session.h"

static int make(twx_session *s) {
    return twindex_init(s->t, s->store);
}

const twx_command twx_command_init = {
    .name = "init",
    .run = make,
    .kind = TWX_CLI_MAKES,
    .arguments = "STORE",
    .least = 1,
    .most = 1,
};
