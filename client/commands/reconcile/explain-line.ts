import { causeOf, type FaultyLine } from '../../../values/faulty-line.ts';
import { quote } from '../../../values/quote.ts';
import { type DateOrder, daysOf, type FileForms, type ValueFault } from '../../reconcile/file-values.ts';
import type { LineFault } from '../../reconcile/stage-file.ts';

const TIME_FORM =
  'write a time such as 2026-03-31T09:30:00.000Z or 2026-03-31T11:30:00+02:00, or a day such as 2026-03-31 or 31.03.2026';

export function explainLine(line: number, fault: LineFault, forms: FileForms): FaultyLine {
  const place = 'value' in fault ? fault.value.field : null;
  const detail =
    'source' in fault
      ? fault.source.fault
      : 'value' in fault
        ? EXPLANATIONS[fault.value.fault](quote(fault.value.text), fault.value.text, forms)
        : `has a day and a time, and line ${fault.opposedLine} has the day where this line has the time; write only days or only times in a column`;
  return { line, place, cause: causeOf(detail), detail };
}

const amountForm = ({ decimalComma }: FileForms) =>
  `write a decimal number such as ${decimalComma ? '1234,50' : '1234.50'}`;

const EXPLANATIONS: Readonly<Record<ValueFault, (quoted: string, text: string, forms: FileForms) => string>> =
  {
    three_decimals: (quoted, _, forms) =>
      `${quoted} has three digits after its ${forms.decimalComma ? 'comma' : 'point'}, which can be decimals or thousands; ${amountForm(forms)}`,
    lone_group: (quoted, _, forms) =>
      `${quoted} has three digits after its ${forms.decimalComma ? 'point' : 'comma'}, which can be thousands or decimals, and no other amount in the file shows which; ${amountForm(forms)}`,
    other_currency: (quoted) =>
      `${quoted} names another currency than its column currencyCode, or than --currency; compare each currency by itself, or correct the line`,
    no_currency: (quoted) =>
      `${quoted} names a currency, and the file has no column currencyCode; name its currency with --currency, or its column with --column NAME=currencyCode`,
    finer_than_hundredths: (quoted, _, forms) => `${quoted} has more than two decimals; ${amountForm(forms)}`,
    too_large: (quoted) => `${quoted} is larger than any amount of a transaction`,
    decimal_comma: (quoted, _, forms) =>
      `${quoted} has a decimal comma; add --decimal-comma, or ${amountForm(forms)}`,
    decimal_point: (quoted, _, forms) =>
      `${quoted} has a decimal point; leave out --decimal-comma, or ${amountForm(forms)}`,
    not_amount: (quoted, _, forms) => `${quoted} is not an amount; ${amountForm(forms)}`,
    not_currency: (quoted) => `${quoted} does not identify one currency; write its code, such as EUR`,
    two_days: (quoted, text) =>
      `${quoted} can mean ${daysOf(text, undefined).join(' or ')}; add --date-order dmy if its first number is the day, or --date-order mdy if it is the month`,
    other_order: (quoted, _, { dateOrder }) =>
      `${quoted} is not a date in the order of --date-order ${dateOrder as DateOrder}; ${TIME_FORM}`,
    no_offset: (quoted) => `${quoted} has no offset from UTC; ${TIME_FORM}`,
    finer_than_milliseconds: (quoted) => `${quoted} is more precise than milliseconds; ${TIME_FORM}`,
    not_time: (quoted) => `${quoted} is not a time; ${TIME_FORM}`,
    not_utf8: (quoted) => `${quoted} has bytes that are not UTF-8; save the file as UTF-8`,
  };
