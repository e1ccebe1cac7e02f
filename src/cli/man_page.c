/* Manual pages in roff (man(7)): twindex(1), twindex-COMMAND(1), twindex.conf(5), as --help. */

#include "cli/internal.h"
#include "man_items_table.h"

/* Escapes what is special in roff: a backslash, a dash, and a dot or quote that begins a line. */
static void put(twx_page *page, const char *text, size_t n) {
    for (size_t i = 0; i < n; i++) {
        bool first = i == 0 || text[i - 1] == '\n';
        if (first && (text[i] == '.' || text[i] == '\'')) TWX_PAGE_PUT(page, "\\&");
        if (text[i] == '\\')
            TWX_PAGE_PUT(page, "\\e");
        else if (text[i] == '-')
            TWX_PAGE_PUT(page, "\\-");
        else
            TWX_PAGE_PUT(page, "%c", text[i]);
    }
}

static void put_text(twx_page *page, const char *text) {
    put(page, text, strlen(text));
}

static void put_paragraph(twx_page *page, const char *text, size_t n) {
    TWX_PAGE_PUT(page, ".PP\n");
    put(page, text, n);
    TWX_PAGE_PUT(page, "\n");
}

static void put_literal(twx_page *page, const char *text, size_t n) {
    TWX_PAGE_PUT(page, ".PP\n.nf\n");
    put(page, text, n);
    TWX_PAGE_PUT(page, "\n.fi\n");
}

/* A term in bold, and its description indented below it. */
static void put_item(twx_page *page, const char *term, const char *text) {
    TWX_PAGE_PUT(page, ".TP\n\\fB");
    put_text(page, term);
    TWX_PAGE_PUT(page, "\\fR\n");
    put_text(page, text);
    TWX_PAGE_PUT(page, "\n");
}

static void put_head(twx_page *page, const char *name, int section, const char *summary) {
    TWX_PAGE_PUT(page, ".TH \"%s\" \"%d\" \"\" \"twindex %s\" \"Twindex\"\n.SH NAME\n", name,
                 section, twindex_version());
    put_text(page, name);
    TWX_PAGE_PUT(page, " \\- ");
    put_text(page, summary);
    TWX_PAGE_PUT(page, "\n");
}

typedef const char *item[2]; /* a term and its description */
static const item EXIT_STATUS[] = {EXIT_STATUS_ROWS}, ENVIRONMENT[] = {ENVIRONMENT_ROWS},
                  FILES[] = {OWN_FILE_ROWS};
static const char CLOSED_OUTPUT[] = {CLOSED_OUTPUT_ROWS};

static void put_items(twx_page *page, const char *section, const item *items, size_t n) {
    TWX_PAGE_PUT(page, ".SH %s\n", section);
    for (size_t i = 0; i < n; i++) put_item(page, items[i][0], items[i][1]);
}

/* What ends a page: of twindex (self: ""), or of one of its commands. */
static void put_end(twx_page *page, bool with_store, const char *self) {
    const twx_command *c = NULL;
    if (with_store) put_items(page, "ENVIRONMENT", ENVIRONMENT, TWX_COUNTOF(ENVIRONMENT));
    if (with_store) put_items(page, "FILES", FILES, TWX_COUNTOF(FILES));
    put_items(page, "EXIT STATUS", EXIT_STATUS, TWX_COUNTOF(EXIT_STATUS));
    put_paragraph(page, CLOSED_OUTPUT, sizeof CLOSED_OUTPUT - 1);
    TWX_PAGE_PUT(page, ".SH SEE ALSO\n");
    if (self[0]) TWX_PAGE_PUT(page, "\\fBtwindex\\fR(1),\n");
    for (size_t i = 0; (c = twx_command_at(i)); i++)
        if (strcmp(c->name, self) != 0) TWX_PAGE_PUT(page, "\\fBtwindex\\-%s\\fR(1),\n", c->name);
    TWX_PAGE_PUT(page, "\\fBtwindex.conf\\fR(5)\n");
}

static void put_option(twx_page *page, const twx_option *o) {
    TWX_PAGE_PUT(page, ".TP\n");
    if (o->letter) TWX_PAGE_PUT(page, "\\fB\\-%c\\fR, ", o->letter);
    TWX_PAGE_PUT(page, "\\fB\\-\\-");
    put_text(page, o->name);
    TWX_PAGE_PUT(page, "\\fR");
    if (o->argument) TWX_PAGE_PUT(page, " \\fI%s\\fR", o->argument);
    TWX_PAGE_PUT(page, "\n");
    put_text(page, o->help);
    TWX_PAGE_PUT(page, ".\n");
}

static void put_description(twx_page *page, const twx_prose *prose) {
    TWX_PAGE_PUT(page, ".SH DESCRIPTION\n");
    twx_page_parts(page, prose->description, put_paragraph, put_literal);
}

static void put_examples(twx_page *page, const twx_prose *prose) {
    TWX_PAGE_PUT(page, ".SH EXAMPLES\n");
    for (const twx_example *e = prose->examples; e->command; e++)
        put_item(page, e->command, e->what);
}

static void write_command(twx_page *page, const twx_command *command) {
    const twx_option *o = NULL;
    const twx_prose *prose = twx_prose_of(command->name);
    char name[64];
    snprintf(name, sizeof name, "twindex-%s", command->name);
    put_head(page, name, 1, prose->summary);
    TWX_PAGE_PUT(page, ".SH SYNOPSIS\n\\fBtwindex %s\\fR [\\fIOPTION\\fR]... \\fI", command->name);
    put_text(page, command->arguments);
    TWX_PAGE_PUT(page, "\\fR\n");
    put_description(page, prose);
    TWX_PAGE_PUT(page, ".SH OPTIONS\n");
    for (size_t i = 0; (o = twx_option_at(command, i)); i++)
        if (o->help) put_option(page, o);
    put_examples(page, prose);
    put_end(page, command->kind != TWX_CLI_PURE, command->name);
}

static void write_program(twx_page *page) {
    const twx_command *c = NULL;
    const twx_prose *prose = twx_prose_of("twindex");
    put_head(page, "twindex", 1, prose->summary);
    TWX_PAGE_PUT(page, ".SH SYNOPSIS\n\\fBtwindex\\fR \\fICOMMAND\\fR [\\fIOPTION\\fR]... "
                       "[\\fIARGUMENT\\fR]...\n");
    put_description(page, prose);
    TWX_PAGE_PUT(page, ".SH COMMANDS\n");
    for (size_t i = 0; (c = twx_command_at(i)); i++) {
        if (i == 0 || twx_command_group(i) != twx_command_group(i - 1))
            TWX_PAGE_PUT(page, ".SS %s\n", twx_help_group(twx_command_group(i)));
        put_item(page, c->name, twx_prose_of(c->name)->summary);
    }
    put_examples(page, prose);
    put_end(page, true, "");
}

static void write_config(twx_page *page) {
    const twindex_setting *s = NULL;
    const twx_prose *prose = twx_prose_of("twindex.conf");
    put_head(page, "twindex.conf", 5, prose->summary);
    put_description(page, prose);
    TWX_PAGE_PUT(page, ".SH SETTINGS\n");
    for (size_t i = 0; (s = twindex_setting_at(i)); i++) {
        TWX_PAGE_PUT(page, ".TP\n\\fB");
        put_text(page, s->name);
        TWX_PAGE_PUT(page, "\\fR = \\fI");
        put_text(page, s->values);
        TWX_PAGE_PUT(page, "\\fR\n");
        put_text(page, s->help);
        if (s->default_value[0]) TWX_PAGE_PUT(page, "\nDefault: ");
        put_text(page, s->default_value);
        TWX_PAGE_PUT(page, "%s\n", s->default_value[0] ? "." : "");
    }
    TWX_PAGE_PUT(page, ".SH SEE ALSO\n\\fBtwindex\\fR(1), \\fBtwindex\\-check\\fR(1), "
                       "\\fBtwindex\\-settings\\fR(1)\n");
}

twx_rc twx_man_write(twx_page *page, const char *name) {
    const twx_command *command = twx_command_find(name);
    if (strcmp(name, "twindex") == 0)
        write_program(page);
    else if (strcmp(name, "twindex.conf") == 0)
        write_config(page);
    else if (command)
        write_command(page, command);
    else
        page->rc = twx_fail(page->cx, TWX_E_USAGE, "no manual page '%.100s'", name);
    return page->rc;
}
