#include "cli/commands.h"
#include "cli/session.h"

#define WING(name) " " #name,
/* of this build; an empty array would not be C */
static const char *const WINGS[] = {"\nwings:", TWX_WING_ROWS(WING)};

static int version(twx_session *s) {
    int result = twx_stdout_print(&s->out, "twindex ");
    if (result == TWINDEX_OK) result = twx_stdout_print(&s->out, twindex_version());
    for (size_t i = 0; result == TWINDEX_OK && i < TWX_COUNTOF(WINGS); i++)
        result = twx_stdout_print(&s->out, WINGS[i]);
    if (result == TWINDEX_OK)
        result = twx_stdout_print(&s->out, TWX_COUNTOF(WINGS) > 1 ? "\n" : " none\n");
    return result;
}

const twx_command twx_command_version = {
    .name = "version",
    .run = version,
    .kind = TWX_CLI_PURE,
    .arguments = "",
};
