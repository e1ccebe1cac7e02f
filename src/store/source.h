/* store/source.h: reads documents of any store through one TEMP VIEW, source_document, on a
 * read-only connection. The view has the columns of TWX_COL_* and scan_key, which defines the
 * reading order: the rowid of a plain table that has one, else the mapped id. [R1] No statement
 * stays open between calls, so a long scan never pins the WAL.
 * [R5] A scan reads the store once, regardless of the number of batches. If SQLite would sort or
 * index all rows for each batch (a join without an index, GROUP BY, most views;
 * store/batch_plan.h), one statement first copies the wanted columns into a TEMP table, and batches
 * are read from that.
 * [R2] A mapping may read ordinary columns of tables; views, virtual tables and generated columns
 * need allow_view.
 * [R6] twx_source_beyond(): whether a value of a document, or that it is one, can depend on more
 * than its row of the table `from`, as SQLite's authorizer reports while the mapping is prepared.
 * [R4] The rowid of a table without INTEGER PRIMARY KEY is not a stable key: VACUUM can renumber
 * the rows, and flags would refer to other documents. Using it needs allow_rowid. Shadow tables (in
 * which virtual tables keep their data) count as ordinary tables.
 * [R3] Values of any type and text of any encoding are accepted; invalid UTF-8 is passed on
 * unchanged.
 * Memory: owned handle; a row's values are borrowed for the callback. */
#ifndef TWX_STORE_SOURCE_H
#define TWX_STORE_SOURCE_H

#include "base/value.h"
#include "store/db.h"
#include "store/source_columns.h"

const char *twx_column_name(size_t column); /* "http_status"; NULL after the last */

/* How a store is mapped.
 * Memory: embedded struct, strings owned. */
typedef struct twx_mapping {
    char *from;             /* table or FROM clause */
    char *where;            /* NULL: all rows */
    char *map[TWX_COLUMNS]; /* SQL expression; NULL: not mapped */
    bool allow_view;
    bool allow_rowid; /* also a rowid that VACUUM changes */
    bool own;         /* our own `documents` table with its change triggers */
    bool chosen;      /* found by the usual names, not configured */
    bool doubtful;    /* more than one table or column matched */
    twx_buf note;     /* what was chosen and what else matched, for display */
} twx_mapping;

void twx_mapping_done(twx_mapping *m);
/* Fills in what is not configured: our own table, else a table with the usual names over which the
 * configured expressions are valid.
 * Errors TWX_E_CONFIG if nothing fits; the message names the tables and what they lack. */
TWX_CHECK twx_rc twx_mapping_detect(twx_db *reader, twx_mapping *m);

/* The unquoted table name if the FROM clause is just a name; NULL if it is more than that, or out
 * of memory (then cx has the error). */
char *twx_from_table(twx_ctx *cx, const char *from);

/* The first column whose mapped expression is not valid over the FROM clause; TWX_COLUMNS if all
 * are. */
size_t twx_mapping_invalid(twx_db *db, const twx_mapping *m, const char *from);

typedef struct twx_source twx_source;

/* Creates the view. Errors TWX_E_CONFIG, naming the wrong column of the mapping and the reason.
 * reader and m are borrowed. */
TWX_CHECK twx_rc twx_source_open(twx_db *reader, const twx_mapping *m, twx_source **ret_source);
void twx_source_close(twx_source *s);
twx_ctx *twx_source_ctx(const twx_source *s); /* receives its messages */
/* Whether the mapped id is the table's integer primary key. Then it is the document number; else
 * ids are mapped to numbers. */
bool twx_source_is_direct(const twx_source *s);
/* Whether the rows are copied before they are scanned [R5]. Then reading all of them is cheaper
 * than fetching some. */
bool twx_source_is_copied(const twx_source *s);
/* [R6] Why, as "store.score calls 'random'"; NULL: the row alone decides. Borrowed. */
enum { TWX_BEYOND_BYTES = 200 };
const char *twx_source_beyond(const twx_source *s);
/* Whether ranges of keys can be read: the key is the rowid, and rows are not copied. */
bool twx_source_has_ranges(const twx_source *s);
/* The smallest and the largest key of a source with ranges. TWX_DONE: it has no rows. */
TWX_CHECK twx_rc twx_source_bounds(twx_source *s, int64_t *ret_least, int64_t *ret_most);
/* Errors TWX_E_FULL: whole rows have to be copied, and temporary files have no room for them
 * (store/source_room.h). */
TWX_CHECK twx_rc twx_source_check_room(twx_source *s);
/* The SELECT of the persistent view flagged_documents, which other programs read. Columns that call
 * our SQL functions (store/page_functions.h) are NULL in it. Borrowed; NULL if the view is
 * impossible without these functions. */
const char *twx_source_select(const twx_source *s);
/* Hash of the mapping; signatures made under another mapping are stale. */
uint64_t twx_source_fingerprint(const twx_source *s);
/* An upper estimate of the number of documents. */
TWX_CHECK twx_rc twx_source_estimate(twx_source *s, uint64_t *ret_documents);

/* Shape  value[c] for every requested column, NULL elsewhere. */
typedef struct twx_source_row {
    twx_value scan_key;
    twx_value value[TWX_COLUMNS];
} twx_source_row;

/* Called for each row; sets *ret_enough to end the batch after this row. */
typedef twx_rc twx_source_fn(void *arg, const twx_source_row *row, bool *ret_enough);

/* The position of a scan.
 * Memory: embedded struct, zeroed by the caller; twx_source_cursor_done() at the end. */
typedef struct twx_source_cursor {
    twx_value after; /* bytes in `bytes` */
    char *bytes;
    size_t room; /* size of bytes */
    bool begun, ended;
    /* Of a source with twx_source_has_ranges(): reads only the keys from `first` to `last`. The
     * other members are 0 at first. */
    bool bounded;
    int64_t first, last;
} twx_source_cursor;

void twx_source_cursor_done(twx_source_cursor *cursor);
/* Which columns of a row are read. A row longer than the limit can still be listed by its scan key
 * if that is the rowid. */
typedef enum twx_source_want {
    TWX_WANT_KEYS,
    TWX_WANT_IDENTITY /* id and changed too */,
    /* all but text, title and description: avoids the overflow pages of a table whose text comes
     * last */
    TWX_WANT_OUTSIDE,
    TWX_WANT_WHOLE,
    TWX_WANTS
} twx_source_want;

/* Reads up to `limit` rows after the cursor in order of scan_key and moves the cursor to the last
 * row that fn has accepted. TWX_DONE: no rows are left. TWX_E_LIMIT: a row is longer than the row
 * limit; the rows before it have been passed to fn. */
typedef struct twx_source_batch {
    twx_source_want want;
    uint32_t limit;
    twx_source_fn *fn;
    void *arg;
    bool sample; /* no other batch follows, so the rows are not copied [R5] */
} twx_source_batch;
TWX_CHECK twx_rc twx_source_read(twx_source *s, twx_source_cursor *cursor,
                                 const twx_source_batch *batch);
/* Reads one complete row by its scan key. TWX_DONE: it does not exist (any more). After a scan that
 * copied complete rows, the row comes from that copy [R5]; otherwise a row of a join without an
 * index costs a scan. */
TWX_CHECK twx_rc twx_source_fetch(twx_source *s, const twx_value *scan_key, twx_source_fn *fn,
                                  void *arg);
/* The same by its id, without texts (TWX_WANT_OUTSIDE), for many rows in turn. */
TWX_CHECK twx_rc twx_source_outside(twx_source *s, const twx_value *id, twx_source_fn *fn,
                                    void *arg);
/* Appends the text of one document, by its id, for many in turn; nothing if it has none. Rows that
 * are copied are read from the copy, which is made first if need be [R5]. TWX_DONE: there is no
 * such document. */
TWX_CHECK twx_rc twx_source_text(twx_source *s, const twx_value *id, twx_buf *text);
/* Reads one complete row by its id. TWX_DONE: it does not exist. */
TWX_CHECK twx_rc twx_source_by_id(twx_source *s, const twx_value *id, twx_source_fn *fn, void *arg);
/* Finds documents by id or URL as the user typed it (id first). Calls fn for each; TWX_DONE:
 * none. */
TWX_CHECK twx_rc twx_source_find(twx_source *s, twx_slice url_or_id, twx_source_fn *fn, void *arg);
/* Calls fn for the URL of each document, in no order; other columns are not read. */
typedef twx_rc twx_source_url_fn(void *arg, twx_slice url);
TWX_CHECK twx_rc twx_source_urls(twx_source *s, twx_source_url_fn *fn, void *arg);

#endif
