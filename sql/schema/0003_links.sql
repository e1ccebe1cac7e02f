-- Links between the pages of our own `documents`, made when an import is asked for them. doc is the page they are on, to_url where
-- they lead, in normal form. Narrow, in order of doc: a document's links are read, and dropped, at once.
CREATE TABLE twindex_link(
    doc    INTEGER NOT NULL,
    to_url TEXT NOT NULL,
    PRIMARY KEY (doc, to_url)
) WITHOUT ROWID;

-- These run in the crawler's connection. Links go with their document, and an id that is used again starts without any.
-- A row that INSERT OR REPLACE pushes out fires no trigger: its links lead from nowhere, are not read, and go with the next import.
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
