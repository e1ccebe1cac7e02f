-- Drops everything of Twindex on this node.
DROP DATABASE IF EXISTS {db}
