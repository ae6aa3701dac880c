import type { Command } from 'commander';
import { jsonLinesOption } from '../../../values/terminal/options.ts';
import { printNote } from '../../../values/terminal/output.ts';
import { type Column, printPages } from '../../../values/terminal/table.ts';
import type { ApiKey } from '../../keys/api-key.ts';
import { formatListedKey } from '../../keys/api-key.ts';
import type { Store } from '../../store/store.ts';
import { accountOption, noteUnknown } from '../identifier-options.ts';
import { pagesOfStore } from '../pages-of-store.ts';
import { loadConfig, withStore } from '../with-store.ts';

export function listKeysCommand(keys: Command): void {
  keys
    .command('list')
    .description('list the properties of keys by account, but not the keys themselves')
    .option(...accountOption('only the keys of this account'))
    .addOption(jsonLinesOption())
    .action(listKeys);
}

type Shown = ReturnType<typeof listed>;

const COLUMNS: readonly Column<Shown>[] = [
  { title: 'ID', text: ({ id }) => id },
  { title: 'KEY', text: ({ keyStart }) => `${keyStart}...` },
  { title: 'ACCOUNT', text: ({ accountPrefix, account }) => `${accountPrefix ?? ''}${account}` },
  { title: 'SCOPES', text: ({ scopes }) => scopes.join(',') },
  { title: 'STATE', text: ({ state }) => state },
  { title: 'CREATED', text: ({ createdAt }) => createdAt },
  { title: 'EXPIRES', text: ({ expiresAt }) => expiresAt ?? 'never' },
  { title: 'LAST USED', text: ({ lastUsedAt }) => lastUsedAt ?? 'never' },
  { title: 'LABEL', text: ({ label }) => label ?? '' },
];

async function listKeys({ account = null, json }: { account?: string | null; json?: true }): Promise<void> {
  await withStore(loadConfig(), async (store) => {
    const count = await printPages(shownPages(store, account), COLUMNS, json);
    if (count > 0 || (account !== null && (await noteUnknown(store, account))) || json) return;
    printNote(account === null ? 'There are no keys.' : `The account ${account} has no keys.`);
  });
}

const listed = (key: ApiKey, nowMs: number) => ({
  ...formatListedKey(key, nowMs),
  accountPrefix: key.accountPrefix,
});

async function* shownPages(
  store: Pick<Store, 'listApiKeys'>,
  account: string | null,
): AsyncGenerator<Shown[]> {
  for await (const keys of pagesOfStore<ApiKey>((after, count) => store.listApiKeys(account, after, count))) {
    const nowMs = Date.now();
    yield keys.map((key) => listed(key, nowMs));
  }
}
