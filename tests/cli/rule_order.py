"""Orders the documents of a store by a file of rules, without twindex: reads the file with a parser of its own and evaluates it over the
flags in Python. Prints id and score, a line each, as `twindex rules --sql FILE | sqlite3` does.
    rule_order.py STORE FILE"""
import math
import re
import sqlite3
import sys

TOKEN = re.compile(r'\s*(?:(&&|\|\||\^=|[][(){}:,^!+-])|"((?:\\.|[^"\\])*)"|(\$?[\w.*?\x80-\U0010FFFF][\w.*?\x80-\U0010FFFF-]*))')


NUMBERS = {}


def tokens_of(line):
    found, at = [], 0
    while line[at:].strip():
        m = TOKEN.match(line, at)
        assert m, line[at:]
        op, quoted, word = m.groups()
        found.append(("op", op) if op else ("text", quoted) if quoted is not None else ("word", word))
        at = m.end()
    return found


def cut_comment(line):
    quoted = False
    for i, c in enumerate(line):
        if c == '"':
            quoted = not quoted
        if c == "#" and not quoted:
            return line[:i]
    return line


class Reader:
    def __init__(self, tokens):
        self.tokens, self.at = tokens, 0

    def peek(self):
        return self.tokens[self.at][1] if self.at < len(self.tokens) else None

    def take(self, wanted=None):
        token = self.peek()
        assert wanted is None or token == wanted, (token, wanted)
        self.at += 1
        return token

    def number(self):
        sign = -1 if self.peek() == "-" else 1
        if sign < 0:
            self.take()
        token = self.take()
        return sign * (NUMBERS[token[1:]] if token[0] == "$" else float(token))


# Queries: functions of a row, giving (matches: True, False or None, counts, is it a prefixed negation).
def both(a, b):
    return False if a is False or b is False else None if a is None or b is None else True


def either(a, b):
    return True if a is True or b is True else None if a is None or b is None else False


def value_of(text):
    return {"true": 1, "false": 0}.get(text.lower(), int(text) if re.fullmatch(r"-?\d+", text) else text)


def leaf(r, field):
    if r.peek() in ("[", "{"):
        low_open = r.take() == "{"
        low = r.take()
        low = low + r.take() if low == "-" else low
        r.take("TO")
        high = r.take()
        high = high + r.take() if high == "-" else high
        high_open = r.take() == "}"

        def within(row):
            v = row[field]
            if v is None:
                return False if low == high == "*" else None
            if low != "*" and (v < value_of(low) or (low_open and v == value_of(low))):
                return False
            return not (high != "*" and (v > value_of(high) or (high_open and v == value_of(high))))
        return within
    text = r.take()
    if text == "-":
        text += r.take()
    if text == "*":
        return lambda row: row[field] is not None
    return lambda row: None if row[field] is None else row[field] == value_of(text)


def operand(r, group):
    negated = required = False
    while r.peek() in ("NOT", "!", "-", "+"):
        if r.take() == "+":
            required = True
        else:
            negated = not negated
    field = group
    if group is None and r.peek() != "(":
        field = r.take()
        r.take(":")
    if r.peek() == "(":
        r.take()
        inner = clauses(r, field)
        r.take(")")
        matches, counts, weight = inner
    elif field == "*":
        r.take("*")
        matches, counts, weight = (lambda row: True), (lambda row: 1.0), 1.0
    else:
        matches = leaf(r, field)
        counts, weight = (lambda row, m=matches: 1.0 if m(row) else 0.0), 1.0
    while r.peek() in ("^", "^="):
        constant = r.take() == "^="
        factor = r.number()
        if constant:
            counts, weight = (lambda row, m=matches, w=factor: w if m(row) else 0.0), factor
        else:
            counts, weight = (lambda row, c=counts, w=factor: w * c(row)), weight * factor
    if negated:
        positive = matches
        matches = lambda row: None if positive(row) is None else not positive(row)
        counts = lambda row, m=matches, w=weight: w if m(row) else 0.0
    return matches, counts, weight, negated, required


def chain(r, group, words, member, join):
    members = [member(r, group)]
    while r.peek() in words:
        r.take()
        members.append(member(r, group))
    if len(members) == 1:
        return members[0]
    silent = join is both and not all(m[3] for m in members)

    def matches(row):
        result = members[0][0](row)
        for m in members[1:]:
            result = join(result, m[0](row))
        return result

    def counts(row):
        return sum(m[1](row) for m in members if not (silent and m[3])) if matches(row) else 0.0
    return matches, counts, 1.0, False, any(m[4] for m in members)


def ands(r, group):
    return chain(r, group, ("AND", "&&"), operand, both)


def ors(r, group):
    return chain(r, group, ("OR", "||"), ands, either)


def clauses(r, group=None):
    members = []
    while r.peek() not in (None, ")"):
        members.append(ors(r, group))
    if len(members) == 1:
        return members[0][:3]
    must = [m for m in members if m[4] and not m[3]]
    never = [m for m in members if m[3]]
    may = [m for m in members if not m[3] and not m[4]]

    def matches(row):
        result = True
        for m in must + never:
            result = both(result, m[0](row))
        if may and not must:
            some = False
            for m in may:
                some = either(some, m[0](row))
            result = both(result, some)
        return result

    def counts(row):
        heard = members if len(never) == len(members) else must + may
        return sum(m[1](row) for m in heard) if matches(row) else 0.0
    return matches, counts, 1.0


# Functions of a row, giving a number or None.
def no_none(f):
    def g(*x):
        if any(v is None for v in x):
            return None
        try:
            return f(*x)
        except (ValueError, ZeroDivisionError):
            return None
    return g


FUNCTIONS = {
    "recip": no_none(lambda x, m, a, b: a / (m * x + b)), "div": no_none(lambda x, y: x / y), "sub": no_none(lambda x, y: x - y),
    "sum": no_none(lambda *x: sum(x)), "add": no_none(lambda *x: sum(x)), "product": no_none(lambda *x: math.prod(x)),
    "mul": no_none(lambda *x: math.prod(x)), "pow": no_none(math.pow), "log": no_none(math.log10), "ln": no_none(math.log),
    "exp": no_none(math.exp), "sqrt": no_none(math.sqrt), "abs": no_none(abs), "min": no_none(min), "max": no_none(max),
    "if": lambda t, a, b: a if t else b, "exists": lambda x: float(x is not None), "def": lambda x, d: d if x is None else x,
    "not": no_none(lambda x: float(x == 0)), "gt": no_none(lambda x, y: float(x > y)), "lt": no_none(lambda x, y: float(x < y)),
    "map": lambda x, a, b, t, *d: None if x is None and not d else t if x is not None and a <= x <= b else d[0] if d and x is not None else x,
}


def function(r):
    if r.peek() == "-" or re.fullmatch(r"[\d.$].*", r.peek()):
        v = r.number()
        return lambda row: v
    name = r.take()
    if r.peek() != "(":
        return lambda row: None if row[name] is None else row[name] if isinstance(row[name], str) else float(row[name])
    r.take()
    arguments = [function(r)]
    while r.peek() == ",":
        r.take()
        arguments.append(function(r))
    r.take(")")
    return lambda row: FUNCTIONS[name](*(a(row) for a in arguments))


def weighted(r):
    f, weight = function(r), 1.0
    if r.peek() == "^":
        r.take()
        weight = r.number()
    return lambda row: 0.0 if f(row) is None else weight * f(row)


def rules_of(path):
    section, filters, parts = None, [], []
    for line in open(path, encoding="utf-8-sig"):
        line = cut_comment(line).strip()
        m = re.match(r"\[\s*(\w+)\s*\]", line)
        if m:
            section, line = m.group(1), line[m.end():].strip()
        r = Reader(tokens_of(line))
        while r.peek() is not None:
            if section == "filter":
                filters.append(clauses(r)[0])
            elif section == "boost":
                parts.append(clauses(r)[1])
            elif section == "function":
                parts.append(weighted(r))
            elif section == "numbers":
                name = r.take()
                NUMBERS[name] = r.number()
            else:
                r.take()
    return filters, parts


db = sqlite3.connect("file:%s?mode=ro" % sys.argv[1], uri=True)
db.row_factory = sqlite3.Row
filters, parts = rules_of(sys.argv[2])
rows = [r for r in db.execute("SELECT * FROM document_flags") if all(f(r) is True for f in filters)]
scored = sorted(((-sum((p(r) for p in parts), 0.0), r["id"]) for r in rows))
for score, key in scored:
    print("%s|%.9f" % (key, -score + 0.0))
