import type { Command } from 'commander';
import { type SearchQuery, TransactionsClient } from '../../../../client/src/index.ts';
import { readWrittenAmount } from '../../../values/written-amount.ts';
import type { ServiceOf } from '../api-client.ts';
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
      'a part of the reference, the merchantReference or a detail: 3 to 64 characters, in upper or lower case, with or without accents',
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
  const text = query.text ?? '';
  const amounts = /^\d+$/.test(text) ? [] : readWrittenAmount(text);
  const service = await serviceOf({ url, allowHttp });
  const client = new TransactionsClient(service);
  await printTransactions(
    client.transactions.searchPages(query),
    { limit, json, csv, relatedTo, details },
    {
      what: 'search',
      client,
      hint:
        amounts.length === 0
          ? undefined
          : `A text is looked for in references. To find an amount, use --amount ${amounts.join(' or --amount ')}.`,
      serviceUrl: service.url,
      progressOf: ({ searchedBackTo }) => `searched back to ${searchedBackTo}`,
    },
  );
}
