#include "cli/commands.h"
#include "cli/session.h"

static int report(twx_session *s) {
    return twindex_report(s->t, &s->sink);
}

const twx_command twx_command_report = {
    .name = "report",
    .run = report,
    .kind = TWX_CLI_READS,
    .arguments = "STORE",
    .least = 1,
    .most = 1,
};
