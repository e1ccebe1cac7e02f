#include "cli/command_table.h"

#include <string.h>

#include "base/nearest.h"
#include "base/rc.h"
#include "cli/commands.h"

/* In the order in which a new user meets them. */
static const twx_command *const COMMANDS[] = {
    &twx_command_init,     &twx_command_import,  &twx_command_check,     &twx_command_run,
    &twx_command_diff,     &twx_command_undo,    &twx_command_report,    &twx_command_groups,
    &twx_command_explain,  &twx_command_compare, &twx_command_similar,   &twx_command_mirrors,
    &twx_command_digest,   &twx_command_rules,   &twx_command_index,     &twx_command_search,
    &twx_command_learn,    &twx_command_predict, &twx_command_detectors, &twx_command_evaluate,
    &twx_command_settings, &twx_command_help,    &twx_command_version,
};

const twx_command *twx_command_at(size_t i) {
    return i < TWX_COUNTOF(COMMANDS) ? COMMANDS[i] : NULL;
}

const twx_command *twx_command_find(const char *name) {
    for (size_t i = 0; i < TWX_COUNTOF(COMMANDS); i++)
        if (strcmp(COMMANDS[i]->name, name) == 0) return COMMANDS[i];
    return NULL;
}

const char *twx_command_near(const char *name) {
    twx_nearest near = twx_nearest_of(name);
    for (size_t i = 0; i < TWX_COUNTOF(COMMANDS); i++) twx_nearest_try(&near, COMMANDS[i]->name);
    return near.name;
}
