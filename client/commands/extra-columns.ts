import { type Command, InvalidArgumentError, Option } from 'commander';
import { isDetailName } from '../../values/detail-name.ts';
import { COLUMN_FIELDS } from '../../values/interface/fields.ts';
import { optionOf } from './api-client.ts';

/** The options conflict with --json, because JSON always contains the optional fields. */
export function withExtraColumns(command: Command): Command {
  for (const name of COLUMN_FIELDS)
    command.addOption(new Option(optionOf(name), `add the column ${name}`).conflicts('json'));
  return command.addOption(
    new Option('--details <names>', 'add a column for each of these details, such as customer,last4')
      .conflicts('json')
      .argParser((text) => {
        const names = text.split(',');
        if (names.every(isDetailName) && new Set(names).size === names.length) return names;
        throw new InvalidArgumentError(
          'Give names of details, separated by commas, each once, such as customer,last4.',
        );
      }),
  );
}
