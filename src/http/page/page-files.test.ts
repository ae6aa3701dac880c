import assert from 'node:assert/strict';
import { test } from 'node:test';
import { scriptOf } from './page-files.ts';

test('types and comments with lines of their own are left out, no code is, and lines stay where they are', () => {
  const source = [
    '/** A type. */ type Name = string;',
    'const first = 1; /* stays */',
    '/* before code */ const second = 2;',
    '  /**',
    '   * Several * lines **',
    '   */',
    '  // One line.',
    'const third = "/* a text */";',
    '/** The end. */',
  ];
  const lines = scriptOf('web/names.ts', source.join('\n')).split('\n');
  const kept = new Set([1, 2, 7]);
  assert.deepEqual(
    lines.map((line) => line.trim()),
    source.map((line, index) => (kept.has(index) ? line : '')),
  );
});

test('the texts of packages stay as they are, without the address of their source map', () => {
  assert.equal(
    scriptOf('packages/preact.js', '/* licence */\nlet a;\n//# sourceMappingURL=preact.js.map'),
    '/* licence */\nlet a;\n',
  );
});
