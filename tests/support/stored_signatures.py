"""Reads twindex_signature, written from docs/signatures.md.

rows(db) gives doc, facts and record of each document.
"""


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

    def facts(self):
        return self.take(self.number())

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
