import { FileComparison } from '../../client/reconcile/compare-file.ts';
import { type ComparableField, type ComparedFields, keyOf } from '../../client/reconcile/compared-fields.ts';
import type { ContainedKeys } from '../../client/reconcile/contained-keys.ts';
import { readAmount } from '../../client/reconcile/file-values.ts';
import type { Difference } from '../../client/reconcile/find-differences.ts';
import { MemoryReconcileStaging } from '../../client/reconcile/memory-reconcile-staging.ts';
import type { SumRow } from '../../client/reconcile/reconcile-sums.ts';
import { type LineFault, stageFile } from '../../client/reconcile/stage-file.ts';
import { toMinorUnits } from '../../client/src/amount.ts';
import type { Transaction } from '../../client/src/transaction.ts';
import { readCsv } from '../../values/read-csv.ts';
import { nextTurn } from '../state/next-turn.ts';
import { isByPayment } from '../state/route.ts';
import { type ChosenFile, utf8Of } from './file-text.ts';
import { directionOf, type FileReading, inTurns, keysOf, type Role } from './guess-columns.ts';
import type { Days } from './load-transactions.ts';

export interface Order {
  file: ChosenFile;
  reading: FileReading;
  days: Days;
  transactions: readonly Transaction[];
  /** Undefined if none of the compared days are archived. */
  archivedBefore: string | undefined;
  isPaidOnly: boolean;
  leavesOut: boolean;
}

export interface FaultyLine {
  line: number;
  fault: LineFault;
}

export interface Compared {
  fields: ComparedFields;
  sums: readonly SumRow[];
  differences: readonly Difference[];
  late: readonly Transaction[];
  archivedLines: readonly number[];
  archivedBefore: string | undefined;
  keysOfSecondLines: ReadonlySet<string>;
}

export interface Faulty {
  faults: readonly FaultyLine[];
  faultCount: number;
}

const MAX_FAULTS = 100;

export function fieldsOf({
  roles,
  key,
}: FileReading): ComparedFields | { fault: 'no_key' | 'nothing' } | { twice: Role } {
  const named = roles.filter((role) => role !== '');
  const twice = named.find((role, index) => named.indexOf(role) !== index);
  if (twice !== undefined) return { twice };
  if (!roles.includes(key)) return { fault: 'no_key' };
  const fields = new Set(named.map((role): ComparableField => (isOfAmount(role) ? 'amount' : role)));
  fields.delete(key);
  return fields.size === 0 ? { fault: 'nothing' } : { key, fields: [...fields] };
}

export async function compare(
  order: Order,
  signal: AbortSignal,
  onProgress: (lines: number) => void,
): Promise<Faulty & { compared: Compared | undefined }> {
  const { file, reading, days, leavesOut } = order;
  const compared = fieldsOf(reading) as ComparedFields;
  const transactions = comparedOf(order);
  const keys = reading.isContained ? await keysOf(transactions, reading.key) : undefined;
  const staging = new MemoryReconcileStaging();
  const faults: FaultyLine[] = [];
  const rules = {
    ...compared,
    decimalComma: reading.decimalComma,
    dateOrder: reading.dateOrder,
    currency: reading.currency || undefined,
    dropsClock: true,
  };
  const { passes, faultyLines } = await stageFile(linesOf(file, reading, keys, signal), rules, staging, {
    onFault: (line, fault) => {
      if (faults.length < MAX_FAULTS) faults.push({ line, fault });
    },
    onProgress,
  });
  const faulty = { faults, faultCount: faultyLines };
  if (faultyLines > 0 && !leavesOut) return { ...faulty, compared: undefined };
  const { from = null, to = null } = isByPayment(days.filter) ? days.filter : {};
  const comparison = new FileComparison({
    compared,
    passes,
    staging,
    rules: {
      timeZone: days.zone,
      toleranceDays: days.toleranceDays,
      isContained: reading.isContained,
      currency: rules.currency,
    },
    paid: { from, to },
    // `linesOf` has already replaced texts with their keys, in batches, so that the page reacts.
    hasTexts: false,
  });
  await comparison.readTransactions(inTurns(transactions), () => {});
  await nextTurn();
  signal.throwIfAborted();
  comparison.match(() => {});
  await nextTurn();
  const differences: Difference[] = [];
  const late: Transaction[] = [];
  const archivedLines: number[] = [];
  comparison.archivedBefore = order.archivedBefore;
  for (const part of comparison.differences(
    (one) => late.push(one),
    (line) => archivedLines.push(line),
  )) {
    differences.push(...part);
    await nextTurn();
    signal.throwIfAborted();
  }
  return {
    ...faulty,
    compared: {
      fields: compared,
      sums: comparison.sums.rows(),
      differences,
      late,
      archivedLines,
      archivedBefore: order.archivedBefore,
      keysOfSecondLines: secondKeysOf(differences, transactions, reading),
    },
  };
}

function secondKeysOf(
  differences: readonly Difference[],
  transactions: readonly Transaction[],
  reading: FileReading,
): ReadonlySet<string> {
  const { key } = reading;
  const missing = differences.flatMap(({ kind, file }) => (kind === 'missing_here' ? (file[key] ?? []) : []));
  const ours = new Set(transactions.map((transaction) => keyOf(transaction, key, reading)));
  return new Set(missing.filter((value) => ours.has(value)));
}

const comparedOf = ({ transactions, reading: { currency }, isPaidOnly }: Order): readonly Transaction[] =>
  transactions.filter(
    (transaction) =>
      (currency === '' || transaction.currencyCode === currency) &&
      (!isPaidOnly || transaction.paidAt !== null),
  );

const OUT = 'paidOut';
const DIRECTION = 'direction';
const isOfAmount = (role: Role) => role === OUT || role === DIRECTION;
type Texts = Readonly<Record<string, string | null>>;
const TRIMMED = ['currencyCode', 'paidAt', 'createdAt', 'amount', OUT, DIRECTION];

/** Reads the lines in batches, so that the browser can react in between. */
async function* linesOf(
  file: ChosenFile,
  reading: FileReading,
  keys: ContainedKeys | undefined,
  signal: AbortSignal,
) {
  const header = {
    expected: '',
    line: file.headerLine,
    read: () => ({
      delimiter: file.delimiter,
      columns: reading.roles.map((role) => role || null),
      skipsEmptyRows: true,
      recordOf: (texts: Texts) => recordOf(texts, reading, keys),
    }),
  };
  for await (const batch of readCsv(utf8Of(file), header)) {
    signal.throwIfAborted();
    yield batch;
    await nextTurn();
  }
}

/** An amount in a separate column for debits becomes negative, whatever sign or mark it has. */
function recordOf(texts: Texts, { key, decimalComma }: FileReading, keys: ContainedKeys | undefined): Texts {
  const record: Record<string, string | null> = { ...texts };
  const text = record[key];
  if (text && keys !== undefined) record[key] = keys.keyOf(text);
  for (const name of TRIMMED) if (record[name]) record[name] = record[name].trim() || null;
  const { amount: into = null, [OUT]: out = null, [DIRECTION]: direction } = record;
  if (direction !== undefined && into !== null) record['amount'] = directed(into, direction);
  if (out === null) return record;
  if (isUnused(out, decimalComma)) record['amount'] = into ?? out;
  else record['amount'] = isUnused(into, decimalComma) ? negative(out) : `${into} / ${out}`;
  return record;
}

function directed(amount: string, direction: string | null): string {
  const read = direction === null ? undefined : directionOf(direction);
  if (read === undefined) return `${amount} ${direction ?? '?'}`;
  return read === 'out' ? negative(amount) : amount;
}

/** Many banks write 0.00 or a dash in the column that does not apply. */
function isUnused(text: string | null, decimalComma: boolean): boolean {
  if (text === null || /^[-\u2010-\u2014\u2212]$/.test(text)) return true;
  const read = readAmount(text, decimalComma);
  return 'value' in read && toMinorUnits(read.value) === 0n;
}

const negative = (out: string) =>
  `-${out
    .replace(/^\((.*)\)$/, '$1')
    .replace(/^([A-Z]{3}|\p{Sc})? ?[-+\u2010-\u2013\u2212] ?/u, '$1')
    .replace(/(?<=\d ?|[A-Z]{3} |\p{Sc} ?)(?:[-\u2010-\u2013\u2212]|DR?|S)$/u, '')}`;
