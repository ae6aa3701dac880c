import type { Defect } from './defect.ts';

/** Faults of the keys that the operator creates, and of their scopes. */
export const KEY_DEFECTS: Defect[] = [
  {
    name: 'revoked-key-accepted',
    broken: 'A revoked key is accepted.',
    check: 'keys.revoked',
    file: 'keys.ts',
    edits: [['|| stored.revokedAtMs !== null) return', ') return']],
  },
  {
    name: 'expired-key-accepted',
    broken: 'An expired key is accepted.',
    check: 'keys.expired',
    file: 'keys.ts',
    edits: [
      [
        'return stored.expiresAtMs !== null && stored.expiresAtMs <= nowMs ? undefined : stored;',
        'return stored;',
      ],
    ],
  },
  {
    name: 'account-key-records',
    broken: 'The key of an account can record.',
    check: 'record.authentication',
    file: 'authenticate.ts',
    edits: [
      [
        '  if (!timingSafeEqual',
        '  if (service.keys.find(readKey(request), service.now()) !== undefined) return;\n  if (!timingSafeEqual',
      ],
    ],
  },
  {
    name: 'one-key-alone',
    broken: 'A new key ends the earlier ones of its account.',
    check: 'keys.several',
    file: 'keys.ts',
    edits: [
      [
        '    this.all.set(hash(key), stored);',
        '    for (const other of this.ofAccount(account)) other.revokedAtMs = nowMs;\n    this.all.set(hash(key), stored);',
      ],
    ],
  },
  {
    name: 'key-listed',
    broken: 'The list of keys shows the keys.',
    check: 'keys.not-shown-again',
    file: 'keys.ts',
    edits: [
      [
        '    this.all.set(hash(key), stored);',
        '    Object.assign(stored, { label: key });\n    this.all.set(hash(key), stored);',
      ],
    ],
  },
  {
    name: 'item-of-two-pages',
    broken: 'The next page of a collection begins with the last item of the page before.',
    check: 'keys.pages',
    file: 'page.ts',
    edits: [['=== contents.after) + 1;', '=== contents.after);']],
  },
  {
    name: 'cursor-of-every-account',
    broken: 'The cursor of a collection opens for the same collection of another account.',
    check: 'keys.pages',
    file: 'page.ts',
    edits: [['`${name} of ${account}`', 'name']],
  },
  {
    name: 'revoked-with-a-body',
    broken: 'DELETE of a key is 200 with the key.',
    check: 'keys.revoked',
    file: 'routes/account-keys.ts',
    edits: [['  return { status: 204 };', '  return { status: 200, body: showKey(stored) };']],
  },
  {
    name: 'roll-without-grace',
    broken: 'Rolling ends the old key at once.',
    check: 'keys.roll',
    file: 'routes/account-keys.ts',
    edits: [['Math.min(endMs, nowMs + graceMs)', 'nowMs']],
  },
  {
    name: 'grace-without-end',
    broken: 'A rolled key does not end.',
    check: 'keys.roll',
    file: 'routes/account-keys.ts',
    edits: [['Math.min(endMs, nowMs + graceMs)', 'nowMs + 86_400_000']],
  },
  {
    name: 'scopes-ignored',
    broken: 'A key without the scope read can read.',
    check: 'keys.scopes',
    file: 'authenticate.ts',
    edits: [['!stored.scopes.includes(scope)', 'stored.scopes.length === 0']],
  },
  {
    name: 'scope-untold',
    broken: 'The refusal of a key does not name the scope.',
    check: 'keys.scopes',
    file: 'authenticate.ts',
    edits: [['`The API key does not have the scope ${scope}`', "'The API key cannot do this'"]],
  },
];
