import type { Defect } from './defect.ts';

/** Faults that show the transactions of another account, and of retrieving one. */
export const ACCOUNT_DEFECTS: Defect[] = [
  {
    name: 'row-of-another-account',
    broken: 'The list with a currency has transactions of all accounts.',
    check: 'filter.currency.only',
    file: 'routes/list-transactions.ts',
    edits: [
      [
        'of service.ledger(account).after(position)',
        'of [...new Set(filter.currency ? [...service.keys.all.values()].map((key) => key.account) : [account])].flatMap((name) => [...service.ledger(name).after(position)]).sort((a, b) => b.createdAtMs - a.createdAtMs)',
      ],
    ],
  },
  {
    name: 'one-list-for-all',
    broken: 'Every key lists the transactions of all accounts.',
    check: 'pages.foreign',
    file: 'service.ts',
    edits: [
      [
        'const ledger = this.#ledgers.get(account) ?? new Ledger();\n    this.#ledgers.set(account, ledger);',
        "const ledger = this.#ledgers.get('') ?? new Ledger();\n    this.#ledgers.set('', ledger);",
      ],
    ],
  },
  {
    name: 'retrieved-without-decimals',
    broken: 'A retrieved transaction has another form than in the list.',
    check: 'retrieve.same',
    file: 'routes/retrieve-transaction.ts',
    edits: [
      [
        'body: showTransaction(transaction) }',
        'body: { ...showTransaction(transaction), amount: Number(transaction.amountMinor) / 100 } }',
      ],
    ],
  },
  {
    name: 'retrieved-null',
    broken: 'An unknown reference gives null in place of 404.',
    check: 'retrieve.not-found',
    file: 'routes/retrieve-transaction.ts',
    edits: [["throw new Problem('not_found', 'There is no such transaction')", 'return { status: 200 }']],
  },
  {
    name: 'retrieved-from-all-accounts',
    broken: 'A transaction of another account can be retrieved.',
    check: 'retrieve.other-account',
    file: 'routes/retrieve-transaction.ts',
    edits: [
      [
        '  if (transaction === undefined) throw',
        "  const foreign = [...service.keys.all.values()].map((key) => service.ledger(key.account).references.get(path['reference'] ?? '')).find((one) => one !== undefined);\n  if (transaction === undefined && foreign) return { status: 200, body: showTransaction(foreign) };\n  if (transaction === undefined) throw",
      ],
    ],
  },
  {
    name: 'status-of-all-accounts',
    broken: 'status lists the transactions of all accounts.',
    check: 'own.isolation',
    file: 'routes/list-transactions.ts',
    edits: [
      [
        'of service.ledger(account).after(position)',
        'of [...new Set(filter.status ? [...service.keys.all.values()].map((key) => key.account) : [account])].flatMap((name) => [...service.ledger(name).after(position)]).sort((a, b) => b.createdAtMs - a.createdAtMs)',
      ],
    ],
  },
];
