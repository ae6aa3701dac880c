import type { Defect } from './defect.ts';

/** Faults of recording. */
export const RECORD_DEFECTS: Defect[] = [
  {
    name: 'repeat-refused',
    broken: 'Recording the same transaction again is refused.',
    check: 'record.repeated',
    file: 'record.ts',
    edits: [
      [
        "if (differences.length === 0) return { outcome: 'unchanged', transaction: recorded };",
        "if (differences.length === 0) return { outcome: 'conflict', differences };",
      ],
    ],
  },
  {
    name: 'contradiction-accepted',
    broken: 'A contradicting transaction replaces the recorded one.',
    check: 'record.immutable',
    file: 'record.ts',
    edits: [['  if (!isTransition || !isChangeOfStatus) return', '  if (differences.length > 6) return']],
  },
  {
    name: 'contradiction-ignored',
    broken: 'A contradicting transaction is answered as if it was recorded.',
    check: 'record.immutable',
    file: 'record.ts',
    edits: [
      [
        '  if (!isTransition || !isChangeOfStatus) return',
        "  if (!isTransition || !isChangeOfStatus) return { outcome: 'unchanged', transaction: recorded };\n  if (false) return",
      ],
    ],
  },
  {
    name: 'amount-changes-with-payment',
    broken: 'The amount can change when a transaction is paid.',
    check: 'record.immutable',
    file: 'record.ts',
    edits: [['  if (!isTransition || !isChangeOfStatus) return', '  if (!isTransition) return']],
  },
  {
    name: 'completed-to-pending',
    broken: 'A completed transaction can be pending again.',
    check: 'record.final',
    file: 'record.ts',
    edits: [
      ["recorded.status === 'pending' && given.status !== 'pending'", 'recorded.status !== given.status'],
    ],
  },
  {
    name: 'final-status-changes-time',
    broken: 'The time of payment of a completed transaction can change.',
    check: 'record.final',
    file: 'record.ts',
    edits: [
      [
        "recorded.status === 'pending' && given.status !== 'pending'",
        "recorded.status === 'pending' || given.status !== 'pending'",
      ],
    ],
  },
  {
    name: 'pending-never-completed',
    broken: 'A pending transaction cannot be completed.',
    check: 'record.paid',
    file: 'record.ts',
    edits: [["recorded.status === 'pending' && given.status !== 'pending'", "recorded.status === ''"]],
  },
  {
    name: 'differences-incomplete',
    broken: 'Only the first difference of a conflict is reported.',
    check: 'record.conflict.differences',
    file: 'record.ts',
    edits: [
      [
        "return { outcome: 'conflict', differences };",
        "return { outcome: 'conflict', differences: differences.slice(0, 1) };",
      ],
    ],
  },
  {
    name: 'differences-swapped',
    broken: 'A conflict reports the recorded value as the given one.',
    check: 'record.conflict.differences',
    file: 'record.ts',
    edits: [
      [
        '({ field, recorded: value, given: shown[field] ?? null })',
        '({ field, given: value, recorded: shown[field] ?? null })',
      ],
    ],
  },
  {
    name: 'completed-without-time',
    broken: 'A completed transaction without a time of payment is recorded.',
    check: 'record.invalid',
    file: 'record.ts',
    edits: [["payment !== 'paid' || paidAt !== null", 'true']],
  },
  {
    name: 'pending-with-time',
    broken: 'A pending transaction with a time of payment is recorded.',
    check: 'record.invalid',
    file: 'record.ts',
    edits: [["payment !== 'unpaid' || paidAt === null", 'true']],
  },
  {
    name: 'status-of-any-name',
    broken: 'A status that does not exist is recorded.',
    check: 'record.invalid',
    file: 'record.ts',
    edits: [["check('status', payment !== undefined", "check('status', typeof status === 'string'"]],
  },
  {
    name: 'currency-of-any-name',
    broken: 'A currency that does not exist is recorded.',
    check: 'record.invalid',
    file: 'record.ts',
    edits: [
      ["typeof currencyCode === 'string' && isCurrency(currencyCode)", "typeof currencyCode === 'string'"],
    ],
  },
  {
    name: 'field-faults-one-by-one',
    broken: 'Only the first faulty field is reported.',
    check: 'record.invalid.every-field',
    file: 'record.ts',
    edits: [['if (faults.length > 0) return faults;', 'if (faults.length > 0) return faults.slice(0, 1);']],
  },
  {
    name: 'field-faults-without-code',
    broken: 'The faults of fields have no code.',
    check: 'record.invalid.every-field',
    file: 'record.ts',
    edits: [['`/${field}`, code, detail }', '`/${field}`, detail } as FieldFault']],
  },
  {
    name: 'recording-parameter-ignored',
    broken: 'Recording ignores the parameters of the query.',
    check: 'record.parameter.unknown',
    file: 'server.ts',
    edits: [
      [
        "  if (route.access === 'operator' && route.method !== 'GET') refuse(readQuery(query, []).faults);",
        '',
      ],
    ],
  },
  {
    name: 'repeated-name-last-wins',
    broken: 'Of a name that is repeated in a body, the last value is recorded.',
    check: 'record.invalid.repeated-name',
    file: 'body.ts',
    edits: [['  refuseRepeatedNames(text);', '']],
  },
  {
    name: 'repeated-name-as-written',
    broken: 'A name that is repeated in a body is only noticed if both are written alike.',
    check: 'record.invalid.repeated-name',
    file: 'body.ts',
    edits: [['const name: string = JSON.parse(string);', 'const name = string.slice(1, -1);']],
  },
  {
    name: 'merchant-reference-of-any-length',
    broken: 'A merchantReference of more than 255 characters is recorded.',
    check: 'record.invalid',
    file: 'record.ts',
    edits: [['{1,255}$', '*$']],
  },
  {
    name: 'merchant-reference-with-control-characters',
    broken: 'A merchantReference with a control character is recorded.',
    check: 'record.invalid',
    file: 'record.ts',
    edits: [['[^\\p{Cc}\\uFFFD]', '[^\\uFFFD]']],
  },
  {
    name: 'reference-of-any-form',
    broken: 'A reference with other characters is recorded.',
    check: 'record.reference.form',
    file: 'record.ts',
    edits: [['/^[A-Za-z0-9._-]{1,64}$/', '/^[^/]{1,64}$/']],
  },
  {
    name: 'amount-rounded',
    broken: 'An amount with three decimals is rounded.',
    check: 'record.invalid',
    file: 'transaction.ts',
    edits: [['(?:\\.([0-9]{1,2}))?$/.exec(text)', '(?:\\.([0-9]{1,2})[0-9]*)?$/.exec(text)']],
  },
  {
    name: 'time-rounded',
    broken: 'A time that is finer than milliseconds is rounded.',
    check: 'record.invalid',
    file: 'times.ts',
    edits: [['(\\.[0-9]{1,3})?Z$', '(\\.[0-9]{1,9})?Z$']],
  },
];
