#!/usr/bin/env python3
"""Checks that what the documentation names exists. usage: scripts/check-docs.py ROOT PROGRAM (scripts/check-docs.sh calls it)

A name is checked where it stands as code: in backticks, in a block that is indented or fenced, or in an EXAMPLES section of docs/commands.
"""
import json, os, re, subprocess, sys

ROOT, PROGRAM = sys.argv[1:]
os.chdir(ROOT)
CALLS = re.compile(r"(?:^|[\s$(|;&])(?:\./|build/\w+/)?twindex +([a-z][a-z-]*)((?:[^|;&`\n]|\\\n)*)")
FOLDERS = ("src", "sql", "docs", "scripts", "tests", "share")
HEADS = r"(?:scripts|src|sql|tests|docs|share)/"
bad = []


def output(*arguments):
    return subprocess.run([PROGRAM, *arguments], capture_output=True, text=True).stdout


def tracked():
    """The files of the project: those that git knows, else all but those that a build makes."""
    command = ["git", "ls-files", "-co", "--exclude-standard"]
    try:
        return subprocess.run(command, capture_output=True, text=True, check=True).stdout.split("\n")
    except (OSError, subprocess.CalledProcessError):  # no git, or an unpacked tarball
        found = []
        for folder, folders, files in os.walk("."):
            if folder == ".":
                folders[:] = [f for f in folders if f not in ("build", ".cache", ".git")]
            found += [os.path.join(folder, f)[2:] for f in files]
        return found


FILES = set(tracked()) - {""}
PLACES = FILES | {os.path.dirname(f[: i + 1]) for f in FILES for i, c in enumerate(f) if c == "/"}
COMMANDS = set(re.findall(r"^  ([a-z]+) ", output("help"), re.M))
OPTIONS = {c: set(re.findall(r"(?<!\S)(--?[a-z][a-z0-9-]*|-[a-z])\b", output(c, "--help"))) for c in COMMANDS}
ALL_OPTIONS = set().union(*OPTIONS.values())
SETTINGS = {s["name"] for s in json.loads(output("settings", "--json"))}
SECTIONS = {s.split(".")[0] for s in SETTINGS if "." in s}
NEAR = sum(1 for d in json.loads(output("detectors", "--json")) if d["near"])


def say(file, line, text):
    bad.append(f"{file}:{line}: {text}")


def slug(heading):
    """The anchor that GitHub makes of a heading."""
    text = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading.strip()).lower()
    return re.sub(r"[^\w\- ]", "", text).replace(" ", "-")


def anchors(file):
    seen, found, fenced = {}, set(), False
    for line in open(file, encoding="utf-8"):
        fenced ^= line.startswith("```")
        m = re.match(r"#{1,6} +(.*?)\s*$", line)
        if m and not fenced:
            s = slug(m.group(1))
            found.add(s if s not in seen else f"{s}-{seen[s]}")
            seen[s] = seen.get(s, 0) + 1
    return found


def check_links(file, text):
    plain = re.sub(r"```.*?```", lambda m: "\n" * m.group(0).count("\n"), text, flags=re.S)
    for m in re.finditer(r"\]\(([^)\s]+)\)", plain):
        target = m.group(1)
        if re.match(r"[a-z]+:", target):
            continue
        line = plain.count("\n", 0, m.start()) + 1
        path, _, anchor = target.partition("#")
        whole = os.path.normpath(os.path.join(os.path.dirname(file), path)) if path else file
        if whole not in PLACES:
            say(file, line, f"no file {target}")
        elif anchor and whole.endswith(".md") and anchor not in anchors(whole):
            say(file, line, f"no heading #{anchor} in {whole}")


def code_of(file, text):
    """(line, code) of everything that stands as code."""
    lines = text.split("\n")
    fenced = False
    for n, line in enumerate(lines, 1):
        if file.endswith(".md") and line.lstrip().startswith("```"):
            fenced = not fenced
        elif fenced or line.startswith("    ") or (file.endswith(".txt") and line.startswith("$ ")):
            yield n, line.strip()
        else:
            for m in re.finditer(r"`([^`]+)`|'(twindex [^']+)'", line):
                yield n, m.group(1) or m.group(2)


def check_calls(file, line, code):
    for m in CALLS.finditer(" " + code):
        command, rest = m.group(1), m.group(2)
        if command not in COMMANDS:
            say(file, line, f"no command 'twindex {command}'")
            continue
        for option in re.findall(r"(?<!\S)(--[a-z][a-z0-9-]*|-[a-z])(?=[\s=]|$)", rest):
            if option not in OPTIONS[command]:
                say(file, line, f"twindex {command} has no option {option}")


def check_options(file, line, text):
    for option in re.findall(r"(?<![\w-])(--[a-z][a-z0-9-]*)", text):
        if option not in ALL_OPTIONS:
            say(file, line, f"no command has an option {option}")


def check_settings(file, line, code):
    for name in re.findall(r"(?<![\w./@-])([a-z]+\.[a-z_0-9]+)(?![\w./(@-])", code):
        if file == "CHANGELOG.md" or re.search(r"\b(SELECT|FROM|WHERE|ORDER BY)\b", code):  # former names; columns
            continue
        if name.split(".")[0] in SECTIONS and name not in SETTINGS and not re.search(r"\.(db|c|h|md|sql|txt|conf|tsv|csv|json|jsonl|rules|so|html|py|sh|test|example)$", name):
            say(file, line, f"no setting {name}")


def exists(path):
    """A path of the tree; src/ and an ending may be left out, and upper case stands for any name."""
    if re.search(r"[A-Z*<{?$]", path.replace("README", "").replace("CMake", "")) or path in PLACES:
        return True
    return any(f"{head}{path}{tail}" in PLACES for head in ("", "src/", "docs/", "sql/") for tail in ("", ".c", ".h", ".md", ".sql", ".sh", ".py"))


def check_paths(file, line, code):
    rooms = "|".join(sorted({f.split("/")[1] for f in FILES if f.startswith("src/") and f.count("/") > 1}))
    for path in re.findall(rf"(?<![\w/.~$@-])((?:{HEADS}|(?:{rooms})/)[\w./-]*\w)", code):
        # installed; content types
        if path.startswith("share/twindex") or re.match(r"text/(csv|html|plain|markdown)$", path):
            continue
        if path.count("/") > 1 and not re.match(HEADS, path):  # rooms have no folders
            continue
        if path.endswith((".db", ".warc", ".gz", ".jsonl")) or file == "CHANGELOG.md":
            continue
        if not exists(path.rstrip("/")):
            say(file, line, f"no file {path}")


def check_counts(file, text):
    for m in re.finditer(r"(\d+) near-duplicate methods", text):
        if int(m.group(1)) != NEAR:
            say(file, text.count("\n", 0, m.start()) + 1, f"'{m.group(0)}', but there are {NEAR}")


def check_functions():
    """src/README.md: a function of the table of behaviours is defined in a file of its row."""
    for n, line in enumerate(open("src/README.md", encoding="utf-8"), 1):
        files = [f"src/{f}" for f in re.findall(r"`([\w/]+\.c)`", line) if line.startswith("|")]
        code = "".join(open(f, encoding="utf-8").read() for f in files if f in FILES)
        for name in re.findall(r"`(\w+)\(\)`", line) if files else ():
            if not re.search(rf"^\w[\w *]*\b{name}\(", code, re.M):
                say("src/README.md", n, f"no function {name} in {', '.join(files)}")


check_functions()
for file in sorted(f for f in FILES if f.endswith(".md") or re.match(r"docs/(commands|topics)/.*\.txt$", f)):
    text = open(file, encoding="utf-8").read()
    if file.endswith(".md"):
        check_links(file, text)
    check_counts(file, text)
    for line, code in code_of(file, text):
        check_calls(file, line, code)
        check_settings(file, line, code)
        check_paths(file, line, code)
        if code.startswith("--") and file != "CHANGELOG.md":
            check_options(file, line, code)
    if file.endswith(".txt"):
        for line, prose in enumerate(text.split("\n"), 1):
            check_options(file, line, prose)
print("\n".join(bad), end="\n" if bad else "")
sys.exit(bool(bad))
