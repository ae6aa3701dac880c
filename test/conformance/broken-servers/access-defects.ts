import type { Defect } from './defect.ts';

/** Faults of authentication. */
export const ACCESS_DEFECTS: Defect[] = [
  {
    name: 'missing-key-404',
    broken: 'A request without a key is 404.',
    check: 'auth.missing',
    file: 'authenticate.ts',
    edits: [["new Problem('missing_api_key'", "new Problem('not_found'"]],
  },
  {
    name: 'invalid-key-403',
    broken: 'An invalid key is 403.',
    check: 'auth.invalid',
    file: 'authenticate.ts',
    edits: [["new Problem('invalid_api_key'", "new Problem('insufficient_scope'"]],
  },
  {
    name: 'invalid-key-404',
    broken: 'An invalid key is 404.',
    check: 'auth.invalid',
    file: 'authenticate.ts',
    edits: [["new Problem('invalid_api_key'", "new Problem('not_found'"]],
  },
  {
    name: 'missing-key-400',
    broken: 'A request without a key is 400.',
    check: 'auth.missing',
    file: 'authenticate.ts',
    edits: [["new Problem('missing_api_key'", "new Problem('invalid_request'"]],
  },
  {
    name: 'missing-key-as-invalid',
    broken: 'A missing key is reported as invalid_api_key.',
    check: 'auth.missing',
    file: 'authenticate.ts',
    edits: [["new Problem('missing_api_key'", "new Problem('invalid_api_key'"]],
  },
  {
    name: 'invalid-key-as-missing',
    broken: 'An invalid key is reported as missing_api_key.',
    check: 'auth.invalid',
    file: 'authenticate.ts',
    edits: [["new Problem('invalid_api_key'", "new Problem('missing_api_key'"]],
  },
  {
    name: 'challenge-missing',
    broken: 'A response to a missing key has no WWW-Authenticate.',
    check: 'auth.challenge.missing',
    file: 'authenticate.ts',
    edits: [["{}, { 'WWW-Authenticate': CHALLENGE });", '{}, {});']],
  },
  {
    name: 'challenge-of-invalid-key-missing',
    broken: 'A response to an invalid key has no WWW-Authenticate.',
    check: 'auth.challenge.invalid',
    file: 'authenticate.ts',
    edits: [["'The API key is not valid', {}, headers)", "'The API key is not valid', {}, {})"]],
  },
  {
    name: 'challenge-without-realm',
    broken: 'WWW-Authenticate has no realm.',
    check: 'auth.challenge.missing',
    file: 'authenticate.ts',
    edits: [
      ['\'Bearer realm="transactions"\'', "'Bearer'"],
      ['`${CHALLENGE}, error="invalid_token"`', '`${CHALLENGE} error="invalid_token"`'],
    ],
  },
  {
    name: 'challenge-with-error',
    broken: 'WWW-Authenticate has an error although no key was sent.',
    check: 'auth.challenge.missing',
    file: 'authenticate.ts',
    edits: [
      [
        "{}, { 'WWW-Authenticate': CHALLENGE });",
        '{}, { \'WWW-Authenticate\': `${CHALLENGE}, error="invalid_token"` });',
      ],
    ],
  },
  {
    name: 'challenge-without-error',
    broken: 'WWW-Authenticate has no error although a key was sent.',
    check: 'auth.challenge.invalid',
    file: 'authenticate.ts',
    edits: [[', error="invalid_token"`', '`']],
  },
  {
    name: 'any-scheme',
    broken: 'The key is accepted with any scheme.',
    check: 'auth.scheme',
    file: 'authenticate.ts',
    edits: [["scheme.toLowerCase() === 'bearer' && key", 'key']],
  },
  {
    name: 'key-without-scheme',
    broken: 'The key is accepted without a scheme.',
    check: 'auth.scheme',
    file: 'authenticate.ts',
    edits: [
      [
        "  const detail = 'Send the header",
        "  if (scheme !== '' && key === '') return scheme;\n  const detail = 'Send the header",
      ],
    ],
  },
  {
    name: 'missing-key-empty-list',
    broken: 'Without a key, the list is empty.',
    check: 'auth.missing',
    file: 'authenticate.ts',
    edits: [
      [
        '  const stored = service.keys.find(readKey(request), service.now());',
        "  if (!request.headers.authorization) return { id: '', account: '-', scopes: [scope] };\n  const stored = service.keys.find(readKey(request), service.now());",
      ],
    ],
  },
  {
    name: 'key-prefix-accepted',
    broken: 'The beginning of a key is accepted.',
    check: 'auth.invalid',
    file: 'keys.ts',
    edits: [
      ['if (!key.startsWith(PREFIX) || checksum(key.slice(0, -6)) !== key.slice(-6)) return undefined;', ''],
      [
        'const stored = this.all.get(hash(key));',
        'const stored = this.all.get(hash(key)) ?? this.#beginning(key);',
      ],
      [
        'this.all.set(hash(key), stored);',
        'this.all.set(hash(key), stored);\n    this.#plain.set(key, stored);',
      ],
      [
        '  /** Returns undefined for',
        '  #plain = new Map();\n  #beginning(given) {\n    return [...this.#plain].find(([key]) => given.length > 20 && key.startsWith(given))?.[1];\n  }\n\n  /** Returns undefined for',
      ],
    ],
  },
  {
    name: 'key-in-any-case',
    broken: 'A key is compared without case.',
    check: 'auth.invalid',
    file: 'keys.ts',
    edits: [
      ['if (!key.startsWith(PREFIX) || checksum(key.slice(0, -6)) !== key.slice(-6)) return undefined;', ''],
      ['update(key).digest', 'update(key.toLowerCase()).digest'],
    ],
  },
  {
    name: 'faults-before-key',
    broken: 'Faults of the query are reported before the key is checked.',
    check: 'auth.before-faults',
    file: 'server.ts',
    edits: [
      [
        '  const { account, key } = authenticate(',
        "  if (url.includes('status=') && !/status=(pending|completed)(&|$)/.test(url)) throw new Problem('invalid_status', 'Not a status');\n  const { account, key } = authenticate(",
      ],
    ],
  },
  {
    name: 'head-without-key',
    broken: 'HEAD needs no key.',
    check: 'auth.head',
    file: 'server.ts',
    edits: [
      [
        "  if (access === 'anyone') return { account: '' };",
        "  if (access === 'anyone' || request.method === 'HEAD') return { account: '' };",
      ],
    ],
  },
  {
    name: 'empty-key-400',
    broken: 'The scheme Bearer without a key is 400.',
    check: 'auth.empty',
    file: 'authenticate.ts',
    edits: [
      [
        "  const detail = 'Send the header",
        "  if (scheme !== '') throw new Problem('invalid_request', 'The key is empty');\n  const detail = 'Send the header",
      ],
    ],
  },
  {
    name: 'key-form-told',
    broken: 'The response says whether a key has the right form.',
    check: 'auth.same-answer',
    file: 'authenticate.ts',
    edits: [
      [
        '  if (stored === undefined) throw invalidKey();',
        "  if (stored === undefined && readKey(request).length !== 44) throw new Problem('invalid_api_key', 'A key has 44 characters');\n  if (stored === undefined) throw invalidKey();",
      ],
    ],
  },
  {
    name: 'key-echoed',
    broken: 'The response contains the key that was refused.',
    check: 'auth.not-echoed',
    file: 'authenticate.ts',
    edits: [
      [
        '  if (stored === undefined) throw invalidKey();',
        "  if (stored === undefined) throw new Problem('invalid_api_key', `The key ${readKey(request)} is not valid`);",
      ],
    ],
  },
  {
    name: 'retrieved-without-key',
    broken: 'A transaction that does not exist is 404 also without a key.',
    check: 'retrieve.authentication',
    file: 'server.ts',
    edits: [
      [
        '  const { account, key } = authenticate(',
        "  const last = parameters['reference'];\n  if (route.access === 'read' && last && ![...service.keys.all.values()].some((key) => service.ledger(key.account).references.has(last))) throw new Problem('not_found', 'There is no such transaction');\n  const { account, key } = authenticate(",
      ],
    ],
  },
  {
    name: 'own-key-missing',
    broken: 'There is no GET /v1/key.',
    check: 'auth.own-key',
    file: 'routes.ts',
    edits: [["path: '/v1/key'", "path: '/v1/keys'"]],
  },
  {
    name: 'own-key-needs-read',
    broken: 'GET /v1/key needs the scope read.',
    check: 'keys.scopes',
    file: 'routes.ts',
    edits: [["access: 'any key', handler", "access: 'read', handler"]],
  },
  {
    name: 'bearer-in-lower-case-refused',
    broken: 'The scheme bearer is refused.',
    check: 'auth.scheme',
    file: 'authenticate.ts',
    edits: [["scheme.toLowerCase() === 'bearer'", "scheme === 'Bearer'"]],
  },
];
