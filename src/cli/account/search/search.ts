import type { Command } from 'commander';
import { type SearchPage, type SearchQuery, TransactionsClient } from '../../../../client/src/index.ts';
import {
  isMatch,
  readSearch,
  type SearchTerms,
  searchQuery,
} from '../../../ledger/search/text/read-search.ts';
import { formatDay } from '../../../values/days.ts';
import { dayOfZone, UTC } from '../../../values/time-zone.ts';
import { printNote } from '../../terminal/output.ts';
import { optionOf, type Service, type ServiceOf } from '../api-client.ts';
import { withAllFilters, withPaidDays } from '../filter-options.ts';
import { type OutputOptions, printTransactions, withOutputOptions } from '../list/print-transactions.ts';
import { ServiceClock } from './service-clock.ts';

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
  const service = await serviceOf({ url, allowHttp });
  await printTransactions(
    searched(query, service),
    { limit, json, csv, relatedTo, details, timeZone: query.timeZone },
    {
      what: 'search',
      serviceUrl: service.url,
      progressOf: ({ searchedBackTo }) => `, searched back to ${searchedBackTo}`,
    },
  );
}

/**
 * The pages of a search. What a text says of today and yesterday is of the day of the service, which its first response has: if this device
 * has another one, the text is read and searched for again.
 */
async function* searched({ text, ...options }: SearchQuery, service: Service): AsyncGenerator<SearchPage> {
  const clock = new ServiceClock();
  const client = new TransactionsClient({ ...service, fetch: clock.fetch });
  const zone = options.timeZone ?? UTC;
  const today = () => formatDay(dayOfZone(zone, clock.nowMs()));
  for (let day = ''; day !== today(); ) {
    day = today();
    const terms = readSearch(text ?? '', day);
    const read = text === undefined ? undefined : searchQuery(terms, zone);
    const pages = client.transactions.searchPages({ ...(read ?? { text }), ...options });
    let isFirst = true;
    for await (const page of pages) {
      if (isFirst && day !== today()) break;
      if (isFirst) for (const note of [...clock.notes(), ...notesOf(read, terms)]) printNote(note);
      isFirst = false;
      // Without what the query could not say.
      yield { ...page, data: page.data.filter((one) => isMatch(one, terms)) };
    }
    if (!isFirst) return;
  }
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
