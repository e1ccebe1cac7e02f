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
    id_kind         TEXT     -- of the published flags: 'direct' (doc is the source's id) or 'mapped' (twindex_document)
);

-- Numbers of ids that are not an integer primary key. id has no affinity, so 1, '1' and 1.0 keep their types.
CREATE TABLE twindex_document(
    doc INTEGER PRIMARY KEY,
    id  UNIQUE NOT NULL
);

-- A cache: any row may be deleted and will be computed again.
CREATE TABLE twindex_signature(
    doc         INTEGER PRIMARY KEY,
    token       INTEGER, -- what the source looked like: hash of the row (scan) or of `changed` (column); NULL: trigger feed
    fingerprint INTEGER NOT NULL, -- algorithms, versions and parameters it was made with
    facts       BLOB NOT NULL,    -- judge/facts.h
    keys        BLOB NOT NULL     -- detect/record.h
);

-- Another program deleted rows: the next run finds what is missing. Twindex's own connections fire no triggers.
CREATE TRIGGER twindex_signature_dropped AFTER DELETE ON twindex_signature BEGIN
    UPDATE twindex_state SET fingerprint = NULL WHERE fingerprint IS NOT NULL;
END;

-- Two generations of the flags. Columns are those of TWX_FLAG_COLUMNS (judge/flags.h). *_rep is the doc of the
-- group's representative and *_count the group's size, both NULL for a document that is alone.
CREATE TABLE twindex_flag_a(
    doc               INTEGER PRIMARY KEY,
    eligibility       INTEGER NOT NULL, -- 0: takes part; else why not (judge/eligible.h)
    link_state        INTEGER NOT NULL, -- 0: no link; 1: honoured; else why not (judge/links.h)
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
    duplicate_type    INTEGER, -- 1 full-layout, 2 full-content, 3 partial-layout, 4 partial-content
    cluster_count     INTEGER, -- documents of the verdict's cluster; NULL: alone
    duplicate_of      INTEGER  -- the survivor's doc; NULL: this is the survivor, or there is none
);

CREATE TABLE twindex_flag_b(
    doc               INTEGER PRIMARY KEY,
    eligibility       INTEGER NOT NULL,
    link_state        INTEGER NOT NULL,
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
    near_sig          INTEGER,
    near_count        INTEGER,
    near_rep          INTEGER,
    near_similarity   INTEGER,
    duplicate_type    INTEGER,
    cluster_count     INTEGER,
    duplicate_of      INTEGER
);

-- The ledger: one row for each run that wrote something.
CREATE TABLE twindex_run(
    run        INTEGER PRIMARY KEY,
    started_at INTEGER NOT NULL, -- seconds since 1970
    ended_at   INTEGER,
    state      TEXT NOT NULL,    -- 'running', 'published', 'stopped' (guard, signal, superseded), 'failed'
    generation TEXT,             -- the one it wrote
    version    TEXT NOT NULL,    -- of twindex
    settings   TEXT,             -- JSON
    summary    TEXT,             -- JSON: documents, changed, per detector, seconds per stage
    message    TEXT              -- why it did not publish
);

INSERT INTO twindex_state(one, schema_version) VALUES (1, 1);
