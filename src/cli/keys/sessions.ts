import type { Command } from 'commander';
import { counted } from '../../../values/counted.ts';
import { CommandFailed, UsageError } from '../../../values/failure.ts';
import { REASON_MAX_CHARACTERS } from '../../../values/interface/limits.ts';
import { mappedPages, pagesOf } from '../../../values/pages.ts';
import { quote } from '../../../values/quote.ts';
import { SCOPES } from '../../../values/scopes.ts';
import { jsonLinesOption, jsonOption } from '../../../values/terminal/options.ts';
import { printNote, printResult } from '../../../values/terminal/output.ts';
import { type Column, printPages } from '../../../values/terminal/table.ts';
import { isKnownAccount } from '../../accounts/account.ts';
import { DEFAULT_SCOPES, explainLabel, isSession, type Session } from '../../keys/api-key.ts';
import { sessionCreated, sessionEnded, sessionsEnded } from '../../keys/keys.ts';
import { parseGrace } from '../../keys/roll-key.ts';
import {
  explainPerson,
  formatCreatedSession,
  formatListedSession,
  isSessionId,
  makeSession,
  SESSION_SECONDS,
} from '../../keys/session.ts';
import { secureRandomBytes } from '../../service/random-bytes.ts';
import { commandStamp } from '../command-stamp.ts';
import { accountOption, noteNew, noteUnknown } from '../identifier-options.ts';
import { loadConfig, withStore, withStoreForWriting } from '../with-store.ts';
import { parseScopes, parseText } from './key-options.ts';

export function sessionsCommand(program: Command): void {
  const sessions = program
    .command('sessions')
    .description('create, list and end sessions, with which people look at an account');
  for (const add of [createSessionCommand, listSessionsCommand, endCommand]) add(sessions);
}

const DEFAULT_LIFETIME = '8h';

function createSessionCommand(sessions: Command): void {
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
  const scopes = parseScopes(options.scopes, 'account');
  const expiresInMs = parseLifetime(options.expires);
  const config = loadConfig();
  const wanted = { account, person, reason, scopes, expiresInMs, maker: null };
  const { code, stored, isKnown } = await withStoreForWriting(config, async (store) => {
    const stamp = commandStamp();
    const made = makeSession(wanted, stamp.atMs, secureRandomBytes);
    const known = await isKnownAccount(store, account);
    await store.createApiKey(made.stored, sessionCreated(made.stored, stamp));
    return { ...made, isKnown: known };
  });
  if (!isKnown) noteNew(account, 'end the session');
  const created = formatCreatedSession(stored, code, config.publicUrl);
  printResult(json ? JSON.stringify(created) : (created.url ?? code));
  printNote(
    `The ${created.url === null ? 'code' : 'address'} works once, until ${created.codeExpiresAt}. The session lasts until ${created.expiresAt}. To end it: transactions sessions end ${stored.id}`,
  );
}

function listSessionsCommand(sessions: Command): void {
  sessions
    .command('list')
    .description(
      'list the sessions of an account, newest first. A session is listed until a week after it expires',
    )
    .requiredOption(...accountOption('the account'))
    .option(...personOption('only the sessions of this person'))
    .addOption(jsonLinesOption())
    .action(listSessions);
}

const COLUMNS: readonly Column<ReturnType<typeof listed>>[] = [
  { title: 'ID', text: ({ id }) => id },
  { title: 'PERSON', text: ({ person }) => person },
  { title: 'SCOPES', text: ({ scopes }) => scopes.join(',') },
  { title: 'STATE', text: ({ state }) => state },
  { title: 'CREATED', text: ({ createdAt }) => createdAt },
  { title: 'OPENED', text: ({ openedAt }) => openedAt ?? 'not opened' },
  { title: 'EXPIRES', text: ({ expiresAt }) => expiresAt },
  { title: 'REASON', text: ({ reason }) => reason ?? '' },
  { title: 'MADE BY', text: ({ madeBy }) => madeBy ?? 'staff or a command' },
];

interface ListOptions {
  account: string;
  person?: string;
  json?: true;
}

async function listSessions({ account, person, json }: ListOptions): Promise<void> {
  const query = { account, person: person ?? null };
  await withStore(loadConfig(), async (store) => {
    const pages = pagesOf<Session>((after, count) => store.listSessions(query, after, count));
    const count = await printPages(mappedPages(pages, listed), COLUMNS, json);
    if (count === 0 && !(await noteUnknown(store, account)) && !json)
      printNote(`The account ${account} has no sessions.`);
  });
}

const listed = (session: Session) => ({
  ...formatListedSession(session, Date.now()),
  madeBy: session.session.madeBy,
});

function endCommand(sessions: Command): void {
  sessions
    .command('end')
    .description('end a session, or all sessions of a person')
    .argument('[session]', 'the id of the session (ses_...)', parseSessionId)
    .option(...accountOption("the account of the person's sessions (only with --person)"))
    .option(...personOption('end all sessions of this person'))
    .action(endSessions);
}

async function endSessions(
  id: string | undefined,
  { account, person }: { account?: string; person?: string },
): Promise<void> {
  if (id !== undefined && account === undefined && person === undefined) await endOne(id);
  else if (id === undefined && account !== undefined && person !== undefined) await endAll(account, person);
  else
    throw new UsageError(
      'Write the id of a session, or --account ID and --person TEXT for all sessions of a person.',
    );
}

async function endOne(id: string): Promise<void> {
  const session = await withStoreForWriting(loadConfig(), async (store) => {
    const found = await store.retrieveApiKey(id);
    if (found === undefined || !isSession(found)) throw noSuchSession(id);
    const stamp = commandStamp();
    const end = { account: found.account, person: null, id, nowMs: stamp.atMs };
    await store.endSessions(end, sessionEnded(found, stamp));
    return found;
  });
  printResult(`${id} of account ${session.account} has ended.`);
}

async function endAll(account: string, person: string): Promise<void> {
  const ended = await withStoreForWriting(loadConfig(), (store) => {
    const stamp = commandStamp();
    const end = { account, person, id: null, nowMs: stamp.atMs };
    return store.endSessions(end, sessionsEnded(account, person, stamp));
  });
  printResult(`${counted(ended.length, 'session')} of account ${account} ended.`);
}

const parsePerson = parseText('person', explainPerson);
const parseReason = parseText('reason', (text) => explainLabel(text, REASON_MAX_CHARACTERS));

export const personOption = (what: string) => ['--person <text>', what, parsePerson] as const;

function parseLifetime(text: string): number {
  const { least, most } = SESSION_SECONDS;
  const lifetimeMs = parseGrace(text) ?? 0;
  if (lifetimeMs >= least * 1000 && lifetimeMs <= most * 1000) return lifetimeMs;
  throw new UsageError(
    `--expires cannot be ${quote(text)}; write a number with s, m or h, such as 30m or 8h, from ${least}s to ${most / 3600}h.`,
  );
}

function parseSessionId(text: string): string {
  if (isSessionId(text)) return text;
  throw new UsageError(
    'This is not the id of a session, which is ses_ and 16 characters, as "transactions sessions list" shows it.',
  );
}

const noSuchSession = (id: string) =>
  new CommandFailed(`No session has the id ${id}. "transactions sessions list" shows those of an account.`);
