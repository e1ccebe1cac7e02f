#include "cli/internal.h"

enum { SECTION_BYTES = 64 };

size_t twx_section_length(const twindex_setting *s) {
    const char *dot = strrchr(s->name, '.');
    return dot ? (size_t)(dot - s->name) : 0;
}

bool twx_in_section(const twindex_setting *s, const char *name, size_t n) {
    return s && twx_section_length(s) == n && strncmp(s->name, name, n) == 0;
}

bool twx_is_asked(const twindex_setting *s, const char *name) {
    return !name || twindex_setting_find(name) == s || twx_in_section(s, name, strlen(name));
}

static bool has_settings(const char *name) {
    const twindex_setting *s = NULL;
    for (size_t i = 0; (s = twindex_setting_at(i)); i++)
        if (twx_is_asked(s, name)) return true;
    return false;
}

/* Tries the settings and their sections. */
static void near_settings(twx_nearest *near, char section[SECTION_BYTES]) {
    const twindex_setting *s = NULL;
    char candidate[SECTION_BYTES];
    for (size_t i = 0; (s = twindex_setting_at(i)); i++) {
        const size_t n = twx_section_length(s);
        twx_nearest_try(near, s->name);
        if (n == 0 || n >= SECTION_BYTES) continue;
        snprintf(candidate, sizeof candidate, "%.*s", (int)n, s->name);
        const size_t between = near->distance;
        twx_nearest_try(near, candidate);
        if (near->distance == between) continue;
        memcpy(section, candidate, n + 1);
        near->name = section;
    }
}

twx_rc twx_settings_name_check(twx_ctx *cx, const char *name) {
    char section[SECTION_BYTES];
    if (!name || has_settings(name)) return TWX_OK;
    twx_nearest near = twx_nearest_of(name);
    near_settings(&near, section);
    if (!near.name)
        return twx_fail(cx, TWX_E_USAGE,
                        "no setting or section '%.100s'; 'twindex settings' lists them", name);
    return twx_fail(cx, TWX_E_USAGE, "no setting or section '%.100s'; did you mean '%s'?", name,
                    near.name);
}

/* "--jobs of run, import": the options that stand for the setting. */
static void put_options(twx_page *page, const twindex_setting *s) {
    const twx_command *c = NULL;
    const twx_option *o = NULL, *last = NULL;
    for (size_t i = 0; (c = twx_command_at(i)); i++)
        for (size_t k = 0; (o = twx_option_at(c, k)); k++) {
            if (!o->setting || strcmp(o->setting, s->name) != 0 || !o->help) continue;
            if (!last || strcmp(last->name, o->name) != 0)
                TWX_PAGE_PUT(page, "%s--%s%s%s of twindex %s", last ? "\n                    " : "",
                             o->name, o->argument ? " " : "", o->argument ? o->argument : "",
                             c->name);
            else
                TWX_PAGE_PUT(page, ", %s", c->name);
            last = o;
        }
    TWX_PAGE_PUT(page, "%s--set %s=VALUE\n", last ? "\n                    " : "", s->name);
}

/* Where a single setting can be given. */
static void put_ways(twx_page *page, const twindex_setting *s) {
    char variable[TWX_ENVIRONMENT_NAME_BYTES];
    const size_t n = twx_section_length(s);
    twx_environment_name(s->name, variable);
    TWX_PAGE_PUT(page, "\n    twindex.conf    ");
    if (n > 0) TWX_PAGE_PUT(page, "[%.*s]\n                    ", (int)n, s->name);
    TWX_PAGE_PUT(page, "%s = %s\n", s->name + n + (n > 0),
                 s->default_value[0] ? s->default_value : "VALUE");
    TWX_PAGE_PUT(page, "    command line    ");
    put_options(page, s);
    TWX_PAGE_PUT(page, "    environment     %s=VALUE\n", variable);
}

void twx_settings_write(twx_page *page, const char *name) {
    const twindex_setting *s = NULL, *single = name ? twindex_setting_find(name) : NULL;
    bool begun = false;
    for (size_t i = 0; (s = twindex_setting_at(i)); i++) {
        if (!twx_is_asked(s, name)) continue;
        TWX_PAGE_PUT(page, "%s%s =%s%s\n", begun ? "\n" : "", s->name,
                     s->default_value[0] ? " " : "", s->default_value);
        twx_page_wrap(page, s->help, strlen(s->help), 4, 0);
        twx_page_wrap(page, s->values, strlen(s->values), 6, 0);
        if (s == single) put_ways(page, s);
        begun = true;
    }
}

static bool find_detector(const char *name, twindex_detector *ret_detector) {
    for (size_t i = 0; twindex_detector_at(i, ret_detector); i++)
        if (strcmp(ret_detector->name, name) == 0) return true;
    return false;
}

static void put_detector(twx_page *page, const twindex_detector *d) {
    TWX_PAGE_PUT(page, "%s%s\n", d->name, d->near ? ": finds near-duplicates" : "");
    twx_page_wrap(page, d->summary, strlen(d->summary), 4, 0);
    twx_page_wrap(page, d->source, strlen(d->source), 4, 0);
    if (has_settings(d->name)) {
        TWX_PAGE_PUT(page, "\n");
        twx_settings_write(page, d->name);
    }
}

static twx_rc no_topic(twx_ctx *cx, const char *name) {
    const twx_command *c = NULL;
    const twx_prose *prose = NULL;
    twindex_detector d;
    char section[SECTION_BYTES];
    twx_nearest near = twx_nearest_of(name);
    for (size_t i = 0; (c = twx_command_at(i)); i++) twx_nearest_try(&near, c->name);
    for (size_t i = 0; (prose = twx_prose_at(i)); i++) twx_nearest_try(&near, prose->name);
    near_settings(&near, section);
    for (size_t i = 0; twindex_detector_at(i, &d); i++) twx_nearest_try(&near, d.name);
    if (near.name)
        return twx_fail(cx, TWX_E_USAGE, "no command or topic '%.100s'; did you mean '%s'?", name,
                        near.name);
    return twx_fail(cx, TWX_E_USAGE, "no command or topic '%.100s'; 'twindex help' lists them",
                    name);
}

twx_rc twx_topic_write(twx_page *page, const char *name) {
    const twx_command *command = twx_command_find(name);
    const twx_prose *prose = twx_prose_of(name);
    twindex_detector d;
    if (command)
        twx_help_write(page, command);
    else if (prose->name[0])
        twx_help_topic(page, prose);
    else if (find_detector(name, &d))
        put_detector(page, &d);
    else if (has_settings(name))
        twx_settings_write(page, name);
    else
        page->rc = no_topic(page->cx, name);
    return page->rc;
}
