-- Takes over the decisions of a round.
INSERT INTO {db}.w{run}_near_decided_local
SELECT {pass}, {round}, text, state FROM {db}.w{run}_near_said_local WHERE round = {round} AND state != 0 GROUP BY text, state
