#include "predict/learn_summary.h"

#include <inttypes.h>

#include "base/plural.h"

static json_t *summary_json(const twx_learn_summary *s) {
    json_t *list = json_array();
    for (size_t i = 0; i < TWX_HYPOTHESES; i++) {
        const twx_learned_row *row = &s->rows[i];
        json_array_append_new(
            list,
            json_pack("{s:i, s:s, s:o, s:o, s:o, s:o}", "hypothesis", TWX_HYPOTHESIS[i].number,
                      "form", TWX_HYPOTHESIS[i].form, "contexts", twx_json_count(row->contexts),
                      "confident", twx_json_count(row->confident), "dup", twx_json_count(row->dup),
                      "nodup", twx_json_count(row->nodup)));
    }
    return json_pack("{s:I, s:o, s:o, s:o, s:o, s:o, s:o}", "run", (json_int_t)s->run, "urls",
                     twx_json_count(s->urls), "share", twx_json_count(s->share), "seen_keys",
                     twx_json_count(s->seen_keys), "rows_written", twx_json_count(s->rows_written),
                     "no_page", twx_json_count(s->no_page), "hypotheses", list);
}

twx_rc twx_learn_summary_write(const twx_out *out, const twx_learn_summary *s) {
    if (twx_out_is_json(out)) return twx_out_json(out, summary_json(s));
    twx_rc rc = twx_out_text(out, "%s: learned from %" PRIu64 " %s of run %" PRId64 "\n", s->store,
                             s->urls, twx_plural(s->urls, "URL", "URLs"), s->run);
    if (rc == TWX_OK && s->share > 1)
        rc = twx_out_text(
            out, "  of all paths, one in %" PRIu64 " was looked at, to stay within run.memory\n",
            s->share);
    if (rc == TWX_OK && s->no_page)
        rc = twx_out_text(out, "  %12" PRIu64 "  documents take no part or have no text\n",
                          s->no_page);
    if (rc == TWX_OK)
        rc = twx_out_text(out,
                          "  %12" PRIu64 "  rows written\n\n"
                          "  hypothesis           learned  confident   duplicates  others\n",
                          s->rows_written);
    for (size_t i = 0; rc == TWX_OK && i < TWX_HYPOTHESES; i++)
        rc = twx_out_text(out,
                          "  %2d %-16s %8" PRIu64 "  %9" PRIu64 "  %11" PRIu64 "  %" PRIu64 "\n",
                          TWX_HYPOTHESIS[i].number, TWX_HYPOTHESIS[i].form, s->rows[i].contexts,
                          s->rows[i].confident, s->rows[i].dup, s->rows[i].nodup);
    return rc;
}
