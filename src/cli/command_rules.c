#include "cli/commands.h"
#include "cli/session.h"

static int rules(twx_session *s) {
    return twindex_rules(s->t, s->arguments[0], s->options.sql, &s->sink);
}

static const twx_option OPTIONS[] = {
    {"sql", 0, NULL, TWX_OPTION_FIELD(sql), "print the SQL statement that the rules compile to"},
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
};
