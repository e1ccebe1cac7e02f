/* wings: lab */
/* Law: labels are refused with file and line, or, printed and read again, are the same. */
#include "exact_copy.h"
#include "lab/lab.h"

static twx_rc read_labels(twx_ctx *cx, twx_slice bytes, twx_eval_labels *ret_labels) {
    twx_input *in = NULL;
    const twx_url_options options = {0};
    twx_ctx_init(cx);
    if (twx_input_of_bytes(cx, "labels", bytes, &in) != TWX_OK) abort();
    twx_rc rc = twx_eval_labels_read(cx, &options, in, ret_labels);
    twx_input_close(in);
    return rc;
}

static void print_labels(twx_ctx *cx, const twx_eval_labels *l, twx_buf *out) {
    /* so that no URL at the beginning is taken for the magic number of a compressed file */
    twx_rc rc = twx_buf_add_slice(cx, out, TWX_SLICE_LIT("#\n"));
    for (size_t i = 0; rc == TWX_OK && l->clusters && i < l->urls.n; i++) {
        if (l->urls.at[i].cluster >= l->n_clusters) abort();
        rc = twx_buf_add_slice(cx, out, l->urls.at[i].url);
        if (rc == TWX_OK) rc = twx_buf_printf(cx, out, "\t%u\n", l->urls.at[i].cluster);
    }
    for (size_t i = 0; rc == TWX_OK && i < l->pairs.n; i++) {
        const twx_eval_label_pair *p = &l->pairs.at[i];
        if (p->a >= l->urls.n || p->b >= l->urls.n || p->a == p->b) abort();
        rc = twx_buf_add_slice(cx, out, l->urls.at[p->a].url);
        if (rc == TWX_OK) rc = twx_buf_add_char(cx, out, '\t');
        if (rc == TWX_OK) rc = twx_buf_add_slice(cx, out, l->urls.at[p->b].url);
        if (rc == TWX_OK) rc = twx_buf_printf(cx, out, "\t%d\n", p->same);
    }
    if (rc != TWX_OK) abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    twx_slice bytes = exact_copy(data, size);
    twx_ctx cx;
    twx_eval_labels once, twice;
    twx_buf printed = {.max = SIZE_MAX / 2};
    twx_rc rc = read_labels(&cx, bytes, &once);
    if (rc != TWX_OK && (rc != TWX_E_DATA || cx.message[0] == '\0')) abort();
    if (rc == TWX_OK) {
        print_labels(&cx, &once, &printed);
        if (read_labels(&cx, twx_buf_slice(&printed), &twice) != TWX_OK) abort();
        if (once.clusters != twice.clusters || once.urls.n != twice.urls.n ||
            once.pairs.n != twice.pairs.n || once.n_clusters != twice.n_clusters)
            abort();
        twx_eval_labels_done(&once);
        twx_eval_labels_done(&twice);
    }
    twx_buf_done(&printed);
    return exact_end();
}
