/** About how many seconds of processor time a test file takes with its children and PostgreSQL, if more than four. */
const SECONDS: Readonly<Record<string, number>> = {
  'test/archive/postgres.test.ts': 13,
  'test/cli/archive.test.ts': 10,
  'test/cli/backup-postgres.test.ts': 7,
  'test/cli/backup.test.ts': 11,
  'test/cli/changes.test.ts': 6,
  'test/cli/closing-a-month.test.ts': 5,
  'test/cli/copy.test.ts': 40,
  'test/cli/erase.test.ts': 12,
  'test/cli/every-command.test.ts': 10,
  'test/cli/keys.test.ts': 5,
  'test/cli/postgres.test.ts': 12,
  'test/cli/serve.test.ts': 5,
  'test/cli/upgrade.test.ts': 21,
  'test/crash/copy-kills.test.ts': 21,
  'test/store/postgres.test.ts': 20,
  'test/store/postgres/import.test.ts': 11,
  'test/store/sqlite.test.ts': 12,
};

const OTHER_SECONDS = 2;

/** Shares of files that take about the same processor time: the longest file first, each to the share that has the least so far. */
export function evenShares(files: readonly string[], of: number): string[][] {
  const shares = Array.from({ length: of }, () => ({ files: [] as string[], seconds: 0 }));
  const secondsOf = (file: string) => SECONDS[file] ?? OTHER_SECONDS;
  for (const file of files.toSorted((a, b) => secondsOf(b) - secondsOf(a) || (a < b ? -1 : 1))) {
    const [least] = shares.toSorted((a, b) => a.seconds - b.seconds);
    least?.files.push(file);
    if (least !== undefined) least.seconds += secondsOf(file);
  }
  return shares.map((share) => share.files.sort());
}
