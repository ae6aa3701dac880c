import { counted } from '../../../values/counted.ts';
import { quote } from '../../../values/quote.ts';
import type { Behind, CopyEnd } from '../../operate/copy/copy.ts';
import type { Contradiction } from '../../operate/copy/copy-context.ts';

export type Output = 'text' | 'json';

type EndOf<End extends CopyEnd['end']> = Extract<CopyEnd, { end: End }>;

export function behindLine({ changes, accounts, seconds }: Behind, output: Output): string {
  if (output === 'json')
    return JSON.stringify({ behind: { changes, accounts, seconds: Math.round(seconds * 1000) / 1000 } });
  return changes === 0
    ? 'Nothing behind.'
    : `${counted(changes, 'change')} in ${counted(accounts, 'account')} behind, ${seconds.toFixed(1)} s.`;
}

export function reportCopied(
  { copied, found, compared, pausedMs, tookMs }: EndOf<'equal'>,
  names: { source: string; target: string },
  output: Output,
): string[] {
  const { accounts, changes } = compared;
  const seconds = { copying: tookMs / 1000, paused: pausedMs === null ? null : pausedMs / 1000 };
  if (output === 'json') return [JSON.stringify({ copied, found, compared: { accounts, changes }, seconds })];
  return [
    `Copied ${counted(copied.changes, 'change')} and ${counted(copied.records, 'record')} from ${names.source} to ${names.target} in ${seconds.copying.toFixed(0)} s.`,
    ...foundBefore(found),
    `The source and the target have the same last change and the same seal of each account: ${counted(accounts, 'account')} with ${counted(changes, 'change')}.`,
    ...(seconds.paused === null ? [] : [`Nothing could be recorded for ${seconds.paused.toFixed(1)} s.`]),
  ];
}

const foundBefore = (found: number): string[] =>
  found === 0 ? [] : [`The target had ${counted(found, 'change')} already.`];

export function contradictionLine(contradiction: Contradiction, output: Output): string {
  const { account, place, source, target } = contradiction;
  return output === 'json'
    ? JSON.stringify({ contradiction })
    : `account ${quote(account)}, ${place}: the source has ${source}; the target has ${target}`;
}

export function explainEnd(end: Exclude<CopyEnd, EndOf<'equal'>>): string[] {
  if (end.end === 'stopped')
    return [
      `The copy was stopped after ${counted(end.copied.changes, 'change')}. Run the command again: it copies the rest.`,
      ...foundBefore(end.found),
    ];
  return [
    end.table === null
      ? `The source still records: ${counted(end.changes, 'change')} came while the rest was copied.`
      : `The source is still used: rows of ${end.table} changed while the rest was copied.`,
    'Stop its service, or run the command without --keep-source. Until the copy ends, no service can use the target.',
  ];
}
