(SELECT id FROM twindex_document WHERE doc =
