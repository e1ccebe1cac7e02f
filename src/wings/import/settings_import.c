#include "run/run.h"
#include "setting_rows.h"

static const twx_setting_row ROWS[] = {TWX_IMPORT_SETTINGS};

const twx_setting_rows TWX_SETTINGS_IMPORT = {ROWS, TWX_COUNTOF(ROWS)};
