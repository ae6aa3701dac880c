import type { ComparableField, ComparedFields } from './compared-fields.ts';
import { type FileForms, readAmount, readTime, type ValueFault } from './file-values.ts';

export interface LineRules extends ComparedFields, FileForms {}

/** A value of a line, or why it can't be compared. Values are in the form of a response; days stay days. */
type ReadValue = { value: string | null } | { fault: ValueFault };

/** A field that can't be compared. */
export interface FaultyValue {
  field: ComparableField;
  text: string;
  fault: ValueFault;
}

interface ParsedLine {
  key: string | null;
  /** In the order of the compared fields. */
  values: (string | null)[];
}

/** The values of a line, or its faulty fields. */
export function parseLine(
  record: Readonly<Record<string, unknown>>,
  { key, fields, ...forms }: LineRules,
): ParsedLine | { faults: FaultyValue[] } {
  const faults: FaultyValue[] = [];
  const read = (field: ComparableField): string | null => {
    const text = record[field] as string | null;
    const result = readValue(field, text, forms);
    if ('value' in result) return result.value;
    faults.push({ field, text: text ?? '', fault: result.fault });
    return null;
  };
  const parsed = { key: read(key), values: fields.map(read) };
  return faults.length > 0 ? { faults } : parsed;
}

function readValue(field: ComparableField, text: string | null, forms: FileForms): ReadValue {
  if (text === null) return { value: null };
  if (field === 'amount') return readAmount(text, forms.decimalComma);
  if (field === 'createdAt' || field === 'paidAt') return readTime(text, forms);
  // The decoder writes this character for bytes that are not UTF-8.
  return text.includes('\uFFFD') ? { fault: 'not_utf8' } : { value: text };
}
