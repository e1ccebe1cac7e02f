/* The metadata in the head of a page: description, robots, canonical link, translations, redirect,
 * base, encoding. Also the links of the body. */
#include "page/html_reader.h"

#include <string.h>

#include "decode/encoding.h"
#include "decode/encoding_prescan.h"

enum { REFRESH_SECONDS = 5 };

static twx_rc value_of(twx_reader *r, twx_attribute_id id, twx_slice *ret) {
    return twx_attribute_value(r, &r->room->scratch, id, ret);
}

static bool has_word(twx_slice list, twx_slice word) {
    for (size_t i = 0, end; i < list.n; i = end + 1) {
        for (end = i; end < list.n && !twx_is_space((unsigned char)list.p[end]); end++) continue;
        if (twx_slice_eq_nocase(twx_slice_sub(list, i, end), word)) return true;
    }
    return false;
}

/* [R3] The absolute normalized form of a link. TWX_DONE: it has none. */
static twx_rc resolve(twx_reader *r, twx_arena *arena, twx_slice reference, twx_slice *ret_url) {
    const twx_url *base = r->has_base ? &r->base : r->page;
    twx_url target;
    reference = twx_slice_trim(reference);
    if (base->fault != TWX_URL_OK || reference.n == 0) return TWX_DONE;
    const twx_rc rc = twx_url_resolve(r->cx, arena, NULL, base, reference, &target);
    if (rc != TWX_OK) return rc;
    if (target.fault != TWX_URL_OK) return TWX_DONE;
    *ret_url = target.whole;
    return TWX_OK;
}

static twx_rc found(twx_rc rc) { /* a missing value is not an error */
    return rc == TWX_DONE ? TWX_OK : rc;
}

/* ---- link --------------------------------------------------------------- */

/* [R4] */
static twx_rc note_translation(twx_reader *r, twx_slice url) {
    twx_buf *smallest = &r->h->hreflang_group;
    twx_rc rc = TWX_OK;
    if (smallest->n == 0 && r->page->fault == TWX_URL_OK)
        rc = twx_add_cut(r->cx, smallest, r->page->whole);
    if (rc != TWX_OK || (smallest->n > 0 && twx_slice_cmp(url, twx_buf_slice(smallest)) >= 0))
        return rc;
    twx_buf_clear(smallest);
    return twx_add_cut(r->cx, smallest, url);
}

static twx_rc take_link(twx_reader *r) {
    twx_slice rel, href, hreflang, url = {0};
    twx_rc rc = value_of(r, TWX_ATTR_rel, &rel);
    if (rc == TWX_OK) rc = value_of(r, TWX_ATTR_href, &href);
    if (rc == TWX_OK) rc = value_of(r, TWX_ATTR_hreflang, &hreflang);
    if (rc != TWX_OK) return rc;
    const bool canonical = has_word(rel, TWX_SLICE_LIT("canonical")) && r->h->canonical_url.n == 0;
    const bool translation = has_word(rel, TWX_SLICE_LIT("alternate")) && hreflang.n > 0;
    if (!canonical && !translation) return TWX_OK;
    rc = resolve(r, &r->room->scratch, href, &url);
    if (rc != TWX_OK) return found(rc);
    if (canonical) rc = twx_add_cut(r->cx, &r->h->canonical_url, url);
    return rc == TWX_OK && translation ? note_translation(r, url) : rc;
}

/* ---- meta --------------------------------------------------------------- */

/* The target after the delay: "url = 'TARGET'", where all but TARGET can be absent. */
static twx_slice refresh_url(twx_slice rest) {
    const twx_slice word = TWX_SLICE_LIT("url");
    if (twx_slice_starts_nocase(rest, word)) {
        const twx_slice after = twx_slice_trim(twx_slice_sub(rest, word.n, rest.n));
        if (after.n && after.p[0] == '=') rest = twx_slice_trim(twx_slice_sub(after, 1, after.n));
    }
    if (rest.n == 0 || (rest.p[0] != '\'' && rest.p[0] != '"')) return rest;
    return twx_slice_sub(rest, 1, twx_slice_find(rest, rest.p[0], 1));
}

/* "0; url=/elsewhere" gives "/elsewhere" (HTML standard, shared declarative refresh steps). false:
 * not a redirect, or one with a longer delay. */
static bool refresh_target(twx_slice content, twx_slice *ret_target) {
    size_t at = 0, seconds = 0;
    content = twx_slice_trim(content);
    for (; at < content.n && twx_is_digit((unsigned char)content.p[at]); at++)
        if (seconds <= REFRESH_SECONDS) seconds = seconds * 10 + (size_t)(content.p[at] - '0');
    if (seconds > REFRESH_SECONDS || (at == 0 && (content.n == 0 || content.p[0] != '.')))
        return false;
    while (at < content.n && (twx_is_digit((unsigned char)content.p[at]) || content.p[at] == '.'))
        at++;
    twx_slice rest = twx_slice_trim(twx_slice_sub(content, at, content.n));
    const bool separated = rest.n && (rest.p[0] == ';' || rest.p[0] == ',');
    if (rest.n && !separated && !twx_is_space((unsigned char)content.p[at])) return false;
    if (separated) rest = twx_slice_trim(twx_slice_sub(rest, 1, rest.n));
    *ret_target = refresh_url(rest);
    return true;
}

static twx_rc take_refresh(twx_reader *r, twx_slice content) {
    twx_slice target, url = {0};
    if (r->h->redirect_url.n > 0 || !refresh_target(content, &target)) return TWX_OK;
    const twx_rc rc = resolve(r, &r->room->scratch, target, &url);
    if (rc != TWX_OK || twx_slice_eq(url, r->page->whole)) return found(rc);
    return twx_add_cut(r->cx, &r->h->redirect_url, url);
}

static twx_rc take_description(twx_reader *r, twx_slice content) {
    twx_buf_clear(&r->h->description);
    r->h->has_description = true;
    return twx_add_collapsed(r->cx, &r->h->description, content);
}

static twx_rc take_robots(twx_reader *r, twx_slice content) {
    if (content.n == 0) return TWX_OK;
    twx_rc rc = r->h->robots.n > 0 ? twx_add_cut(r->cx, &r->h->robots, TWX_SLICE_LIT(", "))
                                   : TWX_OK;
    return rc == TWX_OK ? twx_add_cut(r->cx, &r->h->robots, content) : rc;
}

/* The standard's "change the encoding": if the encoding was a guess and a meta element names
 * another one, the page is read again. */
static twx_rc take_charset(twx_reader *r, twx_slice label) {
    const char *name = label.n > 0 && !r->settled ? twx_meta_encoding(label) : NULL;
    if (!name || strcmp(name, r->h->encoding) == 0) return TWX_OK;
    r->late_charset = label;
    return TWX_DONE;
}

static twx_rc take_meta(twx_reader *r) {
    twx_slice name, content, property, equivalent, charset;
    twx_rc rc = value_of(r, TWX_ATTR_name, &name);
    if (rc == TWX_OK) rc = value_of(r, TWX_ATTR_content, &content);
    if (rc == TWX_OK) rc = value_of(r, TWX_ATTR_property, &property);
    if (rc == TWX_OK) rc = value_of(r, TWX_ATTR_http_equiv, &equivalent);
    if (rc == TWX_OK) rc = value_of(r, TWX_ATTR_charset, &charset);
    if (rc == TWX_OK && charset.n > 0) rc = take_charset(r, charset);
    if (rc == TWX_OK && twx_slice_eq_nocase(equivalent, TWX_SLICE_LIT("content-type")))
        rc = take_charset(r, twx_charset_in(content));
    if (rc != TWX_OK) return rc;
    name = twx_slice_trim(name);
    if (twx_slice_eq_nocase(name, TWX_SLICE_LIT("description")) && !r->named_description) {
        r->named_description = true;
        return take_description(r, content);
    }
    if (twx_slice_eq_nocase(property, TWX_SLICE_LIT("og:description")))
        return r->h->has_description ? TWX_OK : take_description(r, content);
    if (twx_slice_eq_nocase(name, TWX_SLICE_LIT("robots"))) return take_robots(r, content);
    return twx_slice_eq_nocase(twx_slice_trim(equivalent), TWX_SLICE_LIT("refresh"))
               ? take_refresh(r, content)
               : TWX_OK;
}

/* ---- elements ----------------------------------------------------------- */

static twx_rc take_base(twx_reader *r) {
    twx_slice href, url = {0};
    if (r->has_base) return TWX_OK;
    twx_rc rc = value_of(r, TWX_ATTR_href, &href);
    if (rc == TWX_OK) rc = resolve(r, &r->room->scratch, href, &url);
    if (rc != TWX_OK) return found(rc);
    rc = twx_url_normalize(r->cx, &r->room->scratch, NULL, url, &r->base);
    r->has_base = rc == TWX_OK && r->base.fault == TWX_URL_OK;
    return rc;
}

twx_rc twx_head_element(twx_reader *r, const twx_open *parent, const twx_open *e) {
    if (!parent || parent->tag != TWX_TAG_head || parent->inert) return TWX_OK;
    switch (e->tag) {
    case TWX_TAG_link: return take_link(r);
    case TWX_TAG_meta: return take_meta(r);
    case TWX_TAG_base: return take_base(r);
    default: return TWX_OK;
    }
}

twx_rc twx_head_language(twx_reader *r) {
    twx_slice language;
    if (r->h->language.n > 0) return TWX_OK;
    const twx_rc rc = value_of(r, TWX_ATTR_lang, &language);
    return rc == TWX_OK && language.p
               ? twx_add_cut(r->cx, &r->h->language, twx_slice_trim(language))
               : rc;
}

/* [R7] A normalized URL contains no line feed. */
twx_rc twx_head_anchor(twx_reader *r) {
    twx_buf *links = &r->h->links;
    twx_slice href, url = {0};
    twx_rc rc = twx_attribute_value(r, &r->room->link, TWX_ATTR_href, &href);
    if (rc == TWX_OK) rc = resolve(r, &r->room->link, href, &url);
    if (rc == TWX_OK && !twx_slice_eq(url, r->page->whole) && url.n < links->max - links->n &&
        (twx_slice_starts(url, TWX_SLICE_LIT("http://")) ||
         twx_slice_starts(url, TWX_SLICE_LIT("https://")))) {
        rc = twx_buf_add_slice(r->cx, links, url);
        if (rc == TWX_OK) rc = twx_buf_add_char(r->cx, links, '\n');
    }
    twx_arena_reset(&r->room->link);
    return found(rc);
}
