import type { Command } from 'commander';
import { stateOfApiKey } from '../../../keys/api-key.ts';
import { timeOrNull } from '../../../values/calendar.ts';
import { loadConfig } from '../../load-config.ts';
import { jsonLinesOption } from '../../terminal/json-options.ts';
import { printManyResults, printNote, printResult, table } from '../../terminal/output.ts';
import { withStore } from '../../with-store.ts';
import { accountOf } from '../identifier-options.ts';
import { formatKey } from './format-key.ts';

export function listCommand(keys: Command): void {
  keys
    .command('list')
    .description('list the properties of keys, but not the keys themselves')
    .option('--account <id>', 'only the keys of this account')
    .addOption(jsonLinesOption())
    .action(listKeys);
}

async function listKeys(options: { account?: string; json?: true }): Promise<void> {
  const account = options.account === undefined ? null : accountOf(options.account);
  const config = loadConfig();
  const keys = await withStore(config, (store) => store.listApiKeys(account));
  const nowMs = Date.now();
  const shown = keys.map((key) => ({
    ...formatKey(key),
    state: stateOfApiKey(key, nowMs),
    revokedAt: timeOrNull(key.revokedAtMs),
    rolledAt: timeOrNull(key.rolledAtMs),
    lastUsedAt: timeOrNull(key.lastUsedAtMs),
  }));
  if (options.json) {
    await printManyResults(...shown.map((one) => JSON.stringify(one)));
  } else if (shown.length === 0) {
    printNote(account === null ? 'There are no keys.' : `The account ${account} has no keys.`);
  } else {
    printResult(
      ...table(
        ['ID', 'KEY', 'ACCOUNT', 'SCOPES', 'STATE', 'CREATED', 'EXPIRES', 'LAST USED', 'LABEL'],
        shown.map((one) => [
          one.id,
          `${one.keyStart}...`,
          `${one.accountPrefix ?? ''}${one.account}`,
          one.scopes.join(','),
          one.state,
          one.createdAt,
          one.expiresAt ?? 'never',
          one.lastUsedAt ?? 'never',
          one.label ?? '',
        ]),
      ),
    );
  }
}
