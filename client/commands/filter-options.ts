import { type Command, InvalidArgumentError } from 'commander';
import { FILTER_OPTIONS, type FilterName } from '../../values/interface/filters.ts';
import { explainTimeZone, isTimeZone } from '../../values/time-zone.ts';
import { optionOf } from './api-client.ts';

const FILTER_NAMES = Object.keys(FILTER_OPTIONS) as readonly FilterName[];

export function withFilters(command: Command, names = FILTER_NAMES): Command {
  for (const name of names) {
    const { value, help } = FILTER_OPTIONS[name];
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

export const timeZoneFaults = (timeZone: string | undefined): string[] =>
  timeZone === undefined || isTimeZone(timeZone) ? [] : [`--time-zone: ${explainTimeZone(timeZone)}`];

export function withPaidDays(command: Command): Command {
  return command
    .option('--paid-from <day>', 'only transactions paid on this day or later: YYYY-MM-DD')
    .option('--paid-to <day>', 'only transactions paid on this day or earlier');
}
