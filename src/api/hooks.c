#include "api/hooks.h"

#include "rows.h"

#define DECLARE(name) extern const twx_hooks TWX_HOOKS_##name;
TWX_HOOKS_ROWS(DECLARE)

#define ADDRESS(name) &TWX_HOOKS_##name,
static const twx_hooks *const HOOKS[] = {TWX_HOOKS_ROWS(ADDRESS) NULL};

twx_rc twx_hooks_published(const twx_job *job) {
    twx_rc rc = TWX_OK;
    for (size_t i = 0; rc == TWX_OK && HOOKS[i]; i++)
        if (HOOKS[i]->published) rc = HOOKS[i]->published(job);
    return rc;
}

twx_rc twx_hooks_rules(const twx_job *job, twx_buf *text, const char **ret_why) {
    twx_rc rc = TWX_OK;
    *ret_why = "This build of twindex learns no rules.";
    for (size_t i = 0; rc == TWX_OK && HOOKS[i]; i++)
        if (HOOKS[i]->rules) rc = HOOKS[i]->rules(job, text, ret_why);
    return rc;
}
