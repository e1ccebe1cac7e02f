-- Figures of the result. out: documents, those that take part, those that duplicate another one of those, those with a link that counts
SELECT count(), sum(eligibility = 0), sum(eligibility = 0 AND duplicate_of != ''), sum(link_state = 1) FROM {db}.w{run}_result_local FORMAT TabSeparated
