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
  /** From 0. */
  index?: number;
  code: FieldFaultCode;
  detail: string;
}
