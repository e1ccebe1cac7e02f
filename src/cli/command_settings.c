#include <string.h>

#include "cli/commands.h"
#include "cli/help.h"
#include "cli/session.h"

/* The texts of the table are ASCII without control characters: JSON requires escapes for these two
 * characters only. */
static void put_json(twx_page *page, const char *name, const char *value) {
    TWX_PAGE_PUT(page, "\"%s\": \"", name);
    for (; *value; value++)
        TWX_PAGE_PUT(page, "%s%c", *value == '"' || *value == '\\' ? "\\" : "", *value);
    TWX_PAGE_PUT(page, "\"");
}

static void write_json(twx_page *page) {
    const twindex_setting *st = NULL;
    TWX_PAGE_PUT(page, "[");
    for (size_t i = 0; (st = twindex_setting_at(i)); i++) {
        TWX_PAGE_PUT(page, "%s\n  {", i ? "," : "");
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

static void write_text(twx_page *page) {
    const twindex_setting *st = NULL;
    for (size_t i = 0; (st = twindex_setting_at(i)); i++) {
        TWX_PAGE_PUT(page, "%s%s =%s%s\n", i ? "\n" : "", st->name, st->default_value[0] ? " " : "",
                     st->default_value);
        twx_page_wrap(page, st->help, strlen(st->help), 4, 0);
        twx_page_wrap(page, st->values, strlen(st->values), 6, 0);
    }
}

static int settings(twx_session *s) {
    twx_page page = {.cx = &s->cx, .text = {.max = TWX_PAGE_BYTES}};
    if (s->options.json)
        write_json(&page);
    else
        write_text(&page);
    return twx_page_finish(&page, &s->sink);
}

static const twx_option OPTIONS[] = {
    {"json", 0, NULL, TWX_OPTION_COMMON(FLAG, json), "print JSON"},
    TWX_OPTION_END,
};

const twx_command twx_command_settings = {
    .name = "settings",
    .run = settings,
    .kind = TWX_CLI_PURE,
    .arguments = "",
    .options = OPTIONS,
};
