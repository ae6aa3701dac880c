import type { FieldFault, FieldFaultCode } from '../../values/field-fault.ts';
import { escapePointer } from '../../values/parse-json.ts';

/** The kinds of faults of a whole line of a batch. */
type LineFaultCode = 'invalid_line' | 'invalid_api_key' | 'unlisted_faults';

/** A fault in a request body, at the field that a JSON pointer names; the pointer is empty for a fault of a whole line. */
export interface BodyFault {
  pointer: string;
  code: FieldFaultCode | LineFaultCode;
  detail: string;
}

/** A fault of a field at the top level of the body, or of an entry of its list or object. Source: RFC 6901. */
export function bodyFault({ field, name, index, code, detail }: FieldFault): BodyFault {
  const path = [field, name ?? index].filter((part) => part !== undefined);
  return { pointer: path.map((part) => `/${escapePointer(String(part))}`).join(''), code, detail };
}

/** A fault of a whole line of a batch. */
export const lineFault = (code: LineFaultCode, detail: string): BodyFault => ({ pointer: '', code, detail });
