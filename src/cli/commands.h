/* cli/commands.h: the row of each command, which is in command_<name>.c beside its function;
 * command_table.c lines them up. */
#ifndef TWX_CLI_COMMANDS_H
#define TWX_CLI_COMMANDS_H

#include "cli/command_table.h"

extern const twx_command twx_command_init, twx_command_import, twx_command_check, twx_command_run,
    twx_command_diff, twx_command_undo, twx_command_digest, twx_command_explain, twx_command_groups,
    twx_command_report, twx_command_detectors, twx_command_compare, twx_command_similar,
    twx_command_mirrors, twx_command_rules, twx_command_index, twx_command_search,
    twx_command_learn, twx_command_predict, twx_command_evaluate, twx_command_settings,
    twx_command_help, twx_command_version;

#endif
