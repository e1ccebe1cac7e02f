/* wings: import */
/* Law: a record is a document with a URL, or a fault with a reason, or no document on purpose; as
 * JSON and as a row of CSV. */
#include "exact_copy.h"
#include "import/import.h"

static void check(twx_rc rc, const twx_item *item, const char *fault) {
    if (rc == TWX_OK && item->capture.url.n == 0) abort();
    if (rc == TWX_E_DATA && !fault) abort();
    if (rc != TWX_OK && rc != TWX_DONE && rc != TWX_E_DATA) abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    twx_slice in = exact_copy(data, size);
    twx_ctx cx = {0};
    twx_arena arena = {0};
    twx_items *items = NULL;
    twx_item item;
    twx_csv_header header;
    const char *fault = NULL;
    if (twx_items_open(&cx, &items) != TWX_OK) abort();
    twx_rc rc = twx_items_of_json(items, in, &item, &fault);
    check(rc, &item, fault);
    fault = NULL;
    if (twx_csv_header_read(&cx, &arena, TWX_SLICE_LIT("url,text,\"a\"\"b\",title"), &header) !=
        TWX_OK)
        abort();
    rc = twx_items_of_row(items, &header, in, &item, &fault);
    check(rc, &item, fault);
    if (twx_csv_header_read(&cx, &arena, in, &header) != TWX_OK) abort();
    twx_items_close(items);
    twx_arena_done(&arena);
    return exact_end();
}
