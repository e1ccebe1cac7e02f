/* store/internal.h: what the files of this room share with each other and with its tests; other
 * rooms include store/store.h. */
#ifndef TWX_STORE_INTERNAL_H
#define TWX_STORE_INTERNAL_H

#include "page/page.h"
#include "store/store.h"

/* batch_plan (source_check.c): finds out from the query plan of a statement that is repeated
 * whether it reads the store more than once.
 * [R1] A plan repeats work for each batch if it sorts, builds an automatic index, or materializes a
 * subquery or view: each batch then reads the rows of the store again, and a scan costs quadratic
 * time. Steps of a correlated subquery run once per row and do not count. */

typedef struct twx_plan {
    bool repeats; /* [R1] */
    bool scans;   /* reads a table, not counting correlated subqueries, from its beginning */
} twx_plan;

TWX_CHECK twx_rc twx_plan_of(twx_db *db, sqlite3_stmt *stmt, twx_plan *ret_plan);

/* mapping.c: the name in double quotes, owned; NULL: out of memory. */
char *twx_quoted_name(twx_ctx *cx, twx_slice name);

/* flag_views.c: the views through which users read a generation of the flags. */

typedef struct twx_flag_views {
    char generation;
    bool direct;        /* document numbers are the ids */
    const char *select; /* of the source, for flagged_documents; NULL: without that view */
} twx_flag_views;

/* Creates them, in place of those that exist. The caller owns the transaction. */
TWX_CHECK twx_rc twx_flag_views_point(twx_db *db, const twx_flag_views *views);
/* Creates TEMP views, also where others have taken their names in the store. */
TWX_CHECK twx_rc twx_flag_views_temporary(twx_db *db, const twx_flag_views *views);

/* table_sample (guess_columns.c): private to store/: the tables of a store that could hold
 * documents, with statistics of a sample of their columns. [R1] A path of a JSON column counts
 * as a column. [R2] The content of an FTS table is read from the table NAME_content. [R3] Reads
 * at most TWX_SAMPLE_ROWS rows of each table. */

enum { TWX_SAMPLE_ROWS = 40 };

/* The expression is before, the alias of the table, column, after: "CAST(t.\"data\" AS TEXT) ->>
 * '$.html'". Memory: owned. */
typedef struct twx_sampled_column {
    char *name, *before, *column, *after;
    size_t kinds[TWX_CONTENTS], filled, integers, blobs;
    int64_t largest;          /* of the integers */
    size_t bytes, text_bytes; /* text_bytes: decompressed and without markup */
    size_t packed_html;
} twx_sampled_column;

typedef enum twx_sampled_kind {
    TWX_SAMPLED_TABLE,
    TWX_SAMPLED_FTS,
    TWX_SAMPLED_VIEW
} twx_sampled_kind;

typedef struct twx_sampled_table {
    char *name, *from; /* from: quoted */
    char *key;         /* quoted column that identifies rows; NULL: none is declared */
    twx_sampled_kind kind;
    bool without_rowid;
    bool unfit;  /* has a column that no setting can name, which is not in `columns` */
    size_t rows; /* number of rows in the sample */
    TWX_VEC(twx_sampled_column) columns;
} twx_sampled_table;

typedef TWX_VEC(twx_sampled_table) twx_sampled_tables;

/* Appends every readable table and view that is not Twindex's and that a setting can name.
 * ret_tables: zeroed by the caller. */
TWX_CHECK twx_rc twx_sample_tables(twx_db *db, twx_sampled_tables *ret_tables);
void twx_sampled_tables_done(twx_sampled_tables *tables);
/* Whether more than half of the non-empty values are of this kind. */
bool twx_mostly(const twx_sampled_column *c, twx_content kind);

/* guess_columns.c: private to store/: finds the URL and text columns of a sampled table, and
 * whether its rows are documents, versions of documents, or parts of their texts. */

enum { TWX_NO_COLUMN = -1 };

/* A table (borrowed), and the indexes of the columns that matter. */
typedef struct twx_candidate {
    const twx_sampled_table *t;
    int url, text, host, path; /* TWX_NO_COLUMN: there is no such column */
} twx_candidate;

twx_candidate twx_candidate_of(const twx_sampled_table *t);
const twx_sampled_column *twx_candidate_column(const twx_candidate *c, int place);
bool twx_has_url(const twx_candidate *c); /* or a host and a path */
/* Whether the name is one of the usual names of a TWX_COL_*. */
bool twx_is_usual(size_t column, const twx_sampled_column *c);
bool twx_is_packed_html(const twx_sampled_column *c);

typedef struct twx_repeats {
    bool repeated; /* the value is in several rows */
    /* if repeated: the column that numbers the parts of a text; TWX_NO_COLUMN: none */
    int position;
} twx_repeats;

/* value: an expression over the table. */
TWX_CHECK twx_rc twx_look_for_repeats(twx_db *db, const twx_sampled_table *t, const char *value,
                                      twx_repeats *ret);
/* The date column that determines the latest row, and the key column; NULL: none. Borrowed. */
const char *twx_date_column(const twx_sampled_table *t);
const char *twx_row_key(const twx_sampled_table *t);

/* guess_others (guess_columns.c): private to store/: writes the settings of a suggestion besides
 * table, id, URL and text: columns with the usual names, and what an HTML page says about itself.
 * Memory: everything is borrowed. */

enum { TWX_SIDES = 3, TWX_SIDE_COLUMNS = 200 /* further columns of a table are not looked at */ };

/* A table of the FROM clause. */
typedef struct twx_guess_side {
    const twx_candidate *c;
    const char *alias; /* "", "t.", ... */
    bool used[TWX_SIDE_COLUMNS];
} twx_guess_side;

/* What the other columns are written from. */
typedef struct twx_others {
    twx_guess_side at[TWX_SIDES]; /* the first of two equally good columns counts */
    size_t n;
    const twx_candidate *text; /* the table of the text if its rows are read; NULL: they are not */
    const char *url;           /* expression for the URL of the page */
    const twx_sampled_column *page; /* of HTML, in the table of the text; NULL: none */
    const char *page_alias;
} twx_others;

/* alias: "", or that of the table with its dot. */
TWX_CHECK twx_rc twx_write_column(twx_ctx *cx, twx_buf *out, const twx_sampled_column *c,
                                  const char *alias);
/* links: n columns by which the tables are joined; NULL: none. */
TWX_CHECK twx_rc twx_write_others(twx_ctx *cx, twx_buf *out, twx_others *o,
                                  const char *const *links, size_t n);

/* page_functions (db.c): registers the functions of page/page_values.c on the connection that
 * reads a store, for use in mappings.
 * [R1] Direct-only: a mapping can call them, the schema of the store cannot. [R2] A value that is
 * neither text nor blob is converted to text; NULL gives NULL. [R3] A result is at most as long as
 * a row (run.row_bytes). */

typedef struct twx_page_functions twx_page_functions;

/* source_check.c: private to store/: checks what a mapping reads, and chooses the scan key. */

/* The parts of a mapping that call a function of store/db.c, so that only Twindex can
 * compute them: which columns, and whether the choice of rows does. */
typedef struct twx_unshown {
    bool columns[TWX_COLUMNS], rows;
} twx_unshown;

/* Prepares every expression of the mapping. beyond: becomes twx_source_beyond(). Errors
 * TWX_E_CONFIG: one of them is invalid, or reads something that needs allow_view; the message names
 * it. */
TWX_CHECK twx_rc twx_mapping_check(twx_db *db, const twx_mapping *m, twx_unshown *ret_unshown,
                                   char beyond[TWX_BEYOND_BYTES]);

typedef struct twx_scan_key {
    const char *expression; /* borrowed from m, or static */
    bool is_rowid;
    bool is_id; /* the rowid is the mapped id, so it is the document number */
} twx_scan_key;

/* Errors TWX_E_CONFIG: the mapped id is a rowid, which VACUUM may change. */
TWX_CHECK twx_rc twx_scan_key_choose(twx_db *db, const twx_mapping *m, twx_scan_key *ret_key);

/* source_room (source_check.c): checks the free space for the copy that a join needs
 * (store/source.c).
 * [R1] A copy that cannot fit is refused before its first byte is written; the message gives the
 * directory, the space needed and the space free. If free space is at least the size of the store,
 * nothing is read; otherwise the documents are counted and the size of their rows is estimated from
 * a sample. */

/* columns: the columns of the view source_document that are copied. Errors TWX_E_FULL,
 * TWX_E_NOSTORE (there is no directory for temporary files). */
TWX_CHECK twx_rc twx_source_room_check(twx_db *db, const char *columns);

/* template (flag_views.c): private to store/: SQL whose names depend on the generation and on the
 * kind of ids. {g} is the generation; {own} and {other} are the values of twindex_flag.only_in for
 * rows that it or the other one alone has, and {rows} are all of its rows. {temp} is TEMP for
 * views of one connection. {f} is the FROM clause that has the flags of generation {g} as f, and
 * {id} is the source's id in it. {<}x{>} is the source's id of document number x. {select} is the
 * source's SELECT. {representative} is the id of the document whose number is in {column}, and
 * {shard} the name of its store, NULL for this one; if the generation has `remotes`, {alternates}
 * adds those in other stores. {filter} and {score} are expressions of rules, {whole} is the weight
 * of whole_title(), {order} sorts hits. {r} has the flags of a hit with numbers of documents,
 * joined by {numbers} unless f has them. {weights}, {parts}, {names} and {sum} are lists in which
 * each item begins with ", " or, for {sum}, with " + ". From the table of flags (base/base.h),
 * with ", " before each item: {columns} are the stored columns; {parameters} are ?2, ?3, ... for
 * the stored columns; {flags} are the columns of document_flags and {flag_names} their names.
 * {flag} is one flag; {column} and {beside} are the stored columns it is computed from. From its
 * table of groups: {groups} is a SELECT of the members for each relation, followed by UNION ALL;
 * {relation} is the name of one and {similarity} an expression for how similar its members are. */

typedef struct twx_template {
    char generation;    /* 'a' or 'b'; 0: both, where {own} is allowed alone */
    bool direct;        /* document numbers are the ids */
    bool remotes;       /* representatives may be in other stores (store/remotes.c) */
    const char *select; /* this and the following are NULL if the template does not use them */
    const char *filter, *score, *weights, *whole, *parts, *sum, *names, *order;
    const char *flag, *column, *beside;
    const char *relation, *similarity;
    bool temporary;
} twx_template;

TWX_CHECK twx_rc twx_template_fill(twx_ctx *cx, twx_buf *out, const char *sql,
                                   const twx_template *t);

#endif
