import { isIPv6 } from 'node:net';
import { type Command, InvalidArgumentError, Option } from 'commander';
import {
  ArgumentError,
  AuthenticationError,
  type ClientOptions,
  ConnectionError,
  InvalidRequestError,
  type ListFilters,
  TimeoutError,
  TransactionsClient,
  TransactionsError,
  type WalkPage,
} from '../../client/src/index.ts';
import type { Config } from '../config/settings.ts';
import { CommandFailed, UsageError } from './failure.ts';
import { type Format, LIST_FORMATS } from './list-formats.ts';
import { loadConfig } from './load-config.ts';
import { printLines, printNote, progress } from './output.ts';

interface ListOptions extends ListFilters {
  limit?: number;
  json?: true;
  csv?: true;
  url?: string;
}

export function listCommand(program: Command): void {
  program
    .command('list')
    .description('print the transactions of the account whose key TRANSACTIONS_API_KEY is, newest first')
    .option('--status <status>', 'only transactions in this status')
    .option('--currency <code>', 'only transactions in this currency: three capital letters')
    .option('--merchant-reference <text>', 'only transactions with exactly this reference of the merchant')
    .option('--from <day>', 'first UTC day of their creation, inclusive: YYYY-MM-DD')
    .option('--to <day>', 'last UTC day of their creation, inclusive; any number of days after the first')
    .option('--limit <count>', 'the newest so many', parseLimit)
    .addOption(new Option('--json', 'a JSON object on each line instead of a table').conflicts('csv'))
    .option('--csv', 'CSV with a header instead of a table')
    .option('--url <url>', 'where the service is (default: http://127.0.0.1 on PORT)')
    .action(listTransactions);
}

async function listTransactions({ limit, json, csv, url: given, ...filters }: ListOptions): Promise<void> {
  const config = loadConfig();
  const apiKey = keyOf(config);
  const url = given ?? defaultUrl(config);
  const format = LIST_FORMATS[json ? 'json' : csv ? 'csv' : 'table']();
  const printed = { count: 0 };
  try {
    const pages = pagesOf({ url, apiKey }, filters);
    await printLines(linesOf(pages, { limit, format, printed }), { exact: csv === true });
  } catch (error) {
    // Whoever reads the output has enough: `| head`, for instance.
    if ((error as NodeJS.ErrnoException).code === 'EPIPE') return;
    throw explain(error, url, printed.count);
  }
  if (printed.count === 0 && !json && !csv) printNote('There are no such transactions.');
}

/** A list that has begun outlives a restart of the service. A first page is not waited for: perhaps none runs. */
async function* pagesOf(client: ClientOptions, filters: ListFilters): AsyncGenerator<WalkPage> {
  const begun = new TransactionsClient({ ...client, maxRetries: 1 }).transactions.list(filters);
  const first = await begun.page();
  if (first.data.length > 0) yield first;
  yield* new TransactionsClient(client).transactions.resume(begun.toJSON()).pages();
}

interface Output {
  limit: number | undefined;
  format: Format;
  printed: { count: number };
}

/** The lines page by page, so that memory stays flat however long the list is. */
async function* linesOf(
  pages: AsyncIterable<WalkPage>,
  { limit, format, printed }: Output,
): AsyncGenerator<readonly string[]> {
  // Lines that go to the terminal show themselves how far it is.
  const shown = process.stderr.isTTY && !process.stdout.isTTY ? progress() : undefined;
  // Behind the first answer, so that a refused request leaves the output empty.
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

function parseLimit(text: string): number {
  if (/^[1-9]\d{0,14}$/.test(text)) return Number(text);
  throw new InvalidArgumentError('It is a whole number of at least 1.');
}

function keyOf({ secrets: { apiKey } }: Config): string {
  if (apiKey !== null) return apiKey;
  throw new UsageError(
    'Set TRANSACTIONS_API_KEY to the key of the account, in the environment or in .env. ' +
      '"transactions keys create" makes one, and "transactions demo" prints one to try.',
  );
}

/** Where `serve` listens with the same settings. */
function defaultUrl({ host, port }: Config): string {
  if (port === 0)
    throw new UsageError('PORT is 0, which tells no address: say where the service is with --url.');
  const reached = host === '0.0.0.0' || host === '::' ? '127.0.0.1' : host;
  return `http://${isIPv6(reached) ? `[${reached}]` : reached}:${port}`;
}

/** merchantReference is --merchant-reference. */
const optionOf = (parameter: string) =>
  `--${parameter.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;

/** What the user is told, and that what was printed is not the whole list. */
function explain(error: unknown, url: string, printed: number): unknown {
  const { code, message } = error as NodeJS.ErrnoException;
  if (error instanceof ArgumentError) return new UsageError(`--url: ${message}`);
  if (error instanceof InvalidRequestError && error.faults.length > 0 && printed === 0) {
    return new UsageError(
      ...error.faults.map(({ parameter, detail }) => `${optionOf(parameter)}: ${detail}`),
    );
  }
  const incomplete =
    printed === 0
      ? []
      : [`The list is not complete: it ends behind ${printed.toLocaleString('en')} transactions.`];
  if (error instanceof TransactionsError) return new CommandFailed(explainService(error, url), ...incomplete);
  if (code !== undefined)
    return new CommandFailed(`The output can't be written, and is not complete: ${message}.`);
  return error;
}

function explainService(error: TransactionsError, url: string): string {
  if (error instanceof AuthenticationError) {
    return `The service at ${url} does not take the key in TRANSACTIONS_API_KEY: ${error.message}`;
  }
  if (error instanceof ConnectionError) {
    const { message, cause } = error.cause as Error;
    const reason = cause instanceof Error && cause.message !== '' ? cause.message : message;
    return `No service answers at ${url}: ${reason}. Start one with "transactions serve", or say where it is with --url.`;
  }
  // It names the address itself.
  if (error instanceof TimeoutError) return error.message;
  return `The service at ${url}: ${error.message}`;
}
