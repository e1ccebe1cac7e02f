/* Law: a line is a capture with a URL, or a fault with a reason. */
#include "exact_copy.h"
#include "ingest/jsonl.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    twx_slice in = exact_copy(data, size);
    twx_ctx cx;
    twx_jsonl *jsonl = NULL;
    twx_capture capture;
    const char *fault = NULL;
    twx_ctx_init(&cx);
    if (twx_jsonl_open(&cx, &jsonl) != TWX_OK) abort();
    twx_rc rc = twx_jsonl_parse(jsonl, in, &capture, &fault);
    if (rc == TWX_OK ? capture.url.n == 0 : !fault) abort();
    twx_jsonl_close(jsonl);
    free((void *)(uintptr_t)in.p);
    return 0;
}
