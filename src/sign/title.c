/* Digests of the bytes of a text, and of title and description with normalised white space
 * (docs/signatures.md, "exact" and "title"). */

#include "sign/sign.h"

/* The characters with the property White_Space (Unicode 13, PropList.txt). */
static bool is_white(uint32_t cp) {
    static const struct {
        uint32_t first, last;
    } RANGES[] = {
        {0x09, 0x0D},     {0x20, 0x20},     {0x85, 0x85},     {0xA0, 0xA0},     {0x1680, 0x1680},
        {0x2000, 0x200A}, {0x2028, 0x2029}, {0x202F, 0x202F}, {0x205F, 0x205F}, {0x3000, 0x3000},
    };
    for (size_t i = 0; i < TWX_COUNTOF(RANGES); i++)
        if (cp >= RANGES[i].first && cp <= RANGES[i].last) return true;
    return false;
}

/* Trims white space and replaces runs of it by one space; other bytes, UTF-8 or not, are kept. */
static twx_rc collapse(twx_ctx *cx, twx_arena *scratch, twx_slice s, twx_slice *ret_text) {
    char *out = twx_arena_alloc(cx, scratch, s.n, 1);
    if (!out) return TWX_E_NOMEM;
    size_t n = 0;
    bool pending = false; /* white space was seen after a character */
    for (const char *p = s.p, *end = s.p + s.n; p < end;) {
        uint32_t cp;
        size_t used = twx_utf8_next(p, end, &cp);
        if (is_white(cp)) {
            pending = n > 0;
        } else {
            if (pending) out[n++] = ' ';
            pending = false;
            memcpy(out + n, p, used);
            n += used;
        }
        p += used;
    }
    *ret_text = (twx_slice){out, n};
    return TWX_OK;
}

static twx_rc sign_slice(twx_ctx *cx, twx_workspace *w, twx_slice s, twx_signature *ret_signature) {
    unsigned char digest[TWX_SHA256_BYTES];
    twx_slice text = {NULL, 0};
    if (s.n == 0) return TWX_OK;
    twx_rc rc = collapse(cx, twx_workspace_scratch(w), s, &text);
    if (rc != TWX_OK || text.n == 0) return rc;
    rc = twx_sha256(cx, w, text, digest);
    return rc == TWX_OK ? twx_signature_add_digest(cx, digest, ret_signature) : rc;
}

static twx_rc sign_text(twx_ctx *cx, twx_workspace *w, const twx_params *params,
                        const twx_document *doc, twx_signature *ret_signature) {
    unsigned char digest[TWX_SHA256_BYTES];
    (void)params;
    if (doc->text.n == 0) return TWX_OK;
    twx_rc rc = twx_text_sha256(cx, w, doc->text, digest);
    return rc == TWX_OK ? twx_signature_add_digest(cx, digest, ret_signature) : rc;
}

static twx_rc sign_title(twx_ctx *cx, twx_workspace *w, const twx_params *params,
                         const twx_document *doc, twx_signature *ret_signature) {
    (void)params;
    return sign_slice(cx, w, doc->title, ret_signature);
}

static twx_rc sign_description(twx_ctx *cx, twx_workspace *w, const twx_params *params,
                               const twx_document *doc, twx_signature *ret_signature) {
    (void)params;
    return sign_slice(cx, w, doc->description, ret_signature);
}

const twx_detector TWX_DETECTOR_EXACT = {
    .name = "exact",
    .summary = "texts that are equal byte for byte",
    .source = "YaCy, exact_signature_l; Zelenkov and Segalovich 2007, A0",
    .id = 3,
    .version = 1,
    .basis = TWX_BASIS_TEXT,
    .sign = sign_text,
};

const twx_detector TWX_DETECTOR_TITLE = {
    .name = "title",
    .summary = "titles that are equal except for white space",
    .source = "YaCy, title_unique_b",
    .id = 5,
    .version = 1,
    .basis = TWX_BASIS_TITLE,
    .sign = sign_title,
};

const twx_detector TWX_DETECTOR_DESCRIPTION = {
    .name = "description",
    .summary = "descriptions that are equal except for white space",
    .source = "YaCy, description_unique_b",
    .id = 6,
    .version = 1,
    .basis = TWX_BASIS_DESCRIPTION,
    .sign = sign_description,
};
