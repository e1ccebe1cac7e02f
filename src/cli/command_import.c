#include "cli/commands.h"
#include "cli/session.h"

static int import(twx_session *s) {
    return twindex_import(s->t, (const char *const *)s->arguments, s->arguments_n, &s->sink);
}

static const twx_option OPTIONS[] = {
    {"links", 0, NULL, "import.links", "yes", 0,
     "keep the links between pages, which the detector content_links needs"},
    {"jobs", 'j', "N", "run.jobs", NULL, 0,
     "read pages on N threads; 0, the default: one a processor"},
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
    .summary = "fill a store with the pages that a crawler saved",
    .description =
        "Reads the FILEs into the table documents of STORE, which 'twindex init' made. The first "
        "bytes of a FILE decide what it is: WARC (HTML pages become text, title, description and "
        "the rest of what the flags depend on), WET, WACZ (a ZIP archive of WARC files), JSON "
        "Lines or a JSON list of records of a crawler, or CSV with a header; each but WACZ plain "
        "or compressed with gzip or zstd. The FILE - is standard input. The manual, \"Import\", "
        "lists the names of fields that are understood.\n\n"
        "Responses of other types than HTML, plain text and Markdown are left out and counted by "
        "type; the setting import.types changes the list. Pages longer than import.page_bytes are "
        "skipped.\n\n"
        "Importing the same capture again changes nothing. A record that cannot be used is counted "
        "and named; it does not stop the import. A JSON or CSV file none of whose records has text "
        "imports nothing and ends with exit code 65, naming the fields found. The result does not "
        "depend on the number of threads. While standard input is idle, everything that has come "
        "is committed and the store is not locked.\n\n"
        "With --links the targets of a page's links are kept in the table twindex_link; a page "
        "that is in the store already gets its links when it has none.",
    .examples = {{"twindex import pages.db crawl-*.warc.gz", "Imports all files of a crawl."},
                 {"twindex import --set 'import.types=html text/csv' pages.db crawl.wacz",
                  "Takes CSV files as documents, too."},
                 {"crawler --jsonl | twindex import pages.db -",
                  "Imports what another program prints."}},
};
