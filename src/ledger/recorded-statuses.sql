-- on: coordinator

-- name: listRecordedStatuses
-- Lists the statuses of recorded transactions, except the built-in statuses.
SELECT status FROM recorded_statuses ORDER BY status;
