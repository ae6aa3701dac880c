import { currenciesOf } from '../../values/currency-signs.ts';
import type { ComparableField, ComparedFields } from './compared-fields.ts';
import {
  type FileForms,
  readAmount,
  readCurrency,
  readTime,
  type ValueFault,
  type WrittenAmount,
} from './file-values.ts';

export interface LineRules extends ComparedFields, FileForms {
  currency?: string | undefined;
}

type ReadValue = { value: string | null } | WrittenAmount | { fault: ValueFault };

export interface FaultyValue {
  field: ComparableField;
  text: string;
  fault: ValueFault;
}

interface ParsedLine {
  key: string | null;
  values: (string | null)[];
  form: WrittenAmount['form'];
  open: FaultyValue | undefined;
}

export function parseLine(
  record: Readonly<Record<string, unknown>>,
  { key, fields, currency, ...forms }: LineRules,
): ParsedLine | { faults: FaultyValue[] } {
  const faults: FaultyValue[] = [];
  let form: WrittenAmount['form'] = 'none';
  let open: FaultyValue | undefined;
  const read = (field: ComparableField): string | null => {
    const text = record[field] as string | null;
    const result = checked(readValue(field, text, forms), record[CURRENCY] ?? currency);
    if ('form' in result) form = result.form;
    if (form === 'open' && field === 'amount') open = { field, text: text ?? '', fault: 'lone_group' };
    if ('value' in result) return result.value;
    faults.push({ field, text: text ?? '', fault: result.fault });
    return null;
  };
  const parsed = { key: read(key), values: fields.map(read) };
  return faults.length > 0 ? { faults } : { ...parsed, form, open };
}

const CURRENCY: ComparableField = 'currencyCode';

function checked(read: ReadValue, currency: unknown): ReadValue {
  if (!('currency' in read) || read.currency === '') return read;
  if (typeof currency !== 'string') return { fault: 'no_currency' };
  const [code] = currenciesOf(currency);
  return currenciesOf(read.currency).includes(code ?? currency) ? read : { fault: 'other_currency' };
}

function readValue(field: ComparableField, text: string | null, forms: FileForms): ReadValue {
  if (text === null) return { value: null };
  if (field === 'amount') return readAmount(text, forms.decimalComma);
  if (field === CURRENCY) return readCurrency(text);
  if (field === 'createdAt' || field === 'paidAt') return readTime(text, forms);
  return text.includes('\uFFFD') ? { fault: 'not_utf8' } : { value: text };
}
