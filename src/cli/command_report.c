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
    .summary = "count documents and doubles by host and detector, and list the runs",
    .description = "Prints how many documents STORE has, how many of them take part, how many are "
                   "copies by each detector and on each host, and the ledger of runs: when, with "
                   "which settings, how long, how they ended.",
    .examples = {{"twindex report pages.db", "Prints the tables."}},
};
