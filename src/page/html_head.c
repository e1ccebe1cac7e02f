/* The metadata in the head of a page: description, robots, canonical link, translations, redirect,
 * base, encoding. Also the links of the body. */
#include "page/html_reader.h"

#include <string.h>

#include "page/encoding.h"
#include "page/encoding_prescan.h"

enum { REFRESH_SECONDS = 5 };

static twx_rc value_of(twx_html_reader *r, twx_attribute_id id, twx_slice *ret) {
    return twx_attribute_value(r, &r->room->scratch, id, ret);
}

static bool has_word(twx_slice list, twx_slice word) {
    for (size_t i = 0, end; i < list.n; i = end + 1) {
        for (end = i; end < list.n && !twx_is_space((unsigned char)list.p[end]); end++) continue;
        if (twx_slice_eq_nocase(twx_slice_sub(list, i, end), word)) return true;
    }
    return false;
}

/* [R3] The absolute normalized form of a link. base: NULL: unknown. TWX_DONE: it has none. */
static twx_rc resolve(twx_ctx *cx, twx_arena *arena, const twx_url *base, twx_slice reference,
                      twx_url *ret_url) {
    reference = twx_slice_trim(reference);
    if ((base && base->fault != TWX_URL_OK) || reference.n == 0) return TWX_DONE;
    const twx_rc rc = base ? twx_url_resolve(cx, arena, NULL, base, reference, ret_url)
                           : twx_url_normalize(cx, arena, NULL, reference, ret_url);
    return rc == TWX_OK && ret_url->fault != TWX_URL_OK ? TWX_DONE : rc;
}

static twx_rc found(twx_rc rc) { /* a missing value is not an error */
    return rc == TWX_DONE ? TWX_OK : rc;
}

/* ---- links, when the page has been read --------------------------------- */

/* [R4] */
static twx_rc note_translation(twx_ctx *cx, twx_html *h, const twx_url *page, twx_slice url) {
    twx_buf *smallest = &h->hreflang_group;
    twx_rc rc = TWX_OK;
    if (smallest->n == 0 && page && page->fault == TWX_URL_OK)
        rc = twx_add_cut(cx, smallest, page->whole);
    if (rc != TWX_OK || (smallest->n > 0 && twx_slice_cmp(url, twx_buf_slice(smallest)) >= 0))
        return rc;
    twx_buf_clear(smallest);
    return twx_add_cut(cx, smallest, url);
}

/* A field takes the first link that has a target; a page that refreshes itself has none. */
static twx_rc take_target(twx_ctx *cx, twx_html *h, const twx_url *page, twx_reference_kind kind,
                          twx_slice target) {
    if (kind == TWX_REFERENCE_TRANSLATION) return note_translation(cx, h, page, target);
    twx_buf *field = kind == TWX_REFERENCE_CANONICAL ? &h->canonical_url : &h->redirect_url;
    if (field->n > 0) return TWX_OK;
    if (kind == TWX_REFERENCE_REFRESH && page && twx_slice_eq(target, page->whole)) return TWX_OK;
    return twx_add_cut(cx, field, target);
}

twx_rc twx_html_links(twx_ctx *cx, twx_html *h, const twx_url *url) {
    twx_html_room *room = h->room;
    const twx_url *base = url;
    twx_url own, target;
    twx_rc rc = TWX_OK;
    twx_buf_clear(&h->canonical_url);
    twx_buf_clear(&h->redirect_url);
    twx_buf_clear(&h->hreflang_group);
    twx_arena_reset(&room->base);
    for (size_t i = 0; rc == TWX_OK && i < room->references.n; i++) {
        const twx_reference *at = &room->references.at[i];
        const bool is_base = at->kind == TWX_REFERENCE_BASE;
        if (is_base && base == &own) continue;
        rc = resolve(cx, is_base ? &room->base : &room->link, base, at->to, &target);
        if (rc == TWX_OK && is_base) {
            own = target;
            base = &own;
        } else if (rc == TWX_OK) {
            rc = take_target(cx, h, url, at->kind, target.whole);
        }
        twx_arena_reset(&room->link);
        rc = found(rc);
    }
    return rc;
}

/* ---- link --------------------------------------------------------------- */

static twx_rc keep(twx_html_reader *r, twx_reference_kind kind, twx_slice to) {
    const twx_reference reference = {.kind = kind, .to = to};
    if (twx_slice_trim(to).n == 0) return TWX_OK;
    return TWX_VEC_PUSH(r->cx, &r->room->references, reference) ? TWX_OK : TWX_E_NOMEM;
}

static twx_rc take_link(twx_html_reader *r) {
    twx_slice rel, href, hreflang;
    twx_rc rc = value_of(r, TWX_ATTR_rel, &rel);
    if (rc == TWX_OK) rc = value_of(r, TWX_ATTR_href, &href);
    if (rc == TWX_OK) rc = value_of(r, TWX_ATTR_hreflang, &hreflang);
    if (rc == TWX_OK && has_word(rel, TWX_SLICE_LIT("canonical")))
        rc = keep(r, TWX_REFERENCE_CANONICAL, href);
    if (rc == TWX_OK && has_word(rel, TWX_SLICE_LIT("alternate")) && hreflang.n > 0)
        rc = keep(r, TWX_REFERENCE_TRANSLATION, href);
    return rc;
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

static twx_rc take_refresh(twx_html_reader *r, twx_slice content) {
    twx_slice target;
    return refresh_target(content, &target) ? keep(r, TWX_REFERENCE_REFRESH, target) : TWX_OK;
}

static twx_rc take_description(twx_html_reader *r, twx_slice content) {
    twx_buf_clear(&r->h->description);
    r->h->has_description = true;
    return twx_add_collapsed(r->cx, &r->h->description, content);
}

static twx_rc take_robots(twx_html_reader *r, twx_slice content) {
    if (content.n == 0) return TWX_OK;
    twx_rc rc = r->h->robots.n > 0 ? twx_add_cut(r->cx, &r->h->robots, TWX_SLICE_LIT(", "))
                                   : TWX_OK;
    return rc == TWX_OK ? twx_add_cut(r->cx, &r->h->robots, content) : rc;
}

/* The standard's "change the encoding": if the encoding was a guess and a meta element names
 * another one, the page is read again. */
static twx_rc take_charset(twx_html_reader *r, twx_slice label) {
    const char *name = label.n > 0 && !r->settled ? twx_meta_encoding(label) : NULL;
    if (!name || strcmp(name, r->h->encoding) == 0) return TWX_OK;
    r->late_charset = label;
    return TWX_DONE;
}

static twx_rc take_meta(twx_html_reader *r) {
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

/* The links of the body are resolved as they are read. */
static twx_rc take_base(twx_html_reader *r) {
    twx_slice href;
    twx_url base;
    if (r->has_base) return TWX_OK;
    twx_rc rc = value_of(r, TWX_ATTR_href, &href);
    if (rc == TWX_OK) rc = keep(r, TWX_REFERENCE_BASE, href);
    if (rc == TWX_OK) rc = resolve(r->cx, &r->room->scratch, r->page, href, &base);
    if (rc != TWX_OK) return found(rc);
    r->base = base;
    r->has_base = true;
    return TWX_OK;
}

twx_rc twx_head_element(twx_html_reader *r, const twx_open *parent, const twx_open *e) {
    if (!parent || parent->tag != TWX_TAG_head || parent->inert) return TWX_OK;
    switch (e->tag) {
    case TWX_TAG_link: return take_link(r);
    case TWX_TAG_meta: return take_meta(r);
    case TWX_TAG_base: return take_base(r);
    default: return TWX_OK;
    }
}

twx_rc twx_head_language(twx_html_reader *r) {
    twx_slice language;
    if (r->h->language.n > 0) return TWX_OK;
    const twx_rc rc = value_of(r, TWX_ATTR_lang, &language);
    return rc == TWX_OK && language.p
               ? twx_add_cut(r->cx, &r->h->language, twx_slice_trim(language))
               : rc;
}

/* [R7] A normalized URL contains no line feed. */
twx_rc twx_head_anchor(twx_html_reader *r) {
    twx_buf *links = &r->h->links;
    twx_slice href;
    twx_url target;
    twx_rc rc = twx_attribute_value(r, &r->room->link, TWX_ATTR_href, &href);
    if (rc == TWX_OK)
        rc = resolve(r->cx, &r->room->link, r->has_base ? &r->base : r->page, href, &target);
    const twx_slice url = rc == TWX_OK ? target.whole : (twx_slice){0};
    if (rc == TWX_OK && !twx_slice_eq(url, r->page->whole) && url.n < links->max - links->n &&
        (twx_slice_starts(url, TWX_SLICE_LIT("http://")) ||
         twx_slice_starts(url, TWX_SLICE_LIT("https://")))) {
        rc = twx_buf_add_slice(r->cx, links, url);
        if (rc == TWX_OK) rc = twx_buf_add_char(r->cx, links, '\n');
    }
    twx_arena_reset(&r->room->link);
    return found(rc);
}
