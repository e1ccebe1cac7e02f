#include "cli/commands.h"
#include "cli/session.h"

static const twindex_verify_options DEFAULTS = {.format = "RowBinary"};

static int verify(twx_session *s) {
    /* the library writes the answers to a block at once: buffering here would only delay them */
    setvbuf(s->out.file, NULL, _IONBF, 0);
    return twindex_verify(s->t, s->options.own, &s->sink);
}

static const twx_option OPTIONS[] = {
    {"format", 'f', "FORMAT", TWX_OPTION_OWN(TEXT, twindex_verify_options, format),
     "format of both streams: RowBinary, the default, or TabSeparated (TSV)"},
    {"numbered", 'n', NULL, TWX_OPTION_OWN(FLAG, twindex_verify_options, numbered),
     "each row begins with a UInt64, which the answer repeats"},
    {"named", 0, NULL, TWX_OPTION_OWN(FLAG, twindex_verify_options, named),
     "each row ends with a UInt8: 1 if the two documents have equal names (copy.margin)"},
    TWX_OPTION_END,
};

const twx_command twx_command_verify = {
    .name = "verify",
    .run = verify,
    .kind = TWX_CLI_SETTINGS,
    .arguments = "",
    .options = OPTIONS,
    .defaults = &DEFAULTS,
    .own_bytes = sizeof DEFAULTS,
};
