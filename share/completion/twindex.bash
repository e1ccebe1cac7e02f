# bash completion for twindex, made by 'twindex help --completion bash'
_twindex() {
    local words word before line kind=:none
    # shellcheck disable=SC2162 # a backslash quotes a blank
    read -a words <<<"${COMP_LINE:0:COMP_POINT}"
    [[ ${COMP_LINE:0:COMP_POINT} != *' ' ]] || words+=('')
    word=${words[-1]#[\'\"]}
    words[-1]=$word
    before=${word%"${word##*[=:]}"}
    COMPREPLY=()
    while IFS= read -r line; do
        case $line in
        :*) kind=$line ;;
        *) line=${line%%$'\t'*} COMPREPLY+=("${line#"$before"}") ;;
        esac
    done < <("${words[0]}" help --complete -- "${words[@]:1}" 2>/dev/null)
    word=${word#"$before"}
    case $kind in
    :files) compopt -o filenames && mapfile -t -O ${#COMPREPLY[@]} COMPREPLY < <(compgen -f -- "$word") ;;
    :folders) compopt -o filenames && mapfile -t COMPREPLY < <(compgen -d -- "$word") ;;
    :rules) compopt -o filenames && mapfile -t -O ${#COMPREPLY[@]} COMPREPLY < <(
        compgen -d -- "$word"; compgen -f -X '!*.rules' -- "$word") ;;
    esac
    [[ ${#COMPREPLY[@]} != 1 || $COMPREPLY != *= ]] || compopt -o nospace
}
complete -F _twindex twindex
