import { type Command, InvalidArgumentError, Option } from 'commander';
import { type ListFilters, TransactionsClient } from '../../../../client/src/index.ts';
import { isKeyField, KEY_FIELDS, type KeyField } from '../../../operate/reconcile/compared-fields.ts';
import { UsageError } from '../../../values/failure.ts';
import { formatOf, withFormatOptions } from '../../terminal/options.ts';
import { readInput } from '../../terminal/read-input.ts';
import { explain, HTTP_OPTION, type ServiceOf, type ServiceOptions, URL_OPTION } from '../api-client.ts';
import { readExport } from '../export/read-export.ts';
import { withFilters } from '../filter-options.ts';
import { parseMappings } from './reconcile-header.ts';
import { runReconciliation } from './run-reconciliation.ts';

const BY = `${KEY_FIELDS.join(', ')} or details.NAME`;

interface ReconcileOptions
  extends Pick<ListFilters, 'status' | 'currency' | 'from' | 'to' | 'timeZone'>,
    ServiceOptions {
  by?: KeyField;
  column: string[];
  decimalComma?: true;
  json?: true;
  csv?: true;
}

export function reconcileCommand(program: Command, serviceOf: ServiceOf): void {
  const command = program
    .command('reconcile')
    .description('compare a CSV file, such as a statement of a bank, with the transactions of the account')
    .argument(
      '<file>',
      'the file, with a header and the delimiter comma, semicolon or tab; - for standard input',
    )
    .addOption(
      new Option(
        '--by <field>',
        `the field that identifies a transaction in the file, always needed: ${BY}, such as details.invoice`,
      ).argParser((name) => {
        if (isKeyField(name)) return name;
        throw new InvalidArgumentError(`Allowed choices are ${BY}.`);
      }),
    )
    .option(
      '--column <theirs=ours>',
      "a column of the file and its field, such as Betrag=amount; without a field, the column is not compared; columns with a field's name need no option",
      (text: string, texts: string[]) => [...texts, text],
      [],
    )
    .option('--decimal-comma', 'amounts of the file have a decimal comma, such as 1.234,50');
  withFormatOptions(withFilters(command))
    .option(...URL_OPTION)
    .option(...HTTP_OPTION)
    .addHelpText(
      'after',
      '\nExit status: 0 if the file and the account agree, 1 if they differ or could not be compared, 2 if the command was used wrongly.',
    )
    .action((file, options) => reconcileFile(file, options, serviceOf));
}

async function reconcileFile(file: string, options: ReconcileOptions, serviceOf: ServiceOf): Promise<void> {
  const { by, column, decimalComma, json, csv, url, allowHttp, ...filters } = options;
  // An option that commander requires has an error without its choices.
  if (by === undefined)
    throw new UsageError(
      `Say which field identifies a transaction in the file: ${KEY_FIELDS.map((field) => `--by ${field}`).join(' or ')}.`,
    );
  const mappings = parseMappings(column);
  const service = await serviceOf({ url, allowHttp });
  const client = new TransactionsClient({ ...service, maxRetries: 1 });
  await runReconciliation({
    file,
    input: readInput(file),
    key: by,
    mappings,
    decimalComma: decimalComma === true,
    format: formatOf({ json, csv }),
    transactions: (note) => readExport(client.transactions.export(filters), undefined, note),
    explain: (error, incomplete) => explain(error, service.url, incomplete),
  });
}
