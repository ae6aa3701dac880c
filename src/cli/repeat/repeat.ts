import type { Command } from 'commander';
import { counted } from '../../../values/counted.ts';
import { CommandFailed } from '../../../values/failure.ts';
import { readLines } from '../../../values/read-lines.ts';
import { printNote, printResult } from '../../../values/terminal/output.ts';
import { explainUnreadable, readInput } from '../../../values/terminal/read-input.ts';
import { type AuditEntry, formatAudit } from '../../audit/audit.ts';
import { findHoles, type Hole } from '../../operate/repeat/find-holes.ts';
import { namesAudit, type ReadEntry, readAuditLine } from '../../operate/repeat/read-audit.ts';
import { endEverySession, repeatChanges } from '../../operate/repeat/repeat-changes.ts';
import { commandStamp } from '../command-stamp.ts';
import { loadConfig, withStoreForWriting } from '../with-store.ts';

export function repeatCommand(audit: Command): void {
  audit
    .command('repeat')
    .description(
      'after a restore: end every session, repeat the revocations and deletions that are in the files but not in the database, and list the changes that a person must repeat',
    )
    .argument(
      '<files...>',
      'the log of the service, or the output of "transactions audit --json"; "-" for standard input',
    )
    .action(repeatAudit);
}

async function repeatAudit(files: readonly string[]): Promise<void> {
  const config = loadConfig();
  const read: ReadEntry[] = [];
  let unread = 0;
  for (const file of files) unread += await readEntries(file, read);
  const entries = [...new Map(read.map((entry) => [entry.id, entry])).values()];
  if (entries.length === 0 && unread === 0)
    throw new CommandFailed(
      'The files have no entry of an audit trail. They are the log of the service, or the output of "transactions audit --json".',
    );
  let repeated = 0;
  let left = 0;
  let holes: readonly Hole[] = [];
  const known = await withStoreForWriting(config, async (store) => {
    holes = await findHoles(read, store);
    const ended = await endEverySession({ store, stamp: commandStamp });
    if (ended > 0)
      printResult(
        `Ended: ${counted(ended, 'session')}, so people must open the page from the platform again.`,
      );
    return repeatChanges(entries, {
      store,
      stamp: commandStamp,
      onRepeated: (entry) => {
        repeated++;
        printResult(`Repeated: ${describe(entry)}.`);
      },
      onLeft: (entry, advice) => {
        left++;
        printResult(`Left: ${describe(entry)}: ${advice}`);
      },
    });
  });
  printNote(
    `${counted(entries.length, 'entry', 'entries')} read: ${known} in this database already, ${repeated} repeated, ${left} left to do by hand.`,
  );
  if (!entries.some(({ via }) => via === 'command'))
    printNote(
      'No entry is from a command, such as "transactions keys revoke": the log of the service has no entries of commands. Add the output of "transactions audit --json" that was stored last, or look through "transactions keys list" for keys that were revoked since the backup.',
    );
  for (const hole of holes) printResult(`Missing: ${describeHole(hole)}.`);
  if (unread > 0)
    throw new CommandFailed(
      `${counted(unread, 'line')} with the id of an entry could not be read, and ${unread === 1 ? 'its change was' : 'their changes were'} not repeated.`,
    );
  if (holes.length > 0)
    throw new CommandFailed(
      'The files lack entries that the log had, and their changes were not repeated. Find the lines of these times, such as in the rotated files or at the log collector, and run the command again with all files. If the lines are lost, look through "transactions keys list" and the endpoints for what was ended since the backup, and end it again.',
    );
}

function describeHole({ id, at, log, fromNumber, toNumber }: Hole): string {
  const numbers = fromNumber === toNumber ? `number ${toNumber}` : `numbers ${fromNumber} to ${toNumber}`;
  return `${id} at ${at}, ${numbers} of the log ${log}`;
}

function describe(entry: AuditEntry): string {
  const { at, actor, action, subject, account } = formatAudit(entry);
  return [action, subject, `of ${account} at ${at}`, actor === null ? '' : `by ${actor}`]
    .filter(Boolean)
    .join(' ');
}

async function readEntries(file: string, entries: ReadEntry[]): Promise<number> {
  let unreadLines = 0;
  try {
    for await (const lines of readLines(readInput(file), '', Number.POSITIVE_INFINITY))
      for (const line of lines) {
        const entry = readAuditLine(line);
        if (entry !== undefined) entries.push(entry);
        else if (namesAudit(line)) unreadLines++;
      }
  } catch (error) {
    throw explainUnreadable(error, file, 'read');
  }
  return unreadLines;
}
