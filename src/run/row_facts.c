#include "run/row_facts.h"

#include <math.h>

#include "base/hash64.h"
#include "base/http_status.h"
#include "base/iso8601.h"
#include "url/domain.h"
#include "url/url_form.h"
#include "url/url_twin.h"

enum { STATUS_ODD = 0 /* a status that is not a number, so not 200 */ };

static bool is_empty(const twx_value *v) {
    return v->type == TWX_NULL ||
           ((v->type == TWX_TEXT || v->type == TWX_BLOB) && twx_slice_trim(v->bytes).n == 0);
}

static bool integer_of(const twx_value *v, int64_t *ret_value) {
    if (v->type == TWX_TEXT) return twx_slice_integer(v->bytes, ret_value);
    if (v->type == TWX_REAL && v->r > -9e18 && v->r < 9e18)
        *ret_value = (int64_t)floor(v->r);
    else if (v->type == TWX_INT)
        *ret_value = v->i;
    else
        return false;
    return true;
}

static void set_status(const twx_value *v, twx_facts *f, unsigned *oddities) {
    int64_t status = 0;
    f->status = TWX_STATUS_NONE;
    if (is_empty(v)) return;
    bool number = v->type == TWX_TEXT ? twx_http_status(v->bytes, &status)
                                      : integer_of(v, &status) && status >= 0 && status < 1000000;
    f->status = number ? (int32_t)status : STATUS_ODD;
    if (!number) *oddities |= TWX_ODD_STATUS;
}

/* Whether loading failed: a text is the reason, a number is a flag. */
static bool has_failed(const twx_value *v) {
    if (v->type == TWX_INT) return v->i != 0;
    if (v->type == TWX_REAL) return v->r != 0;
    return !is_empty(v);
}

static bool is_noindex(const twx_value *v) {
    if (v->type == TWX_INT) return twx_robots_bits_noindex(v->i);
    return (v->type == TWX_TEXT || v->type == TWX_BLOB) && twx_robots_noindex(v->bytes);
}

static void set_date(const twx_value *v, twx_facts *f, unsigned *oddities) {
    if (is_empty(v)) return;
    if (integer_of(v, &f->fetched_at)) {
        f->fetched_at = twx_seconds_of(f->fetched_at);
        f->bits |= TWX_FACT_DATED;
    } else if (v->type == TWX_TEXT && twx_iso8601_parse(v->bytes, &f->fetched_at))
        f->bits |= TWX_FACT_DATED;
    else
        *oddities |= TWX_ODD_DATE;
}

static void set_score(const twx_value *v, twx_facts *f) {
    int64_t number = 0;
    double score = v->r;
    if (v->type != TWX_REAL) {
        if (!integer_of(v, &number)) return;
        score = (double)number;
    }
    if (isnan(score)) return;
    f->score_order = twx_score_order(score);
    f->bits |= TWX_FACT_SCORED;
}

static uint64_t key_of(const twx_value *v, uint64_t seed) {
    return is_empty(v) ? 0 : twx_value_hash(v, seed);
}

/* Sets the link of the document: its redirect target, else its canonical URL. */
static twx_rc set_link(twx_ctx *cx, twx_arena *scratch, const twx_url_options *options,
                       const twx_value *columns, const twx_url *url, twx_facts *f) {
    bool redirect = !is_empty(&columns[TWX_COL_REDIRECT_URL]);
    const twx_value *v = &columns[redirect ? TWX_COL_REDIRECT_URL : TWX_COL_CANONICAL_URL];
    twx_url target;
    if (is_empty(v) || url->fault != TWX_URL_OK || (v->type != TWX_TEXT && v->type != TWX_BLOB))
        return TWX_OK;
    twx_rc rc = twx_url_resolve(cx, scratch, options, url, v->bytes, &target);
    if (rc != TWX_OK) return rc;
    f->bits |= redirect ? TWX_FACT_REDIRECT : TWX_FACT_CANONICAL;
    f->link_key = target.fault == TWX_URL_OK ? twx_hash64(target.whole, 0)
                                             : 0; /* 0: matches no document */
    return TWX_OK;
}

/* What the URL is before steps and rules remove anything. The order of parameters is not something
 * that could be removed. */
static twx_rc set_form(twx_ctx *cx, twx_arena *scratch, const twx_url_options *options,
                       twx_slice stored, const twx_url *url, twx_facts *f) {
    const unsigned order = TWX_URL_STEP_PARAMETER_ORDER;
    const twx_url_options kept = {.steps = options ? options->steps & order : 0};
    twx_url whole = *url;
    twx_rc rc = TWX_OK;
    if (url->fault != TWX_URL_OK) return TWX_OK;
    if (options && (options->rules || options->steps & ~order))
        rc = twx_url_normalize(cx, scratch, &kept, stored, &whole);
    if (rc != TWX_OK) return rc;
    const unsigned bits = twx_url_form_bits(whole.whole);
    if (bits & TWX_URL_HAS_EXTRAS || !twx_slice_eq(whole.whole, url->whole))
        f->bits |= TWX_FACT_EXTRAS;
    if (bits & TWX_URL_IS_VIEW) f->bits |= TWX_FACT_VIEW;
    return TWX_OK;
}

static void set_url(const twx_url *url, twx_facts *f) {
    if (url->fault != TWX_URL_OK) return;
    f->bits |= TWX_FACT_USABLE;
    if (twx_url_is_web(url)) f->bits |= TWX_FACT_WEB;
    if (twx_url_is_https(url)) f->bits |= TWX_FACT_HTTPS;
    if (twx_url_is_www(url)) f->bits |= TWX_FACT_WWW;
    f->url_length = (uint32_t)url->whole.n;
    f->url_key = twx_hash64(url->whole, 0);
    f->host = url->host.p ? url->host : TWX_SLICE_LIT("");
    f->domain_key = twx_hash64(twx_registrable_domain(f->host), 1);
}

twx_rc twx_facts_of(twx_ctx *cx, twx_arena *scratch, const twx_url_options *options,
                    const twx_value *columns, twx_url *ret_url, twx_facts *ret_facts,
                    unsigned *ret_oddities) {
    twx_facts f = {.host = TWX_SLICE_LIT("")};
    const twx_value *stored = &columns[TWX_COL_URL];
    twx_slice text = stored->type == TWX_TEXT || stored->type == TWX_BLOB ? stored->bytes
                                                                          : (twx_slice){"", 0};
    f.url_length = (uint32_t)(text.n < UINT32_MAX ? text.n : UINT32_MAX);
    twx_rc rc = twx_url_normalize(cx, scratch, options, text, ret_url);
    if (rc != TWX_OK) return rc;
    set_url(ret_url, &f);
    rc = set_form(cx, scratch, options, text, ret_url, &f);
    if (rc != TWX_OK) return rc;
    if (ret_url->fault != TWX_URL_OK) *ret_oddities |= TWX_ODD_URL;
    set_status(&columns[TWX_COL_HTTP_STATUS], &f, ret_oddities);
    if (has_failed(&columns[TWX_COL_FAILURE])) f.bits |= TWX_FACT_FAILED;
    if (is_noindex(&columns[TWX_COL_ROBOTS])) f.bits |= TWX_FACT_NOINDEX;
    set_date(&columns[TWX_COL_FETCHED_AT], &f, ret_oddities);
    set_score(&columns[TWX_COL_SCORE], &f);
    f.hreflang_key = key_of(&columns[TWX_COL_HREFLANG_GROUP], 2);
    f.layout_key = key_of(&columns[TWX_COL_LAYOUT_DIGEST], 3);
    rc = set_link(cx, scratch, options, columns, ret_url, &f);
    if (rc == TWX_OK) *ret_facts = f;
    return rc;
}
