import { type Command, InvalidArgumentError, Option } from 'commander';
import { explainDay, parseDay } from '../../../values/calendar.ts';
import { counted, lineCount, number } from '../../../values/counted.ts';
import { CommandFailed, UsageError } from '../../../values/failure.ts';
import { MAX_TOLERANCE_DAYS } from '../../../values/interface/limits.ts';
import { readCsv } from '../../../values/read-csv.ts';
import { faultyLineReport } from '../../../values/terminal/faulty-lines.ts';
import { formatOf, parsePath, withFormatOptions } from '../../../values/terminal/options.ts';
import { type Progress, printLines, printNote, progress } from '../../../values/terminal/output.ts';
import { explainStaging, explainUnreadable, readInput } from '../../../values/terminal/read-input.ts';
import { StagingFailed } from '../../../values/terminal/temporary-database.ts';
import { FileComparison } from '../../reconcile/compare-file.ts';
import {
  type ComparableField,
  isKeyField,
  KEY_FIELDS,
  type KeyField,
  type MatchRules,
} from '../../reconcile/compared-fields.ts';
import type { ColumnMapping, FileColumns } from '../../reconcile/file-columns.ts';
import type { DateOrder } from '../../reconcile/file-values.ts';
import { type PaidDays, widened } from '../../reconcile/paid-days.ts';
import type { ReconcileStaging } from '../../reconcile/reconcile-staging.ts';
import { type StagedFile, stageFile } from '../../reconcile/stage-file.ts';
import {
  type ExportFilters,
  type ExportRestart,
  type Transaction,
  TransactionsClient,
} from '../../src/index.ts';
import { explain, type Service, type ServiceOf, type ServiceOptions, withService } from '../api-client.ts';
import { restartNote } from '../export/restart-note.ts';
import { timeZoneFaults, withFilters, withPaidDays } from '../filter-options.ts';
import { explainLine } from './explain-line.ts';
import { openTable } from './open-table.ts';
import { RECONCILE_FORMATS } from './reconcile-formats.ts';
import { parseMappings, reconcileHeader } from './reconcile-header.ts';
import {
  aboveNote,
  archivedLinesNote,
  encodingNote,
  ignoredNote,
  lateNote,
  type Named,
  reconciliationSummary,
} from './reconcile-report.ts';
import { openReconcileStaging } from './sqlite-reconcile-staging.ts';

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
  const { by: key, currency, timeZone } = options;
  // --by is checked here, because commander's error for a required option would not list the choices.
  if (key === undefined)
    throw new UsageError(
      `Say which field identifies a transaction in the file: ${KEY_FIELDS.map((field) => `--by ${field}`).join(' or ')}.`,
    );
  const mappings = parseMappings(options.column);
  const service = await serviceOf(options);
  const rules: MatchRules = {
    timeZone: timeZone ?? null,
    toleranceDays: options.days,
    currency,
    isContained: options.contains === true,
  };
  const paid: PaidDays = { from: options.paidFrom ?? null, to: options.paidTo ?? null };
  checkDays(paid, rules);
  const staging = openReconcileStaging();
  const shown = progress();
  try {
    const { columns, passes } = await stage(file, { ...options, key, mappings }, staging, shown);
    const hasTexts = rules.isContained === true;
    const comparison = new FileComparison({ compared: columns, passes, staging, rules, paid, hasTexts });
    await readTransactions(comparison, options, widened(paid, rules), service, shown);
    shown.show('sorting');
    comparison.match((rows) => shown.show(`compared ${number(rows)} lines and transactions`));
    shown.clear();
    const format = formatOf(options);
    const {
      count: differences,
      late,
      archived,
    } = await printDifferences(comparison, columns, format, service);
    const summary = [
      ...reconciliationSummary(comparison.sums.rows(), columns),
      ...lateNote(late),
      ...archivedLinesNote(archived, comparison.archivedBefore),
    ];
    if (differences > 0 || archived.count > 0) throw new CommandFailed(...summary);
    printNote(...summary);
  } catch (error) {
    shown.clear();
    if (error instanceof StagingFailed)
      throw new CommandFailed(`The comparison could not be finished: ${explainStaging(error)}`);
    throw error;
  } finally {
    staging.close();
  }
}

async function stage(
  file: string,
  options: ReconcileOptions & { key: KeyField; mappings: readonly ColumnMapping[] },
  staging: ReconcileStaging,
  shown: Progress,
): Promise<{ columns: FileColumns } & StagedFile> {
  const { key, mappings, decimalComma = false, dateOrder, currency } = options;
  const rules = { key, decimalComma, dateOrder, currency, fields: [] as readonly ComparableField[] };
  let columns: FileColumns | undefined;
  const onColumns = (found: FileColumns) => {
    columns = found;
    rules.fields = found.fields;
    printNote(...ignoredNote(found));
  };
  const report = faultyLineReport(shown);
  const staged = await openTable(readInput(file))
    .then(({ encoding, table, bytes }) => {
      printNote(...encodingNote(encoding), ...aboveNote(table));
      return stageFile(readCsv(bytes, reconcileHeader(table, mappings, key, onColumns)), rules, staging, {
        onFault: (line, fault) => report.add(explainLine(line, fault, rules)),
        onProgress: (lines) => shown.show(`read ${lineCount(lines)}`),
      });
    })
    .catch((error) => {
      throw explainUnreadable(error, file, 'compared');
    })
    .finally(() => report.end());
  if (staged.faultyLines > 0) {
    throw new CommandFailed(
      `${number(staged.faultyLines)} of ${lineCount(staged.lines)} of ${file} can't be compared, so nothing was compared.`,
    );
  }
  return { ...staged, columns: columns as FileColumns };
}

async function readTransactions(
  comparison: FileComparison,
  { status = [], paid, currency, from, to, timeZone }: ReconcileOptions,
  paidDays: PaidDays,
  service: Service,
  shown: Progress,
): Promise<void> {
  const { transactions } = new TransactionsClient({ ...service, maxRetries: 1 });
  const query: ExportFilters = {
    ...{
      currency,
      from,
      to,
      timeZone,
      paidFrom: paidDays.from ?? undefined,
      paidTo: paidDays.to ?? undefined,
    },
    // One export for all statuses: between two exports, a transaction could change its status and be in
    // neither.
    status: status.length === 1 ? status[0] : undefined,
  };
  const isCompared = (one: Transaction) =>
    (status.length < 2 || status.includes(one.status)) && (paid === undefined || one.paidAt !== null);
  const onRestart = (restart: ExportRestart) => {
    shown.note(restartNote(restart));
    comparison.clearTransactions();
  };
  let read = 0;
  const compared = async function* () {
    // Makes the service refuse a misspelt status.
    for (const one of status.length > 1 ? status : []) await transactions.page({ status: one });
    const exported = transactions.export(query, { onRestart });
    for await (const transaction of exported) {
      if (!isCompared(transaction)) continue;
      read++;
      yield transaction;
    }
    comparison.archivedBefore = exported.manifest?.archivedBefore;
  };
  try {
    await comparison.readTransactions(compared(), (count) =>
      shown.show(`read ${counted(count, 'transaction')} of the account`),
    );
  } catch (error) {
    if (error instanceof StagingFailed) throw error;
    throw explain(error, service.url, read === 0 ? undefined : 'Nothing was compared.');
  }
}

const MAX_NAMED = 5;

async function printDifferences(
  comparison: FileComparison,
  columns: FileColumns,
  formatName: keyof typeof RECONCILE_FORMATS,
  { url }: Service,
) {
  const format = RECONCILE_FORMATS[formatName](columns);
  const late: Named<Transaction> = { count: 0, some: [] };
  const archived: Named<number> = { count: 0, some: [] };
  const addTo =
    <Item>(named: Named<Item>) =>
    (item: Item) => {
      if (named.count++ < MAX_NAMED) named.some.push(item);
    };
  let count = 0;
  const lines = async function* () {
    yield format.head;
    for (const part of comparison.differences(addTo(late), addTo(archived))) {
      if (part.length > 0) yield format.lines(part);
      count += part.length;
    }
  };
  const isAllPrinted = await printLines(lines(), { exact: formatName === 'csv' }).catch((error) => {
    throw error instanceof StagingFailed ? error : explain(error, url, undefined);
  });
  if (!isAllPrinted) throw new CommandFailed();
  return { count, late, archived };
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
