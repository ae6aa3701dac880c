import { type Command, InvalidArgumentError } from 'commander';
import {
  type ClientOptions,
  type ListFilters,
  type Transaction,
  TransactionsClient,
  type WalkPage,
} from '../../../../client/src/index.ts';
import type { Format } from '../../terminal/growing-table.ts';
import { jsonLinesOption } from '../../terminal/json-options.ts';
import { printLines, printNote, progress } from '../../terminal/output.ts';
import { explain, type ServiceOf, URL_OPTION } from '../api-client.ts';
import { withAllFilters } from '../filter-options.ts';
import { LIST_FORMATS } from './list-formats.ts';

interface ListOptions extends ListFilters {
  limit?: number;
  json?: true;
  csv?: true;
  url?: string;
}

export function listCommand(program: Command, serviceOf: ServiceOf): void {
  withAllFilters(program.command('list').description('print the transactions of the account, newest first'))
    .option('--limit <count>', 'only the newest COUNT transactions', parseLimit)
    .addOption(jsonLinesOption().conflicts('csv'))
    .option('--csv', 'print CSV with a header instead of a table')
    .option(...URL_OPTION)
    .action((options) => listTransactions(options, serviceOf));
}

async function listTransactions(
  { limit, json, csv, url: given, ...filters }: ListOptions,
  serviceOf: ServiceOf,
): Promise<void> {
  const service = await serviceOf(given);
  const format = LIST_FORMATS[json ? 'json' : csv ? 'csv' : 'table']();
  const printed = { count: 0 };
  try {
    const pages = pagesOf(service, filters);
    await printLines(linesOf(pages, { limit, format, printed }), { exact: csv === true });
  } catch (error) {
    // The reader of the output has ended, for example `| head`.
    if ((error as NodeJS.ErrnoException).code === 'EPIPE') return;
    throw explain(error, service.url, incompleteAfter(printed.count));
  }
  if (printed.count === 0 && !json && !csv) printNote('No transactions match.');
}

/** The first page is retried only once, because the service may not be running. Later pages are retried through a restart. */
async function* pagesOf(client: ClientOptions, filters: ListFilters): AsyncGenerator<WalkPage> {
  const started = new TransactionsClient({ ...client, maxRetries: 1 }).transactions.list(filters);
  const first = await started.page();
  if (first.data.length > 0) yield first;
  yield* new TransactionsClient(client).transactions.resume(started.toJSON()).pages();
}

interface Output {
  limit: number | undefined;
  format: Format<Transaction>;
  printed: { count: number };
}

/** The lines of the list, page by page, so that memory does not grow with the list. */
async function* linesOf(
  pages: AsyncIterable<WalkPage>,
  { limit, format, printed }: Output,
): AsyncGenerator<readonly string[]> {
  // On a terminal, the lines themselves show the progress.
  const shown = process.stderr.isTTY && !process.stdout.isTTY ? progress() : undefined;
  // Printed with the first page, so that a refused request leaves the output empty.
  let { head } = format;
  try {
    for await (const { data } of pages) {
      const page = data.slice(0, limit === undefined ? undefined : limit - printed.count);
      yield [...head, ...format.lines(page)];
      head = [];
      printed.count += page.length;
      if (printed.count === limit) return;
      shown?.show(
        `listed ${printed.count.toLocaleString('en')} transactions, down to ${page.at(-1)?.createdAt}`,
      );
    }
    if (head.length > 0) yield head;
  } finally {
    shown?.clear();
  }
}

function incompleteAfter(count: number): string | undefined {
  if (count === 0) return undefined;
  return `The list is incomplete: it ends after ${count.toLocaleString('en')} transactions.`;
}

function parseLimit(text: string): number {
  if (/^[1-9]\d{0,14}$/.test(text)) return Number(text);
  throw new InvalidArgumentError('It must be a whole number of at least 1.');
}
