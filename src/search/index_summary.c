#include "search/index_summary.h"

#include <inttypes.h>

static twx_rc write_dropped(const twx_out *out, const twx_index_summary *s) {
    if (twx_out_is_json(out)) return twx_out_json(out, json_pack("{s:b}", "dropped", (int)s->had));
    return twx_out_text(out, "%s: %s\n", s->store,
                        s->had ? "the text index is dropped" : "there is no text index");
}

twx_rc twx_index_summary_write(const twx_out *out, const twx_index_summary *s) {
    if (s->drop) return write_dropped(out, s);
    if (twx_out_is_json(out))
        return twx_out_json(out, json_pack("{s:o, s:o, s:o, s:o, s:f}", "documents",
                                           twx_json_count(s->documents), "indexed",
                                           twx_json_count(s->indexed), "forgotten",
                                           twx_json_count(s->forgotten), "text_bytes",
                                           twx_json_count(s->text_bytes), "seconds", s->seconds));
    return twx_out_text(
        out,
        "%s: text index\n  %12" PRIu64 "  documents with words (%.1f MB)\n  %12" PRIu64
        "  indexed now\n  %12" PRIu64 "  gone\n  %12.2f  seconds\n",
        s->store, s->documents, (double)s->text_bytes / 1e6, s->indexed, s->forgotten, s->seconds);
}
