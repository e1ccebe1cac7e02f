/* inspect/presets.h: the mappings of known programs, share/presets/NAME.conf. A preset is data: the
 * first comment lines say whose it is and which tables and columns make the program known ("#
 * needs: table(column, column), table(column)"), the rest is a configuration. They are embedded
 * at build, so that a new program needs a file and no code. */
#ifndef TWX_INSPECT_PRESETS_H
#define TWX_INSPECT_PRESETS_H

#include "store/db.h"

typedef struct twx_preset {
    const char *name;
    twx_slice about, config; /* the first line, and the text after the line "# needs:" */
} twx_preset;

/* The preset of which the store has all tables and columns, the one with most of them; TWX_DONE:
 * none. */
TWX_CHECK twx_rc twx_preset_find(twx_db *reader, twx_preset *ret_preset);

#endif
