#compdef twindex
# zsh completion for twindex, made by 'twindex help --completion zsh'
_twindex() {
    local line kind=:none
    local -a found open shown shown_open
    while IFS= read -r line; do
        case $line in
        :*) kind=$line ;;
        *=$'\t'*) open+=("${line%%$'\t'*}") shown_open+=("${line/$'\t'/  }") ;;
        *) found+=("${line%%$'\t'*}") shown+=("${line/$'\t'/  }") ;;
        esac
    done < <("${(Q)words[1]}" help --complete -- "${(@Q)words[2,CURRENT-1]}" "${(Q)PREFIX}" 2>/dev/null)
    (( $#found )) && compadd -l -d shown -- "${found[@]}"
    (( $#open )) && compadd -l -d shown_open -S '' -- "${open[@]}"
    [[ $kind == :none ]] || compset -P '*='
    case $kind in
    :files) _files ;;
    :folders) _files -/ ;;
    :rules) _files -g '*.rules' ;;
    esac
}
if [[ $funcstack[1] == _twindex ]]; then _twindex "$@"; else compdef _twindex twindex; fi
