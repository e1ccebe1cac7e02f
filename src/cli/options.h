/* cli/options.h: the options and arguments of a command. Each command has a table of its own
 * options, and each kind of command a common one; the parser (getopt_long), --help, the manual
 * pages and the completion script all use twx_option_at(). Most options set a setting and need no
 * code.
 * [R1] Options may come before, between and after arguments; "--" ends them.
 * [R2] An error names the option or argument, and the option that was probably meant. */
#ifndef TWX_CLI_OPTIONS_H
#define TWX_CLI_OPTIONS_H

#include "base/ctx.h"
#include "cli/command_table.h"

typedef struct twx_option {
    const char *name;     /* without the dashes */
    char letter;          /* '\0': none */
    const char *argument; /* "FILE"; NULL: it takes none */
    const char *setting;  /* the option sets this setting ... */
    const char *value;    /* ... to this value; NULL: to its argument */
    /* offset in twx_options of a bool, or of a const char * for the argument; 0: none */
    size_t field;
    const char *help; /* one sentence, no full stop; NULL: undocumented */
} twx_option;

/* For rows without a setting. */
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

/* The options of a command, its own first; NULL after the last. */
const twx_option *twx_option_at(const twx_command *command, size_t i);
/* Parses the options and arguments after argv[0], the name of the command. argv is reordered:
 * arguments last.
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
