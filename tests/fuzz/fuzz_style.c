/* The first line is a media query, a condition of @supports and the declarations of a style
 * attribute; all of it is a style sheet. Laws: what is kept of a sheet lies within its bounds, and
 * refers to nothing outside; a sheet that is added twice has twice the rules, up to the limit; the
 * answers are the same twice. */
#include "exact_copy.h"

#include "page/internal.h"

static void law(bool holds) {
    if (!holds) abort();
}

static void check_compound(const twx_sheet *s, const twx_compound *c) {
    law((size_t)c->first + c->tests <= s->tests.n);
    for (uint32_t i = c->first; i < c->first + c->tests; i++) {
        const twx_test *t = &s->tests.at[i];
        law(t->kind <= TWX_TEST_NOT && (size_t)i + t->span < (size_t)c->first + c->tests);
        if (t->kind == TWX_TEST_ATTRIBUTE)
            law((size_t)t->name_at + t->name_n <= s->strings.n &&
                (size_t)t->value_at + t->value_n <= s->strings.n);
    }
}

static void check_sheet(const twx_sheet *s) {
    law(s->selectors.n <= TWX_SHEET_SELECTORS && s->tests.n <= TWX_SHEET_TESTS);
    for (size_t i = 0; i < s->selectors.n; i++) {
        const twx_selector *x = &s->selectors.at[i];
        law(x->compounds >= 1 && x->compounds <= TWX_SHEET_COMPOUNDS && x->next <= s->selectors.n);
        for (size_t k = 0; k < x->compounds; k++) check_compound(s, &x->compound[k]);
    }
}

static void check_line(twx_slice line) {
    twx_declared once, twice;
    const bool any = twx_declarations(line, &once);
    law(any == twx_declarations(line, &twice) && memcmp(&once, &twice, sizeof once) == 0);
    law(twx_media_matches(line) == twx_media_matches(line));
    law(twx_supports(line) == twx_supports(line));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    const twx_slice css = exact_copy(data, size);
    const size_t end = twx_slice_find(css, '\n', 0);
    const twx_slice line = exact_copy(data, end);
    twx_ctx cx;
    twx_sheet s = {0};
    twx_ctx_init(&cx);
    check_line(line);
    twx_sheet_clear(&s, css);
    law(twx_sheet_add(&cx, &s, css) == TWX_OK);
    check_sheet(&s);
    const size_t once = s.selectors.n;
    law(twx_sheet_add(&cx, &s, css) == TWX_OK);
    check_sheet(&s);
    law(s.selectors.n >= once && s.selectors.n <= 2 * once);
    twx_sheet_done(&s);
    free((void *)(uintptr_t)css.p);
    free((void *)(uintptr_t)line.p);
    return 0;
}
