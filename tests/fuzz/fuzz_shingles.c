/* wings: lab */
/* First byte: words of a shingle and how they run; the rest is a text, and two sketches. Laws:
 * there are as many shingles as the header says; ASCII case never matters; unique ones ascend;
 * whatever bytes two payloads have, comparing them is symmetric, within 0..1000000, and all of it
 * for a payload with itself; what verifies was signed. */
#include "exact_copy.h"

#include "lab/lab.h"

static void check_shingles(twx_ctx *cx, twx_arena *scratch, uint8_t first, twx_slice text) {
    const twx_shingling how = {.words = first % TWX_SHINGLE_WORDS_MAX + 1,
                               .within_lines = (first & 16) != 0,
                               .wrap = (first & 32) != 0,
                               .keep_case = (first & 64) != 0};
    twx_shingles s, upper;
    twx_slice copy;
    law(twx_shingles_of(cx, scratch, &how, text, &s) == TWX_OK);
    law(s.n <= s.words && (s.n > 0) == (s.words > 0) && s.words <= (text.n + 1) / 2);
    if (!how.within_lines && s.words >= how.words)
        law(s.n == s.words - (how.wrap ? 0 : how.words - 1));
    law(twx_arena_copy(cx, scratch, text, &copy) == TWX_OK);
    char *p = (char *)(uintptr_t)copy.p;
    for (size_t i = 0; i < copy.n; i++)
        if (p[i] >= 'a' && p[i] <= 'z') p[i] = (char)(p[i] - 32);
    law(twx_shingles_of(cx, scratch, &how, copy, &upper) == TWX_OK);
    law(upper.n == s.n &&
        (how.keep_case || s.n == 0 || memcmp(upper.at, s.at, s.n * sizeof *s.at) == 0));
    law(twx_shingles_unique(cx, scratch, &s) == TWX_OK);
    for (size_t i = 1; i < s.n; i++) law(s.at[i - 1] < s.at[i]);
}

static void check_share(int32_t ppm) {
    law(ppm >= -1 && ppm <= 1000000);
}

static void check_sketches(twx_slice a, twx_slice b) {
    twx_resemblance there, back, self;
    const bool pair = twx_shingle_sketch_compare(a, b, &there);
    law(pair == twx_shingle_sketch_compare(b, a, &back));
    if (pair) {
        law(there.resemblance == back.resemblance && there.a_in_b == back.b_in_a &&
            there.b_in_a == back.a_in_b);
        check_share(there.resemblance), check_share(there.a_in_b), check_share(there.b_in_a);
    }
    if (twx_shingle_sketch_compare(a, a, &self))
        law(self.resemblance == 1000000 && self.a_in_b == 1000000);
    law(twx_minhash_estimate(a, b) == twx_minhash_estimate(b, a));
    check_share(twx_minhash_estimate(a, b));
}

static void check_row(twx_ctx *cx, twx_workspace *w, const twx_detector *d,
                      const twx_params *params, twx_slice text) {
    twx_signature signature = {0};
    twx_key keys[TWX_CANDIDATE_KEYS_MAX];
    law(d->sign(cx, w, params, &(twx_document){.text = text}, &signature) == TWX_OK);
    if (signature.keys.n > 0) {
        law(d->verify(params, signature.payload, signature.payload) == 1000000);
        const size_t n = d->candidates(
            params, &(twx_signed){signature.keys.at[0], signature.payload}, keys);
        law(n >= 1 && n <= TWX_CANDIDATE_KEYS_MAX);
    }
    TWX_VEC_DONE(&signature.keys);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    const twx_params params = twx_params_default();
    twx_ctx cx = {0};
    twx_workspace *w = NULL;
    if (size == 0) return 0;
    const size_t half = (size - 1) / 2;
    twx_slice text = exact_copy(data + 1, size - 1), a = exact_copy(data + 1, half),
              b = exact_copy(data + 1 + half, half);
    law(twx_workspace_open(&cx, &params, &w) == TWX_OK);
    check_shingles(&cx, twx_workspace_scratch(w), data[0], text);
    check_sketches(a, b);
    check_row(&cx, w, &TWX_DETECTOR_MINHASH, &params, text);
    check_row(&cx, w, &TWX_DETECTOR_SHINGLES, &params, text);
    twx_workspace_close(w);
    return exact_end();
}
