import type { Command } from 'commander';
import type { AuditEntry } from '../../../audit/audit.ts';
import { formatAudit } from '../../../audit/format-audit.ts';
import { readAuditLine } from '../../../operate/repeat/read-audit.ts';
import { repeatChanges } from '../../../operate/repeat/repeat-changes.ts';
import { CommandFailed } from '../../../values/failure.ts';
import { loadConfig } from '../../load-config.ts';
import { printNote, printResult } from '../../terminal/output.ts';
import { readInput } from '../../terminal/read-input.ts';
import { counted } from '../../terminal/text.ts';
import { withStoreForWriting } from '../../with-store.ts';
import { commandStamp } from '../command-stamp.ts';

export function repeatCommand(audit: Command): void {
  audit
    .command('repeat')
    .description(
      'after a restore: revoke, end, disable and delete again what the lost changes of files did, and list what a person has to do',
    )
    .argument(
      '<files...>',
      'the log of the service, or the output of "transactions audit --json"; "-" for standard input',
    )
    .action(repeatAudit);
}

async function repeatAudit(files: readonly string[]): Promise<void> {
  const config = loadConfig();
  const entries: AuditEntry[] = [];
  for (const file of files) entries.push(...(await readEntries(file)));
  if (entries.length === 0)
    throw new CommandFailed(
      'The files have no entry of an audit trail. They are the log of the service, or the output of "transactions audit --json".',
    );
  let repeated = 0;
  let left = 0;
  const known = await withStoreForWriting(config, (store) =>
    repeatChanges(entries, {
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
    }),
  );
  printNote(
    `${counted(entries.length, 'entry', 'entries')}: ${known} in this database already, ${repeated} repeated, ${left} left to do by hand.`,
  );
}

function describe(entry: AuditEntry): string {
  const { at, actor, action, subject, account } = formatAudit(entry);
  return `${action} ${subject ?? ''} of ${account} at ${at}${actor === null ? '' : ` by ${actor}`}`.replace(
    '  ',
    ' ',
  );
}

async function readEntries(file: string): Promise<AuditEntry[]> {
  const entries: AuditEntry[] = [];
  const noteLine = (line: string) => {
    const entry = readAuditLine(line);
    if (entry !== undefined) entries.push(entry);
  };
  let rest = '';
  const decoder = new TextDecoder();
  for await (const piece of readInput(file)) {
    const lines = (rest + decoder.decode(piece, { stream: true })).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) noteLine(line);
  }
  noteLine(rest);
  return entries;
}
