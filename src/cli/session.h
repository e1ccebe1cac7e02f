/* cli/session.h: what the function of a command works with: its options, the library, both outputs.
 * Settings, the stronger ones last: defaults, the configuration file, the environment, options.
 * Memory: embedded struct; all of it is owned but the argv that the options point into. */
#ifndef TWX_CLI_SESSION_H
#define TWX_CLI_SESSION_H

#include "base/ctx.h"
#include "cli/console.h"
#include "cli/options.h"
#include "cli/stdout_sink.h"

typedef struct twx_session {
    const twx_command *command;
    twx_options options;
    char **arguments; /* behind the store, when the command has one */
    size_t arguments_n;
    const char *store; /* NULL: the command has none */
    twx_ctx cx;        /* errors of the program itself */
    twindex *t;
    twx_stdout out;
    twindex_sink sink; /* writes to out */
    twx_console console;
} twx_session;

/* Runs `command`; argv[0] is its name. Returns the exit code; whatever went wrong has been told. */
int twx_session_run(const twx_command *command, int argc, char **argv);

enum { TWX_ENVIRONMENT_NAME_BYTES = 128 };
/* "fuzzy.quant_rate" -> "TWINDEX_FUZZY_QUANT_RATE", cut to the room. */
void twx_environment_name(const char *setting, char ret_name[TWX_ENVIRONMENT_NAME_BYTES]);

#endif
