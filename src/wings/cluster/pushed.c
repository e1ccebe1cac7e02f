#include "cluster/pushed.h"

#include <stdlib.h>

#include "cluster/row_binary.h"
#include "sql_text.h"

static int by_doc(const void *left, const void *right) {
    const twx_pushed *a = left, *b = right;
    return (a->doc > b->doc) - (a->doc < b->doc);
}

twx_rc twx_pushed_parse(twx_ctx *cx, twx_slice rows, twx_pushed_list *list) {
    twx_row_reader r = {.rest = rows};
    while (r.rest.n > 0) {
        const int64_t doc = (int64_t)twx_row_number(&r, 8);
        const twx_pushed e = {doc, twx_row_number(&r, 8)};
        if (r.broken)
            return twx_fail(cx, TWX_E_DATA, "cluster: the answer to 'pushed' is not complete");
        if (!TWX_VEC_PUSH(cx, list, e)) return TWX_E_NOMEM;
    }
    if (list->n > 1) qsort(list->at, list->n, sizeof *list->at, by_doc);
    return TWX_OK;
}

twx_rc twx_pushed_read(twx_ctx *cx, twx_nodes *nodes, uint32_t shard, twx_pushed_list *ret_list) {
    twx_statement statement = TWX_CLUSTER_STATEMENT("pushed", PUSHED);
    twx_buf answers;
    statement.shard = shard;
    twx_buf_init(&answers, TWX_ANSWER_BYTES);
    twx_rc rc = twx_nodes_run_all(nodes, &statement, &answers);
    if (rc == TWX_OK) rc = twx_pushed_parse(cx, twx_buf_slice(&answers), ret_list);
    twx_buf_done(&answers);
    return rc;
}
