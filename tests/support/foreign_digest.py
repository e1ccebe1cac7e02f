# Everything in the store that is not twindex's: the text of the schema, and the rows of each table that has some, as stored.
import hashlib, sqlite3, sys
OURS = ("document_flags", "flagged_documents", "duplicate_groups", "document_alternates")
db = sqlite3.connect(sys.argv[1])
db.text_factory = bytes
h = hashlib.sha256()
objects = db.execute("SELECT type, name, tbl_name, sql, rootpage FROM sqlite_master ORDER BY rowid").fetchall()
for type, name, table, sql, root in objects:
    if table.decode().startswith("twindex_") or name.decode() in OURS: continue
    h.update(repr((type, name, table, sql, root)).encode())
    if type == b"table" and root:
        for row in db.execute('SELECT * FROM "%s"' % name.decode()): h.update(repr(row).encode())
print(h.hexdigest())
