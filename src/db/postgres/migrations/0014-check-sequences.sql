-- Reads the whole table, while the service reads and records.
ALTER TABLE transactions
  VALIDATE CONSTRAINT sequences_are_positive,
  VALIDATE CONSTRAINT sequences_have_times,
  VALIDATE CONSTRAINT pending_has_no_final_sequence,
  VALIDATE CONSTRAINT pending_before_final_sequence;
