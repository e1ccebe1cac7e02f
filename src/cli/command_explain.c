#include "cli/commands.h"
#include "cli/session.h"

static int explain(twx_session *s) {
    return twindex_explain(s->t, s->arguments[0], &s->sink);
}

static size_t others(const void *own) {
    (void)own;
    return 1;
}

const twx_command twx_command_explain = {
    .name = "explain",
    .run = explain,
    .kind = TWX_CLI_READS,
    .several = true,
    .others = others,
    .arguments = "STORE... URL|ID",
    .least = 2,
    .most = -1,
};
