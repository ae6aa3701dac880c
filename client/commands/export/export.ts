import { type Command, Option } from 'commander';
import { counted, number } from '../../../values/counted.ts';
import { CommandFailed, UsageError } from '../../../values/failure.ts';
import type { ColumnField } from '../../../values/interface/fields.ts';
import { quote } from '../../../values/quote.ts';
import { sentence } from '../../../values/sentence.ts';
import { parsePath } from '../../../values/terminal/options.ts';
import {
  type Progress,
  printFile,
  printNote,
  printResult,
  progress,
} from '../../../values/terminal/output.ts';
import { createOrReplace, inodeOf, type OutputFile } from '../../../values/terminal/output-file.ts';
import { onStopSignal, type StopReason } from '../../../values/terminal/stop-signals.ts';
import { table } from '../../../values/terminal/table.ts';
import {
  type Export,
  type ExportOptions as ExportCallOptions,
  type ExportFilters,
  type ExportManifest,
  type ExportQuery,
  type ExportRestart,
  TransactionsClient,
} from '../../src/index.ts';
import { explain, type ServiceOf, type ServiceOptions, withService } from '../api-client.ts';
import { archivedNote } from '../archived-note.ts';
import { withExtraColumns } from '../extra-columns.ts';
import { withFilters, withPaidDays } from '../filter-options.ts';
import { TOTALS_COLUMNS } from '../totals/totals.ts';
import { restartNote } from './restart-note.ts';

interface ExportOptions extends ExportFilters, ServiceOptions, Partial<Record<ColumnField, true>> {
  csv?: true;
  json?: true;
  spreadsheet?: true;
  recordedAt?: true;
  details?: string[];
  output?: string;
  manifest?: string;
}

export function exportCommand(program: Command, serviceOf: ServiceOf): void {
  const command = program
    .command('export')
    .description(
      'save all transactions of the account that match, as they were at one moment, and verify that the file is complete',
    )
    .option('--csv', 'write CSV with a header')
    .addOption(new Option('--json', 'write a JSON object on each line').conflicts(['csv', 'spreadsheet']))
    .option('--spreadsheet', 'write an apostrophe before texts that a spreadsheet would run as a formula')
    .option(
      '--output <file>',
      'the file, which is written or replaced only once it is verified (default: standard output)',
      parsePath,
    )
    .option(
      '--manifest <file>',
      'also save the manifest of the export as JSON: number of rows, SHA-256 and sums',
      parsePath,
    );
  withPaidDays(withFilters(withExtraColumns(command))).option(
    '--recorded-at',
    'add the times at which each transaction and its status were recorded',
  );
  withService(command).action((options) => exportTransactions(options, serviceOf));
}

async function exportTransactions(options: ExportOptions, serviceOf: ServiceOf): Promise<void> {
  const { csv, json, output, manifest, url, allowHttp, ...form } = options;
  if (!csv && !json) throw new UsageError('Give the format: --csv or --json.');
  if (manifest !== undefined && (await inodeOf(output)) === (await inodeOf(manifest)))
    throw new UsageError(
      `--manifest and ${output === undefined ? 'standard output' : '--output'} are the same file.`,
    );
  const service = await serviceOf({ url, allowHttp });
  const stopping = new AbortController();
  const stop = (reason: StopReason) =>
    stopping.abort(`Stopped by ${sentence(reason)} Run the command again to make a new export.`);
  onStopSignal(stop, { again: 'ends the process' });
  const { signal } = stopping;
  const { transactions } = new TransactionsClient({ ...service, maxRetries: 1 });
  // The cast is safe, because commander refuses the column options together with --json.
  const query = { ...form, format: csv ? 'csv' : 'ndjson' } as ExportQuery;
  let exported: Export<Uint8Array> | undefined;
  const begin = (onRestart: OnRestart) => {
    exported = transactions.exportFile(query, { signal, onRestart });
    return exported;
  };
  try {
    await saveExport(begin, { output, manifest, lineEnd: csv ? '\r\n' : '\n' });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EPIPE' && manifest === undefined) return;
    const outcome = exported === undefined ? [] : outcomeOf(exported, output);
    if (signal.aborted) throw new CommandFailed(signal.reason, ...outcome);
    if (error instanceof CommandFailed) throw new CommandFailed(...error.lines, ...outcome);
    throw explain(error, service.url, outcome[0]);
  }
}

type OnRestart = ExportCallOptions['onRestart'];

interface Destination {
  output: string | undefined;
  manifest: string | undefined;
  lineEnd: string;
}

/** Only an export to a file can start again, because rows that were printed cannot be taken back. */
async function saveExport(
  begin: (onRestart: OnRestart) => Export<Uint8Array>,
  { output, manifest, lineEnd }: Destination,
): Promise<void> {
  const files: OutputFile[] = [];
  const create = async (path: string | undefined) => {
    if (path === undefined) return undefined;
    const file = await createOrReplace(path);
    files.push(file);
    return file;
  };
  const shown = progress();
  try {
    const [file, proof] = [await create(output), await create(manifest)];
    const startAgain = async (restart: ExportRestart) => {
      shown.note(restartNote(restart));
      await file?.clear();
    };
    const exported = begin(file && startAgain);
    const chunks = withProgress(exported, shown);
    if (file === undefined) await printFile(chunks, lineEnd);
    else for await (const bytes of chunks) await file.write(bytes);
    const verified = exported.manifest as ExportManifest;
    await proof?.write(Buffer.from(`${JSON.stringify(verified, null, 2)}\n`));
    for (const each of files) await each.finish();
    for (const each of files) await each.keep();
    const summary = summaryOf(verified);
    if (output === undefined) printNote(...summary);
    else printResult(...summary);
  } finally {
    for (const each of files) each.discard();
  }
}

async function* withProgress(exported: Export<Uint8Array>, shown: Progress): AsyncGenerator<Uint8Array> {
  try {
    for await (const bytes of exported) {
      yield bytes;
      const { rows, expectedRows } = exported;
      shown.show(
        `exported ${number(rows)}${expectedRows === null ? '' : ` of ${number(expectedRows)}`} transactions`,
      );
    }
  } finally {
    shown.clear();
  }
}

function outcomeOf({ id, rows }: Export<Uint8Array>, output: string | undefined): string[] {
  if (id === null) return [];
  if (output !== undefined) return [`Nothing was saved as ${quote(output)}.`];
  return [
    `The output is incomplete: it ends after ${counted(rows, 'transaction')}. With --output, an export that is cut starts again.`,
  ];
}

function summaryOf({ rows, bytes, sha256, asOf, totals, archivedBefore }: ExportManifest): string[] {
  return [
    `Exported ${counted(rows ?? 0, 'transaction')}, complete and verified, up to change ${asOf} of the account: ${number(bytes ?? 0)} bytes.`,
    `SHA-256: ${sha256}`,
    ...(totals.length === 0 ? [] : table(TOTALS_COLUMNS, totals)),
    ...archivedNote(archivedBefore),
  ];
}
