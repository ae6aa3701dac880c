import type { Command } from 'commander';
import { formatTimestamp } from '../../../values/calendar.ts';
import { CommandFailed } from '../../../values/failure.ts';
import { printNote, printResult } from '../../../values/terminal/output.ts';
import { openCopyReader, openCopyTarget } from '../../store/open-store.ts';
import { loadConfig, printDatabase, readerOf } from '../with-store.ts';

export function reopenCommand(program: Command): void {
  program
    .command('reopen')
    .description('make a moved database usable again: remove the mark that "transactions copy" left in it')
    .addHelpText(
      'after',
      `
This database lacks what the other database has recorded since the move. Stop the service of the other database first: if a service
records into each of the two databases, both give the same numbers to different changes.`,
    )
    .action(reopen);
}

async function reopen(): Promise<void> {
  const { databaseUrl } = loadConfig();
  const reader = readerOf(await openCopyReader(databaseUrl), 'reopen');
  const mark = await reader.readMark().finally(() => reader.close());
  printDatabase({ databaseUrl });
  if (mark === undefined) return printNote('The database is not marked as moved.');
  if (mark.state === 'copying')
    throw new CommandFailed(
      `The database was not moved: it is the target of a copy of ${mark.other} that has not ended. Run that copy again until it ends.`,
    );
  const writer = await openCopyTarget(databaseUrl);
  await writer.unmark().finally(() => writer.close());
  printResult(
    `The database can be used again. It was moved to ${mark.other} at ${formatTimestamp(mark.sinceMs)}: what was recorded there since is missing here.`,
  );
}
