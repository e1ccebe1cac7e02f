#include "cli/command_table.h"

#include <string.h>

#include "base/nearest.h"
#include "base/rc.h"
#include "cli/commands.h"

#define COMMAND_ADDRESS(name, group) &twx_command_##name,
#define COMMAND_GROUP(name, group)   group,
static const twx_command *const COMMANDS[] = {TWX_COMMAND_ROWS(COMMAND_ADDRESS)};
static const size_t GROUPS[] = {TWX_COMMAND_ROWS(COMMAND_GROUP)};

const twx_command *twx_command_at(size_t i) {
    return i < TWX_COUNTOF(COMMANDS) ? COMMANDS[i] : NULL;
}

size_t twx_command_group(size_t i) {
    return GROUPS[i];
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
