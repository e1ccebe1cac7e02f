#include "run/sign_summary.h"

#include <inttypes.h>

static twx_rc write_json(const twx_out *out, const twx_sign_summary *s) {
    const struct {
        const char *name;
        uint64_t value;
    } counts[] = {{"documents", s->documents},   {"read", s->read},
                  {"signed", s->signed_now},     {"deleted", s->deleted},
                  {"text_bytes", s->text_bytes}, {"bad_urls", s->bad_urls},
                  {"bad_ids", s->bad_ids},       {"invalid_utf8", s->bad_utf8},
                  {"odd_values", s->odd_values}, {"too_long", s->too_long}};
    json_t *root = json_object();
    for (size_t i = 0; root && i < TWX_COUNTOF(counts); i++)
        (void)json_object_set_new(root, counts[i].name, twx_json_count(counts[i].value));
    if (root) (void)json_object_set_new(root, "seconds", json_real(s->seconds));
    return twx_out_json(out, root);
}

twx_rc twx_sign_summary_write(const twx_out *out, const twx_sign_summary *s) {
    const struct {
        const char *what;
        uint64_t value;
    } lines[] = {{"without an absolute URL", s->bad_urls},
                 {"without an id, or with id -2^63 (left out)", s->bad_ids},
                 {"with text that is not valid UTF-8", s->bad_utf8},
                 {"with an invalid status or date", s->odd_values},
                 {"longer than run.row_bytes (left out)", s->too_long}};
    if (twx_out_is_json(out)) return write_json(out, s);
    twx_rc rc = twx_out_text(
        out,
        "%s: signatures\n  %12" PRIu64 "  documents\n  %12" PRIu64 "  read\n  %12" PRIu64
        "  signed now (%.1f MB)\n  %12" PRIu64 "  gone\n",
        s->store, s->documents, s->read, s->signed_now, (double)s->text_bytes / 1e6, s->deleted);
    for (size_t i = 0; rc == TWX_OK && i < TWX_COUNTOF(lines); i++)
        if (lines[i].value)
            rc = twx_out_text(out, "  %12" PRIu64 "  %s\n", lines[i].value, lines[i].what);
    return rc == TWX_OK ? twx_out_text(out, "  %12.2f  seconds\n", s->seconds) : rc;
}
