-- Drops a table of this node.
DROP TABLE IF EXISTS {db}.{table}
