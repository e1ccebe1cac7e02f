/* The bytes are a text. Laws: signing never fails; the profile's lines are words of the text in
 * falling order of count, then rising order of bytes; a text and its copy have one signature, with
 * and without a memo. */
#include "exact_copy.h"

#include "sign/sign.h"

/* One "word count" of the profile, from *at. */
static twx_slice next_line(twx_slice profile, size_t *at, uint64_t *ret_count) {
    size_t end = twx_slice_find(profile, '\n', *at);
    twx_slice line = twx_slice_sub(profile, *at, end);
    size_t blank = twx_slice_find(line, ' ', 0);
    *ret_count = 0;
    law(blank > 0 && blank + 1 < line.n && line.p[blank + 1] != '0');
    for (size_t i = blank + 1; i < line.n; i++) {
        law(line.p[i] >= '0' && line.p[i] <= '9');
        *ret_count = *ret_count * 10 + (uint64_t)(line.p[i] - '0');
    }
    *at = end + 1;
    return twx_slice_sub(line, 0, blank);
}

static void check_profile(twx_slice profile, size_t text_bytes) {
    twx_slice last = {NULL, 0};
    uint64_t last_count = UINT64_MAX, count, sum = 0;
    for (size_t at = 0; at < profile.n;) {
        twx_slice word = next_line(profile, &at, &count);
        law(count < last_count || (count == last_count && twx_slice_cmp(last, word) < 0));
        for (size_t i = 0; i < word.n; i++)
            law((TWX_BYTE_CLASS[(unsigned char)word.p[i]] & (TWX_BYTE_WORD | TWX_BYTE_WIDE)) != 0 &&
                (TWX_BYTE_CLASS[(unsigned char)word.p[i]] & TWX_BYTE_UPPER) == 0);
        last = word;
        last_count = count;
        sum += count;
    }
    law(sum <= (text_bytes + 1) / 2);
}

static void check_signing(twx_ctx *cx, twx_workspace *w, const twx_params *params, twx_slice text) {
    const twx_detector *const detectors[] = {&TWX_DETECTOR_EXACT, &TWX_DETECTOR_PROFILE};
    const twx_document doc = {.text = text};
    twx_signing signing = {.params = params, .detectors = detectors, .n = TWX_COUNTOF(detectors)};
    twx_buf once = {.max = 1 << 20}, twice;
    twx_record record;
    twx_buf_init(&twice, 1 << 20);
    law(twx_sign_document(cx, w, &signing, &doc, &once) == TWX_OK);
    law(twx_record_read(cx, twx_buf_slice(&once), &record) == TWX_OK);
    law((record.n == 0) == (text.n == 0));
    law(twx_memo_open(cx, 1 << 16, &signing.memo) == TWX_OK);
    for (int i = 0; i < 2; i++) {
        law(twx_sign_document(cx, w, &signing, &doc, &twice) == TWX_OK);
        law(twx_slice_eq(twx_buf_slice(&once), twx_buf_slice(&twice)));
    }
    twx_memo_close(signing.memo);
    twx_buf_done(&once);
    twx_buf_done(&twice);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    const twx_params params = twx_params_default();
    twx_slice profile;
    twx_ctx cx = {0};
    twx_workspace *w = NULL;
    const twx_slice text = exact_copy(data, size);
    law(twx_workspace_open(&cx, &params, &w) == TWX_OK);
    law(twx_profile_text(&cx, w, &params, text, &profile) == TWX_OK);
    check_profile(profile, size);
    check_signing(&cx, w, &params, text);
    twx_workspace_close(w);
    return exact_end();
}
