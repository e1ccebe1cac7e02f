/* A dry run with other settings: what it would hide and show. */
#include "serve/exchange.h"

enum { LISTED = 1000 };

/* Settings of these sections define how documents are read and written, not what a duplicate is.
 * Settings whose values would reach SQL or name a file are refused in every section. */
static const char *const OTHER_SECTIONS[] = {"store.", "import.", "index.", "run."},
                         *const OTHER_VALUES[] = {"SQL", "table", "file"};

bool twx_setting_may_be_tried(const twindex_setting *s) {
    for (size_t i = 0; i < TWX_COUNTOF(OTHER_SECTIONS); i++)
        if (twx_slice_starts(twx_slice_of(s->name), twx_slice_of(OTHER_SECTIONS[i]))) return false;
    for (size_t i = 0; i < TWX_COUNTOF(OTHER_VALUES); i++)
        if (twx_slice_starts(twx_slice_of(s->values), twx_slice_of(OTHER_VALUES[i]))) return false;
    return true;
}

static twx_rc set(twx_exchange *x, const char *name, const json_t *value) {
    const twindex_setting *s = twindex_setting_find(name);
    if (s && !twx_setting_may_be_tried(s))
        return twx_fail(x->cx, TWX_E_USAGE,
                        "%s does not decide what is a duplicate: it cannot be tried in the "
                        "workbench",
                        s->name);
    if (!json_is_string(value))
        return twx_fail(x->cx, TWX_E_USAGE, "the value of '%.100s' is not a text", name);
    const int result = twindex_set(x->t, name, json_string_value(value));
    if (result == TWINDEX_OK) return TWX_OK;
    return twx_fail(x->cx, result == twx_rc_exit(TWX_E_NOMEM) ? TWX_E_NOMEM : TWX_E_CONFIG, "%s",
                    twindex_message(x->t));
}

/* The handle is this request's own. */
static twx_rc change_settings(twx_exchange *x) {
    json_t *body = NULL, *value = NULL;
    const char *name = NULL;
    twx_rc rc = twx_request_json(x->cx, x->request, &body);
    json_t *settings = json_object_get(body, "settings");
    if (rc == TWX_OK && !json_is_object(settings))
        rc = twx_fail(x->cx, TWX_E_USAGE, "'settings' is missing");
    json_object_foreach(settings, name, value) if (rc == TWX_OK) rc = set(x, name, value);
    json_decref(body);
    return rc;
}

/* The answer is the summary of the run, with the documents that change. */
twx_rc twx_answer_dry_run(twx_exchange *x) {
    const twindex_run_options options = {
        .dry_run = true, .list = true, .limit = LISTED, .stored = true};
    const twindex_sink sink = twx_answer_sink(x->answer);
    twx_rc rc = change_settings(x);
    if (rc != TWX_OK) return rc;
    const int result = twindex_run(x->t, &options, &sink);
    /* the findings of a guard are part of the summary */
    return twx_exchange_end(x, result == TWINDEX_GUARD ? TWINDEX_OK : result);
}
