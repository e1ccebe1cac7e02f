/* cli/console.h: standard error: messages, and one line of progress that is redrawn in place.
 * [R1] Progress is drawn on a terminal only, at most ten times a second, and erased at the end.
 * [R2] quiet: only warnings and errors. verbose: details, too.
 * [R3] If the file is the journal of systemd (JOURNAL_STREAM), each line begins with its priority:
 * <3> an error, <4> a warning, <5> a note, <6> a detail (sd-daemon(3)).
 * Memory: embedded struct; command is borrowed. */
#ifndef TWX_CLI_CONSOLE_H
#define TWX_CLI_CONSOLE_H

#include <stdbool.h>
#include <stdio.h>

#include "base/rc.h"
#include "twindex/twindex.h"

enum { TWX_PROGRESS_BYTES = 256 };

typedef struct twx_console {
    FILE *file;
    const char *command; /* NULL: the program itself */
    bool quiet, verbose;
    bool terminal, colours; /* colours: a terminal, and NO_COLOR is not set (no-color.org) */
    bool journal;           /* the file is the journal of systemd */
    bool drawn;             /* a progress line is on the terminal */
    char stage[64];         /* of the last progress, truncated */
    double stage_began, last_drawn; /* seconds of the monotonic clock */
} twx_console;

twx_console twx_console_of(FILE *file);
/* A line "twindex run: ...". */
void twx_console_say(twx_console *c, const char *fmt, ...) TWX_PRINTF(2, 3);
/* Callbacks of the library; arg is a twx_console. */
void twx_console_message(void *arg, twindex_level level, const char *text);
void twx_console_progress(void *arg, const twindex_progress *progress);
/* Width of the terminal; 0: `file` is not a terminal. */
unsigned twx_terminal_columns(FILE *file);
/* Writes text with a question mark for each control character but tab and line feed: a terminal
 * would obey escape sequences that a crawled page put into its URL or title. False: errno says why
 * it failed. */
TWX_CHECK bool twx_terminal_write(FILE *file, const char *bytes, size_t n);
/* Erases the progress line. */
void twx_console_clear(twx_console *c);
/* "sign: 1200 of 5000 documents, 24 %, 600/s, 6 s left", truncated to size; `seconds` is the time
 * since the stage began. */
void twx_progress_line(const twindex_progress *p, double seconds, char *line, size_t size);

#endif
