-- on: coordinator

-- name: listRecordedStatuses
-- The statuses of recorded transactions, except the built-in statuses.
SELECT status FROM recorded_statuses ORDER BY status;
