/* The commands about the program itself: of each what it alone does, and its row, in the order of
 * 'twindex help'. What all commands do is in session.c and options.c; their options are in
 * options.tsv. */
#include "cli/internal.h"

/* ==== command_settings */

/* The texts of the table are printable ASCII: JSON requires escapes for these two alone. */
static void put_json(twx_page *page, const char *name, const char *value) {
    TWX_PAGE_PUT(page, "\"%s\": \"", name);
    for (; *value; value++)
        TWX_PAGE_PUT(page, "%s%c", *value == '"' || *value == '\\' ? "\\" : "", *value);
    TWX_PAGE_PUT(page, "\"");
}

static void write_json(twx_page *page, const char *name) {
    const twindex_setting *st = NULL;
    const char *before = "";
    TWX_PAGE_PUT(page, "[");
    for (size_t i = 0; (st = twindex_setting_at(i)); i++) {
        if (!twx_is_asked(st, name)) continue;
        TWX_PAGE_PUT(page, "%s\n  {", before);
        before = ",";
        put_json(page, "name", st->name);
        TWX_PAGE_PUT(page, ", ");
        put_json(page, "default", st->default_value);
        TWX_PAGE_PUT(page, ", ");
        put_json(page, "values", st->values);
        TWX_PAGE_PUT(page, ", ");
        put_json(page, "help", st->help);
        TWX_PAGE_PUT(page, "}");
    }
    TWX_PAGE_PUT(page, "\n]\n");
}

static int settings(twx_session *s) {
    const char *name = s->arguments_n ? s->arguments[0] : NULL;
    twx_page page = {.cx = &s->cx, .text = {.max = TWX_PAGE_BYTES}};
    page.rc = twx_settings_name_check(&s->cx, name);
    if (s->options.json)
        write_json(&page, name);
    else
        twx_settings_write(&page, name);
    return twx_page_finish(&page, &s->sink);
}

TWX_COMMAND(settings, PURE, "[SETTING]", .run = settings, TWX_COMMAND_OPTIONS(TWX_JSON_OPTIONS));

/* ==== command_help */

typedef struct help_options {
    const char *completion;
    bool complete, man;
} help_options;

static twx_rc write_page(twx_session *s, const char *word, twx_page *page) {
    const help_options *own = s->options.own;
    if (own->complete) {
        twx_complete(page, s->arguments, s->arguments_n);
        return page->rc;
    }
    if (s->arguments_n > 1)
        return twx_fail(&s->cx, TWX_E_USAGE, "'%.100s' is one argument too many", s->arguments[1]);
    if (own->completion) return twx_completion_write(page, own->completion);
    if (own->man) return twx_man_write(page, word ? word : "twindex");
    if (word) return twx_topic_write(page, word);
    twx_help_write(page, NULL);
    return page->rc;
}

static int help(twx_session *s) {
    twx_page page = {.cx = &s->cx, .text = {.max = TWX_PAGE_BYTES}};
    page.rc = write_page(s, s->arguments_n ? s->arguments[0] : NULL, &page);
    return twx_page_finish(&page, &s->sink);
}

TWX_COMMAND(help, PURE, "[TOPIC]", .run = help, TWX_COMMAND_OPTIONS(TWX_HELP_OPTIONS),
            .own_bytes = sizeof(help_options), .unlimited = true);

/* ==== command_version */

#define WING(name) " " #name,

/* of this build; an empty array would not be C */
static const char *const WINGS[] = {"\nwings:", TWX_WING_ROWS(WING)};

static int version(twx_session *s) {
    int result = twx_stdout_print(&s->out, "twindex ");
    if (result == TWINDEX_OK) result = twx_stdout_print(&s->out, twindex_version());
    for (size_t i = 0; result == TWINDEX_OK && i < TWX_COUNTOF(WINGS); i++)
        result = twx_stdout_print(&s->out, WINGS[i]);
    if (result == TWINDEX_OK)
        result = twx_stdout_print(&s->out, TWX_COUNTOF(WINGS) > 1 ? "\n" : " none\n");
    return result;
}

TWX_COMMAND(version, PURE, "", .run = version);
