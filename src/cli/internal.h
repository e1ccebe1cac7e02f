/* cli/internal.h: what files of this room and its tests share; other rooms include cli/cli.h. */
#ifndef TWX_CLI_INTERNAL_H
#define TWX_CLI_INTERNAL_H

#include "cli/cli.h"

/* page (console.c): a page of text that is being written. The first failure stays in rc and later
 * output is dropped, so callers need not check each line.
 * Memory: embedded struct, bytes owned. */

typedef struct twx_page {
    twx_ctx *cx;
    twx_rc rc;
    twx_buf text;
} twx_page;

enum { TWX_PAGE_BYTES = 1 << 18, TWX_PAGE_COLUMNS = 79 };

#define TWX_PAGE_PUT(page, ...)                                                  \
    do {                                                                         \
        if ((page)->rc == TWX_OK)                                                \
            (page)->rc = twx_buf_printf((page)->cx, &(page)->text, __VA_ARGS__); \
    } while (0)

/* Writes the words of text[0..n) in indented lines of at most TWX_PAGE_COLUMNS; `column` is the
 * current column of the page. */
void twx_page_wrap(twx_page *page, const char *text, size_t n, size_t indent, size_t column);
/* Calls `paragraph` or `literal` for each part of a description; parts are separated by empty
 * lines, and a part that begins with a blank is literal: its lines are kept as they are. */
typedef void twx_page_part_fn(twx_page *page, const char *text, size_t n);
void twx_page_parts(twx_page *page, const char *text, twx_page_part_fn *paragraph,
                    twx_page_part_fn *literal);

/* completion.c: completion of command lines. The scripts for bash, zsh and fish only pass the
 * words of the line to 'twindex help --complete'; what can follow is found here, from the tables of
 * commands, options, settings, detectors and topics, so the three shells agree and a new row needs
 * no change. */

/* The script for "bash", "zsh" or "fish". Errors TWX_E_USAGE: no such shell. */
TWX_CHECK twx_rc twx_completion_write(twx_page *page, const char *shell);
/* Writes what words[n - 1], which may be empty or incomplete, can become after the words before it
 * (without the name of the program): a line "WORD<tab>DESCRIPTION" for each, then one of ":none",
 * ":files", ":folders" and ":rules": names of files that the shell is to add. A word that ends with
 * '=' is to be continued without a blank. */
void twx_complete(twx_page *page, char *const *words, size_t n);

/* help.c: the texts made from the tables of commands, options and settings, and from docs/commands.
 * Errors of all: TWX_E_NOMEM, TWX_E_LIMIT; twx_man_write() TWX_E_USAGE, too. */

/* The text of --help; NULL: that of the program. */
void twx_help_write(twx_page *page, const twx_command *command);
/* What is said when no command is given. */
void twx_help_everyday(twx_page *page);
/* The heading of a group of commands (twx_command_group()). */
const char *twx_help_group(size_t group);
/* A manual page in roff (man_page.c): "twindex", "twindex.conf", or the name of a command. */
TWX_CHECK twx_rc twx_man_write(twx_page *page, const char *name);
/* A page of docs/topics. */
struct twx_prose;
void twx_help_topic(twx_page *page, const struct twx_prose *prose);

/* Writes the page of --help to the sink; returns an exit code. */
int twx_help_print(twx_ctx *cx, const twx_command *command, const twindex_sink *sink);
/* Hands the page to the sink and frees it; returns an exit code. */
int twx_page_finish(twx_page *page, const twindex_sink *sink);

/* program (session.c): all but main(): finds the command, runs it and returns the exit code. */

int twx_program(int argc, char **argv);

/* prose (help.c): what --help and the manual page say about a command, docs/commands/NAME.txt, and
 * about a topic, docs/topics/NAME.txt;
 * embedded at build (scripts/cmake/embed-commands.awk describes the layout of the files). "twindex"
 * is the program itself, "twindex.conf" the configuration file.
 * Memory: all static. */

typedef struct twx_example {
    const char *command, *what;
} twx_example;

enum { TWX_EXAMPLES_MAX = 5 };

typedef struct twx_prose {
    const char *name;
    const char *summary;                        /* one line, no full stop */
    const char *description;                    /* paragraphs, see twx_page_parts() */
    twx_example examples[TWX_EXAMPLES_MAX + 1]; /* ends with a row without command */
} twx_prose;

const twx_prose *twx_prose_at(size_t i);         /* NULL after the last */
const twx_prose *twx_prose_of(const char *name); /* empty sections if there is no such file */

/* stop_signals (console.c): SIGINT and SIGTERM ask the running call to stop; a second one kills at
 * once. SIGTSTP (Ctrl-Z) stops the process when it holds no lock that keeps others from writing to
 * the store. SIGPIPE and SIGXFSZ are ignored, so that writing to a closed pipe or beyond the file
 * size limit is an error like any other.
 * From now on signals stop calls on t; NULL: they have their default effect again. */
void twx_stop_on_signals(twindex *t);

/* topics.c: what 'twindex help TOPIC' and 'twindex settings NAME' print. A topic is a command,
 * a page of docs/topics, a setting or a section of settings, or a detector, in this order. */

/* Bytes of the section in the name of a setting: 4 of "near.scope"; 0: it has none. */
size_t twx_section_length(const twindex_setting *s);
/* Whether the setting is in the section name[0..n). s may be NULL. */
bool twx_in_section(const twindex_setting *s, const char *name, size_t n);

/* Whether a list of settings for `name`, a setting or a section (NULL: all), has this one. */
bool twx_is_asked(const twindex_setting *s, const char *name);
/* Errors TWX_E_USAGE, with what was probably meant: no setting or section has this name. */
TWX_CHECK twx_rc twx_settings_name_check(twx_ctx *cx, const char *name);
/* The settings of `name`; of a single one also the ways to set it. */
void twx_settings_write(twx_page *page, const char *name);
/* Errors TWX_E_USAGE: there is no such topic. */
TWX_CHECK twx_rc twx_topic_write(twx_page *page, const char *name);

#endif
