-- How many documents of each site took part in the results of the two generations, for the guard against losses
-- (guard.max_lost): after a document was deleted, nothing else records its site. Created by the run that first needs it;
-- without it the next run has nothing to compare with.
CREATE TABLE IF NOT EXISTS twindex_site(
    generation TEXT NOT NULL,    -- 'a' or 'b'
    site       TEXT NOT NULL,    -- host without www.; '*': the whole store
    documents  INTEGER NOT NULL, -- that took part
    PRIMARY KEY (generation, site)
) WITHOUT ROWID;
