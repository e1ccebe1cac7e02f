/* cli/session.h: the state of one command: its options, the library, and both outputs.
 * Settings are applied in this order, later ones win: defaults, the configuration file, the
 * environment, options.
 * Memory: embedded struct; all of it is owned, except argv, which the options point into. */
#ifndef TWX_CLI_SESSION_H
#define TWX_CLI_SESSION_H

#include "base/ctx.h"
#include "cli/console.h"
#include "cli/options.h"
#include "cli/stdout_sink.h"
#include "cli/store_list.h"

typedef struct twx_session {
    const twx_command *command;
    twx_options options;
    char **arguments; /* after the store, if the command has one */
    size_t arguments_n;
    const char *store; /* the first of `stores`; NULL: the command needs none */
    twx_store_list stores;
    char *config;     /* without --config: twindex.conf beside the store, if any; owned */
    bool config_maps; /* it was found and has a mapping */
    twx_ctx cx;       /* errors of the program itself */
    twindex *t;
    twx_stdout out;
    twindex_sink sink; /* writes to out */
    twx_console console;
} twx_session;

/* Runs `command`; argv[0] is its name. Returns the exit code; errors have been reported. */
int twx_session_run(const twx_command *command, int argc, char **argv);

enum { TWX_ENVIRONMENT_NAME_BYTES = 128 };
/* "fuzzy.quant_rate" -> "TWINDEX_FUZZY_QUANT_RATE", truncated to the buffer. */
void twx_environment_name(const char *setting, char ret_name[TWX_ENVIRONMENT_NAME_BYTES]);

#endif
