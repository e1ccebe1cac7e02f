-- One table for both generations of the flags: most rows are the same in both, and are stored once. A generation is the rows whose
-- only_in does not name the other one. Columns are explained in 0002_twindex.sql and 0008_copies.sql.
CREATE TABLE twindex_flag(
    doc               INTEGER NOT NULL,
    only_in           INTEGER NOT NULL CHECK (only_in IN (0, 1, 2)), -- 0: the row of both generations; 1: of a alone; 2: of b alone
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
    duplicate_of      INTEGER,
    copy_sig          INTEGER,
    copy_count        INTEGER,
    copy_rep          INTEGER,
    sibling_count     INTEGER,
    PRIMARY KEY (doc, only_in)
) WITHOUT ROWID;

-- A generation that is not complete has no rows of its own: the next run writes it.
INSERT INTO twindex_flag(doc, only_in,
    eligibility, link_state, link_doc, http_unique, www_unique, scheme_count, scheme_rep, www_count, www_rep, exact_sig, exact_count, exact_rep,
    fuzzy_sig, fuzzy_count, fuzzy_rep, title_sig, title_count, title_rep, description_sig, description_count, description_rep, near_sig, near_count,
    near_rep, near_similarity, duplicate_type, cluster_count, duplicate_of, copy_sig, copy_count, copy_rep, sibling_count)
SELECT a.doc, CASE WHEN s.run_b IS NULL THEN 0 WHEN (
    a.eligibility, a.link_state, a.link_doc, a.http_unique, a.www_unique, a.scheme_count, a.scheme_rep, a.www_count, a.www_rep, a.exact_sig,
    a.exact_count, a.exact_rep, a.fuzzy_sig, a.fuzzy_count, a.fuzzy_rep, a.title_sig, a.title_count, a.title_rep, a.description_sig,
    a.description_count, a.description_rep, a.near_sig, a.near_count, a.near_rep, a.near_similarity, a.duplicate_type, a.cluster_count,
    a.duplicate_of, a.copy_sig, a.copy_count, a.copy_rep, a.sibling_count
    ) IS (
    b.eligibility, b.link_state, b.link_doc, b.http_unique, b.www_unique, b.scheme_count, b.scheme_rep, b.www_count, b.www_rep, b.exact_sig,
    b.exact_count, b.exact_rep, b.fuzzy_sig, b.fuzzy_count, b.fuzzy_rep, b.title_sig, b.title_count, b.title_rep, b.description_sig,
    b.description_count, b.description_rep, b.near_sig, b.near_count, b.near_rep, b.near_similarity, b.duplicate_type, b.cluster_count,
    b.duplicate_of, b.copy_sig, b.copy_count, b.copy_rep, b.sibling_count
    ) THEN 0 ELSE 1 END,
    a.eligibility, a.link_state, a.link_doc, a.http_unique, a.www_unique, a.scheme_count, a.scheme_rep, a.www_count, a.www_rep, a.exact_sig,
    a.exact_count, a.exact_rep, a.fuzzy_sig, a.fuzzy_count, a.fuzzy_rep, a.title_sig, a.title_count, a.title_rep, a.description_sig,
    a.description_count, a.description_rep, a.near_sig, a.near_count, a.near_rep, a.near_similarity, a.duplicate_type, a.cluster_count,
    a.duplicate_of, a.copy_sig, a.copy_count, a.copy_rep, a.sibling_count
FROM twindex_state AS s JOIN twindex_flag_a AS a LEFT JOIN twindex_flag_b AS b ON b.doc = a.doc
WHERE s.run_a IS NOT NULL;
INSERT INTO twindex_flag(doc, only_in,
    eligibility, link_state, link_doc, http_unique, www_unique, scheme_count, scheme_rep, www_count, www_rep, exact_sig, exact_count, exact_rep,
    fuzzy_sig, fuzzy_count, fuzzy_rep, title_sig, title_count, title_rep, description_sig, description_count, description_rep, near_sig, near_count,
    near_rep, near_similarity, duplicate_type, cluster_count, duplicate_of, copy_sig, copy_count, copy_rep, sibling_count)
SELECT b.doc, CASE WHEN s.run_a IS NULL THEN 0 ELSE 2 END,
    b.eligibility, b.link_state, b.link_doc, b.http_unique, b.www_unique, b.scheme_count, b.scheme_rep, b.www_count, b.www_rep, b.exact_sig,
    b.exact_count, b.exact_rep, b.fuzzy_sig, b.fuzzy_count, b.fuzzy_rep, b.title_sig, b.title_count, b.title_rep, b.description_sig,
    b.description_count, b.description_rep, b.near_sig, b.near_count, b.near_rep, b.near_similarity, b.duplicate_type, b.cluster_count,
    b.duplicate_of, b.copy_sig, b.copy_count, b.copy_rep, b.sibling_count
FROM twindex_state AS s JOIN twindex_flag_b AS b
WHERE s.run_b IS NOT NULL AND (s.run_a IS NULL OR NOT EXISTS (SELECT 1 FROM twindex_flag AS f WHERE f.doc = b.doc AND f.only_in = 0));

DROP TABLE twindex_flag_a; -- with its triggers
DROP TABLE twindex_flag_b;

-- As in 0010_judged.sql.
CREATE TRIGGER twindex_flag_deleted AFTER DELETE ON twindex_flag BEGIN
    UPDATE twindex_state SET judged = NULL WHERE judged IS NOT NULL;
END;
CREATE TRIGGER twindex_flag_inserted AFTER INSERT ON twindex_flag BEGIN
    UPDATE twindex_state SET judged = NULL WHERE judged IS NOT NULL;
END;
CREATE TRIGGER twindex_flag_updated AFTER UPDATE ON twindex_flag BEGIN
    UPDATE twindex_state SET judged = NULL WHERE judged IS NOT NULL;
END;

UPDATE twindex_state SET schema_version = 5;
