import { type Command, InvalidArgumentError, Option } from 'commander';
import { explainDay, parseDay } from '../../../values/calendar.ts';
import { UsageError } from '../../../values/failure.ts';
import { MAX_TOLERANCE_DAYS } from '../../../values/interface/limits.ts';
import { formatOf, parsePath, withFormatOptions } from '../../../values/terminal/options.ts';
import { readInput } from '../../../values/terminal/read-input.ts';
import { isKeyField, KEY_FIELDS, type KeyField, type MatchRules } from '../../reconcile/compared-fields.ts';
import type { DateOrder } from '../../reconcile/file-values.ts';
import { type PaidDays, widened } from '../../reconcile/paid-days.ts';
import { type ExportFilters, type Transaction, TransactionsClient } from '../../src/index.ts';
import { explain, type ServiceOf, type ServiceOptions, withService } from '../api-client.ts';
import { timeZoneFaults, withFilters, withPaidDays } from '../filter-options.ts';
import { parseMappings } from './reconcile-header.ts';
import { runReconciliation } from './run-reconciliation.ts';

const BY = `${KEY_FIELDS.join(', ')} or details.NAME`;

interface ReconcileOptions
  extends Pick<ExportFilters, 'currency' | 'from' | 'to' | 'timeZone' | 'paidFrom' | 'paidTo'>,
    ServiceOptions {
  by?: KeyField;
  column: string[];
  decimalComma?: true;
  dateOrder?: DateOrder;
  contains?: true;
  days: number;
  status?: string[];
  paid?: true;
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
      parsePath,
    )
    .addOption(
      new Option(
        '--by <field>',
        `the field that identifies a transaction in the file (required): ${BY}, such as details.invoice`,
      ).argParser((name) => {
        if (isKeyField(name)) return name;
        throw new InvalidArgumentError(`Allowed choices are ${BY}.`);
      }),
    )
    .option(
      '--column <theirs=ours>',
      "a column of the file and its field, such as Betrag=amount. Betrag= leaves the column out. Columns with a field's name need no option",
      (text: string, texts: string[]) => [...texts, text],
      [],
    )
    .option('--decimal-comma', 'amounts of the file have a decimal comma, such as 1.234,50')
    .addOption(
      new Option('--date-order <order>', 'whether 05/06/2026 is 5 June (dmy) or 6 May (mdy)').choices([
        'dmy',
        'mdy',
      ]),
    )
    .option(
      '--contains',
      'the value of the --by field is part of a longer text in the file, such as the purpose of a transfer',
    )
    .addOption(
      new Option('--days <number>', 'how many days (0 to 31) a line and its transaction can be apart')
        .default(0)
        .argParser(parseDays),
    )
    .option('--status <status...>', 'only transactions in one of these statuses')
    .option('--paid', 'only transactions in a paid status');
  const filtered = withPaidDays(withFilters(command, ['currency', 'from', 'to', 'timeZone']));
  withService(withFormatOptions(filtered))
    .addHelpText(
      'after',
      '\nExit status: 0 if the file and the account agree, 1 if they differ or could not be compared, 2 if the command was used wrongly.',
    )
    .action((file, options) => reconcileFile(file, options, serviceOf));
}

async function reconcileFile(file: string, options: ReconcileOptions, serviceOf: ServiceOf): Promise<void> {
  const { by, status = [], currency, from, to, timeZone } = options;
  // --by is checked here, because commander's error for a required option would not list the choices.
  if (by === undefined)
    throw new UsageError(
      `Say which field identifies a transaction in the file: ${KEY_FIELDS.map((field) => `--by ${field}`).join(' or ')}.`,
    );
  const mappings = parseMappings(options.column);
  const service = await serviceOf(options);
  const client = new TransactionsClient({ ...service, maxRetries: 1 });
  const rules: MatchRules = {
    timeZone: timeZone ?? null,
    toleranceDays: options.days,
    currency,
    isContained: options.contains === true,
  };
  const paidDays: PaidDays = { from: options.paidFrom ?? null, to: options.paidTo ?? null };
  checkDays(paidDays, rules);
  const read = widened(paidDays, rules);
  const query: ExportFilters = {
    ...{ currency, from, to, timeZone, paidFrom: read.from ?? undefined, paidTo: read.to ?? undefined },
    // One export for all statuses: between two exports, a transaction could change its status and be in
    // neither.
    status: status.length === 1 ? status[0] : undefined,
  };
  const isCompared = (one: Transaction) =>
    (status.length < 2 || status.includes(one.status)) && (options.paid === undefined || one.paidAt !== null);
  await runReconciliation({
    file,
    input: readInput(file),
    key: by,
    mappings,
    decimalComma: options.decimalComma === true,
    dateOrder: options.dateOrder,
    rules,
    paid: paidDays,
    format: formatOf(options),
    transactions: async function* (onRestart, onArchived) {
      // Makes the service refuse a misspelt status.
      for (const one of status.length > 1 ? status : []) await client.transactions.page({ status: one });
      const exported = client.transactions.export(query, { onRestart });
      for await (const one of exported) if (isCompared(one)) yield one;
      onArchived(exported.manifest?.archivedBefore);
    },
    explain: (error, incomplete) => explain(error, service.url, incomplete),
  });
}

function parseDays(text: string): number {
  if (/^\d{1,2}$/.test(text) && Number(text) <= MAX_TOLERANCE_DAYS) return Number(text);
  throw new InvalidArgumentError(`Give a whole number from 0 to ${MAX_TOLERANCE_DAYS}.`);
}

function checkDays({ from, to }: PaidDays, { timeZone }: MatchRules): void {
  const faults = [
    ...[['--paid-from', from] as const, ['--paid-to', to] as const]
      .filter(([, day]) => day !== null && parseDay(day) === undefined)
      .map(([name, day]) => `${name}: ${explainDay(day as string)}`),
    ...timeZoneFaults(timeZone ?? undefined),
  ];
  if (faults.length > 0) throw new UsageError(...faults);
}
