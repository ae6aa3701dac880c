import type { Command } from 'commander';
import { formatDay } from '../../../values/calendar.ts';
import { UsageError } from '../../../values/failure.ts';
import { printNote } from '../../../values/terminal/output.ts';
import { dayOfZone, UTC } from '../../../values/time-zone.ts';
import {
  isMatch,
  readSearch,
  type SearchTerms,
  searchQuery,
  type WrittenStatus,
} from '../../search-text/read-search.ts';
import { type SearchPage, type SearchQuery, TransactionsClient } from '../../src/index.ts';
import { optionOf, type Service, type ServiceOf } from '../api-client.ts';
import { timeZoneFaults, withFilters, withPaidDays } from '../filter-options.ts';
import {
  type OutputOptions,
  printTransactions,
  queryOf,
  withOutputOptions,
} from '../list/print-transactions.ts';
import { ServiceClock } from './service-clock.ts';

export function searchCommand(program: Command, serviceOf: ServiceOf): void {
  const search = program
    .command('search')
    .description(
      'print the transactions with a given amount, a given day of payment, or a given text in a reference or a detail, newest first',
    )
    .argument(
      '[text]',
      'what to find, as a person writes it: an amount, a day of payment, a part of the reference, of the merchantReference or of a detail (3 characters or more, case and accents do not matter), or several of these',
    )
    .option('--amount <amount>', 'only transactions of exactly this amount, such as 49.90')
    .option('--amount-from <amount>', 'only transactions of this amount or more')
    .option('--amount-to <amount>', 'only transactions of this amount or less');
  withOutputOptions(withFilters(withPaidDays(search))).action((text, options) =>
    searchTransactions({ ...options, text }, serviceOf),
  );
}

async function searchTransactions(options: SearchQuery & OutputOptions, serviceOf: ServiceOf): Promise<void> {
  const faults = timeZoneFaults(options.timeZone);
  if (faults.length > 0) throw new UsageError(...faults);
  const service = await serviceOf(options);
  await printTransactions(searched(queryOf<SearchQuery>(options), service), options, {
    what: 'search',
    serviceUrl: service.url,
    progressOf: ({ searchedBackTo }) => `, searched back to ${searchedBackTo}`,
  });
}

/** Words such as "yesterday" depend on the service's clock, which is read from the first response. */
async function* searched({ text, ...options }: SearchQuery, service: Service): AsyncGenerator<SearchPage> {
  const clock = new ServiceClock();
  const client = new TransactionsClient({ ...service, fetch: clock.fetch });
  if (text === undefined) return yield* client.transactions.searchPages(options);
  const zone = options.timeZone ?? UTC;
  const statuses = await statusesIn(text, client);
  const today = formatDay(dayOfZone(zone, clock.nowMs()));
  const asStatus = readSearch(text, today, undefined, statuses);
  const isList = asStatus.status !== undefined && searchQuery(asStatus, zone) === undefined;
  const terms = isList ? readSearch(text, today) : asStatus;
  const query = searchQuery(terms, zone);
  const notes = [...clock.notes(), ...notesOf(query, terms), ...(isList ? [listNote(asStatus)] : [])];
  for await (const page of client.transactions.searchPages({ ...(query ?? { text }), ...options })) {
    for (const note of notes.splice(0)) printNote(note);
    yield { ...page, data: page.data.filter((one) => isMatch(one, terms)) };
  }
}

async function statusesIn(text: string, client: TransactionsClient): Promise<WrittenStatus[]> {
  const { data } = await client.totals();
  const statuses = [...new Set(data.map(({ status }) => status))].map((status) => ({
    status,
    isPaid: true,
    written: [status.replaceAll('_', ' ')],
  }));
  const { status } = readSearch(text, formatDay(0), undefined, statuses);
  if (status === undefined) return [];
  const {
    data: [newest],
  } = await client.transactions.page({ status });
  return statuses
    .filter((one) => one.status === status)
    .map((one) => ({ ...one, isPaid: newest?.paidAt != null }));
}

function listNote({ status, day, from = day }: SearchTerms): string {
  const days = day === undefined ? '' : ` --from ${from} --to ${day}`;
  return `The text can also name a status: "transactions list --status ${status}${days}" prints the transactions in this status.`;
}

function notesOf(query: SearchQuery | undefined, { words, currency, others }: SearchTerms): string[] {
  const { text: _, timeZone: __, ...terms } = query ?? {};
  const options = Object.entries(terms).map(([name, value]) => `${optionOf(name)} ${value}`);
  const parts = [...words, ...options];
  const isUnclear = currency !== undefined && currency.codes.length > 1;
  const inCurrency = isUnclear ? `, in any currency written "${currency.written}"` : '';
  return [
    ...(options.length === 0 && words.length < 2 ? [] : [`Searching with ${parts.join(' ')}${inCurrency}.`]),
    ...(others.length === 0
      ? []
      : [`The text can also mean something else: search for ${others.map(argument).join(' or ')}.`]),
  ];
}

/** After `--`, a text that begins with a hyphen is not read as an option. */
const argument = (text: string) => `${text.startsWith('-') ? '-- ' : ''}"${text}"`;
