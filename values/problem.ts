import type { FaultList, FieldFault, FieldFaultCode, ParameterFault } from './fault-list.ts';
import { ERRORS, type ErrorCode } from './interface/errors.ts';
import { escapePointer } from './parse-json.ts';
import { sentence } from './sentence.ts';
import type { UnavailableReason } from './unavailable.ts';

export interface ProblemOptions {
  errors?: readonly ParameterFault[];
  fieldErrors?: BodyFault[];
  differences?: readonly { field: string; recorded: string | null; given: string | null }[];
  headSequence?: number;
  floorSequence?: number;
  resume?: string;
  headers?: Record<string, string>;
  cause?: unknown;
  reason?: UnavailableReason;
}

/** The cause is for the log. Callers do not get it. */
export class Problem extends Error {
  override readonly name = 'Problem';
  readonly code: ErrorCode;
  readonly options: ProblemOptions;

  constructor(code: ErrorCode, detail: string, options: ProblemOptions = {}) {
    super(detail, { cause: options.cause });
    this.code = code;
    this.options = options;
  }

  get status(): number {
    return ERRORS[this.code].status;
  }
}

export function faultyParameters(faults: FaultList<ParameterFault<ErrorCode>>, resume?: string): Problem {
  const options = { errors: faults.listed, ...(resume !== undefined && { resume }) };
  const [first] = faults.listed;
  if (first === undefined || faults.count > 1)
    return new Problem('invalid_request', faults.summary('The request'), options);
  return new Problem(first.code, first.detail, options);
}

export const faultyParameter = (fault: ParameterFault<ErrorCode>): Problem =>
  new Problem(fault.code, fault.detail, { errors: [fault] });

export function faultyFields(faults: FaultList<FieldFault>): Problem {
  const fieldErrors = faults.listed.map(bodyFault);
  const [first] = fieldErrors;
  if (first !== undefined && faults.count === 1) return faultyField(first);
  return new Problem('invalid_fields', faults.summary('The body'), { fieldErrors });
}

export function faultyField(fault: BodyFault): Problem {
  return new Problem('invalid_fields', sentence(`${fault.pointer} ${fault.detail}`), {
    fieldErrors: [fault],
  });
}

type LineFaultCode = 'invalid_line' | 'invalid_api_key' | 'unlisted_faults';

/** `pointer` is a JSON pointer to the field. For a fault of a whole line, `pointer` is empty. */
export interface BodyFault {
  pointer: string;
  code: FieldFaultCode | LineFaultCode;
  detail: string;
}

/** Source: RFC 6901. */
export function bodyFault({ field, name, index, code, detail }: FieldFault): BodyFault {
  const path = [field, name ?? index].filter((part) => part !== undefined);
  return { pointer: path.map((part) => `/${escapePointer(String(part))}`).join(''), code, detail };
}

export const lineFault = (code: LineFaultCode, detail: string): BodyFault => ({ pointer: '', code, detail });
