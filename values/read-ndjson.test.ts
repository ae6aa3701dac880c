import assert from 'node:assert/strict';
import { Readable } from 'node:stream';
import { test } from 'node:test';
import { readNdjson } from './read-ndjson.ts';
import { UnreadableSource } from './source-line.ts';

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

test('UTF-16 is recognised and refused, in whatever pieces the text arrives', async () => {
  const littleEndian = Buffer.from('{"account":"a"}\n', 'utf16le');
  const bigEndian = Buffer.from(littleEndian).swap16();
  for (const bytes of [littleEndian, bigEndian, [0xff, 0xfe, ...littleEndian], [0xfe, 0xff, ...bigEndian]])
    for (const pieces of [[Buffer.from(bytes)], Array.from(bytes, (byte) => Buffer.from([byte]))])
      await assert.rejects(
        Array.fromAsync(readNdjson(Readable.from(pieces))),
        new UnreadableSource('line 1 is in UTF-16; write all lines in UTF-8.'),
      );
});
