import type { Command } from 'commander';
import { inGroups, READS_AT_ONCE } from '../../values/in-groups.ts';
import { pagesOf } from '../../values/pages.ts';
import { jsonLinesOption } from '../../values/terminal/options.ts';
import { printNote } from '../../values/terminal/output.ts';
import { type Column, printPages } from '../../values/terminal/table.ts';
import type { Account } from '../accounts/account.ts';
import type { Store } from '../store/store.ts';
import { loadConfig, withStore } from './with-store.ts';

const COLUMNS: readonly Column<Account>[] = [
  { title: 'ACCOUNT', text: ({ account }) => account },
  { title: 'LAST CHANGE', text: ({ headSequence }) => String(headSequence), isNumber: true },
];

export function accountsCommand(program: Command): void {
  program
    .command('accounts')
    .description('list the accounts with the number of their last change')
    .addOption(jsonLinesOption())
    .action(listAccounts);
}

async function listAccounts({ json }: { json?: true }): Promise<void> {
  const count = await withStore(loadConfig(), (store) => printPages(accountPages(store), COLUMNS, json));
  if (count === 0) printNote('There are no accounts: nothing is recorded, and no account has a key.');
}

const accountPages = (store: Pick<Store, 'listAccounts'>): AsyncIterable<Account[]> =>
  pagesOf((last, count) => store.listAccounts({ after: last?.account ?? null, prefix: null }, count));

export async function* ofEachAccount<Result>(
  store: Pick<Store, 'listAccounts'>,
  read: (account: string) => Promise<Result>,
): AsyncGenerator<Result> {
  for await (const page of accountPages(store))
    yield* await inGroups(page, READS_AT_ONCE, ({ account }) => read(account));
}
