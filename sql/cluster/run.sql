-- The runs of all nodes.
CREATE TABLE IF NOT EXISTS {db}.run AS {db}.run_local
ENGINE = Distributed({cluster}, {db}, run_local, run)
