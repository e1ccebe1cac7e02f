"""Sites whose pages are told apart by what a URL names: articles, offers, members, topics, days and so on, each under several URLs.

    thing_sites.py FOLDER THINGS SEED [general]

A *thing* is what one page is about. Of each site, half of the things are learned from, the other half is new:
    learned.jsonl   documents of the first half, for 'twindex import'
    all.jsonl       documents of both halves of every other site, in a random order of time, for a replay
    learned.tsv     URL and thing of the documents of learned.jsonl
    new.tsv         the same of the second half, in a random order
    again.tsv       the same of things of the first half, with URLs that learned.jsonl lacks
    all.tsv         the same of all.jsonl
    things.tsv      the same of everything
general: titles that do not name the thing; two words inside a sentence do, and all else is the form.
"""
import json, random, sys

folder, things, seed = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
general = "general" in sys.argv[4:]
draw = random.Random(seed)


def word(n=0):
    return "".join(draw.choice("bdfgklmnprst") + draw.choice("aeiou") for _ in range(n or draw.randint(2, 4)))


def words(n):
    return " ".join(word() for _ in range(n))


def code():
    return "%08x" % draw.randrange(1 << 28, 1 << 32)


class Site:
    """One kind of site: a form that all of its pages share, and a page for each thing."""

    def __init__(self, name):
        self.name, self.host = name, "http://%s.example" % name
        self.form = [words(12) + "." for _ in range(6)]
        self.kind = word(3).capitalize()
        self.pages = []  # URL, thing, title, text

    def body(self, name, more=()):
        if general:
            return self.form[:3] + ["%s near %s, %s" % (words(5) if more else "To let", name, self.form[3])] + list(more) + self.form[4:]
        own = "%s: %s." % (name, words(8))
        return [own] + self.form[:3] + ["%s %s." % (word(4).capitalize(), name)] + list(more) + self.form[3:]

    def thing(self, key, urls, more=(), name=None):
        """A page under several URLs, which are paths of the host or whole URLs."""
        name = name or "%s %s" % (word(4).capitalize(), word(4).capitalize())
        title = self.kind if general else "%s - %s" % (name, self.kind)
        body = self.body(name, more)
        for url in urls:
            url = url if "://" in url else self.host + url
            self.pages.append((url, "%s/%s" % (self.name, key), title, "\n".join(body)))


def shop(s, i):
    base = "/shop?artnr=%d" % (i * 7 + 1000)
    s.thing(i, [base, base + "&sid=" + code(), base + "&sid=" + code(), base + "&utm_source=" + word(), base + "&sid=" + code()])


def classifieds(s, i):
    base = "/ad.php?n=%d" % (i * 3 + 50)
    s.thing(i, [base, base + "&print=1", base + "&from=list", base + "&s=" + code(), base + "&s=" + code()])


def members(s, i):
    base = "/profile?u=%d" % (i + 1)
    s.thing(i, [base, base + "&ref=" + word(), base + "&ref=" + word(), base + "&ref=" + word()])


def forum(s, i):
    base = "/viewtopic.php?t=%d" % (i * 2 + 9)
    s.thing(i, [base, base + "&start=0"] + [base + "&sid=" + code() for _ in range(3)])
    s.thing("%d, page 2" % i, [base + "&start=15", base + "&start=15&sid=" + code()])


def calendar(s, i):
    base = "/calendar?date=20%02d-%02d-%02d" % (20 + i // 336, i // 28 % 12 + 1, i % 28 + 1)
    s.thing(i, [base, base + "&view=day", base + "&back=" + code(), base + "&back=" + code()])


def news(s, i):
    base = "/news.php?id=%d" % (i + 40000)
    s.thing(i, [base, base + "&print=1", base + "&utm_source=feed&utm_medium=" + word(), base + "&utm_source=feed"])


def wiki(s, i):
    title = "%s_%s" % (word(4).capitalize(), word(3))
    base = "/index.php?title=" + title
    s.thing(i, [base, base + "&oldid=%d" % (i * 5 + 3), base + "&printable=yes", base + "&action=view"], name=title.replace("_", " "))
    s.thing("%d, old" % i, [base + "&oldid=%d" % (i * 5 + 1)])


def gallery(s, i):
    base = "/photo?img=%d" % (i + 300)
    s.thing(i, [base + "&size=large", base + "&size=small", base + "&size=medium", base])


def paths(s, i):
    base = "/item/%d/%s" % (i + 100, word(4))
    s.thing(i, [base, base + "/", "/print" + base, base + "?lang=en"])


def path_sessions(s, i):
    s.thing(i, ["/s/%s/item/%d" % (code(), i) for _ in range(3)] + ["/item/%d;jsessionid=%s" % (i, code()) for _ in range(2)] + ["/item/%d" % i])
    s.thing("%d, member" % i, ["/u/" + code()])


def orders(s, i):
    base = "/list?cat=%d" % (i + 10)
    items = ["%s %s %s %d." % (word(4).capitalize(), word(4), word(3), draw.randint(2, 900)) for _ in range(12)]
    name = "%s %s" % (word(4).capitalize(), word(4).capitalize())
    for k, url in enumerate([base, base + "&sort=price", base + "&sort=name", base + "&sort=date"]):
        if k == 0:
            s.thing(i, [base], items, name)
            first = s.pages[-1]
            continue
        lines = first[3].split("\n")
        moved = [l for l in lines if l in items]
        moved = moved[k * 3:] + moved[:k * 3]
        rest = iter(moved)
        s.pages.append((s.host + url, first[1], first[2], "\n".join(next(rest) if l in items else l for l in lines)))


def pages(s, i):
    base = "/catalog?cat=%d" % (i + 1)
    s.thing(i, [base, base + "&page=1", base + "&page=1&back=" + code(), base + "&back=" + code()])
    for page in (2, 3):
        s.thing("%d, page %d" % (i, page), [base + "&page=%d" % page])


def tracking(s, i):
    base = "/story/%d-%s.html" % (i, word(3))
    s.thing(i, [base, base + "?fbclid=" + code(), base + "?utm_source=%s&utm_medium=%s" % (word(), word()), base + "?fbclid=" + code()])


def aliases(s, i):
    path = "/doc/%s-%d.html" % (word(3), i)
    s.thing(i, [s.host + path, "https://www.aliases.example" + path, "http://mirror.example" + path])
    s.thing("%d, other" % i, ["http://mirror.example/only/%d.html" % i])
    s.thing("%d, here" % i, [s.host + "/only/%d.html" % i])


def folders(s, i):
    """A folder of a mirror has the things of the site; another has pages of its own, but for those that exist nowhere yet."""
    path = "/docs/%s-%d.html" % (word(3), i)
    s.thing(i, [s.host + path, "http://copy.folders.example/pub/site" + path, "https://copy.folders.example/pub/site" + path])
    s.thing("%d, old" % i, [s.host + "/item/%d" % i])
    s.thing("%d, new" % i, ["http://copy.folders.example/shop/item/%d" % i])
    s.pages.append((s.host + "/login/%d" % i, s.name + "/wall", s.kind, "Please log in to see this page of ours"))
    s.pages.append(("http://copy.folders.example/member/login/%d" % i, s.name + "/wall", s.kind, "Please log in to see this page of ours"))


def front(s, i):
    """The front page has many tracking codes; the articles have another parameter of the same path."""
    if i == 0:
        s.thing(i, ["/"] + ["/?from=" + code() for _ in range(things)])
    s.thing("%d, article" % i, ["/?p=%d" % (i + 5)])


KINDS = [shop, classifieds, members, forum, calendar, news, wiki, gallery, paths, path_sessions, orders, pages, tracking, aliases, folders, front]


def write(name, rows, when):
    with open("%s/%s" % (folder, name), "w") as out:
        for k, (url, thing, title, text) in enumerate(rows):
            out.write(json.dumps({"url": url, "title": title, "text": text, "fetched_at": when + k}) + "\n")


learned, new, again = [], [], []
for kind in KINDS:
    site = Site(kind.__name__.replace("_", "-"))
    for i in draw.sample(range(things), things):
        first = len(site.pages)
        kind(site, i)
        own = site.pages[first:]
        if i % 2:
            new += own
            continue
        by_thing = {}
        for page in own:
            by_thing.setdefault(page[1], []).append(page)
        for same in by_thing.values():
            # of one thing in ten, one URL is asked for later
            later = draw.randrange(len(same)) if i % 20 == 0 and len(same) > 2 else None
            learned += [page for k, page in enumerate(same) if k != later]
            again += same[later:later + 1] if later is not None else []
write("learned.jsonl", learned, 1700000000)
both = learned + new + again
draw.shuffle(both)
some = {kind.__name__.replace("_", "-") for kind in KINDS[::2]}
replayed = [page for page in both if page[1].split("/")[0] in some]
write("all.jsonl", replayed, 1700000000)
draw.shuffle(new)
for name, rows in (("learned.tsv", learned), ("new.tsv", new), ("again.tsv", again), ("all.tsv", replayed), ("things.tsv", both)):
    with open("%s/%s" % (folder, name), "w") as out:
        for url, thing, title, text in rows:
            out.write("%s\t%s\n" % (url, thing))
