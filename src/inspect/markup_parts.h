/* inspect/markup_parts.h: the parts that sections of the report page are made of: tables of
 * numbers, and how a figure is obtained. */
#ifndef TWX_INSPECT_MARKUP_PARTS_H
#define TWX_INSPECT_MARKUP_PARTS_H

#include "inspect/markup.h"
#include "inspect/plot.h"
#include "inspect/store_report.h"

enum { TWX_PLOT_WIDE = 760, TWX_PLOT_NARROW = 320 };

typedef struct twx_markup_column {
    const char *name;
    bool number; /* aligned to the right */
} twx_markup_column;

/* caption: a text of the program. sortable: by a click on a heading. The table stands in a region
 * that scrolls sideways. */
typedef struct twx_markup_table {
    const char *id; /* NULL: none */
    const char *caption;
    const twx_markup_column *columns;
    size_t n;
    bool sortable;
} twx_markup_table;

void twx_table_begin(twx_markup *h, const twx_markup_table *t);
void twx_table_end(twx_markup *h);
void twx_count_cell(twx_markup *h, uint64_t n);

/* A disclosure with the table that belongs to a plot or a list: begin, the table, end. */
void twx_numbers_begin(twx_markup *h, const char *summary);
void twx_numbers_end(twx_markup *h);

/* How a figure is obtained: `twindex` with these arguments around the store's path, or a
 * statement, shown without its comments. Either may be NULL. limit: of the command and, in place of
 * ?1, of the statement; 0: none. */
typedef struct twx_markup_source {
    const char *command, *options; /* "groups", " --detector exact" */
    const char *sql;
    int limit;
    const char *note;
} twx_markup_source;
void twx_source_note(twx_markup *h, const twx_store_report *r, const twx_markup_source *source);

/* The seconds since 1970 as "2026-11-22 09:20"; "" if they are out of range. */
enum { TWX_TIME_BYTES = 32 };
const char *twx_minute_text(int64_t seconds, char room[TWX_TIME_BYTES]);

#endif
