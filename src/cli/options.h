/* cli/options.h: what may stand behind a command. One table for each command, and common ones by
 * kind of command; the parser (getopt_long underneath), the text of --help, the manual page and the
 * completion all go through twx_option_at(). Most options are another way to write a setting, so
 * that they need no code of their own.
 * [R1] Options may stand before, between and behind arguments; "--" ends them.
 * [R2] What is wrong is named, with what was probably meant. */
#ifndef TWX_CLI_OPTIONS_H
#define TWX_CLI_OPTIONS_H

#include "base/ctx.h"
#include "cli/command_table.h"

typedef struct twx_option {
    const char *name;     /* without the dashes */
    char letter;          /* '\0': none */
    const char *argument; /* "FILE"; NULL: it takes none */
    const char *setting;  /* it gives this setting a value ... */
    const char *value;    /* ... this one; NULL: the argument */
    /* offset in twx_options of a bool, or of a const char * for the argument; 0: none */
    size_t field;
    const char *help; /* one sentence, no full stop; NULL: not for people, nowhere shown */
} twx_option;

/* Rows without a setting. */
#define TWX_OPTION_FIELD(member) NULL, NULL, offsetof(twx_options, member)

/* A setting as the command line gives it, in the order of the command line. */
typedef struct twx_assignment {
    const twx_option *option;
    char *name; /* owned */
    const char *value;
} twx_assignment;

/* Memory: embedded struct; arguments and values are borrowed from argv. */
typedef struct twx_options {
    char **arguments; /* first, so that no option has offset 0 */
    int arguments_n;
    twx_assignment *assignments;
    size_t assignments_n;
    const char *config, *detector, *limit;
    const char *detectors, *truth, *sample, *save; /* of `evaluate` */
    const char *hidden, *seed, *known;             /* of `evaluate` */
    const char *rules, *compare, *queries;         /* of `search`; rules: of `run` too */
    const char *threshold, *exploration, *train;   /* of `predict` */
    bool help, json, quiet, verbose;
    bool full, force, dry_run, list;
    bool man, completion;             /* of `help` */
    bool sql;                         /* of `rules` */
    bool suggest;                     /* of `check` */
    bool drop;                        /* of `index` */
    bool html, findable;              /* of `evaluate` */
    bool all;                         /* of `compare` */
    bool filter, print_rules, replay; /* of `predict` */
} twx_options;

/* The options of a command, its own first; NULL behind the last. */
const twx_option *twx_option_at(const twx_command *command, size_t i);
/* Parses what stands behind argv[0], which is the command's name. argv is reordered: arguments
 * last.
 * Errors TWX_E_USAGE, naming the option or argument; TWX_E_NOMEM. */
TWX_CHECK twx_rc twx_options_parse(twx_ctx *cx, const twx_command *command, int argc, char **argv,
                                   twx_options *ret_options);
void twx_options_done(twx_options *o);
/* The number of --limit and --sample; fallback when it was not given. Errors TWX_E_USAGE. */
TWX_CHECK twx_rc twx_options_limit(twx_ctx *cx, const twx_options *o, size_t fallback,
                                   size_t *ret_limit);
TWX_CHECK twx_rc twx_options_sample(twx_ctx *cx, const twx_options *o, size_t fallback,
                                    size_t *ret_sample);
/* The same of any other option. */
TWX_CHECK twx_rc twx_options_number(twx_ctx *cx, const char *option, const char *text,
                                    size_t fallback, size_t *ret_number);
/* The share, 0 to 1, that is the text of an option; fallback when text is NULL. Errors TWX_E_USAGE.
 */
TWX_CHECK twx_rc twx_options_share(twx_ctx *cx, const char *option, const char *text,
                                   double fallback, double *ret_share);

#endif
