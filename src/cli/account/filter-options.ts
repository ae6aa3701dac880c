import { type Command, InvalidArgumentError } from 'commander';

/** Adds the options of a list's filters. Their values are the ListFilters of the client. */
function withFilters(command: Command): Command {
  return withDayFilters(command.option('--status <status>', 'only transactions in this status'));
}

/** Adds the options of a list's filters except its status. */
export function withDayFilters(command: Command): Command {
  return command
    .option('--currency <code>', 'only transactions in this currency: three upper-case letters')
    .option('--from <day>', 'only transactions created on this day or later: YYYY-MM-DD')
    .option('--to <day>', 'only transactions created on this day or earlier; the range can have any length')
    .option('--time-zone <name>', 'the time zone whose days are meant, such as Europe/Berlin (default: UTC)');
}

/** Adds the options of all filters to a command, those by text included. */
export function withAllFilters(command: Command): Command {
  return withFilters(command).option(
    '--merchant-reference <text>',
    'only transactions with exactly this merchantReference',
    (text: string): string => {
      if (text !== '') return text;
      throw new InvalidArgumentError('It is empty. Omit the option for transactions with any or none.');
    },
  );
}

/** Adds the days of paidAt, which searches and exports have. */
export function withPaidDays(command: Command): Command {
  return command
    .option('--paid-from <day>', 'only transactions paid on this day or later: YYYY-MM-DD')
    .option('--paid-to <day>', 'only transactions paid on this day or earlier');
}
