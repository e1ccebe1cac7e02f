-- Everything of the store that has pages of its own to check: tables, and the tables in which virtual tables keep their data.
-- out: name.
SELECT name FROM pragma_table_list WHERE schema = 'main' AND type IN ('table', 'shadow') ORDER BY name
