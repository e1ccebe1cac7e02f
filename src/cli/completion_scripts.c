/* The scripts that a shell loads: they pass the words before the cursor to the program. */
#include <string.h>

#include "cli/completion.h"

/* COMP_WORDS is split at '=' and ':', so the words are read from the line. COMPREPLY replaces what
 * follows the last of these characters. */
static const char BASH[] =
    "# bash completion for twindex, made by 'twindex help --completion bash'\n"
    "_twindex() {\n"
    "    local words word before line kind=:none\n"
    "    # shellcheck disable=SC2162 # a backslash quotes a blank\n"
    "    read -a words <<<\"${COMP_LINE:0:COMP_POINT}\"\n"
    "    [[ ${COMP_LINE:0:COMP_POINT} != *' ' ]] || words+=('')\n"
    "    word=${words[-1]#[\\'\\\"]}\n"
    "    words[-1]=$word\n"
    "    before=${word%\"${word##*[=:]}\"}\n"
    "    COMPREPLY=()\n"
    "    while IFS= read -r line; do\n"
    "        case $line in\n"
    "        :*) kind=$line ;;\n"
    "        *) line=${line%%$'\\t'*} COMPREPLY+=(\"${line#\"$before\"}\") ;;\n"
    "        esac\n"
    "    done < <(\"${words[0]}\" help --complete -- \"${words[@]:1}\" 2>/dev/null)\n"
    "    word=${word#\"$before\"}\n"
    "    case $kind in\n"
    "    :files) compopt -o filenames && mapfile -t -O ${#COMPREPLY[@]} COMPREPLY < <(compgen -f "
    "-- "
    "\"$word\") ;;\n"
    "    :folders) compopt -o filenames && mapfile -t COMPREPLY < <(compgen -d -- \"$word\") ;;\n"
    "    :rules) compopt -o filenames && mapfile -t -O ${#COMPREPLY[@]} COMPREPLY < <(\n"
    "        compgen -d -- \"$word\"; compgen -f -X '!*.rules' -- \"$word\") ;;\n"
    "    esac\n"
    "    [[ ${#COMPREPLY[@]} != 1 || $COMPREPLY != *= ]] || compopt -o nospace\n"
    "}\n"
    "complete -F _twindex twindex\n";

static const char ZSH[] =
    "#compdef twindex\n"
    "# zsh completion for twindex, made by 'twindex help --completion zsh'\n"
    "_twindex() {\n"
    "    local line kind=:none\n"
    "    local -a found open shown shown_open\n"
    "    while IFS= read -r line; do\n"
    "        case $line in\n"
    "        :*) kind=$line ;;\n"
    "        *=$'\\t'*) open+=(\"${line%%$'\\t'*}\") shown_open+=(\"${line/$'\\t'/  }\") ;;\n"
    "        *) found+=(\"${line%%$'\\t'*}\") shown+=(\"${line/$'\\t'/  }\") ;;\n"
    "        esac\n"
    "    done < <(\"${(Q)words[1]}\" help --complete -- \"${(@Q)words[2,CURRENT-1]}\" "
    "\"${(Q)PREFIX}\" 2>/dev/null)\n"
    "    (( $#found )) && compadd -l -d shown -- \"${found[@]}\"\n"
    "    (( $#open )) && compadd -l -d shown_open -S '' -- \"${open[@]}\"\n"
    "    [[ $kind == :none ]] || compset -P '*='\n"
    "    case $kind in\n"
    "    :files) _files ;;\n"
    "    :folders) _files -/ ;;\n"
    "    :rules) _files -g '*.rules' ;;\n"
    "    esac\n"
    "}\n"
    "if [[ $funcstack[1] == _twindex ]]; then _twindex \"$@\"; else compdef _twindex twindex; fi\n";

static const char FISH[] =
    "# fish completion for twindex, made by 'twindex help --completion fish'\n"
    "function __twindex_complete\n"
    "    set -l words (commandline -opc)\n"
    "    set -l word (commandline -ct)\n"
    "    for line in ($words[1] help --complete -- $words[2..-1] \"$word\" 2>/dev/null)\n"
    "        set -l value (string replace -r '^.*=' '' -- $word)\n"
    "        set -l before (string replace -r '[^=]*$' '' -- $word)\n"
    "        switch $line\n"
    "            case ':files'\n"
    "                printf '%s\\n' $before(__fish_complete_path $value)\n"
    "            case ':folders'\n"
    "                printf '%s\\n' $before(__fish_complete_directories $value)\n"
    "            case ':rules'\n"
    "                printf '%s\\n' $before(__fish_complete_path $value | string match -r "
    "'^[^\\t]*(?:/|\\.rules)(?=\\t|$)')\n"
    "            case ':none'\n"
    "            case '*'\n"
    "                printf '%s\\n' $line\n"
    "        end\n"
    "    end\n"
    "end\n"
    "complete -c twindex -f -a '(__twindex_complete)'\n";

static const struct {
    const char *shell, *script;
} SCRIPTS[] = {{"bash", BASH}, {"zsh", ZSH}, {"fish", FISH}};

twx_rc twx_completion_write(twx_page *page, const char *shell) {
    for (size_t i = 0; i < TWX_COUNTOF(SCRIPTS); i++)
        if (strcmp(SCRIPTS[i].shell, shell) == 0) {
            TWX_PAGE_PUT(page, "%s", SCRIPTS[i].script);
            return page->rc;
        }
    page->rc = twx_fail(page->cx, TWX_E_USAGE,
                        "no completion for '%.60s'; there is one for bash, "
                        "zsh and fish",
                        shell);
    return page->rc;
}
