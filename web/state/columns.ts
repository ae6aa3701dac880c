import type { ComparableField } from '../../client/reconcile/compared-fields.ts';
import type { Transaction } from '../../client/src/transaction.ts';
import { DETAIL_PREFIX, detailOf, detailOfColumn } from '../../values/detail-name.ts';
import { COLUMN_FIELDS } from '../../values/interface/fields.ts';
import { detailName } from '../text/detail-name.ts';
import { labels } from '../text/labels.ts';
import { texts } from '../text/language.ts';
import { Signal } from './signal.ts';
import { read, write } from './storage.ts';

const KEY = 'transactions.columns';
const HIDEABLE = ['merchantReference', 'status', 'paidAt'] as const;
const LEFT = 'left';

export const columnOfDetail = (name: string): string => DETAIL_PREFIX + name;

const isColumn = (column: string) =>
  [...HIDEABLE, ...COLUMN_FIELDS, LEFT].some((name) => name === column) ||
  detailOfColumn(column) !== undefined;

const CUSTOMER = columnOfDetail('customer');
const stored = read(() => localStorage, KEY);
let isChosen = stored !== null;

/** The names are those of an exported file's columns. */
export const columns = new Signal<readonly string[]>(
  stored?.split(',').filter(isColumn) ?? [CUSTOMER, ...HIDEABLE],
);

export function chooseColumn(column: string, isShown: boolean, shown: readonly string[]): void {
  const others = shown.filter((name) => name !== column);
  isChosen = true;
  columns.value = isShown ? [...others, column] : others;
  write(() => localStorage, KEY, columns.value.join(','));
}

export const shownColumns = (chosen: readonly string[], transactions: readonly Transaction[]) =>
  isChosen || transactions.some((one) => detailOf(one.details, 'customer') !== undefined)
    ? chosen
    : chosen.filter((column) => column !== CUSTOMER);

export const extraOf = (shown: readonly string[]) => ({
  fields: [
    ...COLUMN_FIELDS.filter((name) => shown.includes(name)),
    ...shown.filter(detailOfColumn),
  ] as ComparableField[],
  left: shown.includes(LEFT),
});

export function offeredColumns(chosen: readonly string[], transactions: readonly Transaction[]): string[] {
  const names = transactions.flatMap(({ details = {} }) => Object.keys(details));
  const details = [...chosen.filter(detailOfColumn), ...names.sort().map(columnOfDetail)];
  return [...HIDEABLE, ...COLUMN_FIELDS, LEFT, ...new Set(details)];
}

const NAMES: Readonly<Record<string, string>> = { ...labels, age: texts.$age, left: texts.$left };

export const columnName = (column: string): string =>
  NAMES[column] ?? detailName(detailOfColumn(column) ?? column);
