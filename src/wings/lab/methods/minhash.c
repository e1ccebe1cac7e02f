/* The detector `minhash`: the payload is the sketch (sign/sketch.c), 128 bytes a text; the
 * only stored key is the hash of the sketch. */
#include "lab/lab.h"

twx_rc twx_minhash_text(twx_ctx *cx, twx_arena *scratch, const twx_boilerplate *boilerplate,
                        twx_slice text, unsigned char ret_sketch[TWX_MINHASH_BYTES]) {
    twx_shingles shingles;
    twx_rc rc = twx_page_shingles(cx, scratch, text, &shingles);
    if (rc != TWX_OK) return rc;
    if (shingles.n == 0) return TWX_DONE;
    size_t kept = 0;
    for (size_t i = 0; boilerplate && i < shingles.n; i++)
        if (!twx_boilerplate_has(boilerplate, shingles.at[i])) shingles.at[kept++] = shingles.at[i];
    if (kept > 0) shingles.n = kept; /* else all are boilerplate, and the array is as it was */
    return twx_minhash_shingles(cx, scratch, &shingles, ret_sketch);
}

/* its settings, in order */
enum { BOILERPLATE, THRESHOLD };

static twx_rc sign(twx_ctx *cx, twx_workspace *w, const twx_params *params, const twx_document *doc,
                   twx_signature *ret_signature) {
    const twx_collection *known = twx_method_value(params, &TWX_DETECTOR_MINHASH, BOILERPLATE)
                                      ? params->collection
                                      : NULL;
    twx_arena *scratch = twx_workspace_scratch(w);
    unsigned char *sketch = twx_arena_alloc(cx, scratch, TWX_MINHASH_BYTES, 1);
    if (!sketch) return TWX_E_NOMEM;
    twx_rc rc = twx_minhash_text(cx, scratch, known ? known->boilerplate : NULL, doc->text, sketch);
    if (rc != TWX_OK) return rc == TWX_DONE ? TWX_OK : rc;
    const twx_slice payload = {(const char *)sketch, TWX_MINHASH_BYTES};
    return twx_signature_set_payload(cx, payload, ret_signature);
}

static size_t candidates(const twx_params *params, const twx_signed *from, twx_key *ret_keys) {
    const size_t bands = twx_minhash_bands(
        twx_method_value(params, &TWX_DETECTOR_MINHASH, THRESHOLD));
    if (from->payload.n != TWX_MINHASH_BYTES) return 0;
    for (size_t i = 0; i < bands; i++) {
        const twx_slice band = twx_slice_sub(from->payload, i * TWX_MINHASH_BYTES / bands,
                                             (i + 1) * TWX_MINHASH_BYTES / bands);
        ret_keys[i] = (twx_key){twx_hash64(band, i), 0};
    }
    return bands;
}

static int32_t verify(const twx_params *params, twx_slice a, twx_slice b) {
    return twx_method_accept(params, &TWX_DETECTOR_MINHASH, THRESHOLD, twx_minhash_estimate(a, b));
}

static uint64_t fingerprint(const twx_params *params) {
    return twx_method_value(params, &TWX_DETECTOR_MINHASH, BOILERPLATE);
}

static const twx_method_setting SETTINGS[] = {
    {.shown = {"minhash.boilerplate", "yes", "yes|no",
               "Ignores the text that many pages of a site share (menus, footers), by minhash."},
     .kind = TWX_METHOD_SWITCH,
     .need = TWX_NEED_BOILERPLATE},
    TWX_THRESHOLD("minhash.threshold", "0.9", "0.5..1",
                  "Least estimated resemblance of two near-duplicates, by minhash."),
};

const twx_detector TWX_DETECTOR_MINHASH = {
    .name = "minhash",
    .summary = "texts that share most of their 4-word shingles, without the site's boilerplate",
    .source =
        "Broder 1997; Li, Owen, Zhang 2012; Dahlgaard, Knudsen, Thorup 2017; Li and Konig 2010",
    .id = 22,
    .version = 1,
    TWX_NEAR_TEXT_ROW,
    .needs = TWX_NEED_BOILERPLATE,
    .collecting = &TWX_COLLECTING,
    .fingerprint = fingerprint,
};
