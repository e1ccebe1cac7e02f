#include "inspect/add_pin.h"

#include <string.h>

#include "judge/pins.h"
#include "run/detector_params.h"
#include "run/lookup.h"

typedef struct pinning {
    const twx_job *job;
    const twindex_pin *pin;
    twx_opened o;
    twx_params params;
    twx_url_rules *rules;
    twx_arena urls;
    twx_buf line, added, text;
} pinning;

/* "separate" takes two documents, the other kinds take one. */
static twx_rc check_kind(const pinning *p) {
    static const char *const KINDS = "separate, prefer or keep";
    const twindex_pin *pin = p->pin;
    bool known = false;
    for (int k = 0; pin->kind && k < TWX_PIN_KINDS; k++)
        known = known || strcmp(pin->kind, twx_pin_kind_name((twx_pin_kind)k)) == 0;
    if (!known) return twx_fail(p->job->cx, TWX_E_USAGE, "the kind of a pin is %s", KINDS);
    const bool two = strcmp(pin->kind, twx_pin_kind_name(TWX_PIN_SEPARATE)) == 0;
    if (pin->a && !pin->b == !two) return TWX_OK;
    return twx_fail(p->job->cx, TWX_E_USAGE, "%s takes %s", pin->kind,
                    two ? "two documents" : "one document");
}

static twx_rc add_url(pinning *p, const char *url_or_id) {
    twx_ctx *cx = p->job->cx;
    twx_lookup document = {0};
    twx_url url;
    twx_rc rc = twx_lookup_find(p->job, &p->o, url_or_id, &document);
    if (rc == TWX_OK) rc = twx_url_normalize(cx, &p->urls, NULL, document.url, &url);
    if (rc == TWX_OK && url.fault != TWX_URL_OK)
        rc = twx_fail(cx, TWX_E_DATA, "the document '%.300s' cannot be pinned: its URL has %s",
                      url_or_id, twx_url_fault_text(url.fault));
    if (rc == TWX_OK) rc = twx_buf_add_char(cx, &p->line, ' ');
    if (rc == TWX_OK) rc = twx_buf_add_slice(cx, &p->line, url.whole);
    twx_lookup_done(&document);
    return rc;
}

static twx_rc make_line(pinning *p) {
    twx_rc rc = twx_buf_add_text(p->job->cx, &p->line, p->pin->kind);
    if (rc == TWX_OK) rc = add_url(p, p->pin->a);
    return rc == TWX_OK && p->pin->b ? add_url(p, p->pin->b) : rc;
}

static bool has_line(twx_slice text, twx_slice line) {
    for (size_t from = 0, to; from < text.n; from = to + 1) {
        to = twx_slice_find(text, '\n', from);
        if (twx_slice_eq(twx_slice_trim(twx_slice_sub(text, from, to)), line)) return true;
    }
    return false;
}

static twx_rc add_line(pinning *p) {
    twx_ctx *cx = p->job->cx;
    const twx_slice text = {p->pin->text, p->pin->n}, line = twx_buf_slice(&p->line);
    twx_rc rc = TWX_OK;
    if (has_line(text, line)) return TWX_OK;
    if (text.n && text.p[text.n - 1] != '\n') rc = twx_buf_add_char(cx, &p->added, '\n');
    if (rc == TWX_OK) rc = twx_buf_add_slice(cx, &p->added, line);
    return rc == TWX_OK ? twx_buf_add_char(cx, &p->added, '\n') : rc;
}

/* The next run must be able to read the file. */
static twx_rc check_text(pinning *p) {
    const char *path = p->job->settings->verdict_pins;
    twx_pins *pins = NULL;
    twx_rc rc = twx_buf_add_slice(p->job->cx, &p->text, (twx_slice){p->pin->text, p->pin->n});
    if (rc == TWX_OK) rc = twx_buf_add_slice(p->job->cx, &p->text, twx_buf_slice(&p->added));
    if (rc == TWX_OK)
        rc = twx_pins_parse(p->job->cx, &p->params.url, path ? path : "pins",
                            twx_buf_slice(&p->text), &pins);
    twx_pins_close(pins);
    return rc;
}

twx_rc twx_add_pin(const twx_job *job, const twindex_pin *pin, const twx_out *out) {
    pinning p = {.job = job, .pin = pin};
    twx_arena_init(&p.urls, 0);
    twx_buf_init(&p.line, TWX_PIN_LINE_MAX);
    twx_buf_init(&p.added, TWX_PIN_LINE_MAX + 2);
    twx_buf_init(&p.text, TWX_PINS_BYTES_MAX);
    twx_rc rc = check_kind(&p);
    if (rc == TWX_OK) rc = twx_params_make(job, &p.params, &p.rules);
    if (rc == TWX_OK) rc = twx_open_store(job, TWX_NEED_SOURCE, &p.o);
    if (rc == TWX_OK) rc = make_line(&p);
    if (rc == TWX_OK) rc = add_line(&p);
    if (rc == TWX_OK) rc = check_text(&p);
    if (rc == TWX_OK)
        rc = twx_out_json(out,
                          json_pack("{s:o, s:o}", "line", twx_json_slice(twx_buf_slice(&p.line)),
                                    "added", twx_json_slice(twx_buf_slice(&p.added))));
    twx_url_rules_close(p.rules);
    twx_opened_done(&p.o);
    twx_arena_done(&p.urls);
    twx_buf_done(&p.line);
    twx_buf_done(&p.added);
    twx_buf_done(&p.text);
    return rc;
}
