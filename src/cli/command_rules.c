#include "cli/commands.h"
#include "cli/session.h"

static int rules(twx_session *s) {
    return twindex_rules(s->t, s->arguments[0], s->options.sql, &s->sink);
}

static const twx_option OPTIONS[] = {
    {"sql", 0, NULL, TWX_OPTION_FIELD(sql), "print the SQL statement the rules become"},
    {"json", 0, NULL, TWX_OPTION_FIELD(json), "print JSON"},
    {NULL, 0, NULL, NULL, NULL, 0, NULL},
};

const twx_command twx_command_rules = {
    .name = "rules",
    .run = rules,
    .kind = TWX_CLI_PURE,
    .arguments = "FILE",
    .least = 1,
    .most = 1,
    .options = OPTIONS,
    .summary = "check a file of ranking rules",
    .description =
        "Prints what twindex understands of the ranking rules in FILE: filters, boosts and "
        "functions with the lines they are on, and the weights of title and text. With --sql, the "
        "statement that lists all documents of a store in the order of the rules: it can be pasted "
        "into sqlite3. What is wrong is told with file, line and column, the line is shown with a "
        "mark below the place, and the exit code is 65.\n\n"
        "Rules look like this; 'twindex search' shows what they do:\n\n"
        "    [filter]   http_unique_b:true AND www_unique_b:true\n"
        "    [boost]    representative_b:true^10  duplicate_type:full-layout^-2\n"
        "    [function] recip(exact_signature_copycount_i,1,1,1)^3\n"
        "    [fields]   title^3 text^1      # '#' begins a comment",
    .examples = {{"twindex rules hide-duplicates.rules", "Checks a file."},
                 {"twindex rules --sql hide-duplicates.rules | sqlite3 pages.db",
                  "All documents in the order of the rules."}},
};
