import { number } from './counted.ts';
import { knownNames } from './known-names.ts';

export const FIELD_FAULT_CODES = [
  'missing_field',
  'unknown_field',
  'duplicate_field',
  'invalid_type',
  'invalid_value',
  'duplicate_value',
  'contradicts_path',
  'contradicts_status',
  'card_number',
  'too_far_ahead',
  'in_the_past',
  'account_not_allowed',
  'account_not_declared',
  'sequence_ahead',
  'archived',
  'changes_archived',
] as const;
export type FieldFaultCode = (typeof FIELD_FAULT_CODES)[number];

/** `detail` continues a sentence that begins with the field's name. */
export interface FieldFault {
  field: string;
  name?: string;
  /** The place in the list `field`, counted from 0. */
  index?: number;
  code: FieldFaultCode;
  detail: string;
}

export interface ParameterFault<Code extends string = string> {
  parameter: string;
  code: Code;
  detail: string;
}

/** Describing every fault could take more time than answering any valid request. */
export const MAX_LISTED_FAULTS = 20;

export const MAX_SUGGESTIONS = 5;

export class FaultList<Fault> {
  readonly listed: Fault[] = [];
  #unlisted = 0;

  get unlisted(): number {
    return this.#unlisted;
  }

  get count(): number {
    return this.listed.length + this.#unlisted;
  }

  get isFull(): boolean {
    return this.listed.length === MAX_LISTED_FAULTS;
  }

  add(fault: Fault): void {
    if (this.isFull) this.#unlisted++;
    else this.listed.push(fault);
  }

  countUnlisted(faults: number): void {
    this.#unlisted += faults;
  }

  summary(subject: string): string {
    const all = `${subject} has ${number(this.count)} faults`;
    if (this.#unlisted === 0) return `${all}: see errors.`;
    return `${all}: ${this.listed.length} in errors, ${this.unlistedNote}.`;
  }

  get unlistedNote(): string {
    return `and ${number(this.#unlisted)} more`;
  }
}

export type WrittenFields = Readonly<Record<string, unknown>>;

export function addUnknownFields(
  record: WrittenFields,
  known: ReadonlySet<string>,
  faults: FaultList<FieldFault>,
  what: string,
): void {
  const fields = Object.keys(record);
  const before = faults.count;
  for (const field of fields) {
    if (known.has(field)) continue;
    if (faults.isFull) {
      const knownFields = [...known].filter((name) => Object.hasOwn(record, name));
      faults.countUnlisted(fields.length - knownFields.length - (faults.count - before));
      return;
    }
    const names = knownNames(field, known, 'fields', faults.count < MAX_SUGGESTIONS);
    faults.add({ field, code: 'unknown_field', detail: `is not a field of ${what}${names}` });
  }
}

export function readText(
  written: WrittenFields,
  field: string,
  faults: FaultList<FieldFault>,
): string | null | undefined {
  const value = written[field];
  if (value === undefined || value === null) return value;
  if (typeof value === 'string' && value.isWellFormed()) return value;
  faults.add(
    typeof value === 'string'
      ? { field, code: 'invalid_value', detail: 'contains half of a surrogate pair; remove it' }
      : wrongType(field, value, 'it as a string'),
  );
  return undefined;
}

export const wrongValue = (field: string, detail: string): FieldFault => ({
  field,
  code: 'invalid_value',
  detail,
});

export function wrongType(field: string, value: unknown, instead: string): FieldFault {
  return { field, code: 'invalid_type', detail: `is ${kindOf(value)}; write ${instead}` };
}

function kindOf(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'a list';
  return typeof value === 'object' ? 'an object' : `a ${typeof value}`;
}
