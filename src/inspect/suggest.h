/* inspect/suggest.h: suggests settings for a store. */
#ifndef TWX_INSPECT_SUGGEST_H
#define TWX_INSPECT_SUGGEST_H

#include "base/arena.h"
#include "base/vec.h"
#include "run/job.h"
#include "run/out.h"

/* A configuration for a store, with comments that show its effect.
 * Memory: embedded struct; twx_suggestion_init(), _done(). Bytes are in the arena. */
enum { TWX_SUGGESTED_COLUMNS = 32 };

/* A row as it would be read: a value for each column; absent: NULL or not mapped. */
typedef struct twx_suggested_row {
    twx_slice value[TWX_SUGGESTED_COLUMNS];
} twx_suggested_row;

typedef struct twx_suggestion {
    twx_arena arena;
    const char *store, *preset; /* preset NULL: the mapping was guessed */
    twx_slice config;           /* text of the configuration file */
    struct {
        const char *name; /* NULL: not mapped */
        uint64_t filled;
    } columns[TWX_SUGGESTED_COLUMNS];
    uint64_t sampled; /* rows, of which `filled` have a value */
    TWX_VEC(twx_suggested_row) rows;
    TWX_VEC(twx_slice) warnings;
} twx_suggestion;

void twx_suggestion_init(twx_suggestion *s);
void twx_suggestion_done(twx_suggestion *s);
TWX_CHECK twx_rc twx_suggestion_write(const twx_out *out, const twx_suggestion *s);

/* `check --suggest`: prints a configuration for a store filled by another
 * program, with comments that show its effect: three sample rows, fill rates and warnings. It
 * writes nothing. */

/* TWX_E_CONFIG: no documents were found. */
TWX_CHECK twx_rc twx_suggest(const twx_job *job, twx_suggestion *ret_suggestion);

#endif
