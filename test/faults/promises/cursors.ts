// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the texts are source code.
import type { Promised } from '../promised.ts';

export const CURSORS: readonly Promised[] = [
  {
    promise: 'A cursor that was altered is refused',
    in: ['SECURITY.md: A cursor is encrypted', 'SPEC.md: Cursors'],
    faults: [
      {
        name: 'the tag is not checked',
        error: 'is not valid JSON',
        file: 'src/ledger/list/sealed-text.ts',
        from: 'return failed === 0 ?',
        to: 'return failed <= 0 ?',
        foundBy: {
          file: 'src/ledger/list/cursor.test.ts',
          test: 'a cursor with any one bit flipped is refused',
        },
      },
      {
        name: 'another spelling of a cursor opens',
        file: 'src/ledger/list/sealed-text.ts',
        from: '!== sealed) return undefined;',
        to: "=== '') return undefined;",
        foundBy: {
          file: 'src/ledger/list/cursor.test.ts',
          test: 'only the one canonical spelling of a cursor opens',
        },
      },
    ],
  },
  {
    promise: 'A cursor opens for its own account alone, and nothing says that it is real',
    in: [],
    faults: [
      {
        name: 'it opens for every account',
        file: 'src/ledger/list/sealed-text.ts',
        from: 'return HEADER_BYTES + write(account, BOUND + HEADER_BYTES);',
        to: 'return HEADER_BYTES;',
        foundBy: {
          file: 'test/http/400-cursor.test.ts',
          test: '400 cursor_malformed: a cursor of another account, without a hint that it is real',
        },
      },
    ],
  },
  {
    promise:
      'A cursor expires to the millisecond, and tells how to go on at the same place with the same filters',
    in: [],
    faults: [
      {
        name: 'it is accepted a millisecond longer',
        file: 'src/ledger/list/cursor.ts',
        from: 'nowMs < expiresAtMs ?',
        to: 'nowMs <= expiresAtMs ?',
        foundBy: {
          file: 'test/http/400-cursor.test.ts',
          test: '400 cursor_expired: a cursor is accepted until a millisecond before its expiry',
        },
      },
      {
        name: 'the way to go on has lost a filter',
        error: 'Property failed',
        file: 'src/ledger/list/http/list-query.ts',
        from: '{ filter: carried, after, expiresAtMs: freshExpiresAtMs }',
        to: '{ filter: { ...carried, status: null }, after, expiresAtMs: freshExpiresAtMs }',
        foundBy: {
          file: 'src/ledger/list/http/list-query-cursor.test.ts',
          test: 'the request in resume is the query of the cursor before it expired',
        },
      },
    ],
  },
  {
    promise: 'A different or a further filter with a cursor is refused',
    in: [],
    faults: [
      {
        name: 'it is ignored',
        file: 'src/ledger/list/http/list-query.ts',
        from: 'for (const fault of checkFilterWithCursor(filter, opened.content.filter)) faults.add(fault);',
        to: '',
        foundBy: {
          file: 'test/http/400-cursor.test.ts',
          test: '400 cursor_filter_mismatch: a different or an additional filter with a cursor',
        },
      },
    ],
  },
  {
    promise: 'A cursor works on every instance, and through the rotation of its secret',
    in: [
      'SECURITY.md: Cursor secrets and keys can be',
      'docs/reliability.md: Cursor secrets and API keys are',
    ],
    faults: [
      {
        name: 'only the first secret opens',
        file: 'src/ledger/list/sealed-text.ts',
        from: '    keys.set(key.number, key);\n',
        to: '    if (keys.size === 0) keys.set(key.number, key);\n',
        foundBy: {
          file: 'test/http/400-cursor.test.ts',
          test: '200: a cursor survives a restart, another instance, and the rotation of its secret',
        },
      },
      {
        name: 'only the first secret opens, while lists are read',
        file: 'src/ledger/list/sealed-text.ts',
        from: '    keys.set(key.number, key);\n',
        to: '    if (keys.size === 0) keys.set(key.number, key);\n',
        foundBy: {
          file: 'test/http/200-rotation.test.ts',
          test: '200: a cursor secret is rotated while lists are read, in three rollouts without a failed request',
        },
      },
    ],
  },
];
