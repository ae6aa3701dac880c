import { createReadStream } from 'node:fs';
import { type Command, Option } from 'commander';
import { type ParseRules, parseTransaction } from '../core/parse-transaction.ts';
import { readNdjson } from '../core/read-ndjson.ts';
import type { Difference } from '../core/record-transaction.ts';
import { assignReference } from '../core/reference.ts';
import { type SourceLine, UnreadableSource } from '../core/source-line.ts';
import { type ImportCounts, type ImportedTransaction, type Store, StoreUnavailable } from '../core/store.ts';
import { databaseExists, IN_MEMORY_URL } from '../store/open-store.ts';
import { loadConfig, secureRandomBytes, withStore } from './environment.ts';
import { CommandFailed, UsageError } from './failure.ts';
import { printManyNotes, printResult, progress } from './output.ts';
import { readCsv } from './read-csv.ts';

const FORMATS = ['csv', 'ndjson'] as const;
type Format = (typeof FORMATS)[number];

const STAGED_AT_ONCE = 2000;

interface ImportOptions {
  format?: Format;
  skipInvalid?: true;
  dryRun?: true;
}

export function importCommand(program: Command): void {
  program
    .command('import')
    .description('record the transactions of a CSV or NDJSON file: all of them, or none')
    .argument('<file>', 'the file, or - for standard input')
    .addOption(
      new Option('--format <format>', "the file's format, where its ending does not tell").choices(FORMATS),
    )
    .option('--skip-invalid', 'record the good lines and report the others')
    .option('--dry-run', 'check everything and record nothing')
    .action(importFile);
}

async function importFile(file: string, options: ImportOptions): Promise<void> {
  const format = options.format ?? formatOf(file);
  const config = loadConfig();
  // A check leaves no trace, not even an empty database.
  const databaseUrl =
    options.dryRun && !databaseExists(config.databaseUrl) ? IN_MEMORY_URL : config.databaseUrl;
  const input = file === '-' ? process.stdin : createReadStream(file, { highWaterMark: 262_144 });

  let assigned = 0;
  const rules = {
    statuses: config.statuses,
    assignReference: (createdAtMs: number) => {
      assigned++;
      return assignReference(createdAtMs, secureRandomBytes);
    },
  };
  const lines = format === 'csv' ? readCsv(input) : readNdjson(input);
  const report = await withStore({ ...config, databaseUrl }, (store) =>
    run(store, lines, rules, options),
  ).catch((error) => {
    throw explain(error, file);
  });
  if (assigned > 0) {
    await printManyNotes(
      `${lineCount(assigned)} came without a reference and got one: importing the file again would record them again.`,
    );
  }
  printResult(summary(report, options));
  if (report.faultyLines > 0 && !options.skipInvalid)
    throw new CommandFailed(refusal(report.faultyLines, options));
}

function formatOf(file: string): Format {
  if (/\.csv$/i.test(file)) return 'csv';
  if (/\.(ndjson|jsonl)$/i.test(file)) return 'ndjson';
  throw new UsageError(
    file === '-'
      ? 'Standard input has no ending that tells its format: add --format csv or --format ndjson.'
      : `The ending of ${file} is none of .csv, .ndjson and .jsonl: add --format csv or --format ndjson.`,
  );
}

interface Report extends ImportCounts {
  lines: number;
  faultyLines: number;
  committed: boolean;
}

async function run(
  store: Store,
  batches: AsyncIterable<SourceLine[]>,
  rules: ParseRules,
  { skipInvalid, dryRun }: ImportOptions,
): Promise<Report> {
  const shown = progress();
  const session = await store.beginImport();
  let lines = 0;
  let faultyLines = 0;

  const reportLine = async (line: number, field: string | null, detail: string) => {
    shown.clear();
    await printManyNotes(`line ${line}${field === null ? '' : `, column ${field}`}: ${detail}`);
  };

  let staging: ImportedTransaction[] = [];
  for await (const batch of batches) {
    for (const source of batch) {
      lines++;
      const parsed = 'fault' in source ? source : parseTransaction(source.record, rules);
      if ('transaction' in parsed) {
        staging.push({ ...parsed.transaction, line: source.line });
        continue;
      }
      faultyLines++;
      if ('fault' in parsed) {
        await reportLine(source.line, null, parsed.fault);
        continue;
      }
      for (const { field, detail } of parsed.faults.listed) await reportLine(source.line, field, detail);
      if (parsed.faults.unlisted > 0) await reportLine(source.line, null, parsed.faults.unlistedNote);
    }
    if (staging.length >= STAGED_AT_ONCE) {
      await session.stage(staging);
      staging = [];
    }
    shown.show(`checked ${lines.toLocaleString('en')} lines`);
  }
  await session.stage(staging);

  let committed = false;
  const counts = await session.merge({
    onConflict: ({ line, differences }) => reportLine(line, null, explainConflict(differences)),
    onProgress: (merged) =>
      shown.show(`compared ${merged.toLocaleString('en')} of ${lines.toLocaleString('en')} lines`),
    commit: ({ conflicts }) => {
      committed = !dryRun && (skipInvalid === true || faultyLines + conflicts === 0);
      return committed;
    },
  });
  shown.clear();
  return { ...counts, lines, faultyLines: faultyLines + counts.conflicts, committed };
}

function explainConflict(differences: readonly Difference[]): string {
  const told = differences.map(
    ({ field, recorded, given }) =>
      `${field} is ${JSON.stringify(recorded)} there and ${JSON.stringify(given)} here`,
  );
  return `contradicts what is recorded under this reference: ${told.join('; ')}`;
}

const number = (value: number) => value.toLocaleString('en');
const lineCount = (value: number) => `${number(value)} ${value === 1 ? 'line' : 'lines'}`;

function summary(
  { lines, recorded, changed, unchanged, faultyLines, committed }: Report,
  { dryRun }: ImportOptions,
): string {
  const outcome = `${number(recorded)} new, ${number(changed)} changed, ${number(unchanged)} unchanged, ${number(faultyLines)} faulty`;
  if (dryRun) return `Checked ${lineCount(lines)}: ${outcome}. Nothing was recorded, as asked.`;
  if (!committed)
    return `Read ${lineCount(lines)}, ${number(faultyLines)} of them faulty. Nothing was recorded.`;
  return `Imported ${lineCount(lines)}: ${outcome}.`;
}

function refusal(faultyLines: number, { dryRun }: ImportOptions): string {
  const told = `${lineCount(faultyLines)} ${faultyLines === 1 ? 'is' : 'are'} faulty, as told above.`;
  return dryRun ? told : `${told} Correct them, or record the good lines with --skip-invalid.`;
}

/** What the user is told where the file or the database gives out half-way: nothing is recorded then. */
function explain(error: unknown, file: string): unknown {
  if (error instanceof UnreadableSource)
    return new CommandFailed(`${file} can't be imported: ${error.message} Nothing was recorded.`);
  if (error instanceof StoreUnavailable) return new CommandFailed(`Nothing was recorded: ${error.message}.`);
  const { code, message, syscall } = error as NodeJS.ErrnoException;
  if (code === 'ENOENT' && syscall === 'open') return new CommandFailed(`There is no file ${file}.`);
  if (syscall === 'open' || syscall === 'read')
    return new CommandFailed(`${file} can't be read: ${message}. Nothing was recorded.`);
  return error;
}
