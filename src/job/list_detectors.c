#include "job/list_detectors.h"

#include "detect/detector.h"

static const char *basis_name(twx_basis basis) {
    static const char *const NAMES[] = {[TWX_BASIS_URL] = "URL",
                                        [TWX_BASIS_TEXT] = "text",
                                        [TWX_BASIS_TITLE] = "title",
                                        [TWX_BASIS_DESCRIPTION] = "description",
                                        [TWX_BASIS_PAGE] = "URL and text"};
    return NAMES[basis];
}

twx_rc twx_list_detectors(const twx_job *job, const twx_out *out) {
    (void)job;
    json_t *all = json_array();
    twx_rc rc = TWX_OK;
    if (!twx_out_is_json(out))
        rc = twx_out_text(out, "%3s  %-17s %7s  %-12s %s\n", "id", "name", "version", "looks at",
                          "source");
    for (size_t i = 0; rc == TWX_OK && twx_detector_at(i); i++) {
        const twx_detector *d = twx_detector_at(i);
        if (twx_out_is_json(out))
            json_array_append_new(all, json_pack("{s:i, s:s, s:i, s:s, s:s, s:s}", "id", d->id,
                                                 "name", d->name, "version", d->version, "basis",
                                                 basis_name(d->basis), "summary", d->summary,
                                                 "source", d->source));
        else
            rc = twx_out_text(out, "%3d  %-17s %7d  %-12s %s\n     %s\n", d->id, d->name,
                              d->version, basis_name(d->basis), d->source, d->summary);
    }
    if (rc == TWX_OK && twx_out_is_json(out)) return twx_out_json(out, all);
    json_decref(all);
    return rc;
}
