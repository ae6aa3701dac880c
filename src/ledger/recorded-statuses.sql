-- on: coordinator

-- name: listRecordedStatuses
-- The statuses of recorded transactions, without the built-in ones.
SELECT status FROM recorded_statuses ORDER BY status;
