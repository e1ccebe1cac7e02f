/* cli/commands.h: the commands, in the order in which a new user meets them: the rows of
 * commands.rows and of the wings. Each is twx_command_<name> in command_<name>.c; its prose is
 * docs/commands/<name>.txt. */
#ifndef TWX_CLI_COMMANDS_H
#define TWX_CLI_COMMANDS_H

#include "cli/command_table.h"
#include "rows.h"

#define TWX_COMMAND_DECLARE(name, group) extern const twx_command twx_command_##name;
TWX_COMMAND_ROWS(TWX_COMMAND_DECLARE)

#endif
