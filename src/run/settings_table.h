/* run/settings_table.h: the table of settings, private to run/ and to the settings_*.c of wings:
 * the name, accepted values, help and storage of each. The settings of a method are defined in the
 * method's own file (sign/detector_row.h) and are part of the table. */
#ifndef TWX_RUN_SETTINGS_TABLE_H
#define TWX_RUN_SETTINGS_TABLE_H

#include "rows.h"
#include "run/settings.h"

typedef enum twx_setting_kind {
    TWX_KIND_COMPAT,      /* no field: sets other settings */
    TWX_KIND_TEXT,        /* char *, NULL when empty */
    TWX_KIND_FILE,        /* the same; relative to the configuration file that contains it */
    TWX_KIND_WORD,        /* char *, one of the values */
    TWX_KIND_LIST,        /* char *, words that `check` accepts */
    TWX_KIND_STEPS,       /* unsigned, bits of twx_url_step */
    TWX_KIND_CHOICE,      /* an enum whose values count from 0 in the order of the words */
    TWX_KIND_SWITCH,      /* bool */
    TWX_KIND_SWITCH32,    /* uint32_t, 0 or 1 */
    TWX_KIND_SWITCH_AUTO, /* an enum: 0 no, 1 yes, 2 auto */
    TWX_KIND_COUNT32,     /* uint32_t */
    TWX_KIND_COUNT,       /* uint64_t */
    TWX_KIND_SHARE,       /* uint32_t, millionths */
    TWX_KIND_SIZE         /* uint64_t, bytes */
} twx_setting_kind;

typedef struct twx_setting_row {
    twindex_setting shown;
    twx_setting_kind kind;
    size_t field;                                    /* offset in twx_settings */
    twx_rc (*check)(twx_ctx *cx, const char *value); /* TWX_KIND_LIST */
} twx_setting_row;

#define TWX_SETTING_FIELD(kind, member) (kind), offsetof(twx_settings, member), NULL
#define TWX_SETTING_SWITCH              "yes|no"

/* A part of the table: the rows "settings" of settings.rows and of the wings. */
typedef struct twx_setting_rows {
    const twx_setting_row *at;
    size_t n;
} twx_setting_rows;

#define TWX_SETTINGS_DECLARE(name) extern const twx_setting_rows TWX_SETTINGS_##name;
TWX_SETTINGS_ROWS(TWX_SETTINGS_DECLARE)

/* false: after the last row. *ret_shown, NULL allowed: the public part, static. */
bool twx_setting_row_at(size_t i, twx_setting_row *ret_row, const twindex_setting **ret_shown);
/* Finds a row by its name, in any case. */
bool twx_setting_row_find(const char *name, twx_setting_row *ret_row);

/* What `compat` sets: {name, value} in order, NULL after the last. */
typedef struct twx_setting_value {
    const char *name, *value;
} twx_setting_value;
const twx_setting_value *twx_compat_at(size_t i);

#endif
