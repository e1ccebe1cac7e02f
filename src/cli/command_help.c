#include "cli/commands.h"
#include "cli/help.h"
#include "cli/session.h"

static twx_rc write_help(twx_session *s, const char *word, twx_url_variants *page) {
    const twx_command *command = word ? twx_command_find(word) : NULL;
    const char *near = word && !command ? twx_command_near(word) : NULL;
    if (near)
        return twx_fail(&s->cx, TWX_E_USAGE, "no command '%.100s'; did you mean '%s'?", word, near);
    if (word && !command) return twx_fail(&s->cx, TWX_E_USAGE, "no command '%.100s'", word);
    twx_help_write(page, command);
    return page->rc;
}

static int help(twx_session *s) {
    const char *word = s->arguments_n ? s->arguments[0] : NULL;
    twx_url_variants page = {.cx = &s->cx, .text = {.max = TWX_PAGE_BYTES}};
    if (s->options.completion)
        twx_completion_write(&page);
    else if (s->options.man)
        page.rc = twx_man_write(&page, word ? word : "twindex");
    else
        page.rc = write_help(s, word, &page);
    return twx_page_finish(&page, &s->sink);
}

static const twx_option OPTIONS[] = {
    {"completion", 0, NULL, TWX_OPTION_FIELD(completion),
     "print a bash completion script for commands and options"},
    {"man", 0, NULL, TWX_OPTION_FIELD(man), NULL}, /* for the build: the manual page as roff */
    {NULL, 0, NULL, NULL, NULL, 0, NULL},
};

const twx_command twx_command_help = {
    .name = "help",
    .run = help,
    .kind = TWX_CLI_PURE,
    .arguments = "[COMMAND]",
    .most = 1,
    .options = OPTIONS,
};
