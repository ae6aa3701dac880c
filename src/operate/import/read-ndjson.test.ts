import assert from 'node:assert/strict';
import { Readable } from 'node:stream';
import { test } from 'node:test';
import { readNdjson } from './read-ndjson.ts';

test('a line with a repeated name is a fault of this line alone', async () => {
  const text = '{"account":"a"}\n{"account":"a","\\u0061ccount":"b"}\n\n{"account":"b"}\n';
  const lines = [];
  for await (const batch of readNdjson(Readable.from([Buffer.from(text)]))) lines.push(...batch);
  assert.deepEqual(lines, [
    { line: 1, record: { account: 'a' } },
    { line: 2, fault: 'has the name "account" more than once; write it once' },
    { line: 4, record: { account: 'b' } },
  ]);
});
