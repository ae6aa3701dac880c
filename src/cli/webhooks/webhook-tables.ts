import { type Column, table } from '../../../values/terminal/table.ts';
import type { formatFailure, formatWebhook } from '../../webhooks/webhook.ts';

/** Tables fit a terminal of 80 columns, so long values are cut. JSON has the whole values. */
const MAX_CHARACTERS = 80;
const MIN_NAME_CHARACTERS = 12;
const ERROR_CHARACTERS = 33;

const cut = (text: string, characters: number) => {
  const all = [...text];
  return all.length > characters ? `${all.slice(0, characters - 3).join('')}...` : text;
};

/** Only a list of several accounts has `account`. */
export type ShownWebhook = ReturnType<typeof formatWebhook> & { headSequence: number; account?: string };

const COLUMNS: readonly Column<ShownWebhook>[] = [
  { title: 'ID', text: ({ id }) => id },
  {
    title: 'STATE',
    text: ({ state, disabledReason: reason }) => (reason === null || reason === 'requested' ? state : reason),
  },
  {
    title: 'BEHIND',
    // After a restore, an endpoint can have acknowledged changes that the database lacks.
    text: ({ headSequence, acknowledgedSequence }) =>
      String(Math.max(0, headSequence - acknowledgedSequence)),
  },
  { title: 'FAILURES', text: ({ failureCount }) => String(failureCount) },
  {
    title: 'FAILING SINCE',
    text: ({ failingSince }) => (failingSince === null ? '-' : toTheMinute(failingSince)),
  },
];

const nameColumn = (characters: number): Column<ShownWebhook> => ({
  title: 'LABEL OR URL',
  text: ({ label, url }) => cut(label ?? url.replace(/^https?:\/\//i, ''), characters),
});

/** The last column gets the remaining width. */
export function webhookTable(shown: readonly ShownWebhook[]): string[] {
  const widest = Math.max(...table(COLUMNS, shown, Number.POSITIVE_INFINITY).map(({ length }) => length));
  const name = nameColumn(Math.max(MIN_NAME_CHARACTERS, MAX_CHARACTERS - widest - 2));
  return table([...COLUMNS, name], shown);
}

export const COLUMNS_OF_ALL: typeof COLUMNS = [
  { title: 'ACCOUNT', text: ({ account = '' }) => account },
  ...COLUMNS,
  nameColumn(MIN_NAME_CHARACTERS),
];

const toTheMinute = (timestamp: string) => timestamp.replace(/:\d{2}\.\d{3}Z$/, 'Z');

export const FAILURE_TABLE: readonly Column<ReturnType<typeof formatFailure>>[] = [
  { title: 'SEQUENCE', text: ({ sequence }) => String(sequence) },
  { title: 'ATTEMPTS', text: ({ attempts }) => String(attempts) },
  { title: 'NEXT ATTEMPT', text: ({ nextAttemptAt }) => nextAttemptAt ?? 'none' },
  { title: 'ERROR', text: ({ error }) => cut(error, ERROR_CHARACTERS) },
];
