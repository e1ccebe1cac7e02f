#include "inspect/detector_list.h"

static const char *basis_name(twx_basis basis) {
    static const char *const NAMES[] = {
        [TWX_BASIS_URL] = "URL",           [TWX_BASIS_TEXT] = "text",
        [TWX_BASIS_TITLE] = "title",       [TWX_BASIS_DESCRIPTION] = "description",
        [TWX_BASIS_PAGE] = "URL and text", [TWX_BASIS_NAME] = "name"};
    return NAMES[basis];
}

/* Local: a signature depends on the document alone. Global: statistics of the collection are needed
 * first. */
static const char *reach_name(const twx_detector *d) {
    return d->needs ? "global" : "local";
}

/* "near": can be used as near.detector. "verified": its pairs may also hide documents. "copy":
 * distinguishes copies from siblings. */
static const char *near_name(const twx_detector *d) {
    if (d->describes_name) return "copy";
    return !d->near ? "-" : d->verify ? "verified" : "near";
}

static json_t *detector_json(const twx_detector *d) {
    return json_pack("{s:i, s:s, s:i, s:s, s:s, s:b, s:b, s:s, s:s}", "id", d->id, "name", d->name,
                     "version", d->version, "basis", basis_name(d->basis), "reach", reach_name(d),
                     "near", (int)d->near, "verified", (int)(d->verify != NULL), "summary",
                     d->summary, "source", d->source);
}

twx_rc twx_detector_list_write(const twx_out *out, const twx_detector *(*at)(size_t i)) {
    const bool json = twx_out_is_json(out);
    const twx_detector *d = NULL;
    json_t *all = json ? json_array() : NULL;
    twx_rc rc = json ? TWX_OK
                     : twx_out_text(out, "%3s  %-18s %-6s  %-8s  %7s  %-12s %s\n", "id", "name",
                                    "reach", "near", "version", "looks at", "source");
    for (size_t i = 0; rc == TWX_OK && (d = at(i)); i++) {
        if (json)
            json_array_append_new(all, detector_json(d));
        else
            rc = twx_out_text(out, "%3d  %-18s %-6s  %-8s  %7d  %-12s %s\n     %s\n", d->id,
                              d->name, reach_name(d), near_name(d), d->version,
                              basis_name(d->basis), d->source, d->summary);
    }
    return json ? twx_out_json(out, all) : rc;
}
