#include "cli/commands.h"
#include "cli/session.h"

static int doctor(twx_session *s) {
    return twindex_doctor(s->t, &s->sink);
}

const twx_command twx_command_doctor = {
    .name = "doctor",
    .run = doctor,
    .kind = TWX_CLI_READS,
    .several = true,
    .arguments = "STORE...",
    .least = 1,
    .most = -1,
};
