/* wings: import */
/* Law: records come in order, inside the input, and the reader ends. */
#include "exact_copy.h"
#include "import/import.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    twx_slice in = exact_copy(data, size);
    twx_ctx cx = {0};
    twx_input *input = NULL;
    twx_warc *warc = NULL;
    if (twx_input_of_bytes(&cx, "fuzz", in, &input) != TWX_OK ||
        twx_warc_open(&cx, input, 1 << 16, &warc) != TWX_OK)
        abort();
    uint64_t last = 0;
    twx_rc rc = TWX_OK;
    while (rc == TWX_OK || (rc == TWX_E_DATA && cx.rc == TWX_OK)) {
        twx_warc_record r;
        const char *fault = NULL;
        rc = twx_warc_next(warc, &r, &fault);
        if (rc == TWX_OK && (r.offset < last || r.block.n > 1 << 16)) abort();
        if (rc == TWX_OK) last = r.offset;
        if (rc == TWX_E_DATA && cx.rc == TWX_OK && !fault) abort();
    }
    twx_warc_close(warc);
    twx_input_close(input);
    return exact_end();
}
