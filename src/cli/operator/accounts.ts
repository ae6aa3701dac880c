import type { Command } from 'commander';
import type { Account } from '../../accounts/account.ts';
import type { Store } from '../../store/store.ts';
import { loadConfig } from '../load-config.ts';
import { type Column, growingTable } from '../terminal/growing-table.ts';
import { jsonLinesOption } from '../terminal/options.ts';
import { printManyResults, printNote } from '../terminal/output.ts';
import { withStore } from '../with-store.ts';

const PAGE_SIZE = 1000;

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
  const config = loadConfig();
  const listed = await withStore(config, async (store) => {
    const { lines } = growingTable(COLUMNS);
    let count = 0;
    for await (const accounts of accountPages(store)) {
      count += accounts.length;
      await printManyResults(...(json ? accounts.map((one) => JSON.stringify(one)) : lines(accounts)));
    }
    return count;
  });
  if (listed === 0) printNote('There are no accounts: nothing is recorded, and no account has a key.');
}

/** All accounts, by pages. */
async function* accountPages(store: Pick<Store, 'listAccounts'>): AsyncGenerator<Account[]> {
  for (let after: string | null = null; ; ) {
    const accounts = await store.listAccounts({ after, prefix: null }, PAGE_SIZE);
    const last = accounts.at(-1);
    if (last === undefined) return;
    yield accounts;
    if (accounts.length < PAGE_SIZE) return;
    after = last.account;
  }
}

/** Accounts are read that many at once. */
const ACCOUNTS_AT_ONCE = 50;

/** What `read` returns for each account, in their order. */
export async function* ofEachAccount<Result>(
  store: Pick<Store, 'listAccounts'>,
  read: (account: string) => Promise<Result>,
): AsyncGenerator<Result> {
  for await (const page of accountPages(store))
    for (let first = 0; first < page.length; first += ACCOUNTS_AT_ONCE)
      yield* await Promise.all(
        page.slice(first, first + ACCOUNTS_AT_ONCE).map(({ account }) => read(account)),
      );
}
