import type { Command } from 'commander';
import {
  explainLabel,
  hasApiKeyForm,
  hashApiKey,
  isKeyId,
  isWellFormedApiKey,
  LABEL_MAX_CHARACTERS,
  makeApiKey,
  OPERATOR_ACCOUNT,
  stateOfApiKey,
} from '../core/access/api-key.ts';
import { DAY_MS, formatTimestamp, parseDay, parseTimestamp } from '../core/calendar.ts';
import { quote } from '../core/quote.ts';
import { explainIdentifier, isIdentifier } from '../core/transaction.ts';
import { CommandFailed, UsageError } from './failure.ts';
import { loadConfig } from './load-config.ts';
import { printNote, printResult, table } from './output.ts';
import { secureRandomBytes } from './random-bytes.ts';
import { withStore, withStoreForWriting } from './with-store.ts';

export function keysCommand(program: Command): void {
  const keys = program.command('keys').description('create, list and revoke API keys');

  keys
    .command('create')
    .description('create a key for an account and print it, this one time')
    .option('--account <id>', 'the account that the key gives access to')
    .option('--operator', "create a key for the operator's interface, which records for every account")
    .option('--label <text>', `what the key is for, at most ${LABEL_MAX_CHARACTERS} characters`)
    .option(
      '--expires <date>',
      'the UTC day or time from which the key is refused: YYYY-MM-DD or YYYY-MM-DDTHH:MM:SSZ',
    )
    .option('--json', 'print the key and its properties as JSON')
    .action(createKey);

  keys
    .command('list')
    .description('list the properties of keys, but not the keys themselves')
    .option('--account <id>', 'only the keys of this account')
    .option('--json', 'print a JSON array')
    .action(listKeys);

  keys
    .command('revoke')
    .description('revoke a key')
    .argument('<key>', 'the id of the key (key_...), or the key itself')
    .action(revokeKey);
}

async function createKey(options: {
  account?: string;
  operator?: true;
  label?: string;
  expires?: string;
  json?: true;
}): Promise<void> {
  const nowMs = Date.now();
  const account = ownerOf(options);
  const label = options.label === undefined ? null : labelOf(options.label);
  const expiresAtMs = options.expires === undefined ? null : expiryOf(options.expires, nowMs);
  const config = loadConfig();

  const { key, stored } = makeApiKey({ account, label, expiresAtMs }, nowMs, secureRandomBytes);
  const { id } = stored;
  await withStoreForWriting(config, (store) => store.createApiKey(stored));

  if (options.json) {
    printResult(
      JSON.stringify({
        id,
        account,
        key,
        label,
        createdAt: formatTimestamp(nowMs),
        expiresAt: timeOrNull(expiresAtMs),
      }),
    );
    return;
  }
  printResult(key);
  printNote(
    `This is the only time that the key is shown. Its id is ${id}. To revoke it: transactions keys revoke ${id}`,
  );
}

async function listKeys(options: { account?: string; json?: true }): Promise<void> {
  const account = options.account === undefined ? null : accountOf(options.account);
  const config = loadConfig();
  const keys = await withStore(config, (store) => store.listApiKeys(account));
  const nowMs = Date.now();
  const shown = keys.map((key) => ({
    id: key.id,
    account: key.account,
    label: key.label,
    state: stateOfApiKey(key, nowMs),
    createdAt: formatTimestamp(key.createdAtMs),
    expiresAt: timeOrNull(key.expiresAtMs),
    revokedAt: timeOrNull(key.revokedAtMs),
    lastUsedAt: timeOrNull(key.lastUsedAtMs),
  }));
  if (options.json) {
    printResult(JSON.stringify(shown));
  } else if (shown.length === 0) {
    printNote(account === null ? 'There are no keys.' : `The account ${account} has no keys.`);
  } else {
    printResult(
      ...table(
        ['ID', 'ACCOUNT', 'STATE', 'CREATED', 'EXPIRES', 'LAST USED', 'LABEL'],
        shown.map(({ id, account: owner, state, createdAt, expiresAt, lastUsedAt, label }) => [
          id,
          owner,
          state,
          createdAt,
          expiresAt ?? 'never',
          lastUsedAt ?? 'never',
          label ?? '',
        ]),
      ),
    );
  }
}

/** Revokes a key by its id, or by the key itself, for a user who has only the leaked key. The key is not printed. */
async function revokeKey(text: string): Promise<void> {
  const isKey = isWellFormedApiKey(text, 'account') || isWellFormedApiKey(text, 'operator');
  if (!isKey && !isKeyId(text))
    throw new UsageError(
      'This is not the id of a key, which is key_ and 16 characters, as "transactions keys list" shows it. The key itself is accepted too.',
    );
  const config = loadConfig();
  const revoked = await withStoreForWriting(config, async (store) => {
    const id = isKey ? (await store.findApiKey(hashApiKey(text)))?.id : text;
    return id === undefined ? undefined : store.revokeApiKey(id, Date.now());
  });
  if (revoked === undefined) {
    const which = isKey ? 'This key does not exist in this database' : `No key has the id ${text}`;
    throw new CommandFailed(`${which}. "transactions keys list" shows all keys.`);
  }
  printResult(`${revoked.id} of account ${revoked.account} is revoked.`);
}

function accountOf(text: string): string {
  if (hasApiKeyForm(text))
    throw new UsageError(
      'The value of --account is an API key. Write the id of an account, such as "store-1".',
    );
  if (!isIdentifier(text)) throw new UsageError(`The account ${explainIdentifier(text)}.`);
  return text;
}

/** The owner of a new key: exactly one of the two options is required. */
function ownerOf({ account, operator }: { account?: string; operator?: true }): string {
  if ((account === undefined) === (operator === undefined)) {
    throw new UsageError(
      'Add --account ID for the key of an account, or --operator for a key of the operator.',
    );
  }
  return account === undefined ? OPERATOR_ACCOUNT : accountOf(account);
}

function labelOf(text: string): string {
  const fault = explainLabel(text);
  if (fault !== undefined) throw new UsageError(`The label ${fault}.`);
  return text;
}

function expiryOf(text: string, nowMs: number): number {
  const day = parseDay(text);
  const expiresAtMs = day === undefined ? parseTimestamp(text) : day * DAY_MS;
  if (expiresAtMs === undefined) {
    throw new UsageError(
      `${quote(text)} is not a date. Write a UTC day as YYYY-MM-DD or a time as YYYY-MM-DDTHH:MM:SSZ.`,
    );
  }
  if (expiresAtMs <= nowMs)
    throw new UsageError(`${text} has passed. A key that expires then could never be used.`);
  return expiresAtMs;
}

function timeOrNull(timeMs: number | null): string | null {
  return timeMs === null ? null : formatTimestamp(timeMs);
}
