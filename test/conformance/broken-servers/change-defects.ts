import type { Defect } from './defect.ts';

/** Faults of the change feed. */
export const CHANGE_DEFECTS: Defect[] = [
  {
    name: 'feed-with-a-hole',
    broken: 'The feed lacks a change.',
    check: 'changes.numbers',
    file: 'routes/list-changes.ts',
    edits: [
      [
        'ledger.changes.slice(first, first + count)',
        'ledger.changes.slice(first, first + count).filter(({ sequence }) => sequence % 7 !== 3)',
      ],
    ],
  },
  {
    name: 'feed-newest-first',
    broken: 'A page of the feed begins with the newest change.',
    check: 'changes.numbers',
    file: 'routes/list-changes.ts',
    edits: [
      ['ledger.changes.slice(first, first + count)', 'ledger.changes.slice(first, first + count).reverse()'],
    ],
  },
  {
    name: 'feed-by-creation',
    broken: 'A page of the feed is in the order of createdAt.',
    check: 'changes.concurrent',
    file: 'routes/list-changes.ts',
    edits: [
      [
        'ledger.changes.slice(first, first + count)',
        'ledger.changes.slice(first, first + count).sort((a, b) => a.transaction.createdAtMs - b.transaction.createdAtMs)',
      ],
    ],
  },
  {
    name: 'feed-repeats-after',
    broken: 'A page of the feed begins with the change after.',
    check: 'changes.small-pages',
    file: 'routes/list-changes.ts',
    edits: [
      [
        'ledger.changes.slice(first, first + count)',
        'ledger.changes.slice(Math.max(0, first - 1), first + count)',
      ],
    ],
  },
  {
    name: 'feed-in-present-state',
    broken: 'A change shows the transaction as it is now.',
    check: 'changes.recorded',
    file: 'routes/list-changes.ts',
    edits: [
      [
        'ledger.changes.slice(first, first + count)',
        'ledger.changes.slice(first, first + count).map((change) => ({ ...change, transaction: ledger.references.get(change.transaction.reference) }))',
      ],
    ],
  },
  {
    name: 'last-sequence-0',
    broken: 'lastSequence of an empty page is 0.',
    check: 'changes.end',
    file: 'routes/list-changes.ts',
    edits: [['?.sequence ?? first', '?.sequence ?? 0']],
  },
  {
    name: 'last-sequence-of-head',
    broken: 'lastSequence is the head, not the last change of the page.',
    check: 'changes.small-pages',
    file: 'routes/list-changes.ts',
    edits: [['const lastSequence = data.at(-1)?.sequence ?? first;', 'const lastSequence = headSequence;']],
  },
  {
    name: 'feed-has-more-always',
    broken: 'hasMore of the feed is always true.',
    check: 'changes.end',
    file: 'routes/list-changes.ts',
    edits: [['hasMore: lastSequence < headSequence', 'hasMore: true']],
  },
  {
    name: 'head-of-the-page',
    broken: 'headSequence is that of the page.',
    check: 'changes.small-pages',
    file: 'routes/list-changes.ts',
    edits: [['lastSequence, headSequence, hasMore', 'lastSequence, headSequence: lastSequence, hasMore']],
  },
  {
    name: 'previous-status-missing',
    broken: 'previousStatus is always null.',
    check: 'changes.recorded',
    file: 'change.ts',
    edits: [['    previousStatus,\n    recordedAt', '    previousStatus: null,\n    recordedAt']],
  },
  {
    name: 'type-of-events',
    broken: 'The type of a change is transaction.updated.',
    check: 'changes.item',
    file: 'change.ts',
    edits: [
      [
        'type: `transaction.${transaction.status}`',
        "type: previousStatus === null ? 'transaction.created' : 'transaction.updated'",
      ],
    ],
  },
  {
    name: 'recorded-without-milliseconds',
    broken: 'recordedAt has no milliseconds.',
    check: 'changes.item',
    file: 'change.ts',
    edits: [
      [
        'recordedAt: formatTime(recordedAtMs)',
        "recordedAt: formatTime(recordedAtMs).replace(/[.][0-9]{3}/, '')",
      ],
    ],
  },
  {
    name: 'sequence-as-text',
    broken: 'A sequence number is a text.',
    check: 'changes.item',
    file: 'change.ts',
    edits: [['    sequence,\n    type', '    sequence: String(sequence),\n    type']],
  },
  {
    name: 'feed-of-another-account',
    broken: 'The feed has changes of other accounts.',
    check: 'changes.isolation',
    file: 'routes/list-changes.ts',
    edits: [
      [
        'const data = ledger.changes',
        'const foreign = [...service.keys.all.values()].map((key) => service.ledger(key.account)).find((other) => other !== ledger && other.headSequence > 0);\n  const data = (first === 0 && foreign ? [...foreign.changes.slice(0, 1), ...ledger.changes.slice(1)] : ledger.changes)',
      ],
    ],
  },
  {
    name: 'sequence-repeated',
    broken: 'A repeated recording has a change of its own.',
    check: 'changes.recorded',
    file: 'record.ts',
    edits: [
      [
        'if (differences.length === 0) return',
        'if (differences.length === 0) ledger.save(given, nowMs);\n  if (differences.length === 0) return',
      ],
    ],
  },
  {
    name: 'sequence-from-zero',
    broken: 'Sequence numbers begin at 0.',
    check: 'changes.numbers',
    file: 'ledger.ts',
    edits: [['this.changes.length + 1;', 'this.changes.length;']],
  },
  {
    name: 'numbers-of-the-request',
    broken: 'Numbers are given again for each page: the first change of a page is the one after 0.',
    check: 'changes.repeatable',
    file: 'routes/list-changes.ts',
    edits: [
      [
        'ledger.changes.slice(first, first + count)',
        'ledger.changes.slice(0).sort((a, b) => (count > 50 ? 0 : b.transaction.createdAtMs - a.transaction.createdAtMs)).slice(first, first + count).map((change, index) => ({ ...change, sequence: first + index + 1 }))',
      ],
    ],
  },
  {
    name: 'feed-of-payments-alone',
    broken: 'A new transaction has no change until it is paid.',
    check: 'changes.list',
    file: 'ledger.ts',
    edits: [
      [
        '    const sequence = this.changes.length + 1;',
        "    if (transaction.status === 'pending') return;\n    const sequence = this.changes.length + 1;",
      ],
    ],
  },
  {
    name: 'list-with-another-amount',
    broken: 'A payment has another amount in the feed than in the list.',
    check: 'changes.list.own',
    file: 'change.ts',
    edits: [
      [
        '    transaction: showTransaction(transaction),',
        '    transaction: showTransaction(previousStatus === null ? transaction : { ...transaction, amountMinor: transaction.amountMinor + 1n }),',
      ],
    ],
  },
  {
    name: 'updates-in-the-feed',
    broken: 'Each recording is followed by a change of the same status.',
    check: 'changes.once',
    file: 'ledger.ts',
    edits: [
      [
        '    this.changes.push({ sequence, id, previousStatus, recordedAtMs, transaction });',
        '    this.changes.push({ sequence, id, previousStatus, recordedAtMs, transaction });\n    this.changes.push({ sequence: sequence + 1, id: `${id}_`, previousStatus: transaction.status, recordedAtMs, transaction });',
      ],
    ],
  },
  {
    name: 'late-numbers',
    broken: 'Every fifth change is seen after later ones, as numbers of a database sequence are.',
    check: 'changes.concurrent',
    file: 'routes/list-changes.ts',
    edits: [
      [
        'ledger.changes.slice(first, first + count)',
        'ledger.changes.slice(first, first + count).filter(({ sequence }) => sequence % 5 !== 0 || sequence + 5 < headSequence)',
      ],
    ],
  },
  {
    name: 'feed-as-the-list',
    broken: 'The feed has nextCursor in place of lastSequence.',
    check: 'changes.envelope',
    file: 'routes/list-changes.ts',
    edits: [['lastSequence, headSequence, hasMore', 'nextCursor: lastSequence, headSequence, hasMore']],
  },
];
