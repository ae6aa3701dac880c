import type { Command } from 'commander';
import { counted } from '../../../../values/counted.ts';
import { UsageError } from '../../../../values/failure.ts';
import { printResult } from '../../../../values/terminal/output.ts';
import { isSession } from '../../../keys/api-key.ts';
import { sessionEnded, sessionsEnded } from '../../../keys/keys.ts';
import { commandStamp } from '../../command-stamp.ts';
import { accountOption } from '../../identifier-options.ts';
import { loadConfig, withStoreForWriting } from '../../with-store.ts';
import { noSuchSession, parseSessionId, personOption } from './session-options.ts';

export function endCommand(sessions: Command): void {
  sessions
    .command('end')
    .description('end a session, or all sessions of a person')
    .argument('[session]', 'the id of the session (ses_...)', parseSessionId)
    .option(...accountOption('with --person: the account'))
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
