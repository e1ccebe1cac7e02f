-- The model of `twindex learn`, created by its first run. A cache: after deleting all rows of the three tables, run
-- `twindex learn` again. Keys are 64-bit hashes (src/predict/hypotheses.h).

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
-- and "www."; second is also the folder of 'origin-folder'.
CREATE TABLE twindex_url_hypothesis(
    context    INTEGER PRIMARY KEY,
    hypothesis INTEGER NOT NULL, -- 1 to 10 (docs/manual.md, "Prediction")
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
