import {
  COMPARABLE_FIELDS,
  type ComparableField,
  type KeyField,
  keyOf,
} from '../../client/reconcile/compared-fields.ts';
import { ContainedKeys } from '../../client/reconcile/contained-keys.ts';
import { type DateOrder, readAmount, readTime } from '../../client/reconcile/file-values.ts';
import { toMinorUnits } from '../../client/src/amount.ts';
import type { Transaction } from '../../client/src/transaction.ts';
import { currenciesOf } from '../../values/currency-signs.ts';
import { foldedText } from '../../values/folded-text.ts';
import { nextTurn } from '../state/next-turn.ts';

/** `paidOut` is the amount of a debit. `direction` marks debits and credits. The role '' is not compared. */
export type Role = ComparableField | 'paidOut' | 'direction' | '';

export interface FileReading {
  roles: readonly Role[];
  key: KeyField;
  /** True if the cells are longer texts that contain the key, such as "Invoice order-10482 of 3 May". */
  isContained: boolean;
  decimalComma: boolean;
  dateOrder: DateOrder;
  /** Only transactions in this currency are compared. If it is '', all are compared. */
  currency: string;
}

export interface Guess extends FileReading {
  known: number;
  lines: number;
  hasTwoOrders: boolean;
}

interface Named {
  names: readonly string[];
  rows: readonly (readonly string[])[];
}

const KEYS = ['reference', 'merchantReference'] as const;
const { source: OUT } = /soll|debits?|belastung|lastschrift|ausgang|withdrawals?|paid out|money out/;
const { source: IN } = /haben|credits?|gutschrift|eingang|deposits?|paid in|money in/;
const PAID_OUT = new RegExp(`^(${OUT})\\b`);
const PAID_IN = new RegExp(`^(${IN})\\b`);
const AMOUNT = /betrag|amount|umsatz|montant|brutto|gross|summe|wert in/;
const CURRENCY = /^(wahrung|waehrung|currency|devise|monnaie)( ?code)?$/;
const DAY = /\b(date|day|jour)\b|datum|tag$|valuta|wertstellung/;
const NOT_AMOUNT = /saldo|balance|solde|fee|geb.hr|frais|net\b|netto/;
const SHARE_IF_NAMED = 0.5;
/** If the name of a column suggests nothing, this share of its cells must be readable. */
const MOST = 0.9;
/** Also matches amounts with an unknown word or sign, such as 101,50*. Such a column also has amounts. */
const LIKE_AMOUNT = /^[^\d]{0,8}\d[\d.,' ]*[.,]\d\d[^\d]{0,8}$/;
const IS_OUT = new RegExp(`^(${OUT}|out|d|dr|dbi?t|s|-)\\.?$`);
const IS_IN = new RegExp(`^(${IN}|in|c|cr|crdt|cdt|h|\\+)\\.?$`);

export function directionOf(cell: string): 'in' | 'out' | undefined {
  const word = foldedText(cell.trim());
  return IS_OUT.test(word) ? 'out' : IS_IN.test(word) ? 'in' : undefined;
}
const DISTINCT_SHARE = 0.9;
const REFERENCE_NAMES =
  /zweck|referen|order|bestell|rechnung|invoice|libell|beschreib|descri|memo|commande|purpose|details/;

const nameOf = (name: string) => foldedText(name);

export async function guessColumns(
  file: Named,
  transactions: readonly Transaction[],
  isMonthFirst: boolean,
): Promise<Guess> {
  const { names, rows } = file;
  const columns = names.map((_, index) => rows.map((row) => (row[index] ?? '').trim()));
  const roles: Role[] = names.map((name) => COMPARABLE_FIELDS.find((field) => field === name) ?? '');
  const key = await guessKey(file, columns, roles, transactions);
  if (key.column !== -1) {
    const other = roles.indexOf(key.field);
    if (other !== -1) roles[other] = '';
    roles[key.column] = key.field;
  }
  const pairs = rows.map((_, index) => key.found[index]);
  const free = (index: number) =>
    roles[index] === '' && (columns[index] as string[]).some((cell) => cell !== '');
  const decimalComma = guessAmount(names, columns, roles, pairs, free);
  guessDirection(columns, roles, free);
  const order = guessDay(names, columns, roles, pairs, free, isMonthFirst);
  guessWords(names, columns, roles, transactions, free);
  const currencies = new Set(pairs.flatMap((pair) => pair?.currencyCode ?? []));
  const [only = ''] = currencies;
  return {
    roles,
    key: key.field,
    isContained: key.isContained,
    decimalComma,
    ...order,
    currency: currencies.size === 1 ? only : '',
    known: pairs.filter((pair) => pair !== undefined).length,
    lines: rows.length,
  };
}

interface FoundKey {
  column: number;
  field: KeyField;
  isContained: boolean;
  found: readonly (Transaction | undefined)[];
}

async function guessKey(
  { names }: Named,
  columns: readonly string[][],
  roles: readonly Role[],
  all: readonly Transaction[],
): Promise<FoundKey> {
  let best: FoundKey | undefined;
  let most = 0;
  const lines = columns[0]?.length ?? 0;
  for (const field of [...KEYS, ...detailKeys(all)]) {
    if (most > lines / 2) break;
    const contained = await keysOf(all, field);
    for (const isContained of [false, true]) {
      const known = new Map(
        all.map((transaction) => [keyOf(transaction, field, { isContained }), transaction]),
      );
      for (const [column, cells] of columns.entries()) {
        const found = cells.map((cell) => known.get(isContained ? contained.keyOf(cell) : cell));
        const count = found.filter((one) => one !== undefined).length;
        if (count > (isContained ? most * 1.1 : most)) {
          most = count;
          best = { column, field, isContained, found };
        }
      }
    }
  }
  if (best !== undefined) return best;
  const named = roles.findIndex((role) => role === 'merchantReference' || role === 'reference');
  const column = named === -1 ? names.findIndex((name) => REFERENCE_NAMES.test(nameOf(name))) : named;
  const field = roles[column] === 'reference' ? 'reference' : 'merchantReference';
  return { column, field, isContained: named === -1, found: [] };
}

const ROWS_PER_TURN = 5000;

export async function* inTurns(transactions: readonly Transaction[]): AsyncGenerator<Transaction> {
  for (const [index, one] of transactions.entries()) {
    yield one;
    if (index % ROWS_PER_TURN === 0) await nextTurn();
  }
}

export async function keysOf(transactions: readonly Transaction[], key: KeyField): Promise<ContainedKeys> {
  const keys = new ContainedKeys();
  for await (const one of inTurns(transactions)) keys.addTransaction(one, key);
  return keys;
}

function detailKeys(all: readonly Transaction[]): KeyField[] {
  const values = new Map<string, string[]>();
  for (const { details = {} } of all)
    for (const [name, text] of Object.entries(details)) {
      const texts = values.get(name);
      if (texts === undefined) values.set(name, [text]);
      else texts.push(text);
    }
  return [...values]
    .filter(([, texts]) => new Set(texts).size > texts.length * DISTINCT_SHARE)
    .map(([name]) => `details.${name}` as const);
}

function guessAmount(
  names: readonly string[],
  columns: readonly string[][],
  roles: Role[],
  pairs: readonly (Transaction | undefined)[],
  free: (index: number) => boolean,
): boolean {
  const readable = (index: number, comma: boolean) =>
    share(columns[index], (cell) => 'value' in readAmount(cell, comma));
  const commaOf = (index: number) => readable(index, true) > readable(index, false);
  const given = roles.indexOf('amount');
  if (given !== -1) return commaOf(given);
  const score = (index: number): number => {
    const cells = columns[index] as string[];
    const comma = commaOf(index);
    const isNamed = AMOUNT.test(nameOf(names[index] as string));
    // A column of unreadable amounts is chosen too, so that these amounts are reported as faulty. Without a
    // column, no amount would be compared.
    const isAmount =
      Math.max(
        readable(index, comma),
        share(cells, (cell) => LIKE_AMOUNT.test(cell)),
      ) >= MOST;
    if (!(isNamed || isAmount) || NOT_AMOUNT.test(nameOf(names[index] as string))) return -1;
    const equal = cells.filter((cell, row) => {
      const read = readAmount(cell, comma);
      const pair = pairs[row];
      return pair !== undefined && 'value' in read && toMinorUnits(read.value) === toMinorUnits(pair.amount);
    }).length;
    return (
      (10 * equal) / Math.max(1, cells.length) +
      (isNamed ? 2 : 0) +
      (cells.some((cell) => /[.,]\d\d\b/.test(cell)) ? 1 : 0)
    );
  };
  const out = names.findIndex(
    (name, index) =>
      free(index) && PAID_OUT.test(nameOf(name)) && readable(index, commaOf(index)) >= SHARE_IF_NAMED,
  );
  const into = names.findIndex(
    (name, index) =>
      free(index) && PAID_IN.test(nameOf(name)) && readable(index, commaOf(index)) >= SHARE_IF_NAMED,
  );
  if (out !== -1 && into !== -1) {
    roles[out] = 'paidOut';
    roles[into] = 'amount';
    return commaOf(into);
  }
  const [best] = names
    .map((_, index) => ({ index, score: free(index) ? score(index) : -1 }))
    .filter((one) => one.score >= 1)
    .sort((left, right) => right.score - left.score);
  if (best === undefined) return !new Intl.NumberFormat().format(1.5).includes('.');
  roles[best.index] = 'amount';
  return commaOf(best.index);
}

/** Chooses paidAt or createdAt: the one whose days, in the known transactions, are closer to the file's. */
function guessDay(
  names: readonly string[],
  columns: readonly string[][],
  roles: Role[],
  pairs: readonly (Transaction | undefined)[],
  free: (index: number) => boolean,
  isMonthFirst: boolean,
): Pick<Guess, 'dateOrder' | 'hasTwoOrders'> {
  const orders = (isMonthFirst ? ['mdy', 'dmy'] : ['dmy', 'mdy']) as readonly DateOrder[];
  const given = roles.findIndex((role) => role === 'paidAt' || role === 'createdAt');
  const known = pairs.filter((pair) => pair !== undefined);
  // Unpaid transactions have no day of payment. If a file lists many of them, its days are days of creation.
  const hasUnpaid = known.filter(({ paidAt }) => paidAt !== null).length < known.length * MOST;
  const fields = (hasUnpaid ? ['createdAt'] : ['paidAt', 'createdAt']) as readonly ('paidAt' | 'createdAt')[];
  const distance = (index: number, dateOrder: DateOrder, field: 'paidAt' | 'createdAt') => {
    const days = (columns[index] as string[]).flatMap((cell, row) => {
      const read = readTime(cell, { dateOrder, dropsClock: true });
      const ours = pairs[row]?.[field];
      if (!('value' in read && ours)) return [];
      return [Math.abs(Date.parse(read.value) - Date.parse(ours.slice(0, read.value.length)))];
    });
    return days.length === 0 ? 0 : days.reduce((sum, one) => sum + one, 0) / days.length;
  };
  const [best] = columns
    .flatMap((cells, index) =>
      orders.map((dateOrder) => ({
        index,
        dateOrder,
        isDay: share(cells, (cell) => 'value' in readTime(cell, { dateOrder, dropsClock: true })) >= MOST,
      })),
    )
    .filter(({ index, isDay }) => isDay && (given === -1 ? free(index) : index === given))
    .flatMap((one) =>
      fields.map((field) => ({ ...one, field, distance: distance(one.index, one.dateOrder, field) })),
    )
    .sort((left, right) => left.distance - right.distance);
  if (best === undefined) {
    const at = given === -1 ? named(names, DAY, free) : -1;
    if (at !== -1) roles[at] = fields[0] as Role;
    return { dateOrder: orders[0] as DateOrder, hasTwoOrders: false };
  }
  if (given === -1) roles[best.index] = best.field;
  const hasTwoOrders = (columns[best.index] as string[]).some((cell) => {
    const read = readTime(cell, { dropsClock: true });
    return 'fault' in read && read.fault === 'two_days';
  });
  return { dateOrder: best.dateOrder, hasTwoOrders };
}

function guessWords(
  names: readonly string[],
  columns: readonly string[][],
  roles: Role[],
  all: readonly Transaction[],
  free: (index: number) => boolean,
): void {
  const set = (role: Role, isWord: (cell: string) => boolean, name?: RegExp) => {
    if (roles.includes(role)) return;
    const readable = columns.findIndex((cells, index) => free(index) && share(cells, isWord) >= MOST);
    const at = readable !== -1 || name === undefined ? readable : named(names, name, free);
    if (at !== -1) roles[at] = role;
  };
  const statuses = new Set<string>(all.map(({ status }) => status));
  set('currencyCode', (cell) => currenciesOf(cell).length > 0, CURRENCY);
  set('status', (cell) => statuses.has(cell));
}

function guessDirection(columns: readonly string[][], roles: Role[], free: (index: number) => boolean): void {
  const amounts = columns[roles.indexOf('amount')] ?? [];
  if (roles.includes('paidOut') || amounts.some((cell) => /^[(+-]|[-)]$/.test(cell))) return;
  const at = columns.findIndex(
    (cells, index) => free(index) && share(cells, (cell) => directionOf(cell) !== undefined) >= MOST,
  );
  if (amounts.length > 0 && at !== -1) roles[at] = 'direction';
}

/** Finds a column by its name alone. Its unreadable cells are later reported as faulty. */
const named = (names: readonly string[], name: RegExp, free: (index: number) => boolean): number =>
  names.findIndex((one, index) => free(index) && name.test(nameOf(one)));

function share(cells: readonly string[] = [], isRight: (cell: string) => boolean): number {
  const filled = cells.filter((cell) => cell !== '');
  return filled.length === 0 ? 0 : filled.filter(isRight).length / filled.length;
}
