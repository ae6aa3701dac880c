import { type Command, InvalidArgumentError } from 'commander';
import type { FilterName } from '../../values/interface/filters.ts';
import { optionOf } from './api-client.ts';

/** The name of the value of an option, and its help text. */
const OPTIONS = {
  status: { value: 'status', help: 'only transactions in this status' },
  currency: { value: 'code', help: 'only transactions in this currency: three upper-case letters' },
  from: { value: 'day', help: 'only transactions created on this day or later: YYYY-MM-DD' },
  to: {
    value: 'day',
    help: 'only transactions created on this day or earlier; the range can have any length',
  },
  timeZone: {
    value: 'name',
    help: 'the time zone of the days, such as Europe/Berlin (default: UTC)',
  },
  merchantReference: { value: 'text', help: 'only transactions with exactly this merchantReference' },
} as const satisfies Record<FilterName, { value: string; help: string }>;

const FILTER_NAMES = Object.keys(OPTIONS) as readonly FilterName[];

/** Adds the options of a list's filters. Their values are the ListFilters of the client. */
export function withFilters(command: Command, names = FILTER_NAMES): Command {
  for (const name of names) {
    const { value, help } = OPTIONS[name];
    command.option(
      `${optionOf(name)} <${value}>`,
      help,
      value === 'text' ? refuseEmpty : (text: string) => text,
    );
  }
  return command;
}

function refuseEmpty(text: string): string {
  if (text !== '') return text;
  throw new InvalidArgumentError('It is empty. Omit the option for transactions with any or none.');
}

/** Adds the days of paidAt, which searches and exports have. */
export function withPaidDays(command: Command): Command {
  return command
    .option('--paid-from <day>', 'only transactions paid on this day or later: YYYY-MM-DD')
    .option('--paid-to <day>', 'only transactions paid on this day or earlier');
}
