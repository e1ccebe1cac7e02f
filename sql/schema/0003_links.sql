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
