"""Random stores of pages whose URLs are forms of each other: what the program publishes is compared with the rules, written here once more as plainly as in
docs/flags.md, "Which document represents the others". Pages are also written in another order, and divided into two stores: nothing changes.

    survivors.py PROGRAM FIRST LAST     seeds"""
import os, random, sqlite3, subprocess, sys

program, first, last = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
DOMAINS = {"alpha.example": "alpha.example", "shop.alpha.example": "alpha.example", "beta.example": "beta.example", "m.beta.example": "beta.example",
           "gamma.co.uk": "gamma.co.uk", "delta.example": "delta.example"}
PATHS = ["/", "/a", "/a/", "/a?sid=1234567890", "/a?utm_source=x", "/print/a", "/a?b=2&a=1", "/long/way/to/a"]
WORDS = "river stone cloud night green apple window letter".split()
NAMES = ["score", "origin", "url_length", "fetched_at", "clean", "page"]


def split(url):
    scheme, rest = url.split("://")
    host, slash, path = rest.partition("/")
    return scheme, host, slash + path


def has_www(host): return host.startswith("www.")
def bare(host): return host[4:] if has_www(host) else host


class Rules:
    def __init__(self, draw):
        self.https = draw.random() < .6
        self.www = draw.choice(["yes", "no", "auto"])
        self.relations = draw.choice(["scheme www exact", "scheme www exact", "scheme www", "scheme exact", "www", "exact", "www exact"])
        self.order = draw.choice([NAMES[:4], NAMES[:4], draw.sample(NAMES, draw.randrange(len(NAMES) + 1))])
        self.steps = draw.choice(["", "session_parameters trailing_slash"])

    def text(self):
        yes = lambda b: "yes" if b else "no"
        return (f"[near]\ndetector = none\n[url]\nsteps = {self.steps}\n[verdict]\nrelations = {self.relations}\norder = {' '.join(self.order)}\n"
                f"[search.ranking.uniqueheuristic]\npreferhttps = {yes(self.https)}\npreferwwwprefix = {self.www}\n")


class Page:
    def __init__(self, id, url, text, score, date, status):
        self.id, self.url, self.text_of, self.score, self.date, self.status = id, url, text, score, date, status

    def row(self): return self.id, self.url, self.text_of, self.score, self.date, self.status

    def judge(self, rules):
        self.scheme, self.host, path = split(self.url)
        normal = path
        if rules.steps:
            normal = normal.replace("?sid=1234567890", "")
            if len(normal) > 1: normal = normal.rstrip("/")
        self.path, self.length = normal, len(self.host + normal)  # http and https are equally long
        self.extras = normal != path or "sid=" in path or "utm_" in path
        self.view = "/print/" in path or bare(self.host).startswith("m.")
        self.domain = DOMAINS[bare(self.host)]
        self.takes_part = self.status == 200


def draw_pages(draw):
    texts = [" ".join(draw.choices(WORDS, k=12)) + f" t{i}" for i in range(draw.randrange(2, 12))]
    hosts = draw.sample(sorted(DOMAINS), draw.randrange(1, 5))
    paths = draw.sample(PATHS, draw.randrange(1, 6))
    urls = {draw.choice(["http://", "https://"]) + draw.choice(["", "www."]) + draw.choice(hosts) + draw.choice(paths) for i in range(draw.randrange(2, 40))}
    ids = draw.sample(range(1, 10 ** 6), len(urls))
    return [Page(id, url, draw.choice(texts) if draw.random() < .95 else "", draw.choice([None, None, None, 1.0, 2.0]),
                 draw.choice([None, 1500000000 + draw.randrange(3)]), 200 if draw.random() < .9 else 404) for id, url in zip(ids, sorted(urls))]


def better_www(rules, part, page):
    if rules.www != "auto": return has_www(page.host) == (rules.www == "yes")
    votes = [has_www(p.host) for p in part if bare(p.host) == bare(page.host)]
    return has_www(page.host) == (2 * sum(votes) >= len(votes))


def judge(rules, pages):
    """(http_unique, www_unique, survivor) by id."""
    for p in pages: p.judge(rules)
    part = [p for p in pages if p.takes_part]
    joined = rules.relations.split()
    whole = ("scheme" in joined) == ("www" in joined)  # the four forms are one group
    one_scheme = lambda a, b: a.path == b.path and (bare(a.host) == bare(b.host) if whole else a.host == b.host)
    one_www = lambda a, b: a.path == b.path and a.scheme == b.scheme and bare(a.host) == bare(b.host)
    good_scheme = lambda p: (p.scheme == "https") == rules.https
    good_www = {p.id: better_www(rules, part, p) for p in part}
    elsewhere = lambda p: any(q.text_of == p.text_of and q.domain != p.domain for q in part)
    own = {d: len({p.text_of for p in part if p.domain == d and p.text_of and not elsewhere(p)}) for d in DOMAINS.values()}
    for p in part:
        p.http = good_scheme(p) or not any(one_scheme(p, q) and good_scheme(q) for q in part)
        p.www = good_www[p.id] or not any(one_www(p, q) and good_www[q.id] for q in part)
        p.form = 0 if p.http and p.www else 2 * (not good_scheme(p)) + (not good_www[p.id])
    value = {"clean": lambda p: p.extras, "page": lambda p: p.view, "score": lambda p: (p.score is None, -(p.score or 0)), "origin": lambda p: -own[p.domain].bit_length(),
             "url_length": lambda p: p.length, "fetched_at": lambda p: (p.date is None, p.date or 0)}
    names = [n for n in ("clean", "page") if n not in rules.order] + rules.order
    place = lambda p: (p.form, *(value[n](p) for n in names), p.id)
    one = {"scheme": one_scheme, "www": one_www, "exact": lambda a, b: a.text_of == b.text_of != ""}
    cluster = {p.id: {p.id} for p in part}
    for relation in joined:
        for a in part:
            for b in part:
                if one[relation](a, b) and cluster[a.id] is not cluster[b.id]:
                    cluster[a.id] |= cluster[b.id]
                    for c in cluster[a.id]: cluster[c] = cluster[a.id]
    by_id = {p.id: p for p in part}
    return {p.id: (p.http, p.www, min((by_id[c] for c in cluster[p.id]), key=place).id) if p.takes_part else (None, None, None) for p in pages}


def store(path, pages):
    if os.path.exists(path): os.remove(path)
    db = sqlite3.connect(path)
    db.execute("CREATE TABLE pages(id INTEGER PRIMARY KEY, url, content, score, fetched_at, status_code)")
    db.executemany("INSERT INTO pages VALUES(?, ?, ?, ?, ?, ?)", [p.row() for p in pages])
    db.commit()
    db.close()


def run(*stores):
    subprocess.run([program, "run", "--config", "s.conf", "--quiet", "--force", *stores], check=True)


def published(path):
    db = sqlite3.connect(path)
    none = lambda v: v if v is None else bool(v)
    rows = {id: (none(http), none(www), id if survivor is None and indexable else survivor)
            for id, indexable, http, www, survivor in db.execute("SELECT id, indexable_b, http_unique_b, www_unique_b, duplicate_of FROM document_flags")}
    db.close()
    return rows


def forms_pass_once(rules, pages, flags):
    """Of the forms of a URL that exist exactly one passes both filters, if the verdict joins both relations or none."""
    joined = rules.relations.split()
    if ("scheme" in joined) != ("www" in joined): return True
    passing = {}
    for p in pages:
        if p.takes_part: passing.setdefault((bare(p.host), p.path), set()).update({(p.scheme, p.host)} if flags[p.id][0] and flags[p.id][1] else set())
    return all(len(forms) == 1 for forms in passing.values())


def survivors_pass(rules, flags):
    unique = [at for at, name in enumerate(["scheme", "www"]) if name in rules.relations.split()]
    return all(flags[id][at] for id in flags if flags[id][2] == id for at in unique)


failed = diagonal = 0
for seed in range(first, last + 1):
    draw = random.Random(seed)
    rules, pages = Rules(draw), draw_pages(draw)
    wanted = judge(rules, pages)
    with open("s.conf", "w") as f:
        f.write("[store]\nfrom = pages\nid = id\nurl = url\ntext = content\nhttp_status = status_code\nscore = score\nfetched_at = fetched_at\n" + rules.text())
    store("one.db", pages)
    run("one.db")
    found = published("one.db")
    digest = lambda *stores: subprocess.run([program, "digest", "--config", "s.conf", *stores], capture_output=True, text=True, check=True).stdout.split()[0]
    one = digest("one.db")
    what = f"seed {seed}, {' '.join(rules.order)}; {rules.relations}"
    for id in wanted:
        if wanted[id] != found.get(id):
            failed += 1
            print(f"not ok - {what}: {id} {[p.url for p in pages if p.id == id]}: {found.get(id)}, not {wanted[id]}")
            break
    if not forms_pass_once(rules, pages, found) or not survivors_pass(rules, found):
        failed += 1
        print(f"not ok - {what}: filters")
    shuffled = pages[:]
    draw.shuffle(shuffled)
    store("one.db", shuffled)
    run("one.db")
    parts = [[], []]
    for p in shuffled: parts[draw.randrange(2)].append(p)
    for i in 0, 1: store(f"part{i}.db", parts[i])
    run("part0.db", "part1.db")
    if digest("one.db") != one or digest("part0.db", "part1.db") != one:
        failed += 1
        print(f"not ok - {what}: another order of rows, or two stores, have another result")
print(f"{'not ' if failed else ''}ok - {last - first + 1} random stores are judged as the rules say, also in another order and as two stores")
sys.exit(failed > 0)
