#include "cli/prose.h"

#include <string.h>

#include "base/rc.h"
#include "prose_text.h" /* TWX_PROSE, made from docs/commands */

const twx_prose *twx_prose_at(size_t i) {
    return i < TWX_COUNTOF(TWX_PROSE) ? &TWX_PROSE[i] : NULL;
}

const twx_prose *twx_prose_of(const char *name) {
    static const twx_prose NONE = {.name = "", .summary = "", .description = ""};
    for (size_t i = 0; i < TWX_COUNTOF(TWX_PROSE); i++)
        if (strcmp(TWX_PROSE[i].name, name) == 0) return &TWX_PROSE[i];
    return &NONE;
}
