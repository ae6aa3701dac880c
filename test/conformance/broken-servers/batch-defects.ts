import type { Defect } from './defect.ts';

/** Faults of the responses to a recording, and of streams. */
export const BATCH_DEFECTS: Defect[] = [
  {
    name: 'created-is-200',
    broken: 'The first recording is 200.',
    check: 'record.created',
    file: 'routes/record-transactions.ts',
    edits: [["outcome.outcome === 'recorded' ? 201 : 200", '200']],
  },
  {
    name: 'repeat-is-201',
    broken: 'A repeated recording is 201.',
    check: 'record.repeated',
    file: 'routes/record-transactions.ts',
    edits: [["outcome.outcome === 'recorded' ? 201 : 200", '201']],
  },
  {
    name: 'conflict-is-200',
    broken: 'A conflict is 200.',
    check: 'record.final',
    file: 'routes/record-transactions.ts',
    edits: [
      [
        "throw new Problem('transaction_conflict', explainConflict(outcome), { differences });",
        'return { status: 200, body: { differences } };',
      ],
    ],
  },
  {
    name: 'conflict-without-differences',
    broken: 'A conflict does not say what differs.',
    check: 'record.conflict.differences',
    file: 'routes/record-transactions.ts',
    edits: [['explainConflict(outcome), { differences }', 'explainConflict(outcome), {}']],
  },
  {
    name: 'repeat-is-changed',
    broken: 'A repeated recording says that it changed something.',
    check: 'record.said',
    file: 'routes/record-transactions.ts',
    edits: [
      ["'Recording-Outcome': outcome.outcome", "'Recording-Outcome': outcome.outcome.replace('un', '')"],
    ],
  },
  {
    name: 'recording-says-the-head',
    broken: 'A repeated recording says the number of the last change of the account, not of the transaction.',
    check: 'record.said',
    file: 'routes/record-transactions.ts',
    edits: [["String(ledger.sequenceOf(given.reference, 'last'))", 'String(ledger.headSequence)']],
  },
  {
    name: 'replay-is-not-said',
    broken: 'A replayed POST does not say that it is one.',
    check: 'record.said',
    file: 'routes/record-transactions.ts',
    edits: [["        'Idempotency-Replayed': 'true',\n", '']],
  },
  {
    name: 'idempotency-key-ignored',
    broken: 'The same idempotency key records twice.',
    check: 'record.post.repeated',
    file: 'routes/record-transactions.ts',
    edits: [['const first = ledger.idempotencyKeys.get(key);', 'const first = undefined;']],
  },
  {
    name: 'idempotency-key-reused',
    broken: 'The same idempotency key with other fields gets the first response.',
    check: 'record.post.reused',
    file: 'routes/record-transactions.ts',
    edits: [
      [
        '    if (first.fields === JSON.stringify(fields))\n      return createdUnderKey',
        '    return createdUnderKey',
      ],
    ],
  },
  {
    name: 'idempotency-key-optional',
    broken: 'A recording without an idempotency key is accepted.',
    check: 'record.post.key-required',
    file: 'routes/record-transactions.ts',
    edits: [
      [
        "const key = request.headers['idempotency-key'];",
        "const key = request.headers['idempotency-key'] ?? randomUUID();",
      ],
    ],
  },
  {
    name: 'batch-stops-at-a-fault',
    broken: 'A batch ends at the first faulty line.',
    check: 'record.batch',
    file: 'routes/record-transactions.ts',
    edits: [
      [
        "    if (text.trim() !== '') response.write(`${JSON.stringify({ line, ...recordLine(service, text) })}\\n`);",
        "    const result = { line, ...recordLine(service, text) };\n    response.write(`${JSON.stringify(result)}\\n`);\n    if (result.outcome === 'invalid') break;",
      ],
    ],
  },
  {
    name: 'batch-records-nothing-after-a-fault',
    broken: 'A faulty line of a batch is skipped without an outcome.',
    check: 'record.batch',
    file: 'routes/record-transactions.ts',
    edits: [
      [
        "    if (text.trim() !== '') response.write(`${JSON.stringify({ line, ...recordLine(service, text) })}\\n`);",
        "    const result = { line, ...recordLine(service, text) };\n    if (result.outcome !== 'invalid') response.write(`${JSON.stringify(result)}\\n`);",
      ],
    ],
  },
  {
    name: 'batch-lines-end-at-separators',
    broken: 'A line of a batch ends at U+2028 in a text.',
    check: 'record.batch',
    file: 'routes/record-transactions.ts',
    edits: [["split('\\n')", 'split(/[\\n\\u2028]/)']],
  },
  {
    name: 'batch-in-reverse',
    broken: 'The outcomes of a batch are in another order than its lines.',
    check: 'record.batch',
    file: 'routes/record-transactions.ts',
    edits: [
      [
        'response.write(`${JSON.stringify({ line, ...recordLine(service, text) })}\\n`);\n  }\n  response.end();',
        "outcomes.unshift(`${JSON.stringify({ line, ...recordLine(service, text) })}\\n`);\n  }\n  response.end(outcomes.join(''));",
      ],
      ['  let line = 0;', '  let line = 0;\n  const outcomes: string[] = [];'],
    ],
  },
  {
    name: 'batch-lines-from-zero',
    broken: 'The lines of a batch are counted from 0.',
    check: 'record.batch',
    file: 'routes/record-transactions.ts',
    edits: [['  let line = 0;', '  let line = -1;']],
  },
  {
    name: 'batch-always-recorded',
    broken: 'Each line of a batch is reported as recorded.',
    check: 'record.batch',
    file: 'routes/record-transactions.ts',
    edits: [
      [
        '{ outcome, differences: rest.differences } : { outcome }',
        "{ outcome: 'recorded' } : { outcome: 'recorded' }",
      ],
    ],
  },
  {
    name: 'batch-without-differences',
    broken: 'A conflict in a batch does not say what differs.',
    check: 'record.batch.differences',
    file: 'routes/record-transactions.ts',
    edits: [['{ outcome, differences: rest.differences } : { outcome }', '{ outcome } : { outcome }']],
  },
  {
    name: 'recorded-twice-at-once',
    broken: 'Of equal recordings at once, several are the first one.',
    check: 'record.concurrent',
    file: 'routes/record-transactions.ts',
    edits: [
      [
        '  const outcome = record(',
        '  const isNew = !service.ledger(account).references.has(given.reference);\n  await new Promise((resolve) => setTimeout(resolve, 1000));\n  const outcome = record(',
      ],
      ["outcome.outcome === 'recorded' ? 201", 'isNew ? 201'],
    ],
  },
];
