import { nearest } from '../../values/nearest.ts';
import { quote } from '../../values/quote.ts';
import {
  COMPARABLE_FIELDS,
  type ComparableField,
  type ComparedFields,
  fieldNamed,
  type KeyField,
} from './compared-fields.ts';

export interface ColumnMapping {
  theirs: string;
  ours: ComparableField | null;
}

export interface FileColumns extends ComparedFields {
  columns: readonly (ComparableField | null)[];
  ignored: readonly string[];
}

export function fileColumns(
  header: readonly string[],
  mappings: readonly ColumnMapping[],
  key: KeyField,
): FileColumns | { faults: string[] } {
  const mapped = new Map(mappings.map(({ theirs, ours }) => [theirs, ours]));
  const columns = header.map((name) => mapped.get(name) ?? (mapped.has(name) ? null : fieldNamed(name)));
  const faults = [...absentNames(header, mappings), ...repeatedFields(header, columns)];
  const columnNames = `Its columns are ${listed(header)}.`;
  if (!columns.includes(key)) {
    faults.push(
      `The file has no column ${key}, which --by names. Name the column that has it: --column NAME=${key}. ${columnNames}`,
    );
  }
  const fields = comparableOf(columns).filter((field) => field !== key && columns.includes(field));
  if (fields.length === 0) {
    faults.push(
      `The file has no column to compare besides ${key}. Name at least one, for example --column NAME=amount. ${columnNames}`,
    );
  }
  if (faults.length > 0) return { faults };
  const ignored = named(header).filter((name) => fieldNamed(name) === null && !mapped.has(name));
  return { key, fields, columns, ignored };
}

const comparableOf = (columns: readonly (ComparableField | null)[]): ComparableField[] => [
  ...new Set([...COMPARABLE_FIELDS, ...columns.filter((field) => field !== null)]),
];

function absentNames(header: readonly string[], mappings: readonly ColumnMapping[]): string[] {
  return mappings
    .filter(({ theirs }) => !header.includes(theirs))
    .map(({ theirs, ours }) => {
      const meant = nearest(theirs, header);
      const instead =
        meant === undefined ? `Its columns are ${listed(header)}.` : `Did you mean ${quote(meant)}?`;
      return `--column ${theirs}=${ours ?? ''}: the file has no column ${quote(theirs)}. ${instead}`;
    });
}

function repeatedFields(header: readonly string[], columns: readonly (ComparableField | null)[]): string[] {
  return comparableOf(columns).flatMap((field) => {
    const names = header.filter((_, at) => columns[at] === field);
    if (names.length < 2) return [];
    return [
      `The columns ${listed(names)} of the file are all ${field}, and only one can be. Leave a column out with --column NAME=`,
    ];
  });
}

const named = (header: readonly string[]) => header.filter((name) => name !== '');

const listed = (names: readonly string[]) => named(names).map(quote).join(', ');
