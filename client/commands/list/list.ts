import type { Command } from 'commander';
import { type ClientOptions, type ListFilters, type ListPage, TransactionsClient } from '../../src/index.ts';
import type { ServiceOf } from '../api-client.ts';
import { withFilters } from '../filter-options.ts';
import { type OutputOptions, printTransactions, queryOf, withOutputOptions } from './print-transactions.ts';

export function listCommand(program: Command, serviceOf: ServiceOf): void {
  const list = program.command('list').description('print the transactions of the account, newest first');
  withOutputOptions(withFilters(list)).action((options) => listTransactions(options, serviceOf));
}

async function listTransactions(options: ListFilters & OutputOptions, serviceOf: ServiceOf): Promise<void> {
  const service = await serviceOf(options);
  await printTransactions(pagesOf(service, queryOf<ListFilters>(options)), options, {
    what: 'list',
    serviceUrl: service.url,
    progressOf: ({ data }) => (data.length === 0 ? '' : `, down to ${data.at(-1)?.createdAt}`),
  });
}

async function* pagesOf(client: ClientOptions, filters: ListFilters): AsyncGenerator<ListPage> {
  const started = new TransactionsClient({ ...client, maxRetries: 1 }).transactions.list(filters);
  const first = await started.page();
  yield first;
  const rest = new TransactionsClient(client).transactions.resume(started.toJSON());
  for (let { hasMore } = first; hasMore; ) {
    const page = await rest.page();
    yield page;
    ({ hasMore } = page);
  }
}
