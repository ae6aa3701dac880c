import { type Command, Option } from 'commander';
import { UsageError } from '../../../values/failure.ts';
import { readCsv } from '../../../values/read-csv.ts';
import { readNdjson } from '../../../values/read-ndjson.ts';
import { assignReference } from '../../../values/reference.ts';
import { parsePath } from '../../../values/terminal/options.ts';
import { readInput } from '../../../values/terminal/read-input.ts';
import { importHeader } from '../../operate/import/import-header.ts';
import type { StageRules } from '../../operate/import/stage-lines.ts';
import { secureRandomBytes } from '../../service/random-bytes.ts';
import { loadConfig } from '../with-store.ts';
import { runImport } from './run-import.ts';

const FORMATS = ['csv', 'ndjson'] as const;
type Format = (typeof FORMATS)[number];

interface ImportOptions {
  format?: Format;
  skipInvalid?: true;
  dryRun?: true;
}

export function importCommand(program: Command): void {
  program
    .command('import')
    .description('check every transaction in a CSV or NDJSON file, then record them')
    .argument('<file>', 'the file, or - for standard input', parsePath)
    .addOption(
      new Option(
        '--format <format>',
        'the format, if the file name does not end in .csv, .ndjson or .jsonl',
      ).choices(FORMATS),
    )
    .option('--skip-invalid', 'record the valid lines and report the faulty lines')
    .option('--dry-run', 'check the file and the rights to record, and write nothing')
    .action(importFile);
}

async function importFile(file: string, options: ImportOptions): Promise<void> {
  const format = options.format ?? formatOf(file);
  const config = loadConfig();
  const input = readInput(file);
  let assigned = 0;
  const latestCreatedAtMs = Date.now() + config.createdAtAheadSeconds * 1000;
  const rules: StageRules = {
    statuses: config.statuses,
    isFile: true,
    latestCreatedAtMs,
    assignReference: (createdAtMs) => {
      if (createdAtMs <= latestCreatedAtMs) assigned++;
      return assignReference(createdAtMs, secureRandomBytes);
    },
  };
  await runImport({
    file,
    lines: format === 'csv' ? readCsv(input, importHeader) : readNdjson(input),
    rules,
    assignedReferences: () => assigned,
    settings: config,
    skipInvalid: options.skipInvalid === true,
    dryRun: options.dryRun === true,
  });
}

function formatOf(file: string): Format {
  if (/\.csv$/i.test(file)) return 'csv';
  if (/\.(ndjson|jsonl)$/i.test(file)) return 'ndjson';
  throw new UsageError(
    file === '-'
      ? 'Standard input has no file name ending: add --format csv or --format ndjson.'
      : `The name ${file} does not end in .csv, .ndjson or .jsonl. If the file has text in one of these formats, add --format csv or --format ndjson. Otherwise unpack it, or save it as CSV.`,
  );
}
