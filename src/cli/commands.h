/* cli/commands.h: the list of commands, in the order in which a new user meets them. ROW(name)
 * is the row twx_command_<name> in command_<name>.c; its prose is docs/commands/<name>.txt. */
#ifndef TWX_CLI_COMMANDS_H
#define TWX_CLI_COMMANDS_H

#include "cli/command_table.h"

/* clang-format off */
#define TWX_COMMANDS(ROW) \
    ROW(init)      \
    ROW(import)    \
    ROW(check)     \
    ROW(doctor)    \
    ROW(run)       \
    ROW(sign)      \
    ROW(diff)      \
    ROW(undo)      \
    ROW(remove)    \
    ROW(report)    \
    ROW(groups)    \
    ROW(explain)   \
    ROW(compare)   \
    ROW(similar)   \
    ROW(mirrors)   \
    ROW(digest)    \
    ROW(rules)     \
    ROW(index)     \
    ROW(search)    \
    ROW(serve)     \
    ROW(tune)      \
    ROW(learn)     \
    ROW(predict)   \
    ROW(detectors) \
    ROW(evaluate)  \
    ROW(verify)    \
    ROW(cluster)   \
    ROW(settings)  \
    ROW(help)      \
    ROW(version)
/* clang-format on */

#define TWX_COMMAND_DECLARE(name) extern const twx_command twx_command_##name;
TWX_COMMANDS(TWX_COMMAND_DECLARE)

/* The steps of `twindex cluster`, as its first argument names them. NULL: no more. */
const char *twx_cluster_step_at(size_t i);

#endif
