#include "cli/commands.h"
#include "cli/session.h"

static int check(twx_session *s) {
    return s->options.suggest ? twindex_suggest(s->t, &s->sink) : twindex_check(s->t, &s->sink);
}

static const twx_option OPTIONS[] = {
    {"suggest", 0, NULL, TWX_OPTION_FIELD(suggest),
     "write a configuration for a store that another program fills"},
    {"accept-mapping", 0, NULL, "store.accept_mapping", "yes", 0,
     "take the mapping that was found although others fit"},
    {NULL, 0, NULL, NULL, NULL, 0, NULL},
};

const twx_command twx_command_check = {
    .name = "check",
    .run = check,
    .kind = TWX_CLI_READS,
    .arguments = "STORE",
    .least = 1,
    .most = 1,
    .options = OPTIONS,
    .summary = "show how a store is read, and what would keep a run from working",
    .description =
        "Prints the mapping: which table the documents of STORE are in and which of its columns, "
        "or expressions over them, are URL, text and the rest. Tells whether the file is healthy, "
        "what a run would do, and why it would not run. Nothing is written.\n\n"
        "With --suggest, a twindex.conf for the store is written to standard output: by the schema "
        "of a known program (share/presets), else by what the columns hold: URLs, texts, HTML, "
        "packed bytes, paths of JSON, tables joined by a key. Comments in it show three rows as "
        "they would be read, how far each column is filled, and warnings.\n\n"
        "The exit code is 1 when there is something to look at.",
    .examples = {{"twindex check crawler.db",
                  "Shows what twindex makes of a store it has not seen."},
                 {"twindex check crawler.db --set store.text=markdown",
                  "Tries another column for the text."},
                 {"twindex check --suggest crawler.db > twindex.conf",
                  "Writes a configuration to look over."}},
};
