-- The table over all nodes whose parts on the nodes a statement of this folder has made.
CREATE TABLE {db}.w{run}_{table} AS {db}.w{run}_{table}_local
ENGINE = Distributed({cluster}, {db}, w{run}_{table}_local, {key})
