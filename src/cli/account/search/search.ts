import type { Command } from 'commander';
import { type SearchPage, type SearchQuery, TransactionsClient } from '../../../../client/src/index.ts';
import {
  isMatch,
  readSearch,
  type SearchTerms,
  searchQuery,
} from '../../../ledger/search/text/read-search.ts';
import { formatDay } from '../../../values/calendar.ts';
import { dayOfZone, UTC } from '../../../values/time-zone.ts';
import { printNote } from '../../terminal/output.ts';
import { optionOf, type ServiceOf } from '../api-client.ts';
import { withAllFilters, withPaidDays } from '../filter-options.ts';
import { type OutputOptions, printTransactions, withOutputOptions } from '../list/print-transactions.ts';

export function searchCommand(program: Command, serviceOf: ServiceOf): void {
  const search = program
    .command('search')
    .description(
      'print the transactions of an amount, a day of payment, or a part of a reference or a detail, newest first',
    )
    .argument(
      '[text]',
      'as a person writes it: a part of the reference, the merchantReference or a detail (3 characters or more, in upper or lower case, with or without accents), an amount, a day of payment, or several together',
    )
    .option('--amount <amount>', 'only transactions of exactly this amount, such as 49.90')
    .option('--amount-from <amount>', 'only transactions of this amount or more')
    .option('--amount-to <amount>', 'only transactions of this amount or less');
  withOutputOptions(withAllFilters(withPaidDays(search))).action((text, options) =>
    searchTransactions({ ...options, text }, serviceOf),
  );
}

async function searchTransactions(
  { limit, json, csv, relatedTo, details, url, allowHttp, ...query }: SearchQuery & OutputOptions,
  serviceOf: ServiceOf,
): Promise<void> {
  const { text, ...options } = query;
  const zone = options.timeZone ?? UTC;
  const terms = readSearch(text ?? '', formatDay(dayOfZone(zone, Date.now())));
  const read = text === undefined ? undefined : searchQuery(terms, zone);
  const service = await serviceOf({ url, allowHttp });
  const client = new TransactionsClient(service);
  for (const note of notesOf(read, terms)) printNote(note);
  await printTransactions(
    matching(client.transactions.searchPages({ ...(read ?? { text }), ...options }), terms),
    { limit, json, csv, relatedTo, details, timeZone: options.timeZone },
    {
      what: 'search',
      serviceUrl: service.url,
      progressOf: ({ searchedBackTo }) => `, searched back to ${searchedBackTo}`,
    },
  );
}

/** How a text was read that is more than words, as options, and how its other meaning is written. */
function notesOf(query: SearchQuery | undefined, { words, others }: SearchTerms): string[] {
  const { text: _, timeZone: __, ...terms } = query ?? {};
  const options = Object.entries(terms).map(([name, value]) => `${optionOf(name)} ${value}`);
  return [
    ...(options.length === 0 ? [] : [`Searching with ${[...words, ...options].join(' ')}.`]),
    ...(others.length === 0
      ? []
      : [`The text can also mean something else: search for ${others.map(argument).join(' or ')}.`]),
  ];
}

/** A text as an argument, which is no option. */
const argument = (text: string) => `${text.startsWith('-') ? '-- ' : ''}"${text}"`;

/** What was found without what the query could not say. */
async function* matching(pages: AsyncIterable<SearchPage>, terms: SearchTerms): AsyncGenerator<SearchPage> {
  for await (const page of pages) yield { ...page, data: page.data.filter((one) => isMatch(one, terms)) };
}
