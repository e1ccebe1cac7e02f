/* The bytes are two texts, parted by the first 0xFF. Laws: passages make up both texts and
 * alternate; those that both have differ in white space alone; the similarity of texts is
 * symmetric, 1000000 for equal texts alone, and passes its own minimum. */
#include "exact_copy.h"

#include "text/text.h"

enum { MILLION = 1000000 };

static bool same_but_for_space(twx_slice a, twx_slice b) {
    size_t i = 0, j = 0;
    for (;;) {
        while (i < a.n && twx_is_space((unsigned char)a.p[i])) i++;
        while (j < b.n && twx_is_space((unsigned char)b.p[j])) j++;
        if (i == a.n || j == b.n) return i == a.n && j == b.n;
        if (a.p[i++] != b.p[j++]) return false;
    }
}

static void check_passages(twx_ctx *cx, twx_slice a, twx_slice b) {
    twx_text_diff p;
    size_t at_a = 0, at_b = 0;
    law(twx_text_diff_of(cx, a, b, &p) == TWX_OK);
    for (size_t i = 0; i < p.at.n; i++) {
        const twx_passage *passage = &p.at.at[i];
        law(passage->a.p == a.p + at_a && passage->b.p == b.p + at_b);
        law((passage->a.n > 0) == (passage->kind != TWX_PASSAGE_ONLY_B));
        law((passage->b.n > 0) == (passage->kind != TWX_PASSAGE_ONLY_A));
        law(passage->kind != TWX_PASSAGE_BOTH || same_but_for_space(passage->a, passage->b));
        law(i == 0 || passage[-1].kind != passage->kind);
        law(i == 0 || passage[-1].kind != TWX_PASSAGE_ONLY_B || passage->kind == TWX_PASSAGE_BOTH);
        at_a += passage->a.n;
        at_b += passage->b.n;
    }
    law(at_a == a.n && at_b == b.n);
    twx_text_diff_done(&p);
}

static void check_similarity(twx_ctx *cx, twx_slice a, twx_slice b) {
    twx_similarity *s = NULL;
    int32_t forth = -2, back = -2, least = -2, above = -2;
    law(twx_similarity_open(cx, &s) == TWX_OK);
    law(twx_similarity_of(cx, s, a, b, 0, &forth) == TWX_OK);
    law(twx_similarity_of(cx, s, b, a, 0, &back) == TWX_OK);
    law(twx_similarity_of(cx, s, a, b, forth, &least) == TWX_OK);
    law(twx_similarity_of(cx, s, b, a, forth + 1, &above) == TWX_OK);
    law(forth >= 0 && forth <= MILLION && forth == back && forth == least && above == -1);
    law((forth == MILLION) == twx_slice_eq(a, b));
    twx_similarity_close(s);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    twx_ctx cx = {0};
    twx_slice a, b;
    exact_parts(data, size, 0xFF, &a, &b);
    check_passages(&cx, a, b);
    check_similarity(&cx, a, b);
    return exact_end();
}
