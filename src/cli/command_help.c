#include "cli/commands.h"
#include "cli/help.h"
#include "cli/session.h"

typedef struct help_options {
    bool completion, man;
} help_options;

static const help_options DEFAULTS = {.completion = false};

static twx_rc write_help(twx_session *s, const char *word, twx_page *page) {
    const twx_command *command = word ? twx_command_find(word) : NULL;
    const char *near = word && !command ? twx_command_near(word) : NULL;
    if (near)
        return twx_fail(&s->cx, TWX_E_USAGE, "no command '%.100s'; did you mean '%s'?", word, near);
    if (word && !command) return twx_fail(&s->cx, TWX_E_USAGE, "no command '%.100s'", word);
    twx_help_write(page, command);
    return page->rc;
}

static int help(twx_session *s) {
    const help_options *own = s->options.own;
    const char *word = s->arguments_n ? s->arguments[0] : NULL;
    twx_page page = {.cx = &s->cx, .text = {.max = TWX_PAGE_BYTES}};
    if (own->completion)
        twx_completion_write(&page);
    else if (own->man)
        page.rc = twx_man_write(&page, word ? word : "twindex");
    else
        page.rc = write_help(s, word, &page);
    return twx_page_finish(&page, &s->sink);
}

static const twx_option OPTIONS[] = {
    {"completion", 0, NULL, TWX_OPTION_OWN(FLAG, help_options, completion),
     "print a bash completion script for commands and options"},
    {"man", 0, NULL, TWX_OPTION_OWN(FLAG, help_options, man),
     NULL}, /* for the build: the manual page as roff */
    TWX_OPTION_END,
};

const twx_command twx_command_help = {
    .name = "help",
    .run = help,
    .kind = TWX_CLI_PURE,
    .arguments = "[COMMAND]",
    .most = 1,
    .options = OPTIONS,
    .defaults = &DEFAULTS,
    .own_bytes = sizeof DEFAULTS,
};
