/* cli/help.h: the texts made from the tables of commands, options and settings, and from
 * docs/commands.
 * Errors of all: TWX_E_NOMEM, TWX_E_LIMIT; twx_man_write() TWX_E_USAGE, too. */
#ifndef TWX_CLI_HELP_H
#define TWX_CLI_HELP_H

#include "cli/command_table.h"
#include "cli/page.h"
#include "twindex/twindex.h"

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

#endif
