#!/usr/bin/env python3
"""Completes command lines in an interactive shell on a terminal of its own, as a user would with the Tab key.

usage: complete_in_shell.py SHELL FOLDER-OF-THE-PROGRAM, SHELL: bash, zsh, fish. Reads lines "COMMAND-LINE" from standard input and prints for
each "COMMAND-LINE => WORD WORD ...", the words that the shell offers, sorted.
"""
import os, pty, re, select, subprocess, sys, time

SHELL, FOLDER = sys.argv[1:]
ENVIRONMENT = {"PATH": FOLDER + ":" + os.environ["PATH"], "HOME": os.getcwd(), "TERM": "dumb", "LC_ALL": "C.UTF-8", "LANG": "C.UTF-8"}
for name in ("LD_PRELOAD", "ASAN_OPTIONS"):
    if name in os.environ:
        ENVIRONMENT[name] = os.environ[name]
# Both shells can insert every word that completes the line; printf then shows them.
START = {
    "bash": "PS1='' PS2=''; source <(twindex help --completion bash); bind 'set enable-bracketed-paste off'; bind '\"\\C-t\": insert-completions'; "
    "bind '\"\\C-a\": beginning-of-line'\n",
    "zsh": "PS1='' PS2='' RPS1=''; unsetopt zle_bracketed_paste PROMPT_SP PROMPT_CR; autoload -Uz compinit; compinit -u -d ./zdump; source <(twindex help --completion zsh); "
    "bindkey -e; zle -C all-matches complete-word _generic; bindkey '^T' all-matches; "
    "zstyle ':completion:all-matches:*' insert yes; zstyle ':completion:all-matches::::' completer _all_matches _complete\n",
}
COMMAND = {"bash": ["bash", "--norc", "--noprofile", "-i"], "zsh": ["zsh", "-f", "-i"]}


def read_until(fd, mark, seconds=20):
    text, end = "", time.time() + seconds
    while not re.search(mark, text):
        if not select.select([fd], [], [], max(0, end - time.time()))[0]:
            raise SystemExit(f"{SHELL}: no answer within {seconds} s: {text!r}")
        try:
            text += os.read(fd, 65536).decode("utf-8", "replace")
        except OSError:
            raise SystemExit(f"{SHELL} ended: {text!r}")
    return text


def answers_of_fish(line):
    got = subprocess.run(["fish", "--no-config", "-c", "twindex help --completion fish | source; complete -C $argv[1]", line], capture_output=True, text=True,
                         env=ENVIRONMENT, timeout=60)
    if got.returncode or got.stderr:
        raise SystemExit(f"fish: {got.returncode} {got.stderr}")
    return [entry.split("\t")[0] for entry in got.stdout.splitlines()]


def on_terminal(lines):
    pid, fd = pty.fork()
    if pid == 0:
        os.execvpe(COMMAND[SHELL][0], COMMAND[SHELL], ENVIRONMENT)
    os.write(fd, (START[SHELL] + "stty -echo; echo rea''dy\n").encode())
    read_until(fd, r"ready\r?\n")
    for line in lines:
        # Ctrl-T inserts all words; Ctrl-A goes to the beginning, where printf is put before the line
        os.write(fd, (line + "\x14\x01printf '<%s>' BEGIN \x05 END\n").encode())
        text = read_until(fd, r"<BEGIN>[^\n]*<END>")
        words = re.findall(r"<([^<>]*)>", text[text.rindex("<BEGIN>") :])[1:-1]
        yield line, words[len(line.split(" ")) - 1 :]
    os.write(fd, b"exit\n")
    os.close(fd)
    os.waitpid(pid, 0)


asked = [line.rstrip("\n") for line in sys.stdin]
found = ((line, answers_of_fish(line)) for line in asked) if SHELL == "fish" else on_terminal(asked)
for line, words in found:
    print(line, "=>", " ".join(sorted(set(words))))
