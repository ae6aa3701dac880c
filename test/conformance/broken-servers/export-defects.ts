import type { Defect } from './defect.ts';

/** Faults of exports. */
export const EXPORT_DEFECTS: Defect[] = [
  {
    name: 'export-cut-as-complete',
    broken: 'An export ends after twenty rows, as if it was complete.',
    check: 'export.as-list',
    file: 'routes/export-transactions.ts',
    edits: [
      ['ledger.snapshot().filter(matcher(filter))', 'ledger.snapshot().filter(matcher(filter)).slice(0, 20)'],
      ['  compareWithTotals(service, one);\n', '  one.totals = addUp(one.transactions, undefined);\n'],
    ],
  },
  {
    name: 'export-rows-lost',
    broken: 'The last row of an export is missing.',
    check: 'export.as-list',
    file: 'routes/export-transactions.ts',
    edits: [
      [
        'exportLines(one, begin, one.transactions.length);',
        'exportLines(one, begin, one.transactions.length - 1);',
      ],
    ],
  },
  {
    name: 'export-oldest-first',
    broken: 'An export begins with the oldest transaction.',
    check: 'export.as-list',
    file: 'routes/export-transactions.ts',
    edits: [
      ['ledger.snapshot().filter(matcher(filter))', 'ledger.snapshot().filter(matcher(filter)).reverse()'],
    ],
  },
  {
    name: 'export-filter-ignored',
    broken: 'The filters of an export are ignored.',
    check: 'export.filters',
    file: 'routes/export-transactions.ts',
    edits: [
      ['ledger.snapshot().filter(matcher(filter))', 'ledger.snapshot()'],
      ['.filter(matcher(one.filter))', ''],
    ],
  },
  {
    name: 'export-ninety-days',
    broken: 'A range of an export of more than 90 days is refused.',
    check: 'export.any-range',
    file: 'routes/export-transactions.ts',
    edits: [[".filter(({ code }) => code === 'date_range_inverted')", '']],
  },
  {
    name: 'export-inverted-accepted',
    broken: 'An export of an inverted range is empty.',
    check: 'export.faults',
    file: 'routes/export-transactions.ts',
    edits: [["code === 'date_range_inverted'", "code === ''"]],
  },
  {
    name: 'export-of-another-account',
    broken: 'The manifest of another account can be read.',
    check: 'export.other-account',
    file: 'routes/export-transactions.ts',
    edits: [['one?.account === account && one.startedAtMs', 'one !== undefined && one.startedAtMs']],
  },
  {
    name: 'export-unknown-empty',
    broken: 'The manifest of an unknown export is empty.',
    check: 'export.unknown',
    file: 'routes/export-transactions.ts',
    edits: [
      [
        "  throw new Problem('not_found', 'There is no such export');",
        '  return { ...one, transactions: [], parts: [0], startedAtMs: 0, finishedAtMs: 0 };',
      ],
    ],
  },
  {
    name: 'export-resumed-by-another-account',
    broken: 'An export of another account can be resumed.',
    check: 'export.resume.faults',
    file: 'routes/export-transactions.ts',
    edits: [['one === undefined || one.account !== account ||', 'one === undefined ||']],
  },
  {
    name: 'export-as-of-missing',
    broken: 'There is no header Export-As-Of.',
    check: 'export.headers',
    file: 'routes/export-transactions.ts',
    edits: [["    'Export-As-Of': String(one.asOf),\n", '']],
  },
  {
    name: 'export-id-missing',
    broken: 'There is no header Export-Id.',
    check: 'export.headers',
    file: 'routes/export-transactions.ts',
    edits: [["    'Export-Id': one.id,\n", '']],
  },
  {
    name: 'export-as-of-0',
    broken: 'Export-As-Of is 0.',
    check: 'export.read-your-writes',
    file: 'routes/export-transactions.ts',
    edits: [["'Export-As-Of': String(one.asOf)", "'Export-As-Of': '0'"]],
  },
  {
    name: 'export-never-complete',
    broken: 'The manifest of CSV stays running.',
    check: 'export.manifest',
    file: 'routes/export-transactions.ts',
    edits: [["  if (format === 'csv') complete(call.service, one);\n", '']],
  },
  {
    name: 'export-without-manifest-line',
    broken: 'NDJSON has no manifest line.',
    check: 'export.ndjson.form',
    file: 'routes/export-transactions.ts',
    edits: [['  yield `${JSON.stringify({ export: showManifest(one) })}\\n`;\n', '']],
  },
  {
    name: 'export-manifest-line-first',
    broken: 'The manifest line of NDJSON is the first one.',
    check: 'export.ndjson.form',
    file: 'routes/export-transactions.ts',
    edits: [
      [
        '  yield* exportLines(one, begin, one.transactions.length);\n',
        "  complete(service, one);\n  if (one.format === 'ndjson') yield `${JSON.stringify({ export: showManifest(one) })}\\n`;\n  yield* exportLines(one, begin, one.transactions.length);\n  if (one.format === 'ndjson') return;\n",
      ],
    ],
  },
  {
    name: 'export-resume-ignored',
    broken: 'An export that is resumed begins again.',
    check: 'export.resume',
    file: 'routes/export-transactions.ts',
    edits: [['const begin = index + 1;', 'const begin = 0;']],
  },
  {
    name: 'export-resume-repeats',
    broken: 'An export that is resumed repeats the last row.',
    check: 'export.resume',
    file: 'routes/export-transactions.ts',
    edits: [['const begin = index + 1;', 'const begin = Math.max(0, index);']],
  },
  {
    name: 'export-resume-live',
    broken: 'An export that is resumed shows what was recorded since.',
    check: 'export.resume',
    file: 'routes/export-transactions.ts',
    edits: [
      [
        '  one.isComplete = false;',
        '  one.transactions = service.ledger(account).snapshot().filter(matcher(one.filter));\n  one.asOf = service.ledger(account).headSequence;\n  one.isComplete = false;',
      ],
      [
        'const index = one.transactions',
        'one.transactions = service.ledger(account).snapshot().filter(matcher(one.filter));\n  const index = one.transactions',
      ],
    ],
  },
  {
    name: 'export-resume-unknown-row',
    broken: 'An export can be resumed after a row that it does not have.',
    check: 'export.resume.faults',
    file: 'routes/export-transactions.ts',
    edits: [['after !== undefined && index < 0', 'false']],
  },
  {
    name: 'export-resume-without-parts',
    broken: 'The manifest does not list the parts.',
    check: 'export.parts',
    file: 'routes/export-transactions.ts',
    edits: [['one.parts = [...one.parts.filter((part) => part < begin), begin];', 'one.parts = [0];']],
  },
  {
    name: 'export-unknown-ignored',
    broken: 'An unknown parameter of an export is ignored.',
    check: 'export.faults',
    file: 'routes/export-transactions.ts',
    edits: [['  refuse(faults);', "  refuse(faults.filter(({ code }) => code !== 'unknown_parameter'));"]],
  },
  {
    name: 'export-type-octets',
    broken: 'CSV has the content type application/octet-stream.',
    check: 'export.headers',
    file: 'routes/export-transactions.ts',
    edits: [["'text/csv; charset=utf-8'", "'application/octet-stream'"]],
  },
  {
    name: 'export-as-json-array',
    broken: 'NDJSON has the content type application/json.',
    check: 'export.headers',
    file: 'routes/export-transactions.ts',
    edits: [[": 'application/x-ndjson'", ": 'application/json'"]],
  },
  {
    name: 'export-without-key',
    broken: 'A manifest needs no key.',
    check: 'export.authentication',
    file: 'server.ts',
    edits: [
      [
        "  if (access === 'anyone') return { account: '' };",
        "  const id = request.url?.startsWith('/v1/exports/') && !request.headers.authorization ? request.url.slice('/v1/exports/'.length) : '';\n  if (access === 'anyone' || id) return { account: service.exports.get(id ?? '')?.account ?? '' };",
      ],
    ],
  },
  {
    name: 'export-csv-short',
    broken: 'CSV leaves pending transactions out.',
    check: 'export.formats-agree',
    file: 'export.ts',
    edits: [
      [
        '  for (const transaction of one.transactions.slice(begin, end)) {',
        "  for (const transaction of one.transactions.slice(begin, end)) {\n    if (one.format === 'csv' && transaction.status === 'pending') continue;",
      ],
    ],
  },
  {
    name: 'export-manifest-line-running',
    broken: 'The manifest line of NDJSON is not complete.',
    check: 'export.manifest.line',
    file: 'routes/export-transactions.ts',
    edits: [
      ['  complete(service, one);\n  yield', '  yield'],
      ["  if (format === 'csv') complete(call.service, one);", '  complete(call.service, one);'],
    ],
  },
];
