import type { Command } from 'commander';
import {
  ChangesArchivedError,
  type Transaction,
  type TransactionsClient,
} from '../../../../client/src/index.ts';
import { counted } from '../../../values/counted.ts';
import { formatOf, wholeNumber, withFormatOptions } from '../../terminal/options.ts';
import { listProgress, printLines, printNote } from '../../terminal/output.ts';
import type { Format } from '../../terminal/table.ts';
import { explain, HTTP_OPTION, type ServiceOptions, URL_OPTION } from '../api-client.ts';
import { withExtraColumns } from '../extra-columns.ts';
import { type ExtraColumns, LIST_FORMATS } from './list-formats.ts';

export interface OutputOptions extends ServiceOptions, ExtraColumns {
  limit?: number | undefined;
  json?: true | undefined;
  csv?: true | undefined;
}

/** Adds the options of a command that prints transactions. */
export const withOutputOptions = (command: Command): Command =>
  withExtraColumns(
    withFormatOptions(
      command.option('--limit <count>', 'only the newest COUNT transactions', wholeNumber(1)),
    ),
  )
    .option(...URL_OPTION)
    .option(...HTTP_OPTION);

interface Page {
  data: Transaction[];
}

interface Printed<Read> {
  what: string;
  client: Pick<TransactionsClient, 'changes'>;
  serviceUrl: string;
  /** How far a page is, as the end of a sentence. */
  progressOf: (page: Read) => string;
}

/**
 * Prints transactions page by page, so that memory does not grow with them.
 *
 * Throws: CommandFailed, which says after how many transactions the output ends.
 */
export async function printTransactions<Read extends Page>(
  pages: AsyncIterable<Read>,
  { limit, json, csv, ...extra }: OutputOptions,
  { what, client, serviceUrl, progressOf }: Printed<Read>,
): Promise<void> {
  const format = LIST_FORMATS[formatOf({ json, csv })](extra);
  const printed = { count: 0 };
  try {
    const lines = linesOf(pages, { limit, format, printed, progressOf });
    if (!(await printLines(lines, { exact: csv === true }))) return;
  } catch (error) {
    const outcome =
      printed.count === 0
        ? undefined
        : `The ${what} is incomplete: it ends after ${counted(printed.count, 'transaction')}.`;
    throw explain(error, serviceUrl, outcome);
  }
  if (printed.count > 0 || json || csv) return;
  printNote('No transactions match.');
  if (await hasArchive(client))
    printNote('Old transactions of this account were archived, and are only in the files of the operator.');
}

/** False also if the service does not say: the result is complete without it. */
const hasArchive = (client: Pick<TransactionsClient, 'changes'>): Promise<boolean> =>
  client.changes.list({ limit: 1 }).then(
    () => false,
    (error) => error instanceof ChangesArchivedError,
  );

interface Output<Read> {
  limit: number | undefined;
  format: Format<Transaction>;
  printed: { count: number };
  progressOf: (page: Read) => string;
}

async function* linesOf<Read extends Page>(
  pages: AsyncIterable<Read>,
  { limit, format, printed, progressOf }: Output<Read>,
): AsyncGenerator<readonly string[]> {
  const shown = listProgress();
  // Printed with the first page, so that a refused request leaves the output empty.
  let { head } = format;
  try {
    for await (const read of pages) {
      const page = read.data.slice(0, limit === undefined ? undefined : limit - printed.count);
      yield [...head, ...format.lines(page)];
      head = [];
      printed.count += page.length;
      if (printed.count === limit) return;
      shown.show(`${counted(printed.count, 'transaction')}, ${progressOf(read)}`);
    }
    if (head.length > 0) yield head;
  } finally {
    shown.clear();
  }
}
