#include "cli/commands.h"
#include "cli/session.h"

static int import(twx_session *s) {
    return twindex_import(s->t, (const char *const *)s->arguments, s->arguments_n, &s->sink);
}

static const twx_option OPTIONS[] = {
    {"links", 0, NULL, "import.links", "yes", 0,
     "keep the links between pages, which the detector content_links needs"},
    {NULL, 0, NULL, NULL, NULL, 0, NULL},
};

const twx_command twx_command_import = {
    .name = "import",
    .run = import,
    .kind = TWX_CLI_WRITES,
    .arguments = "STORE FILE...",
    .least = 2,
    .most = -1,
    .options = OPTIONS,
    .summary = "fill a store with the pages of WARC, WET and JSON Lines files",
    .description = "Reads the FILEs into the table documents of STORE, which 'twindex init' made. "
                   "A FILE is a WARC file of a crawl "
                   "(its HTML pages become text, title, description and the rest of what the flags "
                   "depend on), a WET file of plain "
                   "text, or JSON Lines with the names of the columns as keys; each plain or "
                   "compressed with gzip. The FILE - is "
                   "standard input.\n\n"
                   "Importing the same capture again changes nothing. A record that cannot be used "
                   "is counted, and named with -v; it "
                   "does not stop the import.\n\n"
                   "With --links the targets of a page's links are kept in the table "
                   "twindex_link; a page that is in the store already gets its links when it "
                   "has none.",
    .examples = {{"twindex import pages.db crawl-*.warc.gz", "Imports all files of a crawl."},
                 {"zstdcat pages.jsonl.zst | twindex import pages.db -",
                  "Imports what another program prints."}},
};
