/* 32-bit simhash of a text's overlapping runs of four characters, as in small Contentseen modules
 * of crawlers: without words, so it also works on text without spaces, with a somewhat higher
 * error.
 *
 * A character is a code point as stored (base/utf8.h: U+FFFD for invalid bytes), folded to 16 bits;
 * four of them fill a 64-bit number, the oldest highest, whose mixed upper half is the hash of the
 * run. A text of fewer characters is one run. Keys are short where the distance is large (see the
 * table in simhash.c), so the method suits collections of some 100 000 texts. */
#include "base/utf8.h"
#include "method/detectors.h"
#include "method/simhash.h"

enum { CHARS = 4, CHAR_BITS = 16, BITS = 32, BATCH = 256 };

/* The two multiplication rounds of MurmurHash3's finaliser. */
static uint64_t hash_of(uint64_t run) {
    run = (run ^ run >> 33) * UINT64_C(0xFF51AFD7ED558CCD);
    run = (run ^ run >> 33) * UINT64_C(0xC4CEB9FE1A85EC53);
    return run >> BITS;
}

static uint64_t fingerprint_of(twx_slice text) {
    uint64_t batch[BATCH], run = 0, chars = 0;
    size_t n = 0;
    twx_simhash sum = {0};
    for (const char *p = text.p, *end = p + text.n; p < end;) {
        uint32_t cp = (unsigned char)*p;
        p += cp < 0x80 ? 1 : twx_utf8_next(p, end, &cp);
        run = run << CHAR_BITS | ((cp ^ cp >> CHAR_BITS) & 0xFFFF);
        if (++chars < CHARS) continue;
        batch[n++] = hash_of(run);
        if (n < BATCH) continue;
        twx_simhash_add(&sum, batch, n);
        n = 0;
    }
    if (chars < CHARS) batch[n++] = hash_of(run);
    twx_simhash_add(&sum, batch, n);
    return twx_simhash_of(&sum);
}

static twx_rc sign(twx_ctx *cx, twx_workspace *w, const twx_params *params, const twx_document *doc,
                   twx_signature *ret_signature) {
    (void)params;
    return doc->text.n ? twx_simhash_sign(cx, w, fingerprint_of(doc->text), ret_signature) : TWX_OK;
}

static size_t candidates(const twx_params *params, const twx_signed *from, twx_key *ret_keys) {
    return twx_simhash_keys(from->first.key, BITS, params->simhash_distance, ret_keys);
}

static int32_t verify(const twx_params *params, twx_slice a, twx_slice b) {
    return twx_simhash_verify(a, b, BITS, params->simhash_distance);
}

const twx_detector TWX_DETECTOR_SIMHASH32 = {
    .name = "simhash32",
    .summary = "texts whose runs of four characters differ in few bits of 32",
    .source = "Charikar 2002; Contentseen modules of crawlers",
    .id = 21,
    .version = 1,
    .basis = TWX_BASIS_TEXT,
    .translations_separate = true,
    .near = true,
    .sign = sign,
    .candidates = candidates,
    .verify = verify,
};
