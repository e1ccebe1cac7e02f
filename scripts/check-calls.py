#!/usr/bin/env python3
"""No circle of files by calls: prints the circles of files of src/ whose functions call each other, with the calls, except those that KNOWN explains.
And no comment of src/ or tests/ names a file of a room that does not exist.

usage: scripts/check-calls.py      exit code 1 if there is a circle, if one of KNOWN is none any more, or if a named file is missing
"""
import collections, glob, os, re, sys

# files, and why they call each other
KNOWN = {
    ("page/html_body", "page/html_tables", "page/html_tree"): "the insertion modes of the HTML standard hand tokens to each other",
    ("store/source", "store/source_check"): "messages about a mapping name the columns of the view",
}


def code_of(path):
    """The file without comments and strings."""
    with open(path, encoding="utf-8") as file:
        text = file.read()
    return re.sub(r'/\*.*?\*/|"(?:\\.|[^"\\\n])*"', " ", text, flags=re.S)


def calls():
    """By file and called file: the names. Objects such as the row of a method count as functions."""
    code = {os.path.relpath(path, "src")[:-2]: code_of(path) for path in glob.glob("src/**/*.c", recursive=True)}
    at = {}
    for file, text in code.items():
        for name in re.findall(r"^(?!static\b)(?:\w+ )+\**(twx_\w+)\([^;{]*\)\s*\{", text, flags=re.M):
            at[name] = file
        for name in re.findall(r"^const \w+ (twx_\w+|TWX_\w+)\b", text, flags=re.M):
            at[name] = file
    found = {file: collections.defaultdict(list) for file in code}
    for file, text in code.items():
        for name in sorted(set(re.findall(r"\b(?:twx|TWX)_\w+\b", text))):
            if at.get(name, file) != file:
                found[file][at[name]].append(name)
    return found


def circles(graph):
    """The strongly connected components of more than one file (Tarjan 1972)."""
    number, low, stack, found = {}, {}, [], []

    def visit(v):
        number[v] = low[v] = len(number)
        stack.append(v)
        for w in graph[v]:
            if w not in number:
                visit(w)
            if w in stack:
                low[v] = min(low[v], low[w])
        if low[v] == number[v]:
            at = stack.index(v)
            if len(stack) - at > 1:
                found.append(tuple(sorted(stack[at:])))
            del stack[at:]

    for v in sorted(graph):
        if v not in number:
            visit(v)
    return found


def dead_references():
    """Yields each "room/file.c" or "room/file.h" of a comment that is no file."""
    rooms = [os.path.basename(folder.rstrip("/")) for folder in glob.glob("src/*/") + glob.glob("src/wings/*/")] + ["lab/methods"]
    named = re.compile(r"(?<![\w/.-])(?:src/)?(?:wings/)?((?:" + "|".join(rooms) + r")/[a-z0-9_]+\.[ch])\b")
    for path in sorted(glob.glob("src/**/*.[ch]", recursive=True) + glob.glob("tests/**/*.[ch]", recursive=True)):
        with open(path, encoding="utf-8") as file:
            text = file.read()
        for comment in re.finditer(r"/\*.*?\*/", text, flags=re.S):
            for name in named.finditer(comment.group()):
                if not any(os.path.exists(folder + name.group(1)) for folder in ("src/", "src/wings/", "tests/unit/", "tests/")):
                    yield f"{path}:{text.count(chr(10), 0, comment.start()) + 1}: a comment names {name.group(1)}, which does not exist"


def main():
    os.chdir(os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
    sys.setrecursionlimit(10000)
    graph = calls()
    found = circles(graph)
    bad = False
    for circle in found:
        if circle in KNOWN:
            continue
        bad = True
        print("files that call each other: " + ", ".join(circle))
        for a in circle:
            for b in circle:
                if graph[a].get(b):
                    print(f"    {a} calls {', '.join(graph[a][b][:5])} of {b}")
    for circle in KNOWN:
        if circle not in found:
            bad = True
            print(f"scripts/check-calls.py: {', '.join(circle)} do not call each other any more")
    for line in dead_references():
        bad = True
        print(line)
    return bad


if __name__ == "__main__":
    sys.exit(main())
