/* The first line is a media query and the declarations of a style attribute; all of it is a style
 * sheet. Laws: what is kept of a sheet lies within its bounds, and
 * refers to nothing outside; a sheet that is added twice has twice the rules, up to the limit; the
 * answers are the same twice. */
#include "exact_copy.h"

#include "page/internal.h"

static void check_compound(const twx_sheet *s, const twx_compound *c) {
    law((size_t)c->first + c->tests <= s->tests.n);
    for (uint32_t i = c->first; i < c->first + c->tests; i++) {
        const twx_test *t = &s->tests.at[i];
        law(t->kind <= TWX_TEST_ATTRIBUTE);
        if (t->kind == TWX_TEST_ATTRIBUTE) law((size_t)t->name_at + t->name_n <= s->css.n);
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

/* The sheet and its text once more. */
static void add(twx_ctx *cx, twx_sheet *s, twx_slice css) {
    law(twx_buf_add_slice(cx, &s->css, css) == TWX_OK);
    law(twx_sheet_read(cx, s) == TWX_OK);
    check_sheet(s);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    const twx_slice css = exact_copy(data, size);
    const size_t end = twx_slice_find(css, '\n', 0);
    const twx_slice line = exact_copy(data, end);
    twx_ctx cx = {0};
    twx_sheet s = {0};
    law(twx_media_matches(line) == twx_media_matches(line));
    twx_sheet_clear(&s, css);
    add(&cx, &s, css);
    const size_t once = s.selectors.n;
    add(&cx, &s, css);
    twx_open e = {.as.name = TWX_SLICE_LIT("p"), .as.classes = line, .as.id = line};
    twx_sheet_style(&s, NULL, 0, line, &e);
    law(e.style.display < TWX_DISPLAYS && e.style.visibility <= TWX_INVISIBLE);
    law(s.selectors.n >= once && s.selectors.n <= 2 * once);
    twx_sheet_done(&s);
    return exact_end();
}
