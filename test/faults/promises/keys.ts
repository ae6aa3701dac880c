// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the texts are source code.
import type { Promised } from '../promised.ts';

export const KEYS: readonly Promised[] = [
  {
    promise: 'Keys have 178 random bits and a checksum, and only their hash is stored',
    in: ['SECURITY.md: Keys have 178'],
    faults: [
      {
        name: 'a key has few random characters',
        file: 'src/keys/api-key.ts',
        from: 'const random = randomBase62(RANDOM_CHARACTERS, randomBytes);',
        to: "const random = randomBase62(2, randomBytes).padStart(RANDOM_CHARACTERS, '0');",
        foundBy: {
          file: 'src/keys/api-key.test.ts',
          test: 'ten thousand keys and their ids are all different',
        },
      },
      {
        name: 'the checksum is not compared',
        file: 'src/keys/api-key.ts',
        from: 'parts !== null && checksum(parts[1] as string) === parts[2]',
        to: 'parts !== null',
        foundBy: {
          file: 'src/keys/api-key.test.ts',
          test: 'a key with any one character replaced by any other is refused',
        },
      },
      {
        name: 'the key itself is stored',
        file: 'src/keys/api-key.ts',
        from: '    label,\n    scopes: scopes',
        to: '    label: label ?? key,\n    scopes: scopes',
        foundBy: {
          file: 'test/cli/keys.test.ts',
          test: 'only the hash of a key, and how it begins, are stored',
        },
      },
    ],
  },
  {
    promise: 'A key opens one account, from the first request to the last',
    in: [
      "README.md: A merchant's key opens one account",
      'SECURITY.md: The account comes from',
      'SPEC.md: Authentication',
    ],
    faults: [
      {
        name: 'a cached key is that of another caller',
        file: 'src/keys/key-cache.ts',
        from: 'const entry = this.#entries.get(hash);',
        to: 'const [entry] = this.#entries.values();',
        foundBy: { file: 'src/keys/key-cache.test.ts', test: 'a cached key is found only by its own hash' },
      },
    ],
  },
  {
    promise:
      'Unknown, misspelt, revoked and expired keys get one response, before anything else of the request is checked',
    in: ['SECURITY.md: Unknown, misspelt'],
    faults: [
      {
        name: 'an expired key is accepted a millisecond longer',
        file: 'src/keys/api-key.ts',
        from: 'nowMs < key.expiresAtMs',
        to: 'nowMs <= key.expiresAtMs',
        foundBy: {
          file: 'test/http/401-authentication.test.ts',
          test: '401: a key is accepted until a millisecond before its expiry',
        },
      },
      {
        name: 'a key gets a detail of its own',
        file: 'src/keys/http/authenticate.ts',
        from: "'The API key is not valid. Check that it was sent whole, or ask the operator for a new one.'",
        to: '`The API key ${key.slice(-1)} is not valid.`',
        foundBy: {
          file: 'test/http/401-authentication.test.ts',
          test: '401 invalid_api_key: unknown, misspelt, revoked and expired keys get the same response',
        },
      },
    ],
  },
  {
    promise: 'A revoked key is refused within a second on every instance',
    in: [],
    faults: [
      {
        name: 'a cached key is used for longer',
        file: 'src/keys/key-cache.ts',
        from: 'KEY_ENDS_FRESH_MS = 900;',
        to: 'KEY_ENDS_FRESH_MS = 90_000;',
        foundBy: {
          file: 'src/keys/key-cache.test.ts',
          test: 'a cached key is used for less than a second after the last successful query of key ends',
        },
      },
      {
        name: 'the key ends are read and not used',
        file: 'src/keys/key-cache.ts',
        from: 'return end === undefined || (end',
        to: 'return end !== null || (end',
        foundBy: {
          file: 'src/keys/key-cache.test.ts',
          test: 'a revoked key is looked up again as soon as its revocation is read',
        },
      },
      {
        name: 'the numbers of ends are taken for larger than those that were removed',
        file: 'src/keys/key-cache.ts',
        from: 'last.id === null || ends.some',
        to: 'last.id !== undefined || ends.some',
        foundBy: {
          file: 'test/erase/sqlite.test.ts',
          test: 'hides no revocation that comes after it, although the last end was recorded while the clock was ahead',
        },
      },
    ],
  },
  {
    promise: 'A roll never lets a key end later',
    in: ['SPEC.md: Keys'],
    faults: [
      {
        name: 'it gets the new end',
        file: 'src/keys/sqlite/api-keys.ts',
        from: 'expires_at_ms = min(coalesce(expires_at_ms, ?2), ?2)',
        to: 'expires_at_ms = ?2',
        foundBy: {
          file: 'test/http/operator/roll-key.test.ts',
          test: '201: a roll never lets a key end later',
        },
      },
    ],
  },
  {
    promise:
      'A change of a key, an endpoint or an account is in the audit trail if it was made, and only then',
    in: ['SECURITY.md: Who made'],
    faults: [
      {
        name: 'a revocation that changes nothing is in the trail',
        file: 'src/keys/sqlite/api-keys.ts',
        from: 'revoked !== undefined && !wasRevoked',
        to: 'revoked !== undefined',
        foundBy: {
          file: 'test/store/sqlite.test.ts',
          test: 'has a key that was made, rolled and revoked, and nothing of a change that changed nothing',
        },
      },
      {
        name: 'a deleted endpoint is not in the trail on PostgreSQL',
        file: 'src/webhooks/postgres/webhooks.ts',
        from: '{ statement: AUDIT_ENDPOINT, values: [account, id, ...auditRowOf(entry)] },',
        to: '',
        foundBy: {
          file: 'test/store/postgres.test.ts',
          test: 'has each change of an endpoint, and nothing of a change that changed nothing',
        },
      },
    ],
  },
  {
    promise: 'After a restore, keys that had ended are ended again from the log or a stored audit trail',
    in: [],
    faults: [
      {
        name: 'a rolled key stays',
        file: 'src/operate/repeat/repeat-changes.ts',
        from: 'found.expiresAtMs === null || found.expiresAtMs > untilMs',
        to: 'found.expiresAtMs === null',
        foundBy: {
          file: 'test/store/sqlite.test.ts',
          test: 'says what was lost: access and deliveries that had ended are ended again, once, and the rest is reported',
        },
      },
    ],
  },
  {
    promise: 'A key can do what its scopes and its prefix say',
    in: ['SECURITY.md: A key can do', 'SPEC.md: Looking up'],
    faults: [
      {
        name: 'the scope is not checked',
        file: 'src/keys/http/require-rights.ts',
        from: 'scope !== null && !scopes.includes(scope)',
        to: 'scope !== null && scopes.length === 0',
        foundBy: {
          file: 'test/http/403-every-operation.test.ts',
          test: 'gives each key what the table says',
        },
      },
      {
        name: 'the prefix is not compared',
        file: 'src/keys/scopes.ts',
        from: 'prefix === null || account.startsWith(prefix)',
        to: 'prefix === null || account.length > 0',
        foundBy: {
          file: 'test/http/operator/record-batch.test.ts',
          test: '200 invalid: with a key for the accounts with a prefix',
        },
      },
      {
        name: "an operator's key opens the interface of accounts",
        file: 'src/keys/authenticate.ts',
        from: '  if (kindOfAccount(key.account) !== kind) return undefined;\n',
        to: '',
        foundBy: {
          file: 'src/keys/authenticate.test.ts',
          test: 'an account key is never an operator key, nor the reverse',
        },
      },
    ],
  },
  {
    promise: 'A role of the service sees one account at a time on PostgreSQL',
    in: ['SECURITY.md: On PostgreSQL, row-level'],
    faults: [
      {
        name: 'the policy shows every account',
        file: 'src/db/postgres/migrations/0001-initial.sql',
        from: "CREATE POLICY one_account ON transactions FOR SELECT\n  USING (account = current_setting('transactions.account', true));",
        to: 'CREATE POLICY one_account ON transactions FOR SELECT\n  USING (true);',
        foundBy: {
          file: 'test/store/postgres/roles.test.ts',
          test: 'without the account in the statement, another account is still not visible',
        },
      },
    ],
  },
];
