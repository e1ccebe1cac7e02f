#include "cli/commands.h"
#include "cli/completion.h"
#include "cli/help.h"
#include "cli/session.h"
#include "cli/topics.h"

typedef struct help_options {
    const char *completion;
    bool complete, man;
} help_options;

static const help_options DEFAULTS = {.completion = NULL};

static twx_rc write_page(twx_session *s, const char *word, twx_page *page) {
    const help_options *own = s->options.own;
    if (own->complete) {
        twx_complete(page, s->arguments, s->arguments_n);
        return page->rc;
    }
    if (s->arguments_n > 1)
        return twx_fail(&s->cx, TWX_E_USAGE, "'%.100s' is one argument too many", s->arguments[1]);
    if (own->completion) return twx_completion_write(page, own->completion);
    if (own->man) return twx_man_write(page, word ? word : "twindex");
    if (word) return twx_topic_write(page, word);
    twx_help_write(page, NULL);
    return page->rc;
}

static int help(twx_session *s) {
    twx_page page = {.cx = &s->cx, .text = {.max = TWX_PAGE_BYTES}};
    page.rc = write_page(s, s->arguments_n ? s->arguments[0] : NULL, &page);
    return twx_page_finish(&page, &s->sink);
}

static const twx_option OPTIONS[] = {
    {"completion", 0, "SHELL", TWX_OPTION_OWN(TEXT, help_options, completion),
     "print the completion script for bash, zsh or fish"},
    {"complete", 0, NULL, TWX_OPTION_OWN(FLAG, help_options, complete),
     NULL}, /* for these scripts: what the last of the words can become */
    {"man", 0, NULL, TWX_OPTION_OWN(FLAG, help_options, man),
     NULL}, /* for the build: the manual page as roff */
    TWX_OPTION_END,
};

const twx_command twx_command_help = {
    .name = "help",
    .run = help,
    .kind = TWX_CLI_PURE,
    .arguments = "[TOPIC]",
    .most = -1,
    .options = OPTIONS,
    .defaults = &DEFAULTS,
    .own_bytes = sizeof DEFAULTS,
};
