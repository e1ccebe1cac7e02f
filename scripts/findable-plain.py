#!/usr/bin/env python3
"""Measures, from the published flags of a store, which names vanish with the pages that are hidden.

usage: scripts/findable-plain.py STORE [--json] [--examples N] [--relation verdict|near|copy|...] [--site-part]

For each hidden document whose text is its own (no visible document has the same text; of hidden documents with equal text
and title one is counted) the words of its title are looked up in its representative. A word is a longest run of letters and digits,
lower-cased; a word is *contained* when it is a word of the title or of the text of the representative. A word of digits is a number.
Documents without a word in the title are counted separately.

  verdict     the documents that document_flags.duplicate_of hides, with the survivor as representative (default)
  RELATION    members of the groups of one relation (twindex_group_member.detector), with the representative of the group

--site-part leaves out the words that occur in the title of half or more of the documents of the document's host.

This is the independent oracle of `twindex evaluate --findable`: it shares no code with the program and reads the store's views only.
"""
import argparse
import json
import re
import sqlite3
import sys
from collections import Counter
from urllib.parse import urlsplit

WORD = re.compile(r"[^\W_]+")


def words_of(text):
    """Words as in text/tokens.h: code points from U+10000 separate words there."""
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
    page = "SELECT url, title, text FROM flagged_documents WHERE id = ?"
    for document, representative, signature, title in hidden_pairs(db, relation).fetchall():
        key = (signature, title)
        if signature is None or signature in visible or key in seen:
            continue
        seen.add(key)
        wanted = words_of(title)
        url = db.execute("SELECT url FROM flagged_documents WHERE id = ?", (document,)).fetchone()[0]
        if site:
            wanted = [w for w in wanted if w not in site.get(urlsplit(url or "").hostname, ())]
        if representative not in cache:
            if len(cache) > 2000:
                cache.clear()
            other = db.execute(page, (representative,)).fetchone()
            cache[representative] = (other[0], other[1], set(words_of(other[1])) | set(words_of(other[2])))
        other = cache[representative]
        yield {"id": document, "url": url, "title": title, "representative": representative, "representative_url": other[0],
               "representative_title": other[1], "words": len(wanted),
               "missing": [w for w in dict.fromkeys(wanted) if w not in other[2]]}


def main():
    parser = argparse.ArgumentParser(description="Share of hidden pages with a title word that the representative lacks.")
    parser.add_argument("store")
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--examples", type=int, default=20, help="examples to print, spread over all (default 20)")
    parser.add_argument("--relation", default="verdict", help="verdict (default), near, copy, exact, ...")
    parser.add_argument("--site-part", action="store_true", help="leave out words that half of the host's titles have")
    args = parser.parse_args()
    db = sqlite3.connect(f"file:{args.store}?mode=ro", uri=True)
    db.text_factory = lambda b: b.decode("utf-8", "replace")
    try:
        pages = list(lost_words(db, args.relation, site_words(db) if args.site_part else None))
    except sqlite3.OperationalError as error:
        sys.exit(f"findable-plain.py: {args.store}: {error} (the store needs a run of twindex)")
    titled = [p for p in pages if p["words"]]
    lost = [p for p in titled if p["missing"]]
    words = [p for p in titled if any(not is_number(w) for w in p["missing"])]
    figures = {"relation": args.relation, "hidden_own_text": len(pages), "without_title": len(pages) - len(titled),
               "lost": len(lost), "lost_without_numbers": len(words)}
    examples = lost[:: max(1, len(lost) // max(1, args.examples))][: args.examples]
    if args.json:
        json.dump({**figures, "examples": examples}, sys.stdout, ensure_ascii=False, indent=1)
        print()
        return
    share = lambda n: f"{n} ({100 * n / len(titled):.2f} %)" if titled else str(n)
    print(f"hidden by {args.relation}, text of their own: {len(pages)}, {len(pages) - len(titled)} of them without a title")
    print(f"a title word that the representative lacks:   {share(len(lost))}")
    print(f"the same, numbers not counted:                {share(len(words))}")
    for p in examples:
        print(f"  {p['url']}\n    {p['title']!r} -> {p['representative_title']!r}: lacks {' '.join(p['missing'])}\n"
              f"    {p['representative_url']}")


if __name__ == "__main__":
    main()
