-- Sends the forms of documents that take part to the nodes of their sites, if these prefer the form that most of them have.
INSERT INTO {db}.w{run}_asked
SELECT 2, site, 0, uid, bitAnd(form, 1) FROM (
    SELECT uid, site, form, state FROM (SELECT uid, site, form FROM {db}.w{run}_pushed_local WHERE own = 0 AND site != 0) AS d
    ANY LEFT JOIN (SELECT uid, state FROM {db}.w{run}_state_local) AS s USING uid
) AS j WHERE state != 1
