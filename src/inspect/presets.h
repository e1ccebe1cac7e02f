/* inspect/presets.h: mappings for known programs, share/presets/NAME.conf. A preset is data: its
 * first comment lines name the program and the tables and columns by which it is recognized ("#
 * needs: table(column, column), table(column)"); the rest is a configuration. Presets are embedded
 * at build time, so that a new program needs a file but no code. */
#ifndef TWX_INSPECT_PRESETS_H
#define TWX_INSPECT_PRESETS_H

#include "store/db.h"

typedef struct twx_preset {
    const char *name;
    twx_slice about, config; /* the first line; the text after the "# needs:" line */
} twx_preset;

/* The preset all of whose tables and columns exist in the store; if there are several, the one with
 * most columns. TWX_DONE: none. */
TWX_CHECK twx_rc twx_preset_find(twx_db *reader, twx_preset *ret_preset);

#endif
