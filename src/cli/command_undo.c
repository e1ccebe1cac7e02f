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
    .summary = "go back to the flags before the last run",
    .description =
        "Makes the flags of STORE those that were current before the last run, at once. Two "
        "generations are kept, so that a second undo takes the first one back. The next run goes "
        "forward again: change the settings first when they were the reason.",
    .examples = {{"twindex undo pages.db", "Takes the last run back."}},
};
