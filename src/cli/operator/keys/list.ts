import type { Command } from 'commander';
import type { ApiKey } from '../../../keys/api-key.ts';
import { formatListedKey } from '../../../keys/format-key.ts';
import type { Store } from '../../../store/store.ts';
import { loadConfig } from '../../load-config.ts';
import { type Column, growingTable } from '../../terminal/growing-table.ts';
import { jsonLinesOption } from '../../terminal/options.ts';
import { printManyResults, printNote } from '../../terminal/output.ts';
import { withStore } from '../../with-store.ts';
import { accountOption } from '../identifier-options.ts';

export function listCommand(keys: Command): void {
  keys
    .command('list')
    .description('list the properties of keys by account, but not the keys themselves')
    .option(...accountOption('only the keys of this account'))
    .addOption(jsonLinesOption())
    .action(listKeys);
}

const PAGE_SIZE = 1000;

const COLUMNS: readonly Column<ReturnType<typeof listed>>[] = [
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
  const config = loadConfig();
  const count = await withStore(config, async (store) => {
    const { lines } = growingTable(COLUMNS);
    let printed = 0;
    for await (const keys of keyPages(store, account)) {
      const nowMs = Date.now();
      const shown = keys.map((key) => listed(key, nowMs));
      await printManyResults(...(json ? shown.map((one) => JSON.stringify(one)) : lines(shown)));
      printed += shown.length;
    }
    return printed;
  });
  if (count === 0 && !json)
    printNote(account === null ? 'There are no keys.' : `The account ${account} has no keys.`);
}

const listed = (key: ApiKey, nowMs: number) => ({
  ...formatListedKey(key, nowMs),
  accountPrefix: key.accountPrefix,
});

async function* keyPages(
  store: Pick<Store, 'listApiKeys'>,
  account: string | null,
): AsyncGenerator<ApiKey[]> {
  for (let after: ApiKey | null = null; ; ) {
    const keys: ApiKey[] = await store.listApiKeys(account, after, PAGE_SIZE);
    if (keys.length > 0) yield keys;
    if (keys.length < PAGE_SIZE) return;
    after = keys.at(-1) as ApiKey;
  }
}
