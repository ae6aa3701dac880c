import type { Transaction } from '../../client/src/transaction.ts';
import type { ColumnField, WholeField } from '../../values/interface/fields.ts';
import { detailName } from '../text/detail-name.ts';
import { texts } from '../text/language.ts';
import { Signal } from './signal.ts';
import { read, write } from './storage.ts';

const KEY = 'transactions.columns';
/** The fields of every transaction that a person can hide. */
const HIDEABLE = ['merchantReference', 'status', 'paidAt'] as const;
const RELATED_TO = 'relatedTo';
/** The remaining amount of the payment that a transaction belongs to. */
const LEFT = 'left';
export const DETAIL_NAME = '[a-z][a-zA-Z0-9]{0,31}';
const DETAIL = new RegExp(`^details\\.(${DETAIL_NAME})$`);

/** The name of the detail that a column shows, or undefined. */
export const detailOf = (column: string): string | undefined => DETAIL.exec(column)?.[1];

/** Safe for names such as `constructor`, which every object has. */
export const detailText = ({ details = {} }: Transaction, name: string): string | undefined =>
  Object.hasOwn(details, name) ? details[name] : undefined;

export const columnOfDetail = (name: string): string => `details.${name}`;

const isColumn = (column: string) =>
  [...HIDEABLE, RELATED_TO, LEFT].some((name) => name === column) || detailOf(column) !== undefined;

const CUSTOMER = columnOfDetail('customer');
const stored = read(() => localStorage, KEY);
let isChosen = stored !== null;

/**
 * The optional columns that a person has chosen, by their names in files. The browser stores them for all
 * accounts of the platform.
 */
export const columns = new Signal<readonly string[]>(
  stored?.split(',').filter(isColumn) ?? [CUSTOMER, ...HIDEABLE],
);

/** Shows or hides a column beside the others that are shown. */
export function chooseColumn(column: string, isShown: boolean, shown: readonly string[]): void {
  const others = shown.filter((name) => name !== column);
  isChosen = true;
  columns.value = isShown ? [...others, column] : others;
  write(() => localStorage, KEY, columns.value.join(','));
}

/** The columns of a table. Unless it was chosen, that of the customer needs one. */
export const shownColumns = (chosen: readonly string[], transactions: readonly Transaction[]) =>
  isChosen || transactions.some((one) => detailText(one, 'customer') !== undefined)
    ? chosen
    : chosen.filter((column) => column !== CUSTOMER);

/**
 * Further columns of a file, if a person chose them: the relation, the remaining amount, and details by their
 * names.
 */
export const extraOf = (chosen: readonly string[]) => ({
  relatedTo: chosen.includes(RELATED_TO),
  left: chosen.includes(LEFT),
  details: isChosen ? chosen.map(detailOf).filter((name) => name !== undefined) : [],
});

/** The columns that can be chosen where these transactions are shown, in their order. */
export function offeredColumns(chosen: readonly string[], transactions: readonly Transaction[]): string[] {
  const names = transactions.flatMap(({ details = {} }) => Object.keys(details));
  const details = [...chosen.filter((column) => detailOf(column)), ...names.sort().map(columnOfDetail)];
  return [...HIDEABLE, RELATED_TO, LEFT, ...new Set(details)];
}

const NAMES = {
  createdAt: texts.$created,
  reference: texts.$reference,
  amount: texts.$amount,
  merchantReference: texts.$yourReference,
  status: texts.$status,
  paidAt: texts.$paid,
  age: texts.$age,
  relatedTo: texts.$relatedTo,
  left: texts.$left,
} satisfies Record<Exclude<WholeField, 'currencyCode'> | ColumnField | 'age' | 'left', string>;

export const columnName = (column: string): string =>
  (NAMES as Readonly<Record<string, string>>)[column] ?? detailName(detailOf(column) ?? column);
