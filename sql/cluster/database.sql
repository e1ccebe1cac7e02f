-- Makes the database on one node.
CREATE DATABASE IF NOT EXISTS {db}
