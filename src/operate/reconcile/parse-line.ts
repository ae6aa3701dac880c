import { quote } from '../../values/quote.ts';
import type { ComparableField, ComparedFields } from './compared-fields.ts';
import { type DateOrder, explainReadAmount, explainReadTime, readAmount, readTime } from './file-values.ts';

export interface LineRules extends ComparedFields {
  /** Whether amounts are written as 1.234,50. */
  decimalComma: boolean;
  /** Which number of 05/06/2026 is the day; undefined to refuse a date that can be two days. */
  dateOrder?: DateOrder | undefined;
}

/** A value of a line, or why it can't be compared. Values are in the form of a response; days stay days. */
type ReadValue = { value: string | null } | { fault: string };

interface ParsedLine {
  key: string | null;
  /** In the order of the compared fields. */
  values: (string | null)[];
}

/** The values of a line, or its faulty fields. */
export function parseLine(
  record: Readonly<Record<string, unknown>>,
  { key, fields, decimalComma, dateOrder }: LineRules,
): ParsedLine | { faults: { field: ComparableField; detail: string }[] } {
  const faults: { field: ComparableField; detail: string }[] = [];
  const read = (field: ComparableField): string | null => {
    const result = readValue(field, record[field] as string | null, decimalComma, dateOrder);
    if ('value' in result) return result.value;
    faults.push({ field, detail: result.fault });
    return null;
  };
  const parsed = { key: read(key), values: fields.map(read) };
  return faults.length > 0 ? { faults } : parsed;
}

function readValue(
  field: ComparableField,
  text: string | null,
  decimalComma: boolean,
  dateOrder: DateOrder | undefined,
): ReadValue {
  if (text === null) return { value: null };
  if (field === 'amount') {
    const value = readAmount(text, decimalComma);
    return value === undefined ? { fault: explainReadAmount(text, decimalComma) } : { value };
  }
  if (field === 'createdAt' || field === 'paidAt') {
    const value = readTime(text, dateOrder);
    return value === undefined ? { fault: explainReadTime(text, dateOrder) } : { value };
  }
  // The decoder writes this character for bytes that are not UTF-8.
  if (text.includes('\uFFFD'))
    return { fault: `${quote(text)} has bytes that are not UTF-8; save the file as UTF-8` };
  return { value: text };
}
