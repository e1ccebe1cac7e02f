/* The first byte chooses a detector, the second divides the rest into two stored payloads. Laws:
 * whatever the bytes, similarity is symmetric, -1 or 0..1000000, and all of it for a payload
 * with itself; candidate keys keep their limit and are the same twice. */
#include "exact_copy.h"

#include "sign/sign.h"

#define ROW(name) &TWX_DETECTOR_##name,
static const twx_detector *const ROWS[] = {TWX_METHOD_ROWS(ROW)};

static void check_verify(const twx_detector *d, const twx_params *params, twx_slice a,
                         twx_slice b) {
    const int32_t there = d->verify(params, a, b), self = d->verify(params, a, a);
    law(there >= -1 && there <= 1000000 && there == d->verify(params, b, a));
    law(self == -1 || self == 1000000);
}

static void check_candidates(const twx_detector *d, const twx_params *params, twx_slice payload) {
    twx_key once[TWX_CANDIDATE_KEYS_MAX], twice[TWX_CANDIDATE_KEYS_MAX];
    const twx_signed from = {.first = {payload.n, 0}, .payload = payload};
    const size_t n = d->candidates(params, &from, once);
    law(n <= TWX_CANDIDATE_KEYS_MAX && n == d->candidates(params, &from, twice));
    for (size_t i = 0; i < n; i++)
        law(once[i].key == twice[i].key && once[i].check == twice[i].check);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    if (size < 2) return 0;
    const twx_detector *d = ROWS[data[0] % TWX_COUNTOF(ROWS)];
    const twx_params set = twx_params_default(), open = twx_params_without_thresholds(&set);
    const size_t cut = (size - 2) * data[1] / 255;
    const twx_slice a = exact_copy(data + 2, cut), b = exact_copy(data + 2 + cut, size - 2 - cut);
    if (d->verify) check_verify(d, &set, a, b);
    if (d->verify) check_verify(d, &open, a, b);
    if (d->candidates) check_candidates(d, &set, a);
    if (d->candidates) check_candidates(d, &set, b);
    return exact_end();
}
