# fish completion for twindex, made by 'twindex help --completion fish'
function __twindex_complete
    set -l words (commandline -opc)
    set -l word (commandline -ct)
    for line in ($words[1] help --complete -- $words[2..-1] "$word" 2>/dev/null)
        set -l value (string replace -r '^.*=' '' -- $word)
        set -l before (string replace -r '[^=]*$' '' -- $word)
        switch $line
            case ':files'
                printf '%s\n' $before(__fish_complete_path $value)
            case ':folders'
                printf '%s\n' $before(__fish_complete_directories $value)
            case ':rules'
                printf '%s\n' $before(__fish_complete_path $value | string match -r '^[^\t]*(?:/|\.rules)(?=\t|$)')
            case ':none'
            case '*'
                printf '%s\n' $line
        end
    end
end
complete -c twindex -f -a '(__twindex_complete)'
