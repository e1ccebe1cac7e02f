-- Everything in the store that has pages to check: tables, including the shadow tables of virtual tables.
-- out: name.
SELECT name FROM pragma_table_list WHERE schema = 'main' AND type IN ('table', 'shadow') ORDER BY name
