/** About how many seconds of processor time a test file takes with its children and PostgreSQL, if at least five. */
const SECONDS: Readonly<Record<string, number>> = {
  'test/archive/postgres.test.ts': 13,
  'test/cli/account.test.ts': 5,
  'test/cli/archive.test.ts': 8,
  'test/cli/backup-postgres.test.ts': 7,
  'test/cli/backup.test.ts': 10,
  'test/cli/changes.test.ts': 7,
  'test/cli/closing-a-month.test.ts': 6,
  'test/cli/copy.test.ts': 41,
  'test/cli/erase.test.ts': 7,
  'test/cli/export-killed.test.ts': 15,
  'test/cli/export.test.ts': 22,
  'test/cli/keys.test.ts': 5,
  'test/cli/moving.test.ts': 22,
  'test/cli/postgres.test.ts': 24,
  'test/cli/progress.test.ts': 8,
  'test/cli/reconcile.test.ts': 7,
  'test/cli/recording.test.ts': 11,
  'test/cli/secrets.test.ts': 10,
  'test/cli/serve-changes.test.ts': 8,
  'test/cli/serve-postgres-server.test.ts': 17,
  'test/cli/serve-webhooks.test.ts': 17,
  'test/cli/serve.test.ts': 5,
  'test/cli/served-command.test.ts': 8,
  'test/cli/stop-signals.test.ts': 11,
  'test/cli/terminal-output.test.ts': 8,
  'test/cli/upgrade.test.ts': 22,
  'test/cli/verify.test.ts': 9,
  'test/cli/webhook-instances.test.ts': 12,
  'test/cli/work-during-import.test.ts': 9,
  'test/cli/workers.test.ts': 15,
  'test/cli/write-lock-held.test.ts': 10,
  'test/client/module.test.ts': 12,
  'test/client/restart.test.ts': 6,
  'test/client/served-package.test.ts': 7,
  'test/conformance/command.test.ts': 14,
  'test/conformance/deployments.test.ts': 20,
  'test/conformance/service.test.ts': 14,
  'test/copy/postgres.test.ts': 27,
  'test/copy/sqlite.test.ts': 18,
  'test/crash/copy-cuts.test.ts': 18,
  'test/crash/copy-kills.test.ts': 16,
  'test/crash/disk.test.ts': 8,
  'test/crash/export-kills.test.ts': 9,
  'test/crash/file-moved.test.ts': 23,
  'test/crash/lost-recordings.test.ts': 15,
  'test/crash/webhook-kills.test.ts': 8,
  'test/erase/postgres.test.ts': 9,
  'test/long/main.test.ts': 18,
  'test/network/client.test.ts': 6,
  'test/network/database.test.ts': 12,
  'test/store/postgres.test.ts': 20,
  'test/store/postgres/faults.test.ts': 10,
  'test/store/postgres/held-rows.test.ts': 7,
  'test/store/postgres/import.test.ts': 8,
  'test/store/postgres/open.test.ts': 16,
  'test/store/postgres/pgbouncer.test.ts': 6,
  'test/store/postgres/replicas.test.ts': 11,
  'test/store/postgres/tls.test.ts': 7,
  'test/store/sqlite.test.ts': 12,
};

const OTHER_SECONDS = 3;

/** About how many seconds of processor time a test file takes. */
export const secondsOf = (file: string): number => SECONDS[file] ?? OTHER_SECONDS;

/** Shares of files that take about the same processor time: the longest file first, each to the share that has the least so far. */
export function evenShares(files: readonly string[], of: number): string[][] {
  const shares = Array.from({ length: of }, () => ({ files: [] as string[], seconds: 0 }));
  for (const file of files.toSorted((a, b) => secondsOf(b) - secondsOf(a) || (a < b ? -1 : 1))) {
    const [least] = shares.toSorted((a, b) => a.seconds - b.seconds);
    least?.files.push(file);
    if (least !== undefined) least.seconds += secondsOf(file);
  }
  return shares.map((share) => share.files.sort());
}
