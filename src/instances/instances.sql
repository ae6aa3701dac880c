-- Times are by the database's clock.
-- on: coordinator

-- name: noteInstance
-- Registers an instance as serving now.
INSERT INTO instances (instance, host, version, settings, started_at_ms, seen_at_ms)
VALUES (:instance, :host, :version, :settings, :databaseNowMs, :databaseNowMs)
ON CONFLICT (instance) DO UPDATE SET seen_at_ms = EXCLUDED.seen_at_ms;

-- name: removeGone (sqlite)
-- Removes the instances that have not registered recently.
DELETE FROM instances WHERE seen_at_ms NOT BETWEEN :databaseNowMs - :lifetimeMs AND :databaseNowMs;

-- name: removeGone (postgres)
-- Like removeGone for SQLite. Skips locked rows, because waiting for them could deadlock.
DELETE FROM instances WHERE instance IN (SELECT instance FROM instances
  WHERE seen_at_ms NOT BETWEEN :databaseNowMs - CAST(:lifetimeMs AS BIGINT) AND :databaseNowMs FOR UPDATE SKIP LOCKED);

-- name: removeInstance
DELETE FROM instances WHERE instance = :instance;

-- name: listInstances
-- Lists the instances that have registered recently.
SELECT instance, host, version, settings, started_at_ms, seen_at_ms FROM instances
WHERE seen_at_ms BETWEEN :databaseNowMs - CAST(:lifetimeMs AS BIGINT) AND :databaseNowMs ORDER BY instance;
