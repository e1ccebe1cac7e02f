-- Whether the published flags are those of the stored signatures: if they are, a run that signs nothing has nothing to judge.
ALTER TABLE twindex_state ADD COLUMN judged INTEGER; -- fingerprint of the settings that the flags were judged with; NULL: not known

-- Another program changed signatures or flags: the next run judges. Twindex's own connections fire no triggers.
CREATE TRIGGER twindex_signature_deleted AFTER DELETE ON twindex_signature BEGIN
    UPDATE twindex_state SET judged = NULL WHERE judged IS NOT NULL;
END;
CREATE TRIGGER twindex_signature_inserted AFTER INSERT ON twindex_signature BEGIN
    UPDATE twindex_state SET judged = NULL WHERE judged IS NOT NULL;
END;
CREATE TRIGGER twindex_signature_updated AFTER UPDATE ON twindex_signature BEGIN
    UPDATE twindex_state SET judged = NULL WHERE judged IS NOT NULL;
END;
CREATE TRIGGER twindex_flag_a_deleted AFTER DELETE ON twindex_flag_a BEGIN
    UPDATE twindex_state SET judged = NULL WHERE judged IS NOT NULL;
END;
CREATE TRIGGER twindex_flag_a_inserted AFTER INSERT ON twindex_flag_a BEGIN
    UPDATE twindex_state SET judged = NULL WHERE judged IS NOT NULL;
END;
CREATE TRIGGER twindex_flag_a_updated AFTER UPDATE ON twindex_flag_a BEGIN
    UPDATE twindex_state SET judged = NULL WHERE judged IS NOT NULL;
END;
CREATE TRIGGER twindex_flag_b_deleted AFTER DELETE ON twindex_flag_b BEGIN
    UPDATE twindex_state SET judged = NULL WHERE judged IS NOT NULL;
END;
CREATE TRIGGER twindex_flag_b_inserted AFTER INSERT ON twindex_flag_b BEGIN
    UPDATE twindex_state SET judged = NULL WHERE judged IS NOT NULL;
END;
CREATE TRIGGER twindex_flag_b_updated AFTER UPDATE ON twindex_flag_b BEGIN
    UPDATE twindex_state SET judged = NULL WHERE judged IS NOT NULL;
END;

UPDATE twindex_state SET schema_version = 4;
