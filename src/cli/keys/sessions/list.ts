import type { Command } from 'commander';
import { jsonLinesOption } from '../../../../values/terminal/options.ts';
import { printNote } from '../../../../values/terminal/output.ts';
import { type Column, printPages } from '../../../../values/terminal/table.ts';
import type { Session } from '../../../keys/api-key.ts';
import type { SessionQuery } from '../../../keys/keys.ts';
import { formatListedSession } from '../../../keys/session.ts';
import type { Store } from '../../../store/store.ts';
import { accountOption, noteUnknown } from '../../identifier-options.ts';
import { pagesOfStore } from '../../pages-of-store.ts';
import { loadConfig, withStore } from '../../with-store.ts';
import { personOption } from './session-options.ts';

export function listSessionsCommand(sessions: Command): void {
  sessions
    .command('list')
    .description('list the sessions of an account, newest first, until a week after they expire')
    .requiredOption(...accountOption('the account'))
    .option(...personOption('only the sessions of this person'))
    .addOption(jsonLinesOption())
    .action(listSessions);
}

type Shown = ReturnType<typeof formatListedSession> & { madeBy: string | null };

const COLUMNS: readonly Column<Shown>[] = [
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
    const count = await printPages(shownPages(store, query), COLUMNS, json);
    if (count === 0 && !(await noteUnknown(store, account)) && !json)
      printNote(`The account ${account} has no sessions.`);
  });
}

async function* shownPages(store: Pick<Store, 'listSessions'>, query: SessionQuery): AsyncGenerator<Shown[]> {
  const pages = pagesOfStore<Session>((after, count) => store.listSessions(query, after, count));
  for await (const sessions of pages) {
    const nowMs = Date.now();
    yield sessions.map((session) => ({
      ...formatListedSession(session, nowMs),
      madeBy: session.session.madeBy,
    }));
  }
}
