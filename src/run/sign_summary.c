#include "run/sign_summary.h"

#include <string.h>

void twx_sign_counts_add(twx_sign_counts *to, const twx_sign_counts *counts) {
    to->read += counts->read;
    to->signed_now += counts->signed_now;
    to->written += counts->written;
    to->deleted += counts->deleted;
    to->text_bytes += counts->text_bytes;
    to->bad_urls += counts->bad_urls;
    to->bad_ids += counts->bad_ids;
    to->bad_utf8 += counts->bad_utf8;
    to->odd_values += counts->odd_values;
    to->too_long += counts->too_long;
}

void twx_sign_oddities(const twx_sign_counts *c, twx_count_row ret_rows[TWX_SIGN_ODDITIES]) {
    const twx_count_row rows[TWX_SIGN_ODDITIES] = {
        {"bad_urls", "without an absolute URL", .n = c->bad_urls},
        {"bad_ids", "without an id, or with id -2^63 (left out)", .n = c->bad_ids},
        {"invalid_utf8", "with text that is not valid UTF-8", .n = c->bad_utf8},
        {"odd_values", "with an invalid status or date", .n = c->odd_values},
        {"too_long", "longer than run.row_bytes (left out)", .n = c->too_long}};
    memcpy(ret_rows, rows, sizeof rows);
}

twx_rc twx_sign_summary_write(const twx_out *out, const twx_sign_summary *s) {
    enum { OWN = 5 };
    const twx_sign_counts *c = &s->counts;
    twx_count_row rows[OWN + TWX_SIGN_ODDITIES] = {
        {"documents", "documents", .n = s->documents, .always = true},
        {"read", "read", .n = c->read, .always = true},
        {"signed", "signed now", NULL, c->signed_now, c->text_bytes, true, true},
        {"deleted", "gone", .n = c->deleted, .always = true},
        {"text_bytes", .n = c->text_bytes}};
    twx_sign_oddities(c, rows + OWN);
    return twx_count_result_write(out, s->store, "signatures", rows, TWX_COUNTOF(rows), s->seconds);
}
