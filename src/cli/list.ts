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
    .description('print the transactions of the account of TRANSACTIONS_API_KEY, newest first')
    .option('--status <status>', 'only transactions in this status')
    .option('--currency <code>', 'only transactions in this currency: three upper-case letters')
    .option('--merchant-reference <text>', 'only transactions with exactly this merchantReference')
    .option('--from <day>', 'only transactions created on this UTC day or later: YYYY-MM-DD')
    .option(
      '--to <day>',
      'only transactions created on this UTC day or earlier; the range can have any length',
    )
    .option('--limit <count>', 'only the newest COUNT transactions', parseLimit)
    .addOption(new Option('--json', 'print a JSON object on each line instead of a table').conflicts('csv'))
    .option('--csv', 'print CSV with a header instead of a table')
    .option(
      '--url <url>',
      'URL of the service (default: http:// with HOST and PORT, such as http://127.0.0.1:3000)',
    )
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
    // The reader of the output has ended, for example `| head`.
    if ((error as NodeJS.ErrnoException).code === 'EPIPE') return;
    throw explain(error, url, printed.count);
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
  format: Format;
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

function parseLimit(text: string): number {
  if (/^[1-9]\d{0,14}$/.test(text)) return Number(text);
  throw new InvalidArgumentError('It must be a whole number of at least 1.');
}

function keyOf({ secrets: { apiKey } }: Config): string {
  if (apiKey !== null) return apiKey;
  throw new UsageError(
    'Set TRANSACTIONS_API_KEY to the key of the account, in the environment or in .env. ' +
      '"transactions keys create" creates a key, and "transactions demo" prints one to try.',
  );
}

/** The URL of a service that was started with the same settings. */
function defaultUrl({ host, port }: Config): string {
  if (port === 0)
    throw new UsageError(
      'PORT is 0, so the port of the service is unknown. Give the URL of the service with --url.',
    );
  const reached = host === '0.0.0.0' || host === '::' ? '127.0.0.1' : host;
  return `http://${isIPv6(reached) ? `[${reached}]` : reached}:${port}`;
}

/** The option of a parameter: merchantReference is --merchant-reference. */
const optionOf = (parameter: string) =>
  `--${parameter.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;

/** The error with its remedy, and a line that says how much of the list was printed. */
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
      : [`The list is incomplete: it ends after ${printed.toLocaleString('en')} transactions.`];
  if (error instanceof TransactionsError) return new CommandFailed(explainService(error, url), ...incomplete);
  if (code !== undefined)
    return new CommandFailed(`The output can't be written, and is incomplete: ${message}.`);
  return error;
}

function explainService(error: TransactionsError, url: string): string {
  if (error instanceof AuthenticationError) {
    return `The service at ${url} does not accept the key in TRANSACTIONS_API_KEY: ${error.message}`;
  }
  if (error instanceof ConnectionError) {
    const { message, cause } = error.cause as Error;
    const reason = cause instanceof Error && cause.message !== '' ? cause.message : message;
    return `Can't connect to the service at ${url}: ${reason}. Start it with "transactions serve", or give another URL with --url.`;
  }
  // The message contains the URL.
  if (error instanceof TimeoutError) return `${error.message} Give another URL with --url.`;
  return `The service at ${url}: ${error.message}`;
}
