-- The tables of the database on this node. out: name
SELECT name FROM system.tables WHERE database = '{db}' ORDER BY name FORMAT TabSeparated
