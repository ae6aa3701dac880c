-- on: coordinator

-- name: listRecordedStatuses
-- The statuses that transactions were recorded in, without the built-in ones.
SELECT status FROM recorded_statuses ORDER BY status;
