import type { Command } from 'commander';
import { LABEL_MAX_CHARACTERS } from '../../../values/interface/limits.ts';
import { SCOPES } from '../../../values/scopes.ts';
import { jsonOption } from '../../../values/terminal/options.ts';
import { printNote, printResult } from '../../../values/terminal/output.ts';
import { isKnownAccount } from '../../accounts/account.ts';
import { DEFAULT_SCOPES, formatKey, kindOfAccount, makeApiKey } from '../../keys/api-key.ts';
import { keyCreated } from '../../keys/keys.ts';
import { secureRandomBytes } from '../../service/random-bytes.ts';
import { commandStamp } from '../command-stamp.ts';
import { accountOption } from '../identifier-options.ts';
import { loadConfig, withStoreForWriting } from '../with-store.ts';
import { ownerOf, parseAccountPrefix, parseExpiry, parseLabel, parseScopes } from './key-options.ts';

const scopesText = (kind: keyof typeof SCOPES) =>
  `${SCOPES[kind].join(', ')} (default: ${DEFAULT_SCOPES[kind].join(',')})`;
const SCOPES_TEXT = `${scopesText('account')}; with --operator ${scopesText('operator')}`;

export function createKeyCommand(keys: Command): void {
  keys
    .command('create')
    .description('create a key for an account and print it. It cannot be printed again')
    .option(...accountOption('the account that the key gives access to'))
    .option('--operator', "create a key for the operator's interface, not for an account")
    .option('--label <text>', `what the key is for, at most ${LABEL_MAX_CHARACTERS} characters`, parseLabel)
    .option('--scopes <list>', `the scopes of the key, separated by commas: ${SCOPES_TEXT}`)
    .option('--account-prefix <text>', 'with --operator: only for the accounts that begin with this text')
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
  const scopes = options.scopes === undefined ? DEFAULT_SCOPES[kind] : parseScopes(options.scopes, kind);
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

  if (!isKnown)
    printNote(
      `The account ${account} is new: no transaction of it is recorded, and it had no key. If that is a mistake, revoke the key.`,
    );
  printResult(
    options.json ? JSON.stringify({ ...formatKey(stored), accountPrefix: stored.accountPrefix, key }) : key,
  );
  printNote(
    `This is the only time that the key is shown. Its id is ${id}. To revoke it: transactions keys revoke ${id}`,
  );
}
