import type { Command } from 'commander';
import type { AccountLister } from '../../accounts/account.ts';
import {
  hasApiKeyForm,
  hashApiKey,
  kindOfAccount,
  LABEL_MAX_CHARACTERS,
  makeApiKey,
  stateOfApiKey,
} from '../../keys/api-key.ts';
import { DEFAULT_GRACE } from '../../keys/roll-key.ts';
import { DEFAULT_SCOPES, SCOPES } from '../../keys/scopes.ts';
import { secureRandomBytes } from '../../service/random-bytes.ts';
import { CommandFailed, UsageError } from '../../values/failure.ts';
import { loadConfig } from '../load-config.ts';
import { printNote, printResult, table } from '../terminal/output.ts';
import { withStore, withStoreForWriting } from '../with-store.ts';
import {
  accountOf,
  accountPrefixOf,
  createdFields,
  expiryOf,
  isKey,
  labelOf,
  ownerOf,
  refuseOtherThanKeyId,
  scopesOf,
  timeOrNull,
} from './key-options.ts';
import { rollKey } from './roll-key.ts';

/** A key is shorter. */
const MAX_INPUT_CHARACTERS = 1000;

const scopesText = (kind: keyof typeof SCOPES) =>
  `${SCOPES[kind].join(', ')} (${DEFAULT_SCOPES[kind].join(',')} if not given)`;
const SCOPES_TEXT = `${scopesText('account')}; with --operator ${scopesText('operator')}`;

export function keysCommand(program: Command): void {
  const keys = program.command('keys').description('create, list, roll and revoke API keys');

  keys
    .command('create')
    .description('create a key for an account and print it, this one time')
    .option('--account <id>', 'the account that the key gives access to')
    .option('--operator', "create a key for the operator's interface, which records for every account")
    .option('--label <text>', `what the key is for, at most ${LABEL_MAX_CHARACTERS} characters`)
    .option('--scopes <list>', `what the key can do, with commas between: ${SCOPES_TEXT}`)
    .option('--account-prefix <text>', 'with --operator: only for the accounts that begin with this text')
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
    .command('roll')
    .description('replace a key: print a new one, this one time, and let the old one end by itself')
    .argument('<key>', 'the id of the key (key_...)')
    .option('--grace <time>', 'how long the old key is accepted: 0, 90s, 30m, 24h or 7d', DEFAULT_GRACE)
    .option('--expires <date>', 'when the new key expires; otherwise it gets the same lifetime')
    .option('--json', 'print the new key and its properties as JSON')
    .action(rollKey);

  keys
    .command('revoke')
    .description('revoke a key')
    .argument('<key>', 'the id of the key (key_...), or "-" to read the key itself from standard input')
    .action(revokeKey);
}

async function createKey(options: {
  account?: string;
  operator?: true;
  label?: string;
  scopes?: string;
  accountPrefix?: string;
  expires?: string;
  json?: true;
}): Promise<void> {
  const nowMs = Date.now();
  const account = ownerOf(options);
  const kind = kindOfAccount(account);
  const label = options.label === undefined ? null : labelOf(options.label);
  const scopes = options.scopes === undefined ? DEFAULT_SCOPES[kind] : scopesOf(options.scopes, kind);
  const accountPrefix =
    options.accountPrefix === undefined ? null : accountPrefixOf(options.accountPrefix, kind);
  const expiresAtMs = options.expires === undefined ? null : expiryOf(options.expires, nowMs);
  const config = loadConfig();

  const wanted = { account, label, scopes, accountPrefix, expiresAtMs };
  const { key, stored } = makeApiKey(wanted, nowMs, secureRandomBytes);
  const { id } = stored;
  const isKnown = await withStoreForWriting(config, async (store) => {
    const known = kind === 'operator' || (await isKnownAccount(store, account, nowMs));
    await store.createApiKey(stored);
    return known;
  });

  if (!isKnown)
    printNote(
      `The account ${account} is new: no transaction of it is recorded, and it had no key. If that is a mistake, revoke the key.`,
    );
  if (options.json) {
    printResult(JSON.stringify({ ...createdFields(stored), key }));
    return;
  }
  printResult(key);
  printNote(
    `This is the only time that the key is shown. Its id is ${id}. To revoke it: transactions keys revoke ${id}`,
  );
}

/** Of the accounts that begin with the name of an account, it is the first. */
async function isKnownAccount(store: AccountLister, account: string, nowMs: number): Promise<boolean> {
  const [first] = await store.listAccounts({ after: null, prefix: account, nowMs }, 1);
  return first?.account === account;
}

async function listKeys(options: { account?: string; json?: true }): Promise<void> {
  const account = options.account === undefined ? null : accountOf(options.account);
  const config = loadConfig();
  const keys = await withStore(config, (store) => store.listApiKeys(account));
  const nowMs = Date.now();
  const shown = keys.map((key) => ({
    ...createdFields(key),
    state: stateOfApiKey(key, nowMs),
    revokedAt: timeOrNull(key.revokedAtMs),
    rolledAt: timeOrNull(key.rolledAtMs),
    lastUsedAt: timeOrNull(key.lastUsedAtMs),
  }));
  if (options.json) {
    printResult(JSON.stringify(shown));
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

/** Revokes a key by its id, or the key that standard input has, for a user who has only the leaked key. The key is not printed. */
async function revokeKey(text: string): Promise<void> {
  if (hasApiKeyForm(text))
    throw new UsageError(
      'Other users can see the arguments of a command, and the shell stores them. Write "-" and send the key to standard input, or write the id of the key.',
    );
  if (text !== '-') refuseOtherThanKeyId(text);
  const config = loadConfig();
  const key = text === '-' ? await keyFromInput() : null;
  const revoked = await withStoreForWriting(config, async (store) => {
    const id = key === null ? text : (await store.findApiKey(hashApiKey(key)))?.id;
    return id === undefined ? undefined : store.revokeApiKey(id, Date.now());
  });
  if (revoked === undefined) {
    const which = key === null ? `No key has the id ${text}` : 'This key does not exist in this database';
    throw new CommandFailed(`${which}. "transactions keys list" shows all keys.`);
  }
  printResult(`${revoked.id} of account ${revoked.account} is revoked.`);
}

/** The key on the first line of standard input. */
async function keyFromInput(): Promise<string> {
  if (process.stdin.isTTY) printNote('Paste the key and press Enter.');
  let text = '';
  for await (const piece of process.stdin.setEncoding('utf8')) {
    text += piece;
    if (text.includes('\n') || text.length > MAX_INPUT_CHARACTERS) break;
  }
  const key = text.split('\n', 1)[0]?.trim() ?? '';
  if (!isKey(key))
    throw new UsageError('Standard input does not have an API key: one line, as it was shown.');
  return key;
}
