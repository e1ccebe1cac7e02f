#include "run/run.h"
#include "setting_rows.h"

static twx_rc check_cluster_name(twx_ctx *cx, const char *value) {
    const twx_slice name = twx_slice_of(value);
    bool fits = name.n > 0 && name.n <= 64 && !twx_is_digit((unsigned char)name.p[0]);
    for (size_t i = 0; fits && i < name.n; i++)
        fits = twx_is_alpha((unsigned char)name.p[i]) || twx_is_digit((unsigned char)name.p[i]) ||
               name.p[i] == '_';
    if (fits) return TWX_OK;
    return twx_fail(cx, TWX_E_CONFIG,
                    "cluster.name, cluster.database: '%.60s' is not a name of at most 64 letters, "
                    "digits and underscores that begins with no digit",
                    value);
}

static const twx_setting_row ROWS[] = {TWX_CLUSTER_SETTINGS};

const twx_setting_rows TWX_SETTINGS_CLUSTER = {ROWS, TWX_COUNTOF(ROWS)};
