// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the texts are source code.
import type { Promised } from '../promised.ts';

export const CLIENT: readonly Promised[] = [
  {
    promise: 'The client returns each transaction once, whatever fails on the way',
    in: [],
    faults: [
      {
        name: 'a page that failed is passed over',
        file: 'client/src/transaction-list.ts',
        from: 'if (!(error instanceof CursorExpiredError) || error.cursor === null) throw error;',
        to: 'if (!(error instanceof CursorExpiredError) || error.cursor === null) {\n        this.#next = null;\n        return;\n      }',
        foundBy: { file: 'test/client/transaction-list.test.ts', test: 'a page that fails loses nothing' },
      },
      {
        name: 'a list that is out of order is returned',
        file: 'client/src/transaction-list.ts',
        from: 'if (!inOrder || (',
        to: 'if (unseen.length > 1000 || (',
        foundBy: {
          file: 'test/client/transaction-list.test.ts',
          test: 'a list that is out of order or repeats a row is refused',
        },
      },
    ],
  },
  {
    promise: 'A request that can succeed later is retried, after Retry-After, and no other is',
    in: [],
    faults: [
      {
        name: 'an error that stays is retried',
        file: 'client/src/send.ts',
        from: '!error.retryable || retries >= maxRetries',
        to: 'retries >= maxRetries',
        foundBy: {
          file: 'test/client/retries.test.ts',
          test: 'a request that would fail again is never retried',
        },
      },
      {
        name: 'Retry-After is not kept',
        file: 'client/src/send.ts',
        from: 'Math.max(retryAfterMs, pauseMs) + random()',
        to: 'pauseMs + random()',
        foundBy: {
          file: 'test/client/retries.test.ts',
          test: 'a longer Retry-After, in seconds or as a date, replaces the pause',
        },
      },
    ],
  },
  {
    promise: 'A gap in the change feed is an error',
    in: [],
    faults: [
      {
        name: 'it is passed over',
        file: 'client/src/change-page.ts',
        from: 'if (sequence > last + 1) throw',
        to: 'if (sequence > last + 1000) throw',
        foundBy: {
          file: 'test/client/changes.test.ts',
          test: 'a change that is missing or repeated is an error that names the numbers',
        },
      },
    ],
  },
  {
    promise: 'An export is complete only if its rows, bytes and hash are those of its manifest',
    in: [],
    faults: [
      {
        name: 'the hash is not compared',
        file: 'client/src/export.ts',
        from: '      sha256: this.#hash.hex(),\n',
        to: '',
        foundBy: {
          file: 'test/client/export-faults.test.ts',
          test: 'a byte that is altered on the way is an error',
        },
      },
    ],
  },
  {
    promise: 'A request that the service did not sign is refused',
    in: [],
    faults: [
      {
        name: 'an old one is accepted',
        file: 'client/src/webhook.ts',
        from: 'if (Math.abs(age) <= TOLERANCE_SECONDS) return;',
        to: 'if (age >= 0 || -age <= TOLERANCE_SECONDS) return;',
        foundBy: {
          file: 'test/client/verify-webhook.test.ts',
          test: 'a request is accepted within five minutes of its signature, and not a second beyond',
        },
      },
      {
        name: 'any signature is accepted',
        error: 'Property failed',
        file: 'client/src/webhook.ts',
        from: 'if (!isSigned)',
        to: 'if (given.length === 0)',
        foundBy: {
          file: 'test/client/verify-webhook.test.ts',
          test: 'a request with one character changed is refused',
        },
      },
    ],
  },
  {
    promise: 'The client never prints the key, and the page keeps it in the tab alone',
    in: ['SECURITY.md: The client never prints'],
    faults: [
      {
        name: 'an error has the address of the request',
        file: 'client/src/request.ts',
        from: '  const { origin } = new URL(url);\n',
        to: '  const origin = `${url}?${apiKey}`;\n',
        foundBy: {
          file: 'test/client/errors.test.ts',
          test: 'the key is in no error, and in no output that prints or serialises the client',
        },
      },
      {
        name: 'the page stores the key for all tabs',
        file: 'web/state/session.ts',
        from: 'write(() => sessionStorage, SESSION',
        to: 'write(() => localStorage, SESSION',
        foundBy: {
          file: 'test/page/sign-in.test.ts',
          test: 'a key opens the transactions of its account, and then is nowhere in the page or its address',
        },
      },
    ],
  },
  {
    promise: 'The page runs only its own files, and cannot be framed',
    in: ['SECURITY.md: The page runs'],
    faults: [
      {
        name: 'it can be framed',
        file: 'src/http/files/page.ts',
        from: "frame-ancestors 'none'; ",
        to: '',
        foundBy: {
          file: 'test/http/200-page.test.ts',
          test: '200: the page runs only its own files and cannot be framed',
        },
      },
    ],
  },
];
