/* cli/prose.h: what --help and the manual page say about a command, docs/commands/NAME.txt, and
 * about a topic, docs/topics/NAME.txt;
 * embedded at build (scripts/cmake/embed-commands.awk describes the layout of the files). "twindex"
 * is the program itself, "twindex.conf" the configuration file.
 * Memory: all static. */
#ifndef TWX_CLI_PROSE_H
#define TWX_CLI_PROSE_H

#include <stddef.h>

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

#endif
