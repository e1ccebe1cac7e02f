/* The bytes are the stored facts of a document, and a value of a source: a date, a number, a robots
 * text, UTF-8. Laws: facts are unpacked within their bytes or refused as corrupt, and packed again
 * they are the same bytes; a value that is read is within its range, and without white space around
 * it the same. */
#include "exact_copy.h"
#include "judge/judge.h"

/* of the years 1 and 9999 */
static const int64_t FIRST = -62135596800, LAST = 253402300799, DAY = 86400;

static void check_facts(twx_slice bytes) {
    twx_ctx cx = {0};
    twx_facts facts;
    twx_buf again = {.max = SIZE_MAX / 2};
    const twx_rc rc = twx_facts_unpack(&cx, bytes, &facts);
    law(rc == TWX_OK || (rc == TWX_E_CORRUPT && cx.message[0]));
    if (rc == TWX_OK) {
        law(facts.url.p + facts.url.n == bytes.p + bytes.n && facts.host.n <= bytes.n);
        law(facts.host.n == 0 ||
            (facts.host.p >= bytes.p && facts.host.p + facts.host.n <= bytes.p + bytes.n));
        law(twx_facts_pack(&cx, &facts, &again) == TWX_OK);
        law(twx_slice_eq(twx_buf_slice(&again), bytes));
    }
    twx_buf_done(&again);
}

static void check_values(twx_slice text) {
    uint64_t count = 0, size = 0;
    int64_t seconds = 0;
    (void)twx_read_share(text, &size);
    if (twx_read_count(text, &count) && twx_read_size(text, &size)) law(size == count);
    if (twx_iso8601_parse(text, &seconds)) law(seconds >= FIRST - DAY && seconds <= LAST + DAY);
    law(twx_robots_noindex(text) == twx_robots_noindex(text));
    if (twx_utf8_valid(text))
        for (size_t at = 0; at < text.n; at++)
            law((unsigned char)text.p[at] != 0xFF && (unsigned char)text.p[at] != 0xC0);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    const twx_slice bytes = exact_copy(data, size);
    check_facts(bytes);
    check_values(bytes);
    return exact_end();
}
