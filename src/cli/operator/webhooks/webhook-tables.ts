import type { formatFailure, formatWebhook } from '../../../webhooks/format-webhook.ts';
import { type Column, growingTable } from '../../terminal/growing-table.ts';
import { table } from '../../terminal/output.ts';

/** Tables fit a terminal of 80 columns. JSON has the whole values. */
const MAX_CHARACTERS = 80;
const MIN_NAME_CHARACTERS = 12;
const ERROR_CHARACTERS = 33;

const cut = (text: string, characters: number) => {
  const all = [...text];
  return all.length > characters ? `${all.slice(0, characters - 3).join('')}...` : text;
};

/** An endpoint as responses of the API show it; with its account in a list of several. */
export type ShownWebhook = ReturnType<typeof formatWebhook> & { headSequence: number; account?: string };

/** Of endpoints. A disabled one has the reason as its state, unless it was requested. */
const COLUMNS: readonly Column<ShownWebhook>[] = [
  { title: 'ID', text: ({ id }) => id },
  {
    title: 'STATE',
    text: ({ state, disabledReason: reason }) => (reason === null || reason === 'requested' ? state : reason),
  },
  {
    title: 'BEHIND',
    // After a restore, an endpoint can be ahead.
    text: ({ headSequence, acknowledgedSequence }) =>
      String(Math.max(0, headSequence - acknowledgedSequence)),
  },
  { title: 'FAILURES', text: ({ failureCount }) => String(failureCount) },
  {
    title: 'FAILING SINCE',
    text: ({ failingSince }) => (failingSince === null ? '-' : toTheMinute(failingSince)),
  },
];

/** An endpoint without a label has its URL there. */
const nameColumn = (characters: number): Column<ShownWebhook> => ({
  title: 'LABEL OR URL',
  text: ({ label, url }) => cut(label ?? url.replace(/^https?:\/\//i, ''), characters),
});

/** The lines of a table of endpoints of one account. The last column has the place that the others leave. */
export function webhookTable(shown: readonly ShownWebhook[]): string[] {
  const ofColumns = (columns: typeof COLUMNS, lineCharacters?: number) =>
    table(
      columns.map(({ title }) => title),
      shown.map((one) => columns.map(({ text }) => text(one))),
      lineCharacters,
    );
  const widest = Math.max(...ofColumns(COLUMNS, Number.POSITIVE_INFINITY).map((line) => line.length));
  return ofColumns([...COLUMNS, nameColumn(Math.max(MIN_NAME_CHARACTERS, MAX_CHARACTERS - widest - 2))]);
}

/** A table of endpoints of all accounts, by pages. */
export const webhooksOfAll = () =>
  growingTable<ShownWebhook>([
    { title: 'ACCOUNT', text: ({ account = '' }) => account },
    ...COLUMNS,
    nameColumn(MIN_NAME_CHARACTERS),
  ]);

const toTheMinute = (timestamp: string) => timestamp.replace(/:\d{2}\.\d{3}Z$/, 'Z');

export function failureTable(shown: readonly ReturnType<typeof formatFailure>[]): string[] {
  return table(
    ['SEQUENCE', 'ATTEMPTS', 'NEXT ATTEMPT', 'ERROR'],
    shown.map(({ sequence, attempts, nextAttemptAt, error }) => [
      String(sequence),
      String(attempts),
      nextAttemptAt ?? 'none',
      cut(error, ERROR_CHARACTERS),
    ]),
  );
}
