#include "cli/commands.h"
#include "cli/session.h"

typedef struct rules_options {
    bool sql;
} rules_options;

static const rules_options DEFAULTS = {.sql = false};

static int rules(twx_session *s) {
    const rules_options *own = s->options.own;
    return twindex_rules(s->t, s->arguments[0], own->sql, &s->sink);
}

static const twx_option OPTIONS[] = {
    {"sql", 0, NULL, TWX_OPTION_OWN(FLAG, rules_options, sql),
     "print the SQL statement that the rules compile to"},
    {"json", 0, NULL, TWX_OPTION_COMMON(FLAG, json), "print JSON"},
    TWX_OPTION_WIDE,
    TWX_OPTION_END,
};

const twx_command twx_command_rules = {
    .name = "rules",
    .run = rules,
    .kind = TWX_CLI_PURE,
    .arguments = "FILE",
    .least = 1,
    .most = 1,
    .options = OPTIONS,
    .defaults = &DEFAULTS,
    .own_bytes = sizeof DEFAULTS,
};
