#include "cli/commands.h"
#include "cli/session.h"

static int make_index(twx_session *s) {
    return twindex_index(s->t, s->options.drop, &s->sink);
}

static const twx_option OPTIONS[] = {
    {"drop", 0, NULL, TWX_OPTION_FIELD(drop), "take the index away"},
    {"accept-mapping", 0, NULL, "store.accept_mapping", "yes", 0,
     "take the mapping that was found although others fit"},
    {NULL, 0, NULL, NULL, NULL, 0, NULL},
};

const twx_command twx_command_index = {
    .name = "index",
    .run = make_index,
    .kind = TWX_CLI_WRITES,
    .arguments = "STORE",
    .least = 1,
    .most = 1,
    .options = OPTIONS,
    .summary = "make the text index that search needs",
    .description =
        "Makes an FTS5 index over titles and texts of STORE, in a table of twindex's own, or "
        "brings it up to date: only documents that are new or have changed are indexed, and those "
        "that are gone are forgotten. The index holds words, not texts, and takes about a third of "
        "their size. Others may read and write STORE meanwhile. A call that was killed goes on "
        "where it was.\n\n"
        "Nothing of twindex but 'twindex search' needs the index; --drop takes it away again.",
    .examples = {{"twindex index pages.db", "Makes the index, or brings it up to date."},
                 {"twindex index --drop pages.db", "Takes it away; VACUUM gives the space back."}},
};
