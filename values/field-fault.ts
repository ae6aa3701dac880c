/** The kinds of field faults in a body, in a line of a batch or in a file. */
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

/** A fault of a field and its correction, as a clause that follows the field's name. */
export interface FieldFault {
  field: string;
  /** The name of the faulty entry, if the field is an object. */
  name?: string;
  /** The index of the faulty entry, from 0, if the field is a list. */
  index?: number;
  code: FieldFaultCode;
  detail: string;
}
