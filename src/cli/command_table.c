#include "cli/command_table.h"

#include <string.h>

#include "base/nearest.h"
#include "base/rc.h"
#include "cli/commands.h"

#define COMMAND_ADDRESS(name) &twx_command_##name,
static const twx_command *const COMMANDS[] = {TWX_COMMAND_ROWS(COMMAND_ADDRESS)};

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
