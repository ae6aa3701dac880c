import type { ComparedSides } from '../../../operate/copy/compare-sides.ts';
import type { Contradiction, Contradictions } from '../../../operate/copy/contradiction.ts';
import type { CopyEnd, CopyProgress } from '../../../operate/copy/copy.ts';
import type { Behind } from '../../../operate/copy/follow-source.ts';
import { counted, number } from '../../../values/counted.ts';
import { quote } from '../../../values/quote.ts';

export type Output = 'text' | 'json';

type EndOf<End extends CopyEnd['end']> = Extract<CopyEnd, { end: End }>;

export function progressText(progress: CopyProgress): string {
  switch (progress.step) {
    case 'copying':
      return `Copied ${number(progress.copied.changes)} of ${counted(progress.missing, 'change')}`;
    case 'comparing':
      return `Comparing: ${counted(progress.compared.accounts, 'account')}, ${counted(progress.compared.transactions, 'transaction')} so far`;
    case 'verifying':
      return `Verifying the target: ${counted(progress.verified.accounts, 'account')}, ${counted(progress.verified.transactions, 'transaction')} so far`;
  }
}

export function behindLine(behind: Behind, output: Output): string {
  const { changes, accounts, seconds, compared } = behind;
  if (output === 'json')
    return JSON.stringify({ behind: { changes, accounts, seconds: rounded(seconds) }, compared });
  const what =
    changes === 0
      ? 'Nothing behind.'
      : `${counted(changes, 'change')} in ${counted(accounts, 'account')} behind, ${seconds.toFixed(1)} s.`;
  return `${what} ${number(compared.accounts)} of ${counted(compared.of, 'account')} compared.`;
}

const rounded = (seconds: number) => Math.round(seconds * 1000) / 1000;

export function reportCopied(
  { copied, compared, comparedWhileFollowing: earlier, verified, seconds }: EndOf<'equal'>,
  names: { source: string; target: string },
  output: Output,
): string[] {
  if (output === 'json') {
    const comparedWhileFollowing = earlier && {
      accounts: earlier.accounts,
      transactions: earlier.transactions,
      since: new Date(earlier.sinceMs).toISOString(),
    };
    return [JSON.stringify({ copied, compared, comparedWhileFollowing, verified, seconds })];
  }
  const what = earlier === null ? 'both' : 'the rest of both';
  const now = `${countedSides(compared)}, ${counted(verified.apiKeys, 'key')}, ${counted(verified.idempotencyKeys, 'idempotency key')}, ${counted(verified.webhooks, 'webhook')}`;
  return [
    `Copied ${counted(copied.changes, 'change')} and ${counted(copied.records, 'record')} from ${names.source} to ${names.target} in ${seconds.copying.toFixed(0)} s, and compared ${what} in ${seconds.comparing.toFixed(0)} s.`,
    ...(earlier === null
      ? [`Both are equal: ${now}. The target has no disagreement.`]
      : [
          `Compared now, and equal: ${now}.`,
          `Compared while following, since ${new Date(earlier.sinceMs).toISOString()}, and equal then: ${countedSides(earlier)}. No change of these accounts was recorded since.`,
          'No disagreement of the target was found.',
        ]),
  ];
}

const countedSides = ({ accounts, transactions }: ComparedSides) =>
  `${counted(accounts, 'account')}, ${counted(transactions, 'transaction')}`;

export function explainContradictions(contradictions: Contradictions, output: Output): string[] {
  const { kept, count } = contradictions;
  if (output === 'json')
    return [
      ...kept.map((contradiction) => JSON.stringify({ contradiction })),
      JSON.stringify({ contradictions: count }),
    ];
  const more = count - kept.length;
  return [...kept.map(lineOf), ...(more === 0 ? [] : [`and ${number(more)} more`])];
}

function lineOf({ account, place, source, target }: Contradiction): string {
  const owner = account === null ? '' : `account ${quote(account)}, `;
  return `${owner}${place}: the source has ${source}; the target has ${target}`;
}

export function explainEnd(end: Exclude<CopyEnd, EndOf<'equal'>>): string[] {
  switch (end.end) {
    case 'stopped':
      return [
        `The copy was stopped after ${counted(end.copied.changes, 'change')}. Run the command again: it copies the rest.`,
      ];
    case 'source changed':
      return explainSourceChanged(end);
    case 'disagreements':
      return [
        `The target has ${counted(end.count, 'disagreement')}, and stays marked as a copy that has not ended. Run "transactions verify" on the source.`,
      ];
  }
}

function explainSourceChanged({ changes, records }: EndOf<'source changed'>): string[] {
  const found = [
    ...(changes > 0 ? [counted(changes, 'change')] : []),
    ...(records > 0 ? [`${counted(records, 'record')} of keys, exports or webhooks`] : []),
  ];
  return [
    `The source still records: ${found.join(' and ')} came after the comparison.`,
    'Stop the service of the source, and run the command again. Until then, no service can use the target.',
  ];
}
