// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the texts are source code.
import type { Promised } from '../promised.ts';

export const OPERATE: readonly Promised[] = [
  {
    promise: 'verify finds what disagrees in a database',
    in: ['docs/reliability.md: A changed bit'],
    faults: [
      {
        name: 'a gap in the numbers is not reported',
        file: 'src/operate/verify/check-numbers.ts',
        from: 'this.numbers.gaps(upTo)',
        to: 'this.numbers.gaps(upTo - 1)',
        foundBy: { file: 'test/verify/sqlite-corruptions.test.ts', test: 'the last transaction is missing' },
      },
      {
        name: 'a wrong daily total is not reported',
        file: 'src/operate/verify/check-totals.ts',
        from: 'total.count === sum.count && total.amountMinor === sum.amountMinor',
        to: 'total.count === sum.count',
        foundBy: {
          file: 'test/verify/sqlite-corruptions.test.ts',
          test: 'an amount is one hundredth too high',
        },
      },
      {
        name: 'what SQLite finds in the file is not reported',
        file: 'src/operate/verify/sqlite/check-file.ts',
        from: 'disagreements: disagreementsOf(lines, objects),',
        to: 'disagreements: disagreementsOf(lines, objects).slice(lines.length),',
        foundBy: {
          file: 'test/verify/sqlite-flips.test.ts',
          test: 'verify finds it, or every answer is as before',
        },
      },
    ],
  },
  {
    promise: 'An archived transaction is removed only if a file has it that was read again',
    in: [],
    faults: [
      {
        name: 'the file of an archive is not read again',
        file: 'src/operate/archive/remove-archived.ts',
        from: 'await checkFile(range, files);',
        to: '',
        foundBy: { file: 'test/archive/sqlite.test.ts', test: 'removes nothing that a file does not have' },
      },
      {
        name: 'a line of an archive ends at U+2028',
        file: 'src/cli/operator/archive/archive-folder.ts',
        from: 'split(/(?<=\\n)/)',
        to: 'split(/(?<=[\\n\\u2028])/)',
        foundBy: {
          file: 'test/archive/sqlite.test.ts',
          test: 'moves final transactions of earlier days to a file',
        },
        error: 'has no line of',
      },
      {
        name: 'archived transactions stay in the stored totals',
        file: 'src/operate/archive/sqlite/account-archiver.ts',
        from: 'add(account, sums);',
        to: '',
        foundBy: {
          file: 'test/archive/sqlite.test.ts',
          test: 'moves final transactions of earlier days to a file',
        },
      },
    ],
  },
  {
    promise: 'A backup is verified, and only its owner can read it',
    in: ['SECURITY.md: Only the owner'],
    faults: [
      {
        name: 'others can read it',
        file: 'src/cli/terminal/output-file.ts',
        from: "'wx', 0o600",
        to: "'wx', 0o644",
        foundBy: {
          file: 'test/cli/backup.test.ts',
          test: 'is readable by its owner alone from the first byte, whatever the umask',
        },
      },
      {
        name: 'others can read a new database',
        file: 'src/db/sqlite/open-database.ts',
        from: 'OWNER_ONLY = 0o600',
        to: 'OWNER_ONLY = 0o644',
        foundBy: { file: 'test/store/sqlite.test.ts', test: 'makes its files readable by their owner only' },
      },
      {
        name: 'a backup that disagrees is kept',
        file: 'src/cli/operator/backup/backup.ts',
        from: 'if (verified.disagreements > 0) throw',
        to: 'if (verified.disagreements > 1000) throw',
        foundBy: {
          file: 'test/cli/backup.test.ts',
          test: 'that disagrees is not kept, and the disagreement is printed',
        },
      },
      {
        name: 'the printed commands have the password',
        file: 'src/cli/operator/backup/postgres-backup.ts',
        from: 'const { address, user } = addressForPrograms(databaseUrl);',
        to: 'const { user } = addressForPrograms(databaseUrl);\n  const address = databaseUrl;',
        foundBy: {
          file: 'test/cli/backup-postgres.test.ts',
          test: 'prints the commands, those to restore from the guide, never the password, and makes no file',
        },
      },
    ],
  },
  {
    promise:
      'A copy ends only if it is equal to its source. Nothing serves it before, and nothing its source afterwards',
    in: ['docs/reliability.md: A copy to another database'],
    faults: [
      {
        name: 'differing transactions are taken for equal',
        error: 'contradicts',
        file: 'src/operate/stored-rows.ts',
        from: 'STORED_FIELDS.every((field) => left[field] === right[field]);',
        to: 'left.reference === right.reference;',
        foundBy: {
          file: 'test/copy/sqlite.test.ts',
          test: 'finds what contradicts in an account that changed after it was compared',
        },
      },
      {
        name: 'a copy that has not ended has no mark',
        file: 'src/operate/copy/sqlite/read-mark.ts',
        from: 'return row && markOf(row)',
        to: "return row && row[1] !== '' ? undefined : row && markOf(row)",
        foundBy: {
          file: 'test/store/sqlite-copy.test.ts',
          test: 'mark the database, which no store opens until the mark is removed',
        },
      },
      {
        name: 'a service that runs on records into a source on SQLite that was moved',
        file: 'src/operate/copy/sqlite/copy-writer.ts',
        from: "state === 'moved' ? FENCE : REMOVE_FENCE",
        to: 'REMOVE_FENCE',
        foundBy: {
          file: 'test/copy/sqlite.test.ts',
          test: 'marks the source as moved: a service that runs on acknowledges no write until the mark is taken back',
        },
      },
      {
        name: 'a service that runs on records into a source on PostgreSQL that was moved',
        file: 'src/operate/copy/postgres/copy-target.ts',
        from: "state === 'moved' ? [...REMOVE_FENCE, ...FENCE] : REMOVE_FENCE",
        to: 'REMOVE_FENCE',
        foundBy: {
          file: 'test/store/postgres/copy.test.ts',
          test: 'mark the database, which no store opens until the mark is removed',
        },
      },
      {
        name: 'a copy forgets that an account of the source is being erased',
        file: 'src/operate/copy/copy-changes.ts',
        from: "refuseClosed('source', ours);",
        to: '',
        foundBy: {
          file: 'test/copy/sqlite.test.ts',
          test: 'refuses an account whose erasure was interrupted, also if it began after the comparison',
        },
      },
    ],
  },
  {
    promise:
      'An import with a faulty line records nothing, and an interrupted one is finished by repeating it',
    in: [
      'docs/reliability.md: An import that is killed',
      'docs/reliability.md: A disk that fills up',
      'docs/reliability.md: During an import',
    ],
    faults: [
      {
        name: 'faulty lines do not stop an import',
        file: 'src/cli/operator/import/run-import.ts',
        from: 'checked.faultyLines > 0 && !run.skipInvalid',
        to: 'checked.faultyLines > 1000 && !run.skipInvalid',
        foundBy: {
          file: 'test/cli/import.test.ts',
          test: 'reports each faulty line with its number, column, cause and correction, and records nothing',
        },
      },
      {
        name: 'a contradiction within the file is recorded over',
        file: 'src/operate/import/compare-staged.ts',
        from: "comparison.outcome === 'conflict'",
        to: "comparison.outcome === 'conflict' && contradictedLine === null",
        foundBy: {
          file: 'test/cli/import.test.ts',
          test: 'a contradiction within the file names the earlier line',
        },
      },
      {
        name: 'a contradiction of a transaction recorded meanwhile is not reported',
        file: 'src/operate/import/record-staged.ts',
        from: "    case 'conflict':\n      counts.conflicts++;\n      return { line, differences: recorded.differences, contradictedLine: null };",
        to: "    case 'conflict':\n      counts.conflicts++;\n      return undefined;",
        foundBy: {
          file: 'test/cli/work-during-import.test.ts',
          test: 'a PUT that contradicts a line not recorded yet',
        },
      },
      {
        name: 'a batch that failed is counted and passed over',
        file: 'src/operate/import/record-staged.ts',
        from: 'return { ...result, end: { failure } };',
        to: 'continue;',
        foundBy: {
          file: 'test/cli/import-disk-full.test.ts',
          test: 'is one error sentence and status 1, and repeating the import completes it',
        },
      },
    ],
  },
  {
    promise: 'reconcile finds every difference and invents none',
    in: [],
    faults: [
      {
        name: 'a day of the file is equal to any time',
        file: 'src/operate/reconcile/find-differences.ts',
        from: 'return theirs === (isDay ? (ours?.slice(0, DAY_CHARACTERS) ?? null) : ours);',
        to: 'return isDay || theirs === ours;',
        foundBy: {
          file: 'test/store/reconcile-properties.test.ts',
          test: 'all planted differences are found, and none is invented',
        },
      },
      {
        name: 'a line is paired with two transactions',
        file: 'src/operate/reconcile/find-differences.ts',
        from: 'else if (paired < lines.length) paired++;',
        to: 'else if (paired < lines.length) paired += 0;',
        foundBy: {
          file: 'test/cli/reconcile.test.ts',
          test: 'a file that agrees with the account ends with status 0, no difference, and the sums',
        },
      },
    ],
  },
  {
    promise:
      'While another program holds the write lock, or the disk hangs, lists and health checks are answered',
    in: ['SECURITY.md: When another program'],
    faults: [
      {
        name: 'a revocation waits behind recordings',
        file: 'src/store/write-queue.ts',
        from: "revokeApiKey: 'first'",
        to: "revokeApiKey: 'stream'",
        foundBy: {
          file: 'test/store/sqlite.test.ts',
          test: 'writes of API keys do not wait behind recordings',
        },
      },
    ],
  },
  {
    promise: 'serve warns of what others can read, and of acknowledged writes that a failover can lose',
    in: [],
    faults: [
      {
        name: 'a name of the standbys is enough, whatever the commit level is',
        file: 'src/service/warn-of-server.ts',
        from: "synchronousStandbyNames !== '' && commitLevel !== 'local'",
        to: "synchronousStandbyNames !== ''",
        foundBy: {
          file: 'src/service/warn-of-server.test.ts',
          test: 'standbys that commits do not wait for have a warning, unless the operator knows',
        },
      },
      {
        name: 'plain text is warned of only where it is recorded',
        file: 'src/service/warn-of-server.ts',
        from: 'if (!isEncrypted && !isLocal && !isPlainTextMeant)',
        to: 'if (operatorPort !== null && !isEncrypted && !isLocal && !isPlainTextMeant)',
        foundBy: {
          file: 'src/service/warn-of-server.test.ts',
          test: 'plain text to another machine has a warning, unless it is meant',
        },
      },
      {
        name: 'a replica in plain text has no warning',
        file: 'src/db/postgres/server-facts.ts',
        from: "!searchParams.has('sslmode')",
        to: "searchParams.has('sslmode')",
        foundBy: {
          file: 'src/service/warn-of-server.test.ts',
          test: 'plain text to a replica on another machine has a warning, unless it is meant',
        },
      },
    ],
  },
];
