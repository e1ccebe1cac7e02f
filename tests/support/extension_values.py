"""What the extension computes from the texts of a store equals what a run has stored, document by document.

usage: extension_values.py EXTENSION STORE [DETECTOR...]     of exact (always), profile (always), simhash, minhash

Prints 'ok - ' and 'not ok - ' lines. A near detector has no signature of texts of few words: such are left out.
"""
import sqlite3
import struct
import sys

from stored_signatures import unpack

IDS = {"exact": (3, "exact_signature"), "profile": (4, "fuzzy_signature"), "simhash": (20, "simhash"), "minhash": (22, "minhash")}


def entries(record):
    """The signatures of a document, docs/signatures.md: id -> (first key as stored in flags, payload)."""
    found, at = {}, 0
    while at < len(record):
        detector, shape = record[at], record[at + 1]
        n, m, at = shape & 15, 0, at + 2
        if n == 15:
            n, at = struct.unpack_from("<H", record, at)[0], at + 2
        if shape & 0x10:
            m, at = record[at], at + 1
        elif shape & 0x20:
            m, at = struct.unpack_from("<I", record, at)[0], at + 4
        stored = 0 if shape & 0x80 else 8 if shape & 0x40 else 16
        key = struct.unpack_from("<q", record, at)[0] if n and stored else None  # None: the hash of the payload
        at += stored * n
        found[detector] = (key, record[at : at + m])
        at += m
    return found


def main(extension, store, near):
    names = ["exact", "profile"] + near
    db = sqlite3.connect("file:%s?mode=ro" % store, uri=True)
    db.enable_load_extension(True)
    db.load_extension(extension)
    calls = ", ".join("%s(text)" % IDS[name][1] for name in names)
    compared, wrong = dict.fromkeys(names, 0), dict.fromkeys(names, 0)
    for packed, *values in db.execute("SELECT packed, %s FROM documents JOIN twindex_signature ON doc = id" % calls):
        stored = entries(unpack(packed)[1])
        for name, value in zip(names, values):
            key, payload = stored.get(IDS[name][0], (None, None))
            if name in near and IDS[name][0] not in stored:
                continue
            compared[name] += value is not None
            wrong[name] += value != (payload if name == "minhash" else key)
    for name in names:
        good = wrong[name] == 0 and compared[name] > 0
        print("%s - %s of %d texts as it is stored, %d differ" % ("ok" if good else "not ok", name, compared[name], wrong[name]))
    flags = db.execute(
        """SELECT count(*), coalesce(sum(f.exact_signature_l IS NOT exact_signature(text)
                                      OR f.fuzzy_signature_l IS NOT fuzzy_signature(text)), 0)
           FROM documents JOIN document_flags AS f USING (id) WHERE f.indexable_b"""
    ).fetchone()
    good = flags[0] > 0 and flags[1] == 0
    print("%s - %d flags as computed again, %d differ" % ("ok" if good else "not ok", *flags))


main(sys.argv[1], sys.argv[2], sys.argv[3:])
