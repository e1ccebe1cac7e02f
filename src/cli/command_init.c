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
    .summary = "make a store with a table of documents",
    .description = "Makes STORE, an SQLite file with the table documents, which 'twindex import' "
                   "or a crawler of your own fills. Triggers on that table note what changes, so "
                   "that a run reads only that.\n\n"
                   "STORE may be a file that exists when it is an SQLite file without tables. A "
                   "store with tables of its own, which a crawler fills, is refused: it needs no "
                   "init, 'twindex check' shows how it is read and 'twindex run' writes its flags.",
    .examples = {{"twindex init pages.db", "Makes pages.db."}},
};
