-- Our own document store. The text comes last: the other columns of a row can be read without following its overflow pages.
-- content_digest: hash of all captured fields, by which an import recognizes a capture that changes nothing.
CREATE TABLE documents(
    id             INTEGER PRIMARY KEY,
    url            TEXT NOT NULL UNIQUE,
    title          TEXT,
    description    TEXT,
    http_status    INTEGER,
    failure        TEXT,
    robots         TEXT,
    canonical_url  TEXT,
    redirect_url   TEXT,
    hreflang_group TEXT,
    language       TEXT,
    content_type   TEXT,
    fetched_at     INTEGER,
    score          REAL,
    layout_digest  TEXT,
    payload_digest TEXT,
    crawl_id       TEXT,
    content_digest BLOB,
    text           TEXT
);

-- WARC revisit records name the digest of the payload that they repeat.
CREATE INDEX documents_payload ON documents(payload_digest) WHERE payload_digest IS NOT NULL;

-- Which documents changed since they were signed. seq only grows, so a run can remove the entries that it has processed and keep later ones.
CREATE TABLE twindex_change(
    seq INTEGER PRIMARY KEY AUTOINCREMENT,
    doc INTEGER NOT NULL
);

-- These run in the crawler's connection, so they call no function of Twindex.
-- The first two also queue the row that INSERT OR REPLACE is about to delete, for which SQLite fires no DELETE trigger.
CREATE TRIGGER twindex_change_before_insert BEFORE INSERT ON documents BEGIN
    INSERT INTO twindex_change(doc) SELECT id FROM documents WHERE url = new.url;
END;
CREATE TRIGGER twindex_change_before_update BEFORE UPDATE OF id, url ON documents BEGIN
    INSERT INTO twindex_change(doc) SELECT id FROM documents WHERE url = new.url OR id = new.id;
END;
CREATE TRIGGER twindex_change_insert AFTER INSERT ON documents BEGIN
    INSERT INTO twindex_change(doc) VALUES (new.id);
END;
CREATE TRIGGER twindex_change_update AFTER UPDATE ON documents BEGIN
    INSERT INTO twindex_change(doc) VALUES (new.id);
    INSERT INTO twindex_change(doc) SELECT old.id WHERE old.id <> new.id;
END;
CREATE TRIGGER twindex_change_delete AFTER DELETE ON documents BEGIN
    INSERT INTO twindex_change(doc) VALUES (old.id);
END;
