"""Reads twindex_signature, written from docs/signatures.md, from which the codes of URLs are taken, too.

rows(db) gives doc, facts and record of each document.
"""
import os
import re

DOCS = os.path.join(os.environ["TWINDEX_SOURCE"], "docs", "signatures.md") if "TWINDEX_SOURCE" in os.environ else os.path.join(os.path.dirname(__file__), "..", "..", "docs", "signatures.md")


def read_codes():
    """For each kind of preceding character: code as text of 0 and 1 -> character."""
    tables = []
    with open(DOCS, encoding="utf-8") as docs:
        for lengths in re.findall(r"^\| .* \| `([a-n]{94})` \|$", docs.read(), re.M):
            codes, value = {}, 0
            for bits in range(1, 15):
                value <<= 1
                for i, length in enumerate(lengths):
                    if ord(length) - ord("a") + 1 == bits:
                        codes[format(value, "0%db" % bits)] = chr(33 + i)
                        value += 1
            assert value == 1 << 14
            tables.append(codes)
    assert len(tables) == 9
    return tables


CODES = read_codes()


def kind_of(character):
    if character in "-_+~":
        return 8
    for kind, pattern in enumerate(("[0-9]", "[aeiouy]", "[a-z]", "[A-Z]", r"\.", "%"), 1):
        if re.fullmatch(pattern, character):
            return kind
    return 7


class Row:
    def __init__(self, packed):
        self.rest = packed

    def take(self, n):
        assert n <= len(self.rest)
        taken, self.rest = self.rest[:n], self.rest[n:]
        return taken

    def byte(self):
        return self.take(1)[0]

    def number(self):
        value = shift = 0
        while True:
            byte = self.byte()
            value |= (byte & 127) << shift
            shift += 7
            if byte < 128:
                return value

    def url(self, n):
        bits = "".join(format(byte, "08b") for byte in self.rest[: 2 * n])
        url, at, kind = "", 0, 0
        while len(url) < n:
            end = at + 1
            while bits[at:end] not in CODES[kind]:
                end += 1
            url += CODES[kind][bits[at:end]]
            at, kind = end, kind_of(url[-1])
        self.take((at + 7) // 8)
        return url.encode()

    def facts(self):
        form = self.byte()
        tail, head = form & 3, form >> 5
        bits = 3 | form & 12
        begin = {0: lambda: self.take(self.number()), 1: lambda: bytes([bits, 1, 0xC8, 1]), 2: lambda: bytes([bits, 0])}[head]()
        domain = self.byte() if tail == 2 else None
        if form & 16:
            return begin
        prefix = b"https://" if form & 4 else b"http://"
        at = len(prefix)
        prefix += b"www." if form & 8 else b""
        url = self.url(self.number())
        host = len(re.match(rb"[^/?#:]*", url)[0])
        if tail:
            begin += bytes([at, host + (4 if form & 8 else 0), host if tail == 1 else domain])
        return begin + prefix + url

    def record(self):
        form, record = self.byte(), b""
        for i in range(4):
            if form >> i & 1:
                record += bytes([3 + i, 1]) + self.take(16)
        if form & 128:
            return record + self.take(len(self.rest))
        heads = {id: n for id, n, bit in ((29, 25, 16), (30, 3, 32), (31, 11, 64)) if form & bit}
        n = sum(heads.values())
        bits = self.take((n + 7) // 8)
        sequence = bytes(self.byte() if bits[i // 8] >> i % 8 & 1 else 0 for i in range(n))
        payload = {}
        for id, n in heads.items():
            payload[id], sequence = sequence[:n], sequence[n:]
        if 30 in payload:
            a, b, c = payload[30]
            payload[30] += self.take(3 * (a >> 4) + 2 * (b >> 4) + 2 * (b & 15) + 2 * (c & 15))
        if 31 in payload:
            a, b = payload[31][:2]
            payload[31] += self.take(3 * (a >> 4) + 3 * (b >> 4) + 3 * (b & 15))
        if 29 in payload:
            payload[29] += self.take(self.number())
        for id, bytes_of in sorted(payload.items()):
            shape, n = 0x81 if id == 29 else 0, len(bytes_of)
            record += bytes([id, shape | 16, n]) if n < 256 else bytes([id, shape | 32]) + n.to_bytes(4, "little")
            record += bytes_of
        return record


def unpack(packed):
    """Facts and record of a row."""
    row = Row(packed)
    found = row.facts(), row.record()
    assert not row.rest
    return found


def rows(db):
    for doc, packed in db.execute("SELECT doc, packed FROM twindex_signature ORDER BY doc"):
        yield (doc, *unpack(packed))
