#include "cli/internal.h"

#include "prose_text.h" /* TWX_PROSE, made from docs/commands */

/* ==== prose */

const twx_prose *twx_prose_at(size_t i) {
    return i < TWX_COUNTOF(TWX_PROSE) ? &TWX_PROSE[i] : NULL;
}

const twx_prose *twx_prose_of(const char *name) {
    static const twx_prose NONE = {.name = "", .summary = "", .description = ""};
    for (size_t i = 0; i < TWX_COUNTOF(TWX_PROSE); i++)
        if (strcmp(TWX_PROSE[i].name, name) == 0) return &TWX_PROSE[i];
    return &NONE;
}

/* ==== help */

enum { OPTION_COLUMN = 26, COMMAND_COLUMN = 13 };

static void put_paragraph(twx_page *page, const char *text, size_t n) {
    TWX_PAGE_PUT(page, "\n");
    twx_page_wrap(page, text, n, 0, 0);
}

static void put_literal(twx_page *page, const char *text, size_t n) {
    TWX_PAGE_PUT(page, "\n%.*s\n", (int)n, text);
}

/* "  -c, --config FILE     read settings ..." */
static void put_option(twx_page *page, const twx_option *o) {
    size_t from = page->text.n;
    if (o->letter)
        TWX_PAGE_PUT(page, "  -%c, ", o->letter);
    else
        TWX_PAGE_PUT(page, "      ");
    TWX_PAGE_PUT(page, "--%s%s%s", o->name, o->argument ? " " : "", o->argument ? o->argument : "");
    size_t column = page->text.n - from;
    if (column > OPTION_COLUMN - 2) {
        TWX_PAGE_PUT(page, "\n");
        column = 0;
    }
    twx_page_wrap(page, o->help, strlen(o->help), OPTION_COLUMN, column);
}

static void put_examples(twx_page *page, const twx_prose *prose) {
    if (prose->examples[0].command) TWX_PAGE_PUT(page, "\nExamples:\n");
    for (const twx_example *e = prose->examples; e->command; e++) {
        TWX_PAGE_PUT(page, "  %s\n", e->command);
        twx_page_wrap(page, e->what, strlen(e->what), 6, 0);
    }
}

static void write_command(twx_page *page, const twx_command *command) {
    const twx_option *o = NULL;
    const twx_prose *prose = twx_prose_of(command->name);
    bool more = command->arguments[0] != '\0';
    TWX_PAGE_PUT(page, "Usage: twindex %s [OPTION]...%s%s\n", command->name, more ? " " : "",
                 command->arguments);
    TWX_PAGE_PUT(page, "%c%s.\n", prose->summary[0] - 'a' + 'A', prose->summary + 1);
    twx_page_parts(page, prose->description, put_paragraph, put_literal);
    TWX_PAGE_PUT(page, "\nOptions:\n");
    for (size_t i = 0; (o = twx_option_at(command, i)); i++)
        if (o->help) put_option(page, o);
    put_examples(page, prose);
}

void twx_help_topic(twx_page *page, const twx_prose *prose) {
    TWX_PAGE_PUT(page, "%s: %s\n", prose->name, prose->summary);
    twx_page_parts(page, prose->description, put_paragraph, put_literal);
    put_examples(page, prose);
}

/* By twx_command_group(). Those of the first are what an operator needs every day. */
static const char *const GROUPS[] = {NULL,
                                     "Every day",
                                     "Filling and keeping a store",
                                     "Looking closer",
                                     "Search and ranking rules",
                                     "Before a download",
                                     "Methods",
                                     "Stores on several machines",
                                     "Help"};

const char *twx_help_group(size_t group) {
    return group < TWX_COUNTOF(GROUPS) ? GROUPS[group] : "Others";
}

static void put_commands(twx_page *page, size_t last) {
    const twx_command *c = NULL;
    size_t group = 0;
    for (size_t i = 0; (c = twx_command_at(i)) && twx_command_group(i) <= last; i++) {
        if (twx_command_group(i) != group) {
            group = twx_command_group(i);
            TWX_PAGE_PUT(page, "%s%s:\n", i ? "\n" : "", twx_help_group(group));
        }
        TWX_PAGE_PUT(page, "  %-*s%s\n", COMMAND_COLUMN - 2, c->name,
                     twx_prose_of(c->name)->summary);
    }
}

void twx_help_everyday(twx_page *page) {
    TWX_PAGE_PUT(page, "twindex: a command is missing\n\n");
    put_commands(page, 1);
    TWX_PAGE_PUT(page,
                 "\n'twindex help' lists all commands, 'twindex COMMAND --help' explains one.\n");
}

void twx_help_write(twx_page *page, const twx_command *command) {
    const twx_prose *prose = NULL;
    if (command) {
        write_command(page, command);
        return;
    }
    TWX_PAGE_PUT(page,
                 "Usage: twindex COMMAND [OPTION]... [ARGUMENT]...\n"
                 "Finds duplicate documents in a search index kept in SQLite, and flags them.\n\n");
    put_commands(page, TWX_COUNTOF(GROUPS) - 1);
    TWX_PAGE_PUT(page,
                 "\nTopics of 'twindex help TOPIC', besides commands, settings and detectors:\n");
    for (size_t i = 0; (prose = twx_prose_at(i)); i++)
        if (!twx_command_find(prose->name))
            TWX_PAGE_PUT(page, "  %-*s%s\n", COMMAND_COLUMN + 1, prose->name, prose->summary);
    TWX_PAGE_PUT(page,
                 "\n'twindex COMMAND --help' and the manual page twindex-COMMAND(1) have more.\n");
}

int twx_page_finish(twx_page *page, const twindex_sink *sink) {
    twx_rc rc = page->rc;
    if (rc == TWX_OK && sink->write(sink->arg, page->text.p ? page->text.p : "", page->text.n) != 0)
        rc = twx_fail(page->cx, TWX_E_IO, "cannot write to standard output");
    twx_buf_done(&page->text);
    return twx_rc_exit(rc);
}

int twx_help_print(twx_ctx *cx, const twx_command *command, const twindex_sink *sink) {
    twx_page page = {.cx = cx, .text = {.max = TWX_PAGE_BYTES}};
    twx_help_write(&page, command);
    return twx_page_finish(&page, sink);
}
