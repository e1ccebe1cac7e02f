#include "cli/commands.h"
#include "cli/help.h"
#include "cli/session.h"
#include "cli/topics.h"

/* The texts of the table are ASCII without control characters: JSON requires escapes for these two
 * characters only. */
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

static const twx_option OPTIONS[] = {
    {"json", 0, NULL, TWX_OPTION_COMMON(FLAG, json), "print JSON"},
    TWX_OPTION_END,
};

const twx_command twx_command_settings = {
    .name = "settings",
    .run = settings,
    .kind = TWX_CLI_PURE,
    .arguments = "[SETTING]",
    .most = 1,
    .options = OPTIONS,
};
