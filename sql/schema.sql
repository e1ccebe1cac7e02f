-- name: collection
-- For a store that takes part in a run with other stores; created by the first such run.

-- The documents of other stores that rows of flags refer to. doc stands for them there: a number in a range of its own, at or below -2^62,
-- made of shard and id. It is the same in each run, so that few rows change.
CREATE TABLE IF NOT EXISTS twindex_remote(
    generation TEXT NOT NULL,    -- 'a' or 'b'
    doc        INTEGER NOT NULL,
    shard      TEXT NOT NULL,    -- the name of the document's store
    id         NOT NULL,         -- in that store; without affinity, as in twindex_document
    url        TEXT,             -- normal form; NULL: longer than is kept
    PRIMARY KEY (generation, doc)
) WITHOUT ROWID;

-- One row: the place of this store in the collection.
CREATE TABLE IF NOT EXISTS twindex_collection(
    one   INTEGER PRIMARY KEY CHECK (one = 1),
    shard TEXT NOT NULL, -- the name of this store among the others
    run_a INTEGER,       -- number of the run over all stores whose result generation a holds; NULL: of a run of this store alone
    run_b INTEGER
);

-- name: documents
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
    headings       TEXT, -- of level 1, one a line; NULL: the page has none
    names          TEXT, -- alt texts of its images and names in its structured data, one a line
    main_parts     TEXT, -- where its content area is within text (src/page/shown.c); NULL: all of it
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

-- name: drop_text
-- Drops the text index.
DROP TABLE twindex_text;
DROP TABLE twindex_text_slot;
DROP TABLE twindex_text_state;

-- name: links
-- Links between the pages of our own `documents`, created by the first import with --links. doc is the page that contains the link,
-- to_url its target in normal form. Ordered by doc, so that a document's links are read and deleted together.
CREATE TABLE twindex_link(
    doc    INTEGER NOT NULL,
    to_url TEXT NOT NULL,
    PRIMARY KEY (doc, to_url)
) WITHOUT ROWID;

-- These run in the crawler's connection. Links are deleted with their document, and an id that is used again starts without links.
-- A row that INSERT OR REPLACE deletes fires no trigger: its links have no document, are not read, and the next import deletes them.
CREATE TRIGGER twindex_link_insert AFTER INSERT ON documents BEGIN
    DELETE FROM twindex_link WHERE doc = new.id;
END;
CREATE TRIGGER twindex_link_update AFTER UPDATE OF id ON documents WHEN old.id <> new.id BEGIN
    DELETE FROM twindex_link WHERE doc = new.id;
    UPDATE twindex_link SET doc = new.id WHERE doc = old.id;
END;
CREATE TRIGGER twindex_link_delete AFTER DELETE ON documents BEGIN
    DELETE FROM twindex_link WHERE doc = old.id;
END;

-- name: prepared
-- For a store that is a shard of a ClickHouse database; created when it is pulled for the first time.

-- One row: the result that the generation of flags which is not published holds, complete and ready to be published.
CREATE TABLE IF NOT EXISTS twindex_prepared(
    one       INTEGER PRIMARY KEY CHECK (one = 1),
    token     INTEGER NOT NULL, -- of twindex_state; another one there says that a run has begun since, so the row is void
    base      TEXT,             -- the published generation, which must still be the same
    run       INTEGER NOT NULL, -- of twindex_run
    judgement INTEGER NOT NULL, -- number of the run over all shards
    shard     INTEGER NOT NULL, -- number of the store there
    documents INTEGER NOT NULL, -- that have flags
    digest    TEXT NOT NULL,    -- of the flags, in hexadecimal digits
    summary   TEXT NOT NULL     -- JSON, for twindex_run
);

-- name: snippet
-- In memory, for one document at a time, so that SQLite can find where a query matches it. Same columns and tokenizer as twindex_text.
CREATE VIRTUAL TABLE twindex_text USING fts5(title, text, tokenize='twindex');

-- name: source_ids
-- The keys of all documents by their ids, without an affinity: for a source whose id has no index.
DROP TABLE IF EXISTS temp.twindex_source_ids;
CREATE TEMP TABLE twindex_source_ids(id, scan_key);
INSERT INTO temp.twindex_source_ids SELECT id, scan_key FROM source_document WHERE scan_key IS NOT NULL;
CREATE INDEX temp.twindex_source_ids_key ON twindex_source_ids(id, scan_key);

-- name: store_key
-- For a store that is a shard of a ClickHouse database; created when it is pushed for the first time.

-- One row: a random number that tells this store from all others. A copy of the file has it too.
CREATE TABLE IF NOT EXISTS twindex_store_key(
    one INTEGER PRIMARY KEY CHECK (one = 1),
    key INTEGER NOT NULL
);

INSERT OR IGNORE INTO twindex_store_key(one, key) VALUES (1, random());

-- name: text
-- The text index, created by `twindex index`. It holds words, not texts: a copy of all texts would double the size of the store,
-- and an index that reads them from the crawler's table cannot remove a text that has changed meanwhile.
-- So nothing is ever removed from it: a changed document gets a new slot, and a search ignores slots that no document has any more.
-- When a third of the slots are unused, the index is built again.
CREATE VIRTUAL TABLE twindex_text USING fts5(title, text, content='', tokenize='twindex');

-- The tokenizer is that of src/text. twindex_text_state has one row: fingerprint, of the terms it makes; languages, those in which
-- words were stemmed, bit n for number n of text/terms.c. An index of other terms is built again.
CREATE TABLE twindex_text_state(
    id          INTEGER PRIMARY KEY CHECK (id = 1),
    fingerprint TEXT NOT NULL,
    languages   INTEGER NOT NULL DEFAULT 0
);

-- Larger segments (8 MiB), more of which accumulate before they are merged, reduce the total amount written. A commit never merges
-- them, because others would wait for it: search/index.c merges them in turns.
INSERT INTO twindex_text(twindex_text, rank) VALUES ('hashsize', 8388608);
INSERT INTO twindex_text(twindex_text, rank) VALUES ('automerge', 0);
INSERT INTO twindex_text(twindex_text, rank) VALUES ('usermerge', 8);

-- slot: the rowid in twindex_text. hash: of the indexed title and text, to detect changes.
CREATE TABLE twindex_text_slot(
    slot INTEGER PRIMARY KEY AUTOINCREMENT,
    doc  INTEGER NOT NULL UNIQUE,
    hash INTEGER NOT NULL
);

-- name: twindex
-- The tables of Twindex. They are narrow, so that a crawler never waits while its wide rows are rewritten.

-- One row: the state of the store.
CREATE TABLE twindex_state(
    one             INTEGER PRIMARY KEY CHECK (one = 1),
    schema_version  INTEGER NOT NULL,
    generation      TEXT CHECK (generation IN ('a', 'b')), -- the published one; NULL before the first run
    run_a           INTEGER, -- run whose whole result generation a holds; NULL while it is being written
    run_b           INTEGER,
    token           INTEGER, -- of the run that may write; another run that claims replaces it
    fingerprint     INTEGER, -- parameters and mapping of the last pass that signed every document; NULL: none yet
    id_kind         TEXT,    -- of the published flags: 'direct' (doc is the source's id) or 'mapped' (twindex_document)
    judged          INTEGER  -- fingerprint of the settings that the published flags were judged with, from the stored signatures; NULL: not known
);

-- Numbers of ids that are not an integer primary key. id has no affinity, so 1, '1' and 1.0 keep their types.
CREATE TABLE twindex_document(
    doc INTEGER PRIMARY KEY,
    id  UNIQUE NOT NULL
);

-- What signatures were made with, numbered. A number never gets another fingerprint.
CREATE TABLE twindex_fingerprint(
    number      INTEGER PRIMARY KEY, -- 0 and 1, the first ones, take no bytes in a signature
    fingerprint INTEGER NOT NULL UNIQUE -- algorithms, versions and parameters
);

-- A cache: any row may be deleted and will be computed again.
CREATE TABLE twindex_signature(
    doc         INTEGER PRIMARY KEY,
    token       INTEGER, -- what the source looked like: hash of the row (scan) or of `changed` (column); NULL: trigger feed
    fingerprint INTEGER NOT NULL, -- its number in twindex_fingerprint
    packed      BLOB NOT NULL     -- facts (src/judge/facts.c) and record (src/sign/record.c), as docs/signatures.md says
);

-- Another program changed signatures: the next run judges; it deleted some: the next run also finds what is missing. Twindex's own connections fire
-- no triggers.
CREATE TRIGGER twindex_signature_deleted AFTER DELETE ON twindex_signature BEGIN
    UPDATE twindex_state SET fingerprint = NULL, judged = NULL WHERE fingerprint IS NOT NULL OR judged IS NOT NULL;
END;
CREATE TRIGGER twindex_signature_inserted AFTER INSERT ON twindex_signature BEGIN
    UPDATE twindex_state SET judged = NULL WHERE judged IS NOT NULL;
END;
CREATE TRIGGER twindex_signature_updated AFTER UPDATE ON twindex_signature BEGIN
    UPDATE twindex_state SET judged = NULL WHERE judged IS NOT NULL;
END;

-- Both generations of the flags: most rows are the same in both, and are stored once. A generation is the rows whose only_in does not name the other
-- one. Columns are those of base/base.h. *_rep is the doc of the group's representative and *_count the group's size, both NULL for a document that
-- is alone.
CREATE TABLE twindex_flag(
    doc               INTEGER NOT NULL,
    only_in           INTEGER NOT NULL CHECK (only_in = 0 OR only_in = 1 OR only_in = 2), -- 0: the row of both generations; 1: of a alone;
        -- 2: of b alone. IN with three values would make a table for each row that is written
    eligibility       INTEGER NOT NULL, -- 0: takes part; else why not (judge/eligible.c)
    link_state        INTEGER NOT NULL, -- 0: no link; 1: honoured; else why not (judge/eligible.c)
    link_doc          INTEGER,
    http_unique       INTEGER,
    www_unique        INTEGER,
    scheme_count      INTEGER,
    scheme_rep        INTEGER,
    www_count         INTEGER,
    www_rep           INTEGER,
    exact_sig         INTEGER,
    exact_count       INTEGER,
    exact_rep         INTEGER,
    fuzzy_sig         INTEGER,
    fuzzy_count       INTEGER,
    fuzzy_rep         INTEGER,
    title_sig         INTEGER,
    title_count       INTEGER,
    title_rep         INTEGER,
    description_sig   INTEGER,
    description_count INTEGER,
    description_rep   INTEGER,
    near_sig          INTEGER, -- number of the cluster; NULL: too few words
    near_count        INTEGER, -- 1: alone; NULL: no near detector was configured
    near_rep          INTEGER,
    near_similarity   INTEGER, -- millionths, to the representative
    duplicate_type    INTEGER, -- 1 full-layout, 2 full-content, 3 partial-layout, 4 partial-content, 5 sibling
    cluster_count     INTEGER, -- documents of the verdict's cluster; NULL: alone
    duplicate_of      INTEGER, -- the survivor's doc; NULL: this is the survivor, or there is none
    copy_sig          INTEGER, -- number of the cluster; 0: that of near_sig, which takes no bytes; NULL: too few words
    copy_count        INTEGER, -- as near_count
    copy_rep          INTEGER,
    sibling_count     INTEGER, -- documents with another name among its near-duplicates
    edition_sig       INTEGER, -- number of the page that has editions (src/judge/editions.c); NULL: it has one
    edition_count     INTEGER,
    edition_rep       INTEGER,
    edition_steps     INTEGER, -- newer editions of the page
    edition_value     INTEGER, -- the text of the edition as a number: flag_edition in part.sql reads it
    page_class        INTEGER, -- 1 error, 2 challenge, 3 login, 4 consent, 5 listing, 6 empty; NULL: page
    parameters_count  INTEGER, -- as near_count; NULL: parameters.model names no file
    parameters_rep    INTEGER,
    PRIMARY KEY (doc, only_in)
) WITHOUT ROWID;

-- Another program changed flags: the next run judges.
CREATE TRIGGER twindex_flag_deleted AFTER DELETE ON twindex_flag BEGIN
    UPDATE twindex_state SET judged = NULL WHERE judged IS NOT NULL;
END;
CREATE TRIGGER twindex_flag_inserted AFTER INSERT ON twindex_flag BEGIN
    UPDATE twindex_state SET judged = NULL WHERE judged IS NOT NULL;
END;
CREATE TRIGGER twindex_flag_updated AFTER UPDATE ON twindex_flag BEGIN
    UPDATE twindex_state SET judged = NULL WHERE judged IS NOT NULL;
END;

-- What all members of a large group (16 documents or more) share: its number of documents, and of siblings. Their rows of twindex_flag have 0 in that
-- column, and NULL as sibling_count, so that one document more changes one row. A row that has a number itself is as valid.
CREATE TABLE twindex_group_count(
    generation TEXT NOT NULL,    -- 'a' or 'b'
    flag       TEXT NOT NULL,    -- the column: 'exact_count', ...
    rep        INTEGER NOT NULL, -- doc of the representative
    value      INTEGER NOT NULL,
    PRIMARY KEY (generation, flag, rep)
) WITHOUT ROWID;
CREATE TRIGGER twindex_group_count_deleted AFTER DELETE ON twindex_group_count BEGIN
    UPDATE twindex_state SET judged = NULL WHERE judged IS NOT NULL;
END;
CREATE TRIGGER twindex_group_count_inserted AFTER INSERT ON twindex_group_count BEGIN
    UPDATE twindex_state SET judged = NULL WHERE judged IS NOT NULL;
END;
CREATE TRIGGER twindex_group_count_updated AFTER UPDATE ON twindex_group_count BEGIN
    UPDATE twindex_state SET judged = NULL WHERE judged IS NOT NULL;
END;

-- The ledger: one row for each run that wrote something.
CREATE TABLE twindex_run(
    run        INTEGER PRIMARY KEY,
    started_at INTEGER NOT NULL, -- seconds since 1970
    ended_at   INTEGER,
    state      TEXT NOT NULL,    -- 'running', 'published', 'stopped' (guard, signal, superseded), 'failed'
    generation TEXT,             -- the one it wrote
    version    TEXT NOT NULL,    -- of twindex
    settings   TEXT,             -- JSON
    documents  INTEGER,          -- that have flags
    indexable  INTEGER,          -- that take part; NULL in a cluster, as is the next one
    hidden     INTEGER,          -- by the verdict
    counts     BLOB,             -- all counts of the result, for a run that finds nothing changed (run/summary.c); NULL: not all are known
    summary    TEXT,             -- JSON: what `run --json` printed
    message    TEXT              -- why it did not publish
);

-- How many documents of each site took part in the results of the two generations, for the guard against losses
-- (guard.max_lost): after a document was deleted, nothing else records its site.
CREATE TABLE twindex_site(
    generation TEXT NOT NULL,    -- 'a' or 'b'
    site       TEXT NOT NULL,    -- host without www.; '*': the whole store
    documents  INTEGER NOT NULL, -- that took part
    PRIMARY KEY (generation, site)
) WITHOUT ROWID;

-- Hosts that mirror another, as last found by `twindex mirrors`, for ranking rules. A host without a row mirrors no other host; others
-- may mirror it. mirror_of may itself be a host of the table, if it is in turn a near mirror of a third.
CREATE TABLE twindex_host_mirror(
    host      TEXT PRIMARY KEY, -- as in the normal form of its URLs: lower case, no port
    mirror_of TEXT NOT NULL,
    level     TEXT NOT NULL,    -- 'exact': by equal texts; 'near': by equal or nearly equal ones
    shared    INTEGER NOT NULL, -- documents of host with a copy on mirror_of
    documents INTEGER NOT NULL, -- documents of host that take part
    ratio     REAL NOT NULL     -- 0..1: the share of documents with a copy on the other host, of host or mirror_of, whichever is smaller
) WITHOUT ROWID;

-- name: url_hypothesis
-- The model of `twindex learn`, created by its first run. A cache: after deleting all rows of the three tables, run
-- `twindex learn` again. Keys are 64-bit hashes (src/url/hypotheses.c).

-- One row: what the model was learned from.
CREATE TABLE twindex_url_model(
    one         INTEGER PRIMARY KEY CHECK (one = 1),
    run         INTEGER NOT NULL, -- of twindex_run: whose flags said which documents are duplicates
    fingerprint INTEGER NOT NULL, -- algorithm, and settings that change what a URL's normal form is
    urls        INTEGER NOT NULL, -- learned from
    share       INTEGER NOT NULL  -- one path in this many was learned from, so that memory sufficed
);

-- One row for each context with five trials or more: the part of URLs that was tested, and how often it mattered. Texts are NULL
-- if the hypothesis does not use them. Where a context is of a site or its first folder, path is that, without scheme
-- and "www."; second is also the folder of 'origin-folder'. Of the two origins one may have leading folders.
CREATE TABLE twindex_url_hypothesis(
    context    INTEGER PRIMARY KEY,
    hypothesis INTEGER NOT NULL, -- 1 to 10 (docs/prediction.md)
    form       TEXT NOT NULL,    -- what of it: 'parameter', 'added', 'segment', ...
    path       TEXT,             -- with origin; of 'query-parameter' a whole URL as example; of 'origin' the one ...
    name       TEXT,             -- of a parameter, a path segment
    second     TEXT,             -- name of the other parameter of a pair
    value      TEXT,             -- ... and the other
    dup        INTEGER NOT NULL, -- trials in which it did not matter
    nodup      INTEGER NOT NULL
);

-- Keys of the URLs that were seen. value: 0: by one URL, 1: by several, else a context: this URL was seen with that addition.
CREATE TABLE twindex_url_seen(
    key   INTEGER PRIMARY KEY,
    value INTEGER NOT NULL
);

-- name: uses_json
-- A schema like that of many stores. A release of SQLite that refuses it as untrusted would report those stores as malformed.
CREATE TABLE page (id INTEGER PRIMARY KEY, meta TEXT CHECK (json_valid(meta)));

-- name: vote_ledger
-- The ledger of the shards, a file of its own: which results of the ClickHouse servers are published in all stores.

-- The runs over all shards that a store has begun to pull.
CREATE TABLE IF NOT EXISTS twindex_judgement(
    run          INTEGER PRIMARY KEY,
    committed_at INTEGER -- seconds since 1970; NULL: not decided
);

-- A row for each store that a run has judged.
CREATE TABLE IF NOT EXISTS twindex_vote(
    run          INTEGER NOT NULL,
    shard        INTEGER NOT NULL,
    vote         TEXT CHECK (vote IN ('prepared', 'again')), -- NULL: none
    documents    INTEGER, -- that have flags
    digest       TEXT,    -- of the prepared flags
    voted_at     INTEGER,
    published_at INTEGER,
    PRIMARY KEY (run, shard)
) WITHOUT ROWID;

-- name: steps_to_9
-- The columns of editions.
ALTER TABLE twindex_flag ADD COLUMN edition_sig INTEGER;
ALTER TABLE twindex_flag ADD COLUMN edition_count INTEGER;
ALTER TABLE twindex_flag ADD COLUMN edition_rep INTEGER;
ALTER TABLE twindex_flag ADD COLUMN edition_steps INTEGER;
ALTER TABLE twindex_flag ADD COLUMN edition_value INTEGER;

-- name: steps_to_10
-- The class of a page.
ALTER TABLE twindex_flag ADD COLUMN page_class INTEGER;

-- name: steps_to_11
-- The columns of parameters.
ALTER TABLE twindex_flag ADD COLUMN parameters_count INTEGER;
ALTER TABLE twindex_flag ADD COLUMN parameters_rep INTEGER;

-- name: steps_to_12
-- The counts of large groups. Rows that have them themselves are changed when they are written again.
CREATE TABLE twindex_group_count(
    generation TEXT NOT NULL,    -- 'a' or 'b'
    flag       TEXT NOT NULL,    -- the column: 'exact_count', ...
    rep        INTEGER NOT NULL, -- doc of the representative
    value      INTEGER NOT NULL,
    PRIMARY KEY (generation, flag, rep)
) WITHOUT ROWID;
CREATE TRIGGER twindex_group_count_deleted AFTER DELETE ON twindex_group_count BEGIN
    UPDATE twindex_state SET judged = NULL WHERE judged IS NOT NULL;
END;
CREATE TRIGGER twindex_group_count_inserted AFTER INSERT ON twindex_group_count BEGIN
    UPDATE twindex_state SET judged = NULL WHERE judged IS NOT NULL;
END;
CREATE TRIGGER twindex_group_count_updated AFTER UPDATE ON twindex_group_count BEGIN
    UPDATE twindex_state SET judged = NULL WHERE judged IS NOT NULL;
END;
