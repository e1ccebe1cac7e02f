/* wings: import */
/* Law: the body is no longer than allowed, the status has three digits or is the default. */
#include "exact_copy.h"
#include "import/import.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    twx_slice in = exact_copy(data, size);
    twx_ctx cx = {0};
    twx_buf room = {.max = 1 << 20};
    twx_http http = {0};
    twx_buf_init(&http.robots, 1 << 12);
    twx_rc rc = twx_http_parse(&cx, in, 1 << 20, &room, &http);
    if (rc != TWX_OK && rc != TWX_E_LIMIT) abort();
    if (rc == TWX_OK && (http.status < 0 || http.status > 999)) abort();
    if (rc == TWX_OK && http.body.n > (size > 1 << 20 ? size : 1 << 20)) abort();
    twx_buf_done(&http.robots);
    twx_buf_done(&room);
    return exact_end();
}
