/* Decides which elements are shown. The rules are those of the HTML standard's style sheet; where
 * it leaves something open, those of Chromium. docs/imported-text.md lists them. */
#include "page/html_reader.h"

/* SVG elements that are not rendered. */
static bool is_undrawn(twx_slice name) {
    static const char *const NAMES[] = {"desc",           "filter", "lineargradient", "metadata",
                                        "radialgradient", "script", "style",          "title"};
    for (size_t i = 0; i < TWX_COUNTOF(NAMES); i++)
        if (twx_slice_eq_nocase(name, twx_slice_of(NAMES[i]))) return true;
    return false;
}

static void foreign_style(twx_open *e) {
    e->style.display = TWX_INLINE;
    if (e->ns == TWX_SVG) {
        const bool box = e->foreign == TWX_TAG_svg || e->foreign == TWX_TAG_text ||
                         e->foreign == TWX_TAG_foreignobject;
        if (box) e->style.display = TWX_BLOCK;
        if (is_undrawn(e->name)) e->style.display = TWX_NONE;
    } else {
        const bool annotation = e->foreign == TWX_TAG_annotation ||
                                e->foreign == TWX_TAG_annotation_xml;
        e->style.display = annotation                   ? TWX_NONE
                           : e->foreign == TWX_TAG_math ? TWX_BLOCK
                                                        : TWX_CELL;
    }
}

static void styled(twx_html_room *room, const twx_open *parent, bool own_attributes, twx_open *e) {
    const twx_tokenizer *t = &room->tokenizer;
    twx_cascade cascade = {0};
    twx_declared declared;
    const size_t depth = parent ? (size_t)(parent - room->tree.stack.at) + 1 : 0;
    twx_sheet_match(&room->sheet, room->tree.stack.at, depth, e, &cascade);
    if (own_attributes && t->known >> TWX_ATTR_style & 1 &&
        twx_declarations(t->value[TWX_ATTR_style], &declared))
        twx_cascade_add(&cascade, &declared, TWX_INLINE_STRENGTH);
    twx_cascade_apply(&cascade, parent ? &parent->style : NULL, &e->style);
    /* pages are often hidden until a script has run: their text counts nevertheless */
    const bool whole = e->tag == TWX_TAG_html || e->tag == TWX_TAG_body;
    if (whole && e->style.display == TWX_NONE) e->style.display = TWX_BLOCK;
    if (whole && e->style.visibility == TWX_INVISIBLE) e->style.visibility = TWX_VISIBLE;
}

void twx_shown_style(twx_html_room *room, const twx_open *parent, twx_open *e) {
    const twx_tokenizer *t = &room->tokenizer;
    if (e->ns != TWX_HTML) foreign_style(e);
    if (t->known >> TWX_ATTR_hidden & 1 && e->ns == TWX_HTML) e->style.display = TWX_NONE;
    if (t->known >> TWX_ATTR_popover & 1 && e->ns == TWX_HTML) e->style.display = TWX_NONE;
    if (e->tag == TWX_TAG_dialog && t->known >> TWX_ATTR_open & 1) e->style.display = TWX_BLOCK;
    if (room->sheet.selectors.n > 0 || room->sheet.late || t->known >> TWX_ATTR_style & 1)
        styled(room, parent, true, e);
    /* replaced content stays replaced whatever the display value is */
    if (e->tag == TWX_TAG_noscript) e->style.display = TWX_NONE; /* by design */
}

void twx_shown_implied(twx_html_room *room, const twx_open *parent, twx_open *e) {
    if (e->ns == TWX_HTML && room->sheet.selectors.n > 0) styled(room, parent, false, e);
}

/* Does the parent hide this child? */
static bool left_out(twx_open *parent, const twx_open *e) {
    switch ((twx_shown_part)parent->content) {
    case TWX_SHOWS_NOTHING: return true;
    case TWX_SHOWS_SUMMARY:
        if (e->tag != TWX_TAG_summary || parent->summary) return true;
        parent->summary = true;
        return false;
    default: return false;
    }
}

static twx_shown_part content_of(const twx_open *parent, const twx_open *e, bool open) {
    const bool drawn = e->ns == TWX_SVG &&
                       (e->foreign == TWX_TAG_text || e->foreign == TWX_TAG_foreignobject);
    if (e->tag == TWX_TAG_select) return TWX_SHOWS_OPTIONS;
    if (e->tag == TWX_TAG_details && !open) return TWX_SHOWS_SUMMARY;
    if (e->ns == TWX_SVG && e->foreign == TWX_TAG_svg) return TWX_SHOWS_DRAWN;
    if (TWX_ELEMENT[e->tag].display == TWX_REPLACED) return TWX_SHOWS_NOTHING;
    if (parent && parent->content == TWX_SHOWS_OPTIONS && e->tag != TWX_TAG_option)
        return TWX_SHOWS_OPTIONS;
    if (parent && parent->content == TWX_SHOWS_DRAWN && !drawn) return TWX_SHOWS_DRAWN;
    return TWX_SHOWS_ALL;
}

/* The landmark that an element is: by the first word of its role, else by its name. */
static twx_tag landmark_of(const twx_open *e, const twx_html_token *token, const twx_tokenizer *t) {
    static const struct {
        const char *role;
        twx_tag tag;
    } ROLES[] = {{"main", TWX_TAG_main},      {"article", TWX_TAG_article},
                 {"navigation", TWX_TAG_nav}, {"complementary", TWX_TAG_aside},
                 {"banner", TWX_TAG_nav},     {"contentinfo", TWX_TAG_nav},
                 {"search", TWX_TAG_nav}};
    if (!token || e->ns != TWX_HTML) return TWX_TAG_unknown;
    const twx_slice value = t->known >> TWX_ATTR_role & 1 ? twx_slice_trim(t->value[TWX_ATTR_role])
                                                          : (twx_slice){NULL, 0};
    const twx_slice role = twx_slice_sub(value, 0, twx_slice_find(value, ' ', 0));
    for (size_t i = 0; role.n && i < TWX_COUNTOF(ROLES); i++)
        if (twx_slice_eq_nocase(role, twx_slice_of(ROLES[i].role))) return ROLES[i].tag;
    return e->tag;
}

/* What is outside stays outside; a header or footer within a section is the section's own. */
static void set_area(const twx_open *parent, twx_open *e, twx_tag landmark) {
    e->area = parent ? parent->area : TWX_AREA_BODY;
    e->section = parent && parent->section;
    if (e->area == TWX_AREA_OUTSIDE) return;
    switch (landmark) {
    case TWX_TAG_main: e->area = TWX_AREA_MAIN; break;
    case TWX_TAG_article:
        if (e->area < TWX_AREA_ARTICLE) e->area = TWX_AREA_ARTICLE;
        break;
    case TWX_TAG_nav:
    case TWX_TAG_aside: e->area = TWX_AREA_OUTSIDE; break;
    case TWX_TAG_header:
    case TWX_TAG_footer:
        if (!e->section) e->area = TWX_AREA_OUTSIDE;
        break;
    case TWX_TAG_section: break;
    default: return;
    }
    e->section = true;
}

void twx_shown_open(twx_open *parent, twx_open *e, const twx_html_token *token,
                    const twx_tokenizer *t) {
    const bool option = parent && parent->content == TWX_SHOWS_OPTIONS && e->tag == TWX_TAG_option;
    if (parent && parent->style.flex &&
        (e->style.display == TWX_INLINE || e->style.display == TWX_CELL))
        e->style.display = TWX_BLOCK;
    e->hides = parent && (parent->hides || left_out(parent, e));
    e->hides |= e->style.display == TWX_NONE && !option; /* select shows all its options */
    e->visibility = e->style.visibility != TWX_INHERITED ? e->style.visibility
                    : parent                             ? parent->visibility
                                                         : 0;
    e->content = (uint8_t)content_of(parent, e, token && t->known >> TWX_ATTR_open & 1);
    e->summary = false;
    if (parent && parent->flags & TWX_EL_PRE) e->flags |= TWX_EL_PRE;
    e->inert = (parent && parent->inert) || e->tag == TWX_TAG_template ||
               e->tag == TWX_TAG_noscript;
    e->fragment = (parent && parent->fragment) || e->tag == TWX_TAG_template;
    set_area(parent, e, landmark_of(e, token, t));
}

void twx_shown_moved(twx_open *parent, twx_open *e) {
    e->hides = parent->hides || e->style.display == TWX_NONE;
    e->visibility = e->style.visibility != TWX_INHERITED ? e->style.visibility : parent->visibility;
}

bool twx_shown_text(const twx_open *e) {
    return !e->hides && e->content == TWX_SHOWS_ALL && e->visibility != TWX_INVISIBLE;
}
