import type { Defect } from './defect.ts';

/** Faults of the fields of a transaction. */
export const FIELD_DEFECTS: Defect[] = [
  {
    name: 'amount-as-number',
    broken: 'An amount is a JSON number.',
    check: 'transaction.fields',
    file: 'transaction.ts',
    edits: [
      [
        '    amount: formatAmount(transaction.amountMinor),',
        '    amount: Number(formatAmount(transaction.amountMinor)),',
      ],
    ],
  },
  {
    name: 'amount-without-zeros',
    broken: 'An amount has no zeros at its end, such as "1.5".',
    check: 'transaction.amount.form',
    file: 'transaction.ts',
    edits: [
      [
        '    amount: formatAmount(transaction.amountMinor),',
        '    amount: String(Number(transaction.amountMinor) / 100),',
      ],
    ],
  },
  {
    name: 'amount-in-minor-units',
    broken: 'An amount is in cents, without a point.',
    check: 'transaction.amount.form',
    file: 'transaction.ts',
    edits: [
      ['    amount: formatAmount(transaction.amountMinor),', '    amount: String(transaction.amountMinor),'],
    ],
  },
  {
    name: 'amount-of-yen-without-decimals',
    broken: 'An amount has as many decimals as its currency: none for JPY.',
    check: 'transaction.amount.form',
    file: 'transaction.ts',
    edits: [
      [
        '    amount: formatAmount(transaction.amountMinor),',
        "    amount: formatAmount(transaction.amountMinor).slice(0, transaction.currencyCode === 'JPY' ? -3 : undefined),",
      ],
    ],
  },
  {
    name: 'amount-through-a-float',
    broken: 'An amount passes through a floating-point number: large ones lose cents.',
    check: 'own.amounts.large',
    file: 'transaction.ts',
    edits: [
      [
        '    amount: formatAmount(transaction.amountMinor),',
        '    amount: (Number(transaction.amountMinor) / 100).toFixed(2),',
      ],
    ],
  },
  {
    name: 'amount-with-separators',
    broken: 'An amount from one thousand on has separators.',
    check: 'transaction.amount.form',
    file: 'transaction.ts',
    edits: [
      [
        '    amount: formatAmount(transaction.amountMinor),',
        "    amount: formatAmount(transaction.amountMinor).replace(/(?<=[0-9])(?=([0-9]{3})+[.])/g, ','),",
      ],
    ],
  },
  {
    name: 'created-without-milliseconds',
    broken: 'createdAt has no milliseconds.',
    check: 'transaction.created-at.form',
    file: 'transaction.ts',
    edits: [
      [
        '    createdAt: formatTime(transaction.createdAtMs),',
        "    createdAt: formatTime(transaction.createdAtMs).replace(/[.][0-9]{3}/, ''),",
      ],
    ],
  },
  {
    name: 'created-with-an-offset',
    broken: 'createdAt ends with +00:00 in place of Z.',
    check: 'transaction.created-at.form',
    file: 'transaction.ts',
    edits: [
      [
        '    createdAt: formatTime(transaction.createdAtMs),',
        "    createdAt: formatTime(transaction.createdAtMs).replace('Z', '+00:00'),",
      ],
    ],
  },
  {
    name: 'created-in-milliseconds',
    broken: 'createdAt is a number of milliseconds.',
    check: 'list.envelope.fields',
    file: 'transaction.ts',
    edits: [
      ['    createdAt: formatTime(transaction.createdAtMs),', '    createdAt: transaction.createdAtMs,'],
    ],
  },
  {
    name: 'paid-missing',
    broken: 'paidAt is missing while it is null.',
    check: 'transaction.fields',
    file: 'transaction.ts',
    edits: [
      [
        '    paidAt: transaction.paidAtMs === null ? null : formatTime(transaction.paidAtMs),',
        '    ...(transaction.paidAtMs === null ? {} : { paidAt: formatTime(transaction.paidAtMs) }),',
      ],
    ],
  },
  {
    name: 'pending-paid',
    broken: 'A pending transaction has a time of payment.',
    check: 'transaction.paid-at.pending',
    file: 'transaction.ts',
    edits: [
      [
        '    paidAt: transaction.paidAtMs === null ? null : formatTime(transaction.paidAtMs),',
        '    paidAt: formatTime(transaction.paidAtMs ?? transaction.createdAtMs),',
      ],
    ],
  },
  {
    name: 'completed-unpaid',
    broken: 'A completed transaction has no time of payment.',
    check: 'transaction.paid-at.completed',
    file: 'transaction.ts',
    edits: [
      [
        '    paidAt: transaction.paidAtMs === null ? null : formatTime(transaction.paidAtMs),',
        '    paidAt: null,',
      ],
    ],
  },
  {
    name: 'merchant-reference-empty',
    broken: 'A merchantReference that was not given is an empty text.',
    check: 'record.paid',
    file: 'transaction.ts',
    edits: [
      [
        '    merchantReference: transaction.merchantReference,',
        "    merchantReference: transaction.merchantReference ?? '',",
      ],
    ],
  },
  {
    name: 'merchant-reference-missing',
    broken: 'A merchantReference that was not given is missing.',
    check: 'transaction.fields',
    file: 'transaction.ts',
    edits: [
      [
        '    merchantReference: transaction.merchantReference,',
        '    ...(transaction.merchantReference === null ? {} : { merchantReference: transaction.merchantReference }),',
      ],
    ],
  },
  {
    name: 'merchant-reference-escaped',
    broken: 'A merchantReference is escaped for HTML.',
    check: 'own.texts',
    file: 'transaction.ts',
    edits: [
      [
        '    merchantReference: transaction.merchantReference,',
        "    merchantReference: transaction.merchantReference?.replaceAll('&', '&amp;').replaceAll('<', '&lt;') ?? null,",
      ],
    ],
  },
  {
    name: 'merchant-reference-cut',
    broken: 'A merchantReference is cut after a hundred characters.',
    check: 'own.texts',
    file: 'transaction.ts',
    edits: [
      [
        '    merchantReference: transaction.merchantReference,',
        '    merchantReference: transaction.merchantReference?.slice(0, 100) ?? null,',
      ],
    ],
  },
  {
    name: 'status-in-upper-case',
    broken: 'A status is in upper case.',
    check: 'transaction.status.recognized',
    file: 'transaction.ts',
    edits: [['    status: transaction.status,', '    status: transaction.status.toUpperCase(),']],
  },
  {
    name: 'currency-in-lower-case',
    broken: 'A currency code is in lower case.',
    check: 'transaction.currency.form',
    file: 'transaction.ts',
    edits: [
      [
        '    currencyCode: transaction.currencyCode,',
        '    currencyCode: transaction.currencyCode.toLowerCase(),',
      ],
    ],
  },
  {
    name: 'currency-by-another-name',
    broken: 'The currency code is called currency.',
    check: 'transaction.fields',
    file: 'transaction.ts',
    edits: [['    currencyCode: transaction.currencyCode,', '    currency: transaction.currencyCode,']],
  },
  {
    name: 'reference-as-object',
    broken: 'A reference is an object.',
    check: 'list.envelope.fields',
    file: 'transaction.ts',
    edits: [['    reference: transaction.reference,', '    reference: { id: transaction.reference },']],
  },
  {
    name: 'internal-fields',
    broken: 'A transaction shows the time at which its row was written.',
    check: 'transaction.no-other-fields',
    file: 'transaction.ts',
    edits: [
      [
        '    reference: transaction.reference,',
        '    reference: transaction.reference,\n    updatedAt: formatTime(transaction.createdAtMs),',
      ],
    ],
  },
  {
    name: 'reference-with-account',
    broken: 'A reference has a prefix with a colon.',
    check: 'transaction.reference.form',
    file: 'transaction.ts',
    edits: [['    reference: transaction.reference,', '    reference: `acct:${transaction.reference}`,']],
  },
  {
    name: 'merchant-reference-with-line-end',
    broken: 'A merchantReference ends with a line end.',
    check: 'transaction.merchant-reference.form',
    file: 'transaction.ts',
    edits: [
      [
        '    merchantReference: transaction.merchantReference,',
        '    merchantReference: transaction.merchantReference === null ? null : `${transaction.merchantReference}\\n`,',
      ],
    ],
  },
  {
    name: 'paid-without-milliseconds',
    broken: 'paidAt has no milliseconds.',
    check: 'transaction.paid-at.form',
    file: 'transaction.ts',
    edits: [
      [
        '    paidAt: transaction.paidAtMs === null ? null : formatTime(transaction.paidAtMs),',
        "    paidAt: transaction.paidAtMs === null ? null : formatTime(transaction.paidAtMs).replace(/[.][0-9]{3}/, ''),",
      ],
    ],
  },
  {
    name: 'amount-truncated',
    broken: 'An amount loses a cent where its floating-point number is smaller.',
    check: 'own.amounts',
    file: 'transaction.ts',
    edits: [
      [
        '    amount: formatAmount(transaction.amountMinor),',
        '    amount: formatAmount(BigInt(Math.trunc((Number(transaction.amountMinor) / 100) * 100))),',
      ],
    ],
  },
];
