/* Manual pages in roff (man(7)), from the same tables as --help: twindex(1), twindex-COMMAND(1),
 * twindex.conf(5). */
#include <stdio.h>
#include <string.h>

#include "cli/help.h"
#include "cli/options.h"

/* ---- roff --------------------------------------------------------------- */

/* Text as it is: a backslash and a dash have meanings of their own in roff, a dot or quote at the
 * start of a line. */
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

/* A term in bold and what it means, indented. */
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

/* ---- sections that pages share ------------------------------------------ */

static const char *const EXIT_CODES[][2] = {
    {"0", "Done."},
    {"1", "check, diff: there is something to look at."},
    {"3", "A guard stopped the run before it published anything."},
    {"64", "Wrong usage: an option, an argument, a setting on the command line."},
    {"65", "Bad data or a bad configuration; a corrupt store."},
    {"66", "No such store, no such document, or no such input."},
    {"70", "An internal error, or no memory."},
    {"73", "A file could not be created."},
    {"74", "Reading or writing failed: a full disk, an output that cannot be written."},
    {"75", "The store is locked or busy: try again later."},
    {"130, 143", "Interrupted (SIGINT), terminated (SIGTERM). Nothing is half published; a second "
                 "signal kills at once."},
};

static const char CLOSED_OUTPUT[] =
    "When the reader of the output goes away, as head does, output ends quietly: a command that "
    "only looks ends with 0, one that changes the store finishes its work.";

static void put_exit_codes(twx_page *page) {
    TWX_PAGE_PUT(page, ".SH EXIT STATUS\n");
    for (size_t i = 0; i < TWX_COUNTOF(EXIT_CODES); i++)
        put_item(page, EXIT_CODES[i][0], EXIT_CODES[i][1]);
    put_paragraph(page, CLOSED_OUTPUT, sizeof CLOSED_OUTPUT - 1);
}

static void put_environment(twx_page *page) {
    TWX_PAGE_PUT(page, ".SH ENVIRONMENT\n");
    put_item(page, "TWINDEX_SECTION_KEY",
             "The setting section.key: TWINDEX_FUZZY_QUANT_RATE=0.02 is fuzzy.quant_rate = 0.02. "
             "Options override the environment, the environment overrides the configuration file.");
}

static void put_files(twx_page *page) {
    TWX_PAGE_PUT(page, ".SH FILES\n");
    put_item(page, "twindex.conf",
             "Settings, in the folder of the store, unless --config names another file. It is not "
             "looked for in the working directory. See twindex.conf(5).");
    put_item(page, "STORE-twindex-lock", "Held while a run works on STORE.");
}

static void put_see_also(twx_page *page, const char *self) {
    const twx_command *c = NULL;
    TWX_PAGE_PUT(page, ".SH SEE ALSO\n");
    if (self[0]) TWX_PAGE_PUT(page, "\\fBtwindex\\fR(1),\n");
    for (size_t i = 0; (c = twx_command_at(i)); i++)
        if (strcmp(c->name, self) != 0) TWX_PAGE_PUT(page, "\\fBtwindex\\-%s\\fR(1),\n", c->name);
    TWX_PAGE_PUT(page, "\\fBtwindex.conf\\fR(5)\n");
}

/* ---- pages -------------------------------------------------------------- */

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

static void put_examples(twx_page *page, const twx_example *examples) {
    if (!examples[0].command) return;
    TWX_PAGE_PUT(page, ".SH EXAMPLES\n");
    for (size_t i = 0; i < TWX_EXAMPLES_MAX && examples[i].command; i++)
        put_item(page, examples[i].command, examples[i].what);
}

static void write_command(twx_page *page, const twx_command *command) {
    const twx_option *o = NULL;
    char name[64];
    snprintf(name, sizeof name, "twindex-%s", command->name);
    put_head(page, name, 1, command->summary);
    TWX_PAGE_PUT(page, ".SH SYNOPSIS\n\\fBtwindex %s\\fR [\\fIOPTION\\fR]... \\fI", command->name);
    put_text(page, command->arguments);
    TWX_PAGE_PUT(page, "\\fR\n.SH DESCRIPTION\n");
    twx_page_parts(page, command->description, put_paragraph, put_literal);
    TWX_PAGE_PUT(page, ".SH OPTIONS\n");
    for (size_t i = 0; (o = twx_option_at(command, i)); i++)
        if (o->help) put_option(page, o);
    put_examples(page, command->examples);
    if (command->kind != TWX_CLI_PURE) {
        put_environment(page);
        put_files(page);
    }
    put_exit_codes(page);
    put_see_also(page, command->name);
}

static const char PROGRAM[] =
    "Twindex is the job that runs after a crawl. It reads the documents of an SQLite store, finds "
    "which of them are doubles of each other, and writes flags that ranking rules use to filter or "
    "demote the doubles. It never deletes a document and never changes a table of the crawler.\n\n"
    "The flags are in the view document_flags of the store, one row a document; in a store that "
    "'twindex init' made, flagged_documents has the document's own columns in front of them. "
    "'twindex explain' tells what led to the flags of a document.\n\n"
    "A store is either one that 'twindex init' made and 'twindex import' filled, or any SQLite "
    "file with a table of documents: twindex.conf(5) says which columns are what, or twindex finds "
    "that out by their names.\n\n"
    "Data goes to standard output, messages and progress to standard error.";

static const twx_example PROGRAM_EXAMPLES[TWX_EXAMPLES_MAX] = {
    {"twindex init pages.db && twindex import pages.db crawl.warc.gz",
     "makes a store and fills it."},
    {"twindex run pages.db", "finds the doubles and writes the flags. Again after each crawl: what "
                             "did not change is not read again."},
    {"sqlite3 pages.db 'SELECT url FROM flagged_documents WHERE representative_b'",
     "lists each page once."},
};

static void write_program(twx_page *page) {
    const twx_command *c = NULL;
    put_head(page, "twindex", 1,
             "finds the documents of a search index that are doubles of each other");
    TWX_PAGE_PUT(
        page,
        ".SH SYNOPSIS\n\\fBtwindex\\fR \\fICOMMAND\\fR [\\fIOPTION\\fR]... [\\fIARGUMENT\\fR]...\n"
        ".SH DESCRIPTION\n");
    twx_page_parts(page, PROGRAM, put_paragraph, put_literal);
    TWX_PAGE_PUT(page, ".SH COMMANDS\n");
    for (size_t i = 0; (c = twx_command_at(i)); i++) put_item(page, c->name, c->summary);
    put_examples(page, PROGRAM_EXAMPLES);
    put_environment(page);
    put_files(page);
    put_exit_codes(page);
    put_see_also(page, "");
}

static const char CONFIG[] =
    "A file of settings for twindex(1). It is read from the folder of the store, where it is "
    "called twindex.conf, or from where --config says.\n\n"
    "    [store]\n    from = pages\n    id   = rowid\n    url  = page_url\n    text = "
    "coalesce(markdown,\n"
    "            content)\n\n"
    "    [fuzzy]\n    quant_rate = 0.02\n\n"
    "A line 'key = value' below '[section]' gives the setting section.key its value. Above the "
    "first section, keys are full names. A later line overrides an earlier one. Lines that begin "
    "with # or ; are comments, and so is what follows a blank and a ; on a line. A value goes on "
    "in the next line when that is indented. A line has at most 198 bytes.\n\n"
    "Names are those below, in any case; MIN_TOKEN_LEN and QUANT_RATE stand for "
    "fuzzy.min_token_len and fuzzy.quant_rate. An unknown name or a bad value is an error. "
    "Switches take yes, true, on and 1, or no, false, off and 0. Sizes take K, M and G for powers "
    "of 1024. A relative file name is meant from the folder of the configuration file.\n\n"
    "Options override the environment (TWINDEX_SECTION_KEY), which overrides this file, which "
    "overrides the defaults.";

static const char CONFIG_MAPPING[] =
    "The settings of the section store say how the documents are read. Each is an SQL expression "
    "over the table, so that JSON columns and functions work. When store.from is not set, twindex "
    "takes its own table documents, or a table whose columns have the usual names; 'twindex check' "
    "shows which.";

static const char CONFIG_YACY[] =
    "compat = yacy stands for YaCy's own defaults: exact.scope, fuzzy.scope, title.scope and "
    "description.scope = host, preferhttps = no, preferwwwprefix = yes, fuzzy.min_token_len = 3, "
    "fuzzy.quant_rate = 0.5. Settings given behind it override it.";

static void write_config(twx_page *page) {
    const twindex_setting *s = NULL;
    put_head(page, "twindex.conf", 5, "settings of twindex");
    TWX_PAGE_PUT(page, ".SH DESCRIPTION\n");
    twx_page_parts(page, CONFIG, put_paragraph, put_literal);
    twx_page_parts(page, CONFIG_MAPPING, put_paragraph, put_literal);
    twx_page_parts(page, CONFIG_YACY, put_paragraph, put_literal);
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
