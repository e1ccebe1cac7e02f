#!/usr/bin/python3
"""Measures, from the published flags of a store, which names vanish with the pages that are hidden.

usage: scripts/findable-plain.py STORE [--json] [--examples N] [--relation verdict|near|copy|...] [--site-part] [--search]
       scripts/findable-plain.py --pairs N [--seed S] STORE ...
       scripts/findable-plain.py --gone STORE [--examples N]

For each hidden document whose text is its own (no visible document has the same text; of hidden documents with equal text
and title one is counted) the words of its title are looked up in its representative. A word is a longest run of letters and digits,
lower-cased; a word is *contained* when it is a word of the title, the headings or the text of the representative. A word of digits is a
number. Documents without a word in the title are counted separately. Of the others, those with a heading word that the representative lacks are
counted too, if the store has headings.

  verdict     the documents that document_flags.duplicate_of hides, with the survivor as representative (default)
  RELATION    members of the groups of one relation (twindex_group_member.detector), with the representative of the group

--site-part leaves out the words that occur in the title of half or more of the documents of the document's host.

--search also looks each title up in the text index of the store (twindex index): all words, in order of bm25 with the weights 10 (title)
and 1 (text), plus 100 when the title consists of these words. Of the hits that stay visible the first 10 count. A title is found when
one of them is the representative, or has its text or that of the hidden document. Titles that more than 10 different visible texts
have are also counted separately. Titles that are not found are classified, with examples.

--pairs N draws N hidden documents of all stores together whose text differs from that of the representative, and prints both URLs and titles and
the words in which the texts differ, to be read by people: [words of the hidden document / words of the representative], with words around them.
With --known FILE (truth/hosts.tsv of a crawl) it counts, instead, for each relation of the file, of the pairs of documents whose URLs differ in it how
many are joined by the verdict.

--gone counts, of the hidden documents with a title and text of their own, those with a word in either that no visible document of the store has:
a search for it finds nothing any more. Numbers, and words with a digit such as the ids of sessions, are not counted, nor are those of half of a host's hidden pages, such as a banner.

With --labels FILE (lines URL, CLUSTER or URL, URL, 1|0) it counts the documents that are hidden behind another cluster and the clusters without a
visible document, or the pairs that one group of copies joins.

This is the independent oracle of `twindex evaluate --findable`: it uses the FTS5 of Python's SQLite, and reads the views of the store and its
text index only. The one thing that it shares with the program is the tokenizer of that index, which it loads with the extension (--extension).
"""
import argparse
import difflib
import json
import os
import random
import re
import sqlite3
import sys
from collections import Counter, defaultdict
from urllib.parse import urlsplit

WORD = re.compile(r"[^\W_]+")
TOP, TITLE_WEIGHT, TEXT_WEIGHT, WHOLE_TITLE = 10, 10, 1, 100


def words_of(text):
    """Words as in text/tokens.c: code points from U+10000 separate words there."""
    narrow = "".join(c if ord(c) < 0x10000 else " " for c in text or "")
    return [w.lower() for w in WORD.findall(narrow)]


def is_number(word):
    return word.isdigit()


def hidden_pairs(db, relation):
    """(hidden, representative, exact signature, title) of hidden documents, in order of id."""
    if relation == "verdict":
        pairs = "SELECT id AS document, duplicate_of AS representative FROM document_flags WHERE representative_b = 0"
    else:
        pairs = ("SELECT document, representative FROM twindex_group_member WHERE detector = :relation "
                 "AND document <> representative")
    return db.execute(
        f"""SELECT p.document, p.representative, f.exact_signature_l, s.title
            FROM ({pairs}) AS p JOIN document_flags AS f ON f.id = p.document JOIN flagged_documents AS s ON s.id = p.document
            ORDER BY p.document""", {"relation": relation} if relation != "verdict" else {})


def visible_signatures(db, relation):
    """Signatures of the texts that stay visible."""
    if relation == "verdict":
        return {row[0] for row in db.execute("SELECT exact_signature_l FROM document_flags WHERE representative_b = 1")}
    return {row[0] for row in db.execute(
        """SELECT exact_signature_l FROM document_flags WHERE indexable_b AND id NOT IN
           (SELECT document FROM twindex_group_member WHERE detector = ? AND document <> representative)""", (relation,))}


def site_words(db):
    """By host: the words in the titles of half or more of its documents (10 or more)."""
    documents, counts = Counter(), {}
    for url, title in db.execute("SELECT url, title FROM flagged_documents WHERE indexable_b"):
        host = urlsplit(url or "").hostname
        documents[host] += 1
        counts.setdefault(host, Counter()).update(set(words_of(title)))
    return {host: {w for w, n in counts[host].items() if documents[host] >= 10 and 2 * n >= documents[host]}
            for host in counts}


def lost_words(db, relation, site):
    """Yields (document, representative, words of its title that the representative lacks) of each page that counts."""
    visible, seen, cache = visible_signatures(db, relation), set(), {}
    page = f"SELECT url, title, text, {headings_of(db)} FROM flagged_documents WHERE id = ?"
    for document, representative, signature, title in hidden_pairs(db, relation).fetchall():
        key = (signature, title)
        if signature is None or signature in visible or key in seen:
            continue
        seen.add(key)
        wanted = words_of(title)
        url, _, _, headings = db.execute(page, (document,)).fetchone()
        if site:
            wanted = [w for w in wanted if w not in site.get(urlsplit(url or "").hostname, ())]
        if representative not in cache:
            if len(cache) > 2000:
                cache.clear()
            other = db.execute(page, (representative,)).fetchone()
            cache[representative] = (other[0], other[1], set().union(*map(words_of, other[1:])))
        other = cache[representative]
        yield {"id": document, "url": url, "title": title, "signature": signature, "representative": representative, "representative_url": other[0],
               "representative_title": other[1], "words": len(wanted),
               "missing": [w for w in dict.fromkeys(wanted) if w not in other[2]],
               "missing_headings": [w for w in dict.fromkeys(words_of(headings)) if w not in other[2]]}


def print_gone(db, examples):
    """Words of hidden documents that no visible document has, in title or text."""
    visible, known = set(), set()
    for title, text in db.execute("SELECT title, text FROM flagged_documents WHERE indexable_b AND duplicate_of IS NULL"):
        known.add(hash((title, text)))
        visible.update(words_of(title))
        visible.update(words_of(text))
    pages, gone, of_host, with_word = 0, [], Counter(), Counter()
    for url, title, text, survivor in db.execute("SELECT url, title, text, duplicate_of FROM flagged_documents WHERE duplicate_of IS NOT NULL"):
        if hash((title, text)) in known:
            continue
        known.add(hash((title, text)))
        pages += 1
        host = urlsplit(url or "").hostname
        of_host[host] += 1
        lost = sorted({w for w in words_of(title) + words_of(text) if w not in visible and not any(c.isdigit() for c in w)})
        with_word.update((host, w) for w in lost)
        if lost:
            gone.append((url, survivor, host, lost))
    banner = {key for key, n in with_word.items() if n >= 10 and 2 * n >= of_host[key[0]]}
    gone = [(url, survivor, rest) for url, survivor, host, lost in gone if (rest := [w for w in lost if (host, w) not in banner])]
    print(f"hidden, title and text of their own: {pages}")
    print(f"a word that no visible document has: {len(gone)}")
    for url, survivor, lost in gone[:: max(1, len(gone) // max(1, examples))][:examples]:
        print(f"  {url} -> {survivor}: {' '.join(lost[:10])}")


def headings_of(db):
    """The column of the headings; NULL in stores that have none."""
    names = [row[1] for row in db.execute("PRAGMA table_info(flagged_documents)")]
    return "headings" if "headings" in names else "NULL"


class Searcher:
    """Answers of the text index among the documents that a relation leaves visible."""

    def __init__(self, db, relation):
        hidden = {row[0] for row in hidden_pairs(db, relation)}
        mapped = db.execute("SELECT id_kind FROM twindex_state").fetchone()[0] == "mapped"
        ids = dict(db.execute("SELECT doc, id FROM twindex_document")) if mapped else {}
        self.db, self.answers = db, {}
        self.signature, self.words = {}, {}
        self.texts = defaultdict(set)  # words of a title -> the different visible texts that have it
        for document, signature, title in db.execute(
                "SELECT id, exact_signature_l, title FROM flagged_documents WHERE indexable_b"):
            self.signature[document] = signature
            if document in hidden:
                continue
            self.words[document] = words = tuple(words_of(title))
            if signature is not None:
                self.texts[words].add(signature)
        self.slots = {slot: (doc, ids.get(doc, doc)) for slot, doc in db.execute("SELECT slot, doc FROM twindex_text_slot")}

    def hits(self, words):
        """Visible documents with all of the words, best first."""
        if words not in self.answers:
            query, ranked = " ".join(f'"{w}"' for w in words), []
            begin = f"title : ^ \"{' '.join(words)}\""
            whole = {slot for (slot,) in self.db.execute("SELECT rowid FROM twindex_text WHERE twindex_text MATCH ?", (begin,))}
            for slot, bm25 in self.db.execute(
                    "SELECT rowid, bm25(twindex_text, ?, ?) FROM twindex_text WHERE twindex_text MATCH ?",
                    (TITLE_WEIGHT, TEXT_WEIGHT, query)):
                number, document = self.slots.get(slot, (None, None))
                if document not in self.words:
                    continue
                is_whole = slot in whole and len(self.words[document]) == len(words)
                ranked.append((bm25 - (WHOLE_TITLE if is_whole else 0), number, document))
            self.answers = {words: [document for _, _, document in sorted(ranked)]}  # equal titles mostly follow each other
        return self.answers[words]

    def classify(self, page):
        """'found', or why the search for the title of a hidden page misses it."""
        words = tuple(words_of(page["title"]))
        hits, representative = self.hits(words), page["representative"]
        equal = {self.signature.get(representative), page["signature"]} - {None}
        if any(h == representative or self.signature.get(h) in equal for h in hits[:TOP]):
            return "found"
        if len(self.texts[words]) > TOP:
            return "title shared by more than 10"
        if representative not in hits:
            return "representative is not a hit"
        return ("ranked below others" if self.words[representative] == words else "representative has another title")


def search_figures(db, relation, pages, examples):
    searcher = Searcher(db, relation)
    classes, shown, shared, shared_found = Counter(), defaultdict(list), 0, 0
    by_title = defaultdict(list)
    for page in sorted(pages, key=lambda p: words_of(p["title"])):
        kind = searcher.classify(page)
        words = tuple(words_of(page["title"]))
        many = len(searcher.texts[words]) > TOP
        classes[kind] += 1
        shared += many
        shared_found += many and kind == "found"
        by_title[words].append(kind == "found")
        if kind != "found" and len(shown[kind]) < examples and all(p["title"] != page["title"] for p in shown[kind]):
            shown[kind].append(page)
    others = len(pages) - shared
    return {"searched": len(pages), "found": classes.pop("found", 0), "shared_titles": shared, "others": others,
            "others_found": sum(sum(found) for found in by_title.values()) - shared_found, "titles": len(by_title),
            "mean_of_titles": sum(sum(f) / len(f) for f in by_title.values()) / len(by_title) if by_title else None,
            "missed": dict(classes), "missed_examples": shown}


def print_search(s):
    if not s["searched"]:
        print("no title to search for")
        return
    print(f"found by title:                               {s['found']} of {s['searched']} ({100 * s['found'] / s['searched']:.2f} %)")
    print(f"titles that more than {TOP} visible texts have:    {s['shared_titles']} ({100 * s['shared_titles'] / s['searched']:.2f} %)")
    if s["others"]:
        print(f"of the others are found:                      {s['others_found']} of {s['others']} "
              f"({100 * s['others_found'] / s['others']:.2f} %)")
    print(f"different titles:                             {s['titles']}, {100 * s['mean_of_titles']:.2f} % found in the mean")
    for kind, n in sorted(s["missed"].items(), key=lambda item: -item[1]):
        print(f"  missed, {kind}: {n}")
        for p in s["missed_examples"][kind]:
            print(f"    {p['title']!r} -> {p['representative_title']!r}\n      {p['url']}\n      {p['representative_url']}")


def pairs_that_differ(db, store):
    return [(store, document, representative) for document, representative in db.execute(
        """SELECT h.id, h.duplicate_of FROM document_flags AS h JOIN document_flags AS s ON s.id = h.duplicate_of
           WHERE h.representative_b = 0 AND h.exact_signature_l <> s.exact_signature_l ORDER BY h.id""")]


def difference(a, b, around=6, most=60):
    """The words in which two texts differ, as they are written, with some words around them."""
    x, y = a.split(), b.split()
    out, short = [], lambda words: " ".join(words if len(words) <= most else words[:most // 2] + ["..."] + words[-most // 2:])
    for kind, i, j, k, n in difflib.SequenceMatcher(None, x, y, autojunk=False).get_opcodes():
        if kind == "equal":
            continue
        out.append(f"{' '.join(x[max(0, i - around):i])} [{short(x[i:j])} / {short(y[k:n])}] {' '.join(x[j:j + around])}")
    return out


def print_pairs(stores, n, seed):
    dbs = {store: opened(store) for store in stores}
    found = [pair for store in stores for pair in pairs_that_differ(dbs[store], store)]
    print(f"{len(found)} hidden documents with another text than their representative, {min(n, len(found))} drawn with seed {seed}")
    for number, (store, *documents) in enumerate(random.Random(seed).sample(found, min(n, len(found))), 1):
        (u, t, a), (v, w, b) = (dbs[store].execute("SELECT url, title, text FROM flagged_documents WHERE id = ?", (d,)).fetchone() for d in documents)
        print(f"\n{number} {os.path.basename(store)}\n  {u}\n  {v}\n  {t!r}{'' if t == w else f' -> {w!r}'}  ({len(a)} and {len(b)} characters)")
        for line in difference(a, b):
            print("   ", line)


def print_known(store, known):
    """Joined: both documents are in one cluster of the verdict, or one of them does not take part."""
    db, rows = opened(store), {}
    for url, of, part in db.execute("SELECT url, coalesce(duplicate_of, id), indexable_b FROM flagged_documents"):
        rows[url] = of if part else None
    with open(known, encoding="utf-8") as lines:
        rules = [line.rstrip("\n").split("\t") for line in lines if not line.startswith("#")]
    for relation, a, b in rules:
        joined = pairs = 0
        for url, of in rows.items():
            if relation.startswith("query"):
                match = next((q for q in b.split() if url.startswith(a.rstrip("*")) and q in url and url.index(q) == url.find("?")), None)
                other = url[:url.index("?")] if match else None
            else:
                other = b + url[len(a):] if url.startswith(a) else None
            if other in rows and of is not None and rows[other] is not None and url != other:
                pairs += 1
                joined += of == rows[other]
        if pairs:
            print(f"{relation:10} {joined:6} of {pairs:6} ({100 * joined / pairs:6.2f} %)  {a} {b}")


def print_labels(store, file):
    db = opened(store)
    with open(file, encoding="utf-8") as lines:
        labels = [line.rstrip("\n").split("\t") for line in lines]
    rows = {url: (id, of, group) for url, id, of, group in db.execute(
        "SELECT url, id, coalesce(duplicate_of, id), copy_cluster_l FROM flagged_documents WHERE indexable_b")}
    if len(labels[0]) == 3:
        joined = Counter((bool(rows[a][1] == rows[b][1] or (rows[a][2] is not None and rows[a][2] == rows[b][2])), label)
                         for a, b, label in labels if a in rows and b in rows)
        print(f"joined: {joined[True, '1']} of {joined[True, '1'] + joined[False, '1']} copies, and {joined[True, '0']} pairs that are not copies")
        return
    cluster = {rows[url][0]: name for url, name in labels if url in rows}
    hidden = [(id, of) for id, of, _ in rows.values() if id != of]
    wrong = sum(cluster.get(id) != cluster.get(of) for id, of in hidden)
    visible = {cluster.get(id) for id, of, _ in rows.values() if id == of}
    print(f"{len(rows)} documents, {len(hidden)} hidden, {wrong} of them behind another cluster; "
          f"{len(set(cluster.values()) - visible)} of {len(set(cluster.values()))} clusters have no visible document")


def opened(store):
    db = sqlite3.connect(f"file:{store}?mode=ro", uri=True)
    db.text_factory = lambda b: b.decode("utf-8", "replace")
    if not db.execute("SELECT 1 FROM sqlite_schema WHERE name = 'flagged_documents'").fetchone():  # after 'twindex remove'
        db.execute("CREATE TEMP VIEW flagged_documents AS SELECT d.*, f.* FROM main.documents AS d JOIN main.document_flags AS f ON f.id = d.id")
    return db


def main():
    parser = argparse.ArgumentParser(description="Share of hidden pages with a title word that the representative lacks.")
    parser.add_argument("store", nargs="+")
    parser.add_argument("--pairs", type=int, metavar="N", help="draw N hidden documents with another text than the representative, of all stores")
    parser.add_argument("--seed", type=int, default=1, help="of the draw (default 1)")
    parser.add_argument("--known", metavar="FILE", help="relations of URLs, as in truth/hosts.tsv of a crawl")
    parser.add_argument("--gone", action="store_true", help="words that no visible document has any more")
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--examples", type=int, default=20, help="examples to print, spread over all (default 20)")
    parser.add_argument("--relation", default="verdict", help="verdict (default), near, copy, exact, ...")
    parser.add_argument("--site-part", action="store_true", help="leave out words that half of the host's titles have")
    parser.add_argument("--search", action="store_true", help="look each title up in the text index, too")
    parser.add_argument("--extension", default=os.path.join(os.path.dirname(__file__), "../build/release/twindex.so"),
                        help="twindex.so, for --search (default: that of the release build)")
    parser.add_argument("--labels", metavar="FILE", help="labelled pairs or clusters, as 'twindex evaluate --truth' reads them")
    args = parser.parse_args()
    if args.pairs:
        print_pairs(args.store, args.pairs, args.seed)
        return
    args.store = args.store[0]
    if args.known or args.labels:
        print_known(args.store, args.known) if args.known else print_labels(args.store, args.labels)
        return
    db = opened(args.store)
    if args.gone:
        print_gone(db, args.examples)
        return
    if args.search:
        db.enable_load_extension(True)
        db.load_extension(args.extension)
        db.enable_load_extension(False)
    try:
        pages = list(lost_words(db, args.relation, site_words(db) if args.site_part else None))
        titled = [p for p in pages if p["words"]]
        searched = search_figures(db, args.relation, titled, args.examples) if args.search else None
    except sqlite3.OperationalError as error:
        sys.exit(f"findable-plain.py: {args.store}: {error} (the store needs a run of twindex, and --search a text index)")
    lost = [p for p in titled if p["missing"]]
    words = [p for p in titled if any(not is_number(w) for w in p["missing"])]
    headings = [p for p in titled if p["missing_headings"]]
    figures = {"relation": args.relation, "hidden_own_text": len(pages), "without_title": len(pages) - len(titled),
               "lost": len(lost), "lost_without_numbers": len(words), "heading_lost": len(headings)}
    examples = lost[:: max(1, len(lost) // max(1, args.examples))][: args.examples]
    if searched:
        figures["search"] = searched
    if args.json:
        json.dump({**figures, "examples": examples}, sys.stdout, ensure_ascii=False, indent=1)
        print()
        return
    share = lambda n: f"{n} ({100 * n / len(titled):.2f} %)" if titled else str(n)
    print(f"hidden by {args.relation}, text of their own: {len(pages)}, {len(pages) - len(titled)} of them without a title")
    print(f"a title word that the representative lacks:   {share(len(lost))}")
    print(f"the same, numbers not counted:                {share(len(words))}")
    print(f"a heading word that the representative lacks: {share(len(headings))}")
    for p in headings[:: max(1, len(headings) // max(1, args.examples))][: args.examples]:
        print(f"  {p['url']}\n    {p['title']!r} -> {p['representative_title']!r}: lacks {' '.join(p['missing_headings'])} of its headings\n"
              f"    {p['representative_url']}")
    for p in examples:
        print(f"  {p['url']}\n    {p['title']!r} -> {p['representative_title']!r}: lacks {' '.join(p['missing'])}\n"
              f"    {p['representative_url']}")
    if searched:
        print_search(searched)


if __name__ == "__main__":
    main()
