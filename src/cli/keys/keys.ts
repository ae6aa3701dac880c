import type { Command } from 'commander';
import { formatTimestamp, timeOrNull } from '../../../values/calendar.ts';
import { OPERATOR_ACCOUNT } from '../../../values/caller.ts';
import { CommandFailed, UsageError } from '../../../values/failure.ts';
import { LABEL_MAX_CHARACTERS } from '../../../values/interface/limits.ts';
import { mappedPages, pagesOf } from '../../../values/pages.ts';
import { quote } from '../../../values/quote.ts';
import { SCOPES } from '../../../values/scopes.ts';
import { jsonLinesOption, jsonOption } from '../../../values/terminal/options.ts';
import { printNote, printResult } from '../../../values/terminal/output.ts';
import { readFirstLine } from '../../../values/terminal/read-input.ts';
import { type Column, printPages } from '../../../values/terminal/table.ts';
import { isKnownAccount } from '../../accounts/account.ts';
import {
  type ApiKey,
  DEFAULT_SCOPES,
  formatKey,
  formatListedKey,
  hasApiKeyForm,
  hashApiKey,
  isSession,
  isWellFormedApiKey,
  kindOfAccount,
  makeApiKey,
} from '../../keys/api-key.ts';
import { keyCreated, keyRevoked, sessionEnded } from '../../keys/keys.ts';
import { DEFAULT_GRACE, GRACE_FORM, parseGrace, rollKey as roll } from '../../keys/roll-key.ts';
import { secureRandomBytes } from '../../service/random-bytes.ts';
import { commandStamp } from '../command-stamp.ts';
import { accountOption, noteNew, noteUnknown } from '../identifier-options.ts';
import { loadConfig, withStore, withStoreForWriting } from '../with-store.ts';
import {
  noSuchKey,
  ownerOf,
  parseAccountPrefix,
  parseExpiry,
  parseKeyId,
  parseLabel,
  parseScopes,
} from './key-options.ts';

export function keysCommand(program: Command): void {
  const keys = program.command('keys').description('create, list, roll and revoke API keys');
  for (const add of [createKeyCommand, listKeysCommand, rollCommand, revokeCommand]) add(keys);
}

const scopesText = (kind: keyof typeof SCOPES) =>
  `${SCOPES[kind].join(', ')} (default: ${DEFAULT_SCOPES[kind].join(',')})`;
const SCOPES_TEXT = `${scopesText('account')}; with --operator: ${scopesText('operator')}`;

function createKeyCommand(keys: Command): void {
  keys
    .command('create')
    .description('create a key for an account and print it. It cannot be printed again')
    .option(...accountOption('the account that the key gives access to'))
    .option('--operator', "create a key for the operator's interface, not for an account")
    .option('--label <text>', `what the key is for, at most ${LABEL_MAX_CHARACTERS} characters`, parseLabel)
    .option('--scopes <list>', `the scopes of the key, separated by commas: ${SCOPES_TEXT}`)
    .option(
      '--account-prefix <text>',
      'with --operator: limit the key to the accounts that begin with this text',
    )
    .option(
      '--expires <date>',
      'the UTC day or time from which the key is refused: YYYY-MM-DD or YYYY-MM-DDTHH:MM:SSZ',
      parseExpiry,
    )
    .addOption(jsonOption('the key and its properties'))
    .action(createKey);
}

interface CreateOptions {
  account?: string;
  operator?: true;
  label?: string;
  scopes?: string;
  accountPrefix?: string;
  expires?: number;
  json?: true;
}

async function createKey(options: CreateOptions): Promise<void> {
  const { label = null, expires: expiresAtMs = null } = options;
  const account = ownerOf(options);
  const kind = kindOfAccount(account);
  const scopes = parseScopes(options.scopes, kind);
  const accountPrefix =
    options.accountPrefix === undefined ? null : parseAccountPrefix(options.accountPrefix, kind);
  const config = loadConfig();

  const wanted = { account, label, scopes, accountPrefix, expiresAtMs };
  const { key, stored } = makeApiKey(wanted, Date.now(), secureRandomBytes);
  const { id } = stored;
  const isKnown = await withStoreForWriting(config, async (store) => {
    const known = kind === 'operator' || (await isKnownAccount(store, account));
    await store.createApiKey(stored, keyCreated(stored, commandStamp()));
    return known;
  });

  if (!isKnown) noteNew(account, 'revoke the key');
  printResult(
    options.json ? JSON.stringify({ ...formatKey(stored), accountPrefix: stored.accountPrefix, key }) : key,
  );
  printNote(
    `This is the only time that the key is shown. Its id is ${id}. To revoke it: transactions keys revoke ${id}`,
  );
}

function listKeysCommand(keys: Command): void {
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
    const pages = pagesOf<ApiKey>((after, count) => store.listApiKeys(account, after, count));
    const count = await printPages(mappedPages(pages, listed), COLUMNS, json);
    if (count > 0 || (account !== null && (await noteUnknown(store, account))) || json) return;
    printNote(account === null ? 'There are no keys.' : `The account ${account} has no keys.`);
  });
}

const listed = (key: ApiKey) => ({
  ...formatListedKey(key, Date.now()),
  accountPrefix: key.accountPrefix,
});

function rollCommand(keys: Command): void {
  keys
    .command('roll')
    .description(
      'replace a key: print a new key, which cannot be printed again. The old key expires after the time in --grace',
    )
    .argument('<key>', 'the id of the key (key_...)', parseKeyId)
    .option('--grace <time>', 'how long the old key is accepted: 0, 90s, 30m, 24h or 7d', DEFAULT_GRACE)
    .option(
      '--expires <date>',
      'when the new key expires (default: it gets the same lifetime as the old key)',
      parseExpiry,
    )
    .addOption(jsonOption('the new key and its properties'))
    .action(rollKey);
}

async function rollKey(id: string, options: { grace: string; expires?: number; json?: true }): Promise<void> {
  const graceMs = parseGrace(options.grace);
  if (graceMs === undefined)
    throw new UsageError(`--grace cannot be ${quote(options.grace)}; ${GRACE_FORM}.`);
  const config = loadConfig();

  const rolled = await withStoreForWriting(config, async (store) => {
    const old = await store.retrieveApiKey(id);
    if (old === undefined) throw noSuchKey(`No key has the id ${id}`);
    // The time is read after the database was opened, because opening it can take a while.
    return roll(store, old, { graceMs, expiresAtMs: options.expires }, commandStamp(), secureRandomBytes);
  });
  if (rolled === undefined) {
    throw new CommandFailed(
      `The key ${id} is revoked or has expired, so it cannot be rolled. Create a new one with "transactions keys create".`,
    );
  }

  const { key, created, old } = rolled;
  const endsAt = timeOrNull(old.expiresAtMs);
  const replaced = { id, expiresAt: endsAt };
  printResult(
    options.json
      ? JSON.stringify({ ...formatKey(created), accountPrefix: created.accountPrefix, key, replaced })
      : key,
  );
  printNote(
    `This is the only time that the new key is shown. Its id is ${created.id}. The old key, ${id}, is accepted until ${endsAt}. To revoke the new one: transactions keys revoke ${created.id}`,
  );
}

function revokeCommand(keys: Command): void {
  keys
    .command('revoke')
    .description('revoke a key')
    .argument('<key>', 'the id of the key (key_...), or "-" to read the key itself from standard input')
    .action(revokeKey);
}

async function revokeKey(text: string): Promise<void> {
  if (hasApiKeyForm(text))
    throw new UsageError(
      'Other users can see the arguments of a command, and the shell stores them. Write "-" and send the key to standard input, or write the id of the key.',
    );
  if (text !== '-') parseKeyId(text);
  const config = loadConfig();
  const key = text === '-' ? await keyFromInput() : null;
  const revoked = await withStoreForWriting(config, async (store) => {
    const found = await (key === null ? store.retrieveApiKey(text) : store.findApiKey(hashApiKey(key)));
    if (found === undefined) return undefined;
    const stamp = commandStamp();
    const { account, id } = found;
    if (isSession(found))
      await store.endSessions({ account, person: null, id, nowMs: stamp.atMs }, sessionEnded(found, stamp));
    const ended = isSession(found)
      ? found
      : await store.revokeApiKey(id, stamp.atMs, keyRevoked(found, stamp));
    return ended && { account, id, atMs: ended.revokedAtMs ?? stamp.atMs, nowMs: stamp.atMs };
  });
  if (revoked === undefined)
    throw noSuchKey(key === null ? `No key has the id ${text}` : 'This key does not exist in this database');
  const { id, account, atMs, nowMs } = revoked;
  const owner = account === OPERATOR_ACCOUNT ? 'the operator' : `account ${account}`;
  printResult(
    atMs === nowMs
      ? `${id} of ${owner} is revoked.`
      : `${id} of ${owner} was revoked already, at ${formatTimestamp(atMs)}.`,
  );
}

async function keyFromInput(): Promise<string> {
  if (process.stdin.isTTY) printNote('Paste the key and press Enter.');
  const key = await readFirstLine();
  if (!isKey(key))
    throw new UsageError('Standard input does not have an API key: one line, as it was shown.');
  return key;
}

const isKey = (text: string) => isWellFormedApiKey(text, 'account') || isWellFormedApiKey(text, 'operator');
