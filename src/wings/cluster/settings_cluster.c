#include "run/run.h"
#include "setting_rows.h"

static twx_rc check_cluster_name(twx_ctx *cx, const char *value) {
    const twx_slice name = twx_slice_of(value);
    if (twx_is_name(name) && name.n <= 64) return TWX_OK;
    return twx_fail(cx, TWX_E_CONFIG,
                    "cluster.name, cluster.database: '%.60s' is not a name of at most 64 letters, "
                    "digits and underscores that begins with no digit",
                    value);
}

static const twx_setting_row ROWS[] = {TWX_CLUSTER_SETTINGS};

const twx_setting_rows TWX_SETTINGS_CLUSTER = {ROWS, TWX_COUNTOF(ROWS)};
