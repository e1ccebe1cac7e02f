/* wings: lab */
/* The bytes are a text, and, parted where their first byte says, two payloads. Laws: chunks are the
 * text, within their bounds, and end where they do whatever follows; whatever the payloads are,
 * nothing after them is read, and their similarity is symmetric, -1 or up to 1000000. */
#include "exact_copy.h"

#include "sign/sign.h"

static void chunks_cover(twx_slice text) {
    size_t chunks = 0;
    for (size_t at = 0, n; at < text.n; at += n, chunks++) {
        n = twx_chunk_length((twx_slice){text.p + at, text.n - at});
        law(n > 0 && n <= TWX_CHUNK_MAX && n <= text.n - at);
        law(n >= TWX_CHUNK_MIN || n == text.n - at);
        /* what follows a chunk does not move its end */
        if (n < text.n - at) law(twx_chunk_length((twx_slice){text.p + at, n}) == n);
    }
    law(chunks <= text.n / TWX_CHUNK_MIN + 1);
}

static void chunks_are_sorted(twx_slice text) {
    twx_ctx cx = {0};
    twx_arena scratch = {.keep = 1 << 20};
    twx_chunks all = {0}, some = {0};
    law(twx_chunks_of(&cx, &scratch, text, SIZE_MAX, &all) == TWX_OK && all.n == all.all);
    law(twx_chunks_of(&cx, &scratch, text, 2, &some) == TWX_OK && some.all == all.n && some.n <= 2);
    for (size_t i = 1; i < all.n; i++) law(all.at[i - 1] < all.at[i]);
    for (size_t i = 0; i < some.n; i++) law(some.at[i] == all.at[i]);
    twx_arena_done(&scratch);
}

static void payloads_verify(const twx_detector *d, twx_slice a, twx_slice b) {
    twx_params params = twx_params_default();
    twx_key keys[TWX_CANDIDATE_KEYS_MAX];
    const twx_signed from = {.payload = a};
    params.methods.of[TWX_DETECTOR_CHUNKS.id][0] = params.methods.of[TWX_DETECTOR_BLOOM.id][0] = 0;
    const int32_t similarity = d->verify(&params, a, b);
    law(similarity >= -1 && similarity <= 1000000 && similarity == d->verify(&params, b, a));
    const int32_t same = d->verify(&params, a, a);
    law(same == -1 || same == 1000000);
    law(d->candidates(&params, &from, keys) <= TWX_CANDIDATE_KEYS_MAX);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static const twx_detector *const ROWS[] = {&TWX_DETECTOR_SIMHASH, &TWX_DETECTOR_SIMHASH32,
                                               &TWX_DETECTOR_CHUNKS, &TWX_DETECTOR_BLOOM};
    const size_t cut = size ? size * data[0] / 256 : 0;
    const twx_slice text = exact_copy(data, size), a = exact_copy(data, cut),
                    b = exact_copy(data + cut, size - cut);
    chunks_cover(text);
    chunks_are_sorted(text);
    for (size_t i = 0; i < TWX_COUNTOF(ROWS); i++) payloads_verify(ROWS[i], a, b);
    return exact_end();
}
