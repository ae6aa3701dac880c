import type { Command } from 'commander';
import { REASON_MAX_CHARACTERS } from '../../../../values/interface/limits.ts';
import { SCOPES } from '../../../../values/scopes.ts';
import { jsonOption } from '../../../../values/terminal/options.ts';
import { printNote, printResult } from '../../../../values/terminal/output.ts';
import { isKnownAccount } from '../../../accounts/account.ts';
import { DEFAULT_SCOPES } from '../../../keys/api-key.ts';
import { sessionCreated } from '../../../keys/keys.ts';
import { formatCreatedSession, makeSession } from '../../../keys/session.ts';
import { secureRandomBytes } from '../../../service/random-bytes.ts';
import { commandStamp } from '../../command-stamp.ts';
import { accountOption } from '../../identifier-options.ts';
import { loadConfig, withStoreForWriting } from '../../with-store.ts';
import { parseScopes } from '../key-options.ts';
import { parseLifetime, parseReason, personOption } from './session-options.ts';

const DEFAULT_LIFETIME = '8h';

export function createSessionCommand(sessions: Command): void {
  sessions
    .command('create')
    .description(
      'create a session and print its address, or its code if PUBLIC_URL is not set. Neither can be printed again',
    )
    .requiredOption(...accountOption('the account that the person looks at'))
    .requiredOption(...personOption('the name of the person at the platform'))
    .option(
      '--scopes <list>',
      `the scopes of the session, separated by commas: ${SCOPES.account.join(', ')} (default: ${DEFAULT_SCOPES.account.join(',')})`,
    )
    .option(
      '--expires <time>',
      `how long the session lasts: 30m, ${DEFAULT_LIFETIME}, at most 12h`,
      DEFAULT_LIFETIME,
    )
    .option('--reason <text>', `why, at most ${REASON_MAX_CHARACTERS} characters`, parseReason)
    .addOption(jsonOption('the session and its properties'))
    .action(createSession);
}

interface CreateOptions {
  account: string;
  person: string;
  scopes?: string;
  expires: string;
  reason?: string;
  json?: true;
}

async function createSession(options: CreateOptions): Promise<void> {
  const { account, person, reason = null, json } = options;
  const scopes =
    options.scopes === undefined ? DEFAULT_SCOPES.account : parseScopes(options.scopes, 'account');
  const expiresInMs = parseLifetime(options.expires);
  const config = loadConfig();
  const wanted = { account, person, reason, scopes, expiresInMs, maker: null };
  const { code, stored, isKnown } = await withStoreForWriting(config, async (store) => {
    // The time is read after the database was opened, because opening it can take a while.
    const stamp = commandStamp();
    const made = makeSession(wanted, stamp.atMs, secureRandomBytes);
    const known = await isKnownAccount(store, account);
    await store.createApiKey(made.stored, sessionCreated(made.stored, stamp));
    return { ...made, isKnown: known };
  });
  if (!isKnown)
    printNote(
      `The account ${account} is new: no transaction of it is recorded, and it had no key. If that is a mistake, end the session.`,
    );
  const created = formatCreatedSession(stored, code, config.publicUrl);
  printResult(json ? JSON.stringify(created) : (created.url ?? code));
  printNote(
    `It works once, until ${created.codeExpiresAt}. The session lasts until ${created.expiresAt}. To end it: transactions sessions end ${stored.id}`,
  );
}
