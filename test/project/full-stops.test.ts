import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { readSourceFiles } from './source-files.ts';

/* A text that the program did not write can end in a full stop: the message of a system, a file, a reference such as "tx_1.". */

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/** An expression of a template or an element that a full stop follows. */
const ENDED = /\{([^{}]*)\}\.(?=[\s`'<])/g;

/** Names of such texts. */
const FOREIGN = /(?:^|[.\s)])(?:message|reason|file|output|reference|account|host|path|url|detail)\)?$/;

test('no message ends in two full stops: none follows a text from elsewhere, unless the text is quoted', () => {
  const files = readSourceFiles(ROOT, ['src', 'client/src', 'web']).filter(
    ({ path }) => /\.tsx?$/.test(path) && !path.endsWith('.test.ts'),
  );
  const wrong = files.flatMap(({ path, text }) =>
    [...text.matchAll(ENDED)]
      .map(([, expression = '']) => expression)
      .filter((expression) => FOREIGN.test(expression))
      .map((expression) => `${path}: write sentence(${expression}) or quote(${expression})`),
  );
  assert.deepEqual(wrong, []);
});
