-- Documents that a filter leaves out. out: doc, takes part
SELECT r.doc, r.eligibility = 0
FROM {rows} AS r JOIN document_flags AS f ON f.id = {<}r.doc{>}
WHERE ({filter}) IS NOT TRUE
