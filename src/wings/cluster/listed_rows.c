#include "cluster/listed_rows.h"

#include "base/alloc.h"
#include "sql_text.h"

enum { ROWS_AT_ONCE = 8192 };

/* A node with its next row. */
typedef struct twx_listed_node {
    twx_buf answer;
    twx_row_reader rest;
    size_t rows; /* of the answer that were read */
    bool has, ended;
    twx_slice place, stored;
    bool takes_part;
} listed_node;

static twx_rc fail_cut(const twx_listed_rows *rows) {
    return twx_fail(rows->j->job->cx, TWX_E_DATA, "cluster: the answer to 'read_listed' is cut");
}

/* The rows after that which was read last. */
static twx_rc ask(twx_listed_rows *rows, size_t number) {
    static const char DIGITS[] = "0123456789ABCDEF";
    listed_node *node = &rows->nodes[number];
    twx_ctx *cx = rows->j->job->cx;
    twx_statement read = TWX_JUDGING_STATEMENT("read_listed", READ_LISTED);
    twx_buf_clear(&rows->after);
    twx_rc rc = twx_buf_add_text(cx, &rows->after, "unhex('");
    for (size_t i = 0; rc == TWX_OK && i < node->place.n; i++) {
        const unsigned char c = (unsigned char)node->place.p[i];
        rc = twx_buf_add(cx, &rows->after, (char[]){DIGITS[c >> 4], DIGITS[c & 15]}, 2);
    }
    if (rc == TWX_OK) rc = twx_buf_add_text(cx, &rows->after, "')");
    if (rc != TWX_OK) return rc;
    read.run = rows->j->run;
    read.pass = rows->order;
    read.batch = ROWS_AT_ONCE;
    read.key = rows->after.p;
    twx_buf_clear(&node->answer);
    rc = twx_nodes_run(rows->j->nodes, number, &read, (twx_slice){NULL, 0}, &node->answer);
    node->rest = (twx_row_reader){.rest = twx_buf_slice(&node->answer)};
    node->rows = 0;
    node->ended = node->answer.n == 0;
    return rc;
}

static twx_rc fill(twx_listed_rows *rows, size_t number) {
    listed_node *node = &rows->nodes[number];
    twx_rc rc = TWX_OK;
    if (node->has || node->ended) return TWX_OK;
    if (node->rest.rest.n == 0) {
        node->ended = node->rows > 0 && node->rows < ROWS_AT_ONCE;
        rc = node->ended ? TWX_OK : ask(rows, number);
        if (rc != TWX_OK || node->ended) return rc;
    }
    node->place = twx_row_string(&node->rest);
    node->takes_part = twx_row_number(&node->rest, 1) != 0;
    node->stored = twx_row_string(&node->rest);
    node->rows++;
    node->has = true;
    return node->rest.broken || node->place.n < TWX_UID_BYTES ? fail_cut(rows) : TWX_OK;
}

static bool is_before(twx_slice a, twx_slice b) {
    const int order = memcmp(a.p, b.p, a.n < b.n ? a.n : b.n);
    return order ? order < 0 : a.n < b.n;
}

twx_rc twx_listed_rows_next(twx_listed_rows *rows, twx_listed_row *ret_row) {
    listed_node *first = NULL;
    twx_rc rc = TWX_OK;
    for (size_t i = 0; rc == TWX_OK && i < rows->n; i++) {
        listed_node *node = &rows->nodes[i];
        rc = fill(rows, i);
        if (rc == TWX_OK && node->has && (!first || is_before(node->place, first->place)))
            first = node;
    }
    if (rc != TWX_OK || !first) return rc == TWX_OK ? TWX_DONE : rc;
    first->has = false;
    twx_row_reader stored = {.rest = first->stored};
    *ret_row = (twx_listed_row){
        .uid = twx_uid_read(first->place.p + first->place.n - TWX_UID_BYTES),
        .takes_part = first->takes_part};
    if (rows->order != TWX_LISTED_BY_ID) return TWX_OK;
    ret_row->facts = twx_row_string(&stored);
    ret_row->record = stored.rest;
    return stored.broken ? fail_cut(rows) : TWX_OK;
}

twx_rc twx_listed_rows_open(twx_judging *j, twx_listed_order order, twx_listed_rows *ret_rows) {
    *ret_rows = (twx_listed_rows){.j = j, .order = order, .n = twx_nodes_count(j->nodes)};
    twx_buf_init(&ret_rows->after, TWX_STATEMENT_BYTES);
    ret_rows->nodes = twx_calloc(j->job->cx, ret_rows->n, sizeof *ret_rows->nodes);
    if (!ret_rows->nodes) return TWX_E_NOMEM;
    for (size_t i = 0; i < ret_rows->n; i++)
        twx_buf_init(&ret_rows->nodes[i].answer, (size_t)TWX_ANSWER_BYTES);
    return TWX_OK;
}

void twx_listed_rows_close(twx_listed_rows *rows) {
    for (size_t i = 0; rows->nodes && i < rows->n; i++) twx_buf_done(&rows->nodes[i].answer);
    twx_free(rows->nodes);
    twx_buf_done(&rows->after);
    *rows = (twx_listed_rows){0};
}
