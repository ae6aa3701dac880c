import { COMPARABLE_FIELDS, type KeyField } from '../../../operate/reconcile/compared-fields.ts';
import type { Difference, LineValues } from '../../../operate/reconcile/find-differences.ts';
import { guardedCsvCell } from '../../../values/csv-cell.ts';
import { type Format, growingTable } from '../../terminal/table.ts';

export const CLASS_NAMES = {
  equal: 'equal',
  missing_here: 'missing here',
  missing_there: 'missing there',
  differing: 'differing',
} as const;

const CSV_HEADER = [
  'difference',
  'line',
  'fields',
  ...COMPARABLE_FIELDS.map((field) => `file_${field}`),
  ...COMPARABLE_FIELDS.map((field) => `account_${field}`),
].join(',');

export const RECONCILE_FORMATS: Readonly<
  Record<'table' | 'json' | 'csv', (key: KeyField) => Format<Difference>>
> = {
  table: (key) =>
    growingTable([
      { title: 'DIFFERENCE', text: ({ kind }) => CLASS_NAMES[kind] },
      { title: 'LINE', text: ({ line }) => (line === null ? '-' : String(line)), isNumber: true },
      {
        title: key === 'reference' ? 'REFERENCE' : 'MERCHANT REFERENCE',
        text: ({ file, account }) => distinct((file ?? account)?.[key] ?? '-'),
      },
      { title: 'VALUES', text: (one) => valuesOf(one, key) },
    ]),
  json: () => ({
    head: [],
    lines: (page) =>
      page.map(({ kind, line, fields, file, account }) =>
        JSON.stringify({ difference: kind, line, fields, file, account }),
      ),
  }),
  csv: () => ({ head: [CSV_HEADER], lines: (page) => page.map(csvLine) }),
};

function valuesOf(difference: Difference, key: KeyField): string {
  const { file, account, fields } = difference;
  if (file !== null && account !== null) {
    return fields
      .map(
        (field) =>
          `${field} ${distinct(file[field] ?? 'empty')} in the file, ${distinct(account[field] ?? 'empty')} in the account`,
      )
      .join('; ');
  }
  const values: LineValues = file ?? account ?? {};
  return COMPARABLE_FIELDS.filter((field) => field !== key && values[field] != null)
    .map((field) => `${field} ${distinct(values[field] as string)}`)
    .join(', ');
}

/** Characters that are not seen, and dashes and spaces that look like others. */
const LOOK_ALIKES = /(?![- ])[\p{Cf}\p{Pd}\p{Zs}\u2212]/gu;
const SEPARATE_ACCENTS = /\p{Mn}/gu;

/**
 * A text in which it is seen why it differs from one that looks equal: in quotes, with the numbers of such characters. A bank's
 * file can have a space at the end, another dash, or an accent as a character of its own.
 */
function distinct(text: string): string {
  const isComposed = text === text.normalize('NFC');
  const shown = [LOOK_ALIKES, ...(isComposed ? [] : [SEPARATE_ACCENTS])].reduce(
    (replaced, characters) => replaced.replace(characters, numberOf),
    text,
  );
  return shown === text && text === text.trim() && !text.includes('  ') ? text : `"${shown}"`;
}

const numberOf = (character: string) =>
  `\\u${(character.codePointAt(0) as number).toString(16).padStart(4, '0')}`;

function csvLine({ kind, line, fields, file, account }: Difference): string {
  const cellsOf = (values: LineValues | null) =>
    COMPARABLE_FIELDS.map((field) => guardedCsvCell(values?.[field] ?? ''));
  return [kind, line ?? '', fields.join(' '), ...cellsOf(file), ...cellsOf(account)].join(',');
}
