import type { Defect } from './defect.ts';

/** Faults of cursors, and of filters beside them. */
export const CURSOR_DEFECTS: Defect[] = [
  {
    name: 'cursor-of-another-account',
    broken: 'A cursor of another account is accepted.',
    check: 'cursor.other-account',
    file: 'cursor.ts',
    edits: [
      ['setAAD(Buffer.from(account));', "setAAD(Buffer.from(''));"],
      ['decipher.setAAD(Buffer.from(account))', "decipher.setAAD(Buffer.from(''))"],
    ],
  },
  {
    name: 'cursor-with-other-letters',
    broken: 'A cursor with other last letters of the same bytes is accepted.',
    check: 'cursor.canonical',
    file: 'cursor.ts',
    edits: [["bytes.toString('base64url') === cursor && cursor.length", 'cursor.length']],
  },
  {
    name: 'cursor-unauthenticated',
    broken: 'The bytes of a cursor can be altered.',
    check: 'cursor.altered',
    file: 'cursor.ts',
    edits: [
      ["'aes-256-gcm', key, nonce).setAAD(Buffer.from(account))", "'aes-256-ctr', key, nonce16(nonce))"],
      ['cipher.getAuthTag()', 'Buffer.alloc(TAG_BYTES)'],
      [
        "createDecipheriv('aes-256-gcm', key, nonce, { authTagLength: TAG_BYTES })",
        "createDecipheriv('aes-256-ctr', key, nonce16(nonce))",
      ],
      ['  decipher.setAAD(Buffer.from(account)).setAuthTag(bytes.subarray(-TAG_BYTES));\n', ''],
      [
        'function deriveKey',
        'const nonce16 = (nonce) => Buffer.concat([nonce, Buffer.alloc(4)]);\n\nfunction deriveKey',
      ],
    ],
  },
  {
    name: 'cursor-readable',
    broken: 'A cursor is unsigned JSON in base64.',
    check: 'cursor.encrypted',
    file: 'cursor.ts',
    edits: [
      [
        '  const salt = randomBytes(SALT_BYTES);',
        "  return Buffer.from(JSON.stringify(contents)).toString('base64url');\n  const salt = randomBytes(SALT_BYTES);",
      ],
      [
        "  const bytes = Buffer.from(cursor, 'base64url');",
        "  try {\n    return JSON.parse(Buffer.from(cursor, 'base64url').toString());\n  } catch {\n    return undefined;\n  }\n  const bytes = Buffer.from(cursor, 'base64url');",
      ],
    ],
  },
  {
    name: 'cursor-too-long',
    broken: 'A cursor has more than 512 characters.',
    check: 'cursor.form',
    file: 'cursor.ts',
    edits: [
      [
        "Buffer.of(KEY_NUMBER), salt, ...sealed]).toString('base64url')",
        "Buffer.of(KEY_NUMBER), salt, ...sealed]).toString('base64url').padEnd(600, '0')",
      ],
      [
        "const bytes = Buffer.from(cursor, 'base64url');",
        "const bytes = Buffer.from((cursor = cursor.slice(0, -1).replace(/0+$/, '')), 'base64url');",
      ],
    ],
  },
  {
    name: 'cursor-not-url-safe',
    broken: 'A cursor has characters that a URL must escape.',
    check: 'cursor.form',
    file: 'cursor.ts',
    edits: [
      ["...sealed]).toString('base64url')", "...sealed]).toString('base64').replace(/=*$/, '==')"],
      [
        "const bytes = Buffer.from(cursor, 'base64url');",
        "const bytes = Buffer.from((cursor = Buffer.from(cursor.replaceAll(' ', '+'), 'base64').toString('base64url')), 'base64url');",
      ],
    ],
  },
  {
    name: 'cursor-after-other-filters',
    broken: 'Other filters beside a cursor are ignored.',
    check: 'cursor.other-filter',
    file: 'routes/list-transactions.ts',
    edits: [['faults.push(...findMismatches(filter, given));', '']],
  },
  {
    name: 'cursor-takes-other-filters',
    broken: 'Other filters beside a cursor replace those of the cursor.',
    check: 'cursor.other-filter',
    file: 'routes/list-transactions.ts',
    edits: [
      [
        'faults.push(...findMismatches(filter, given));',
        'return { filter: { ...filter, ...given }, position };',
      ],
    ],
  },
  {
    name: 'cursor-with-further-filter',
    broken: 'A further filter beside a cursor is ignored.',
    check: 'cursor.further-filter',
    file: 'routes/list-transactions.ts',
    edits: [['given[name] !== filter[name])', 'filter[name] !== undefined && given[name] !== filter[name])']],
  },
  {
    name: 'cursor-alone',
    broken: 'Filters beside a cursor are refused, also the same ones.',
    check: 'cursor.same-filters',
    file: 'routes/list-transactions.ts',
    edits: [['given[name] !== undefined && given[name] !== filter[name]', 'given[name] !== undefined']],
  },
  {
    name: 'cursor-without-filters',
    broken: 'The second page has lost the filters.',
    check: 'filter.persists',
    file: 'routes/list-transactions.ts',
    edits: [['    filter: shorten(filter, service.texts),', '    filter: {},']],
  },
  {
    name: 'cursor-needs-filters',
    broken: 'The filters must be sent again beside a cursor.',
    check: 'cursor.alone',
    file: 'routes/list-transactions.ts',
    edits: [
      [
        'filter((name) => given[name] !== undefined && given[name] !== filter[name])',
        'filter((name) => given[name] !== filter[name])',
      ],
    ],
  },
  {
    name: 'cursor-used-once',
    broken: 'A cursor is refused when it is used again.',
    check: 'cursor.reused',
    file: 'routes/list-transactions.ts',
    edits: [
      [
        '  const { position, expiresAtMs } = contents;',
        "  if (used.has(cursor)) faults.push({ parameter: 'cursor', code: 'cursor_malformed', detail: 'Used' });\n  used.add(cursor);\n  const { position, expiresAtMs } = contents;",
      ],
      ['const PAGE_SIZE = 10;', 'const PAGE_SIZE = 10;\nconst used = new Set<string>();'],
    ],
  },
  {
    name: 'malformed-cursor-first-page',
    broken: 'A malformed cursor gives the first page.',
    check: 'cursor.malformed',
    file: 'routes/list-transactions.ts',
    edits: [
      [
        "    faults.push({\n      parameter: 'cursor',\n      code: 'cursor_malformed',\n      detail: 'The cursor was not issued to you',\n    });\n",
        'return { filter: given, position: undefined };',
      ],
    ],
  },
  {
    name: 'malformed-cursor-empty-page',
    broken: 'A malformed cursor gives an empty page.',
    check: 'cursor.malformed',
    file: 'routes/list-transactions.ts',
    edits: [
      [
        "    faults.push({\n      parameter: 'cursor',\n      code: 'cursor_malformed',\n      detail: 'The cursor was not issued to you',\n    });\n",
        "return { filter: given, position: { createdAtMs: -1e15, reference: '' } };",
      ],
    ],
  },
  {
    name: 'malformed-cursor-fails',
    broken: 'A malformed cursor makes the service fail with 500.',
    check: 'cursor.malformed',
    file: 'routes/list-transactions.ts',
    edits: [
      [
        "    faults.push({\n      parameter: 'cursor',\n      code: 'cursor_malformed',\n      detail: 'The cursor was not issued to you',\n    });\n",
        '',
      ],
    ],
  },
  {
    name: 'faults-beside-cursor-ignored',
    broken: 'Beside a valid cursor, other faults are ignored.',
    check: 'cursor.beside-faults',
    file: 'routes/list-transactions.ts',
    edits: [['  const isExpired = expiresAtMs', '  faults.length = 0;\n  const isExpired = expiresAtMs']],
  },
];
