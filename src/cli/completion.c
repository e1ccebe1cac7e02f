/* Completion script for bash: commands, then the options of the command, otherwise files. */
#include "cli/help.h"
#include "cli/options.h"

void twx_completion_write(twx_page *page) {
    const twx_command *c = NULL;
    const twx_option *o = NULL;
    TWX_PAGE_PUT(page, "# bash completion for twindex, made by 'twindex help --completion'\n"
                       "_twindex() {\n"
                       "    local word=${COMP_WORDS[COMP_CWORD]} words=\n"
                       "    if ((COMP_CWORD == 1)); then\n        words='");
    for (size_t i = 0; (c = twx_command_at(i)); i++)
        TWX_PAGE_PUT(page, "%s%s", i ? " " : "", c->name);
    TWX_PAGE_PUT(page, "'\n    elif [[ $word == -* ]]; then\n        case ${COMP_WORDS[1]} in\n");
    for (size_t i = 0; (c = twx_command_at(i)); i++) {
        TWX_PAGE_PUT(page, "        %s) words='", c->name);
        for (size_t k = 0; (o = twx_option_at(c, k)); k++)
            if (o->help) TWX_PAGE_PUT(page, "%s--%s", k ? " " : "", o->name);
        TWX_PAGE_PUT(page, "' ;;\n");
    }
    TWX_PAGE_PUT(page, "        esac\n    fi\n"
                       "    mapfile -t COMPREPLY < <(compgen -W \"$words\" -- \"$word\")\n"
                       "}\n"
                       "complete -o default -F _twindex twindex\n");
}
