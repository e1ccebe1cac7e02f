/* The first line is a title, the second a URL, the rest headings and text; and all of it is a
 * payload. Laws: signing never fails; what is packed unpacks and packs to the same bytes; any bytes
 * unpack within bounds; a document contains itself and another with the same name and words. */
#include "exact_copy.h"

#include "judge/judge.h"

static void check_payload(twx_slice payload) {
    twx_name_words w = {0};
    unsigned char again[TWX_NAME_BYTES], repeated[TWX_REPEATED_BYTES];
    twx_name_unpack(payload, &w);
    const size_t n = twx_name_pack(&w, again);
    law(n <= sizeof again && w.versions <= w.n[TWX_NAME_TITLE]);
    if (w.n[TWX_NAME_TITLE]) law(twx_slice_eq(payload, (twx_slice){(const char *)again, n}));
    twx_repeated_unpack(payload, &w);
    const size_t m = twx_repeated_pack(&w, repeated);
    law(m <= sizeof repeated && w.proper <= w.n[TWX_NAME_REPEATED]);
    if (w.n[TWX_NAME_REPEATED]) law(twx_slice_eq(payload, (twx_slice){(const char *)repeated, m}));
}

/* [R3] of judge/names.c */
static void check_itself(twx_ctx *cx, twx_slice name, twx_slice repeated) {
    const twx_facts facts = {.host = TWX_SLICE_LIT("h")};
    const uint32_t node[] = {0, 1};
    const uint8_t eligibility[] = {TWX_ELIGIBLE, TWX_ELIGIBLE};
    twx_doc_table p;
    twx_names names = {.rules = {.common_ppm = 300000, .site_ppm = 500000}};
    twx_demands demands;
    uint64_t keys[TWX_NAME_KEYS_MAX];
    size_t n;
    p = (twx_doc_table){0};
    law(twx_names_init(cx, &names, 2) == TWX_OK);
    for (uint32_t i = 0; i < 2; i++) {
        law(twx_doc_table_add(cx, &p, 1, 0, &facts) == TWX_OK);
        law(twx_names_add_text(cx, &names, repeated) == TWX_OK);
        law(twx_names_add(cx, &names, node[i], name, keys, &n) == TWX_OK && n >= 1);
    }
    law(twx_names_learn(cx, &names, &p, node, eligibility) == TWX_OK);
    twx_names_demands(&names, &p, 0, 0, &demands);
    for (uint32_t i = 0; i < 2; i++)
        law(twx_names_contain(&names, i, i, &demands, NULL) && twx_names_equal(&names, 0, i));
    twx_names_done(&names);
    twx_doc_table_done(&p);
}

static void check_document(twx_ctx *cx, twx_slice all) {
    const twx_params params = twx_params_default();
    const size_t title = twx_slice_find(all, '\n', 0), url = twx_slice_find(all, '\n', title + 1);
    twx_signature name = {0}, repeated = {0};
    twx_workspace *w = NULL;
    twx_arena arena = {0};
    twx_url normal;
    law(twx_workspace_open(cx, &params, &w) == TWX_OK);
    law(twx_url_normalize(cx, &arena, NULL, twx_slice_sub(all, title + 1, url), &normal) == TWX_OK);
    const twx_slice rest = twx_slice_sub(all, url + 1, all.n);
    const twx_document doc = {.title = twx_slice_sub(all, 0, title),
                              .url = &normal,
                              .headings = twx_slice_sub(rest, 0, twx_slice_find(rest, '\n', 0)),
                              .text = rest};
    law(TWX_DETECTOR_NAME.sign(cx, w, &params, &doc, &name) == TWX_OK);
    law(TWX_DETECTOR_REPEATED.sign(cx, w, &params, &doc, &repeated) == TWX_OK);
    check_payload(name.payload);
    check_payload(repeated.payload);
    check_itself(cx, name.payload, repeated.payload);
    twx_workspace_close(w);
    twx_arena_done(&arena);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    const twx_slice all = exact_copy(data, size);
    twx_ctx cx = {0};
    check_payload(all);
    check_document(&cx, all);
    check_itself(&cx, all, all);
    return exact_end();
}
