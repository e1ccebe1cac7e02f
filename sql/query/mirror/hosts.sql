-- Hosts that mirror another. out: host.
SELECT host FROM twindex_host_mirror
